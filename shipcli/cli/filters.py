"""The filters of lists, as the options of list commands give them."""

from __future__ import annotations

from shipcli.services.lists import CONNECTIONS, MANIFESTS, ORDERS, SHIPMENTS, TRACKERS, filters

__all__ = ["CONNECTIONS", "MANIFESTS", "ORDERS", "SHIPMENTS", "TRACKERS", "filters"]

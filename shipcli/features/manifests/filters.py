"""The filters of the list of manifests."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, listed

MANIFESTS: Rules = {"id": listed("id"), "carrier_name": listed("carrier_name"), **CREATED}

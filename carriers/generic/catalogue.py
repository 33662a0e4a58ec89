"""What a custom carrier offers before its owner says otherwise."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Option, OptionTable, Service, ServiceTable

SERVICES = ServiceTable([Service(slug="standard_service", code="standard")])

# The number under which the owner's carrier knows the shipment; it goes before the parcel's own reference.
OPTIONS = OptionTable([Option(slug="tracking_number_reference", code="tracking_number", type=str)])

DEFAULT_LEVELS: list[dict[str, Any]] = [
    {
        "service_name": "Standard Service",
        "service_code": "standard_service",
        "currency": "USD",
        "transit_days": 1,
        "active": True,
        "metadata": {},
        "zones": [{"label": "Zone 1", "rate": 0}],
    }
]

"""The filters of the list of manifests."""

from __future__ import annotations

from shipcli.features.core.filters import CARRIER, CREATED, IDS, Rules, filter_by_values

MANIFESTS: Rules = {
    "id": IDS,
    "carrier_name": filter_by_values("carrier_name", "Carrier slug.", option=CARRIER),
    **CREATED,
}

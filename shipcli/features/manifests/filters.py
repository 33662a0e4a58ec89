"""The filters of the list of manifests."""

from __future__ import annotations

from shipcli.features.core.filters import CARRIER, CREATED, IDS, Rules, one_of_values

MANIFESTS: Rules = {
    "id": IDS,
    "carrier_name": one_of_values("carrier_name", "Carrier slug.", option=CARRIER),
    **CREATED,
}

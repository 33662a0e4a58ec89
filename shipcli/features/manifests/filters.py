"""The filters of the list of manifests."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, one_of_values

MANIFESTS: Rules = {"id": one_of_values("id"), "carrier_name": one_of_values("carrier_name"), **CREATED}

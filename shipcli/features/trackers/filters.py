"""The filters of the list of trackers."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, one_of_values, part
from shipcli.models import enums

TRACKERS: Rules = {
    "tracking_number": part("tracking_number"),
    "carrier_name": one_of_values("carrier_name"),
    "status": one_of_values("status", enums.CARRIER_TRACKING_STATUSES),
    **CREATED,
}

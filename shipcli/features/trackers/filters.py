"""The filters of the list of trackers."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, listed, part
from shipcli.models import enums

TRACKERS: Rules = {
    "tracking_number": part("tracking_number"),
    "carrier_name": listed("carrier_name"),
    "status": listed("status", enums.CARRIER_TRACKING_STATUSES),
    **CREATED,
}

"""The filters of the list of trackers."""

from __future__ import annotations

from shipcli.features.core.filters import CARRIER, CREATED, STATUS, Rules, one_of_values, part
from shipcli.models.basics import enums

TRACKERS: Rules = {
    "tracking_number": part("tracking_number", "Part of the number."),
    "carrier_name": one_of_values("carrier_name", "Carrier slug.", option=CARRIER),
    "status": one_of_values("status", STATUS, enums.CARRIER_TRACKING_STATUSES),
    **CREATED,
}

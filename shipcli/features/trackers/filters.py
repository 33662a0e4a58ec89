"""The filters of the list of trackers."""

from __future__ import annotations

from shipcli.features.core.filters import CARRIER, CREATED, STATUS, Rules, filter_by_part, filter_by_values
from shipcli.models.basics import enums

TRACKERS: Rules = {
    "tracking_number": filter_by_part("tracking_number", "Part of the number."),
    "carrier_name": filter_by_values("carrier_name", "Carrier slug.", option=CARRIER),
    "status": filter_by_values("status", STATUS, enums.CARRIER_TRACKING_STATUSES),
    **CREATED,
}

"""The filters of the list of events."""

from __future__ import annotations

from shipcli.features.core.filters import Rules, filter_by_value, filter_by_values
from shipcli.models.basics import enums

EVENTS: Rules = {
    "type": filter_by_values("type", "Names of events; repeat it or use commas.", enums.EVENT_NAMES),
    "object_id": filter_by_value("object_id", "What they are about.", ("--object",)),
}

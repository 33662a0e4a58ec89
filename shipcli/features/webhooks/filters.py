"""The filters of the list of events."""

from __future__ import annotations

from shipcli.features.core.filters import Rules, equal, one_of_values
from shipcli.models.basics import enums

EVENTS: Rules = {
    "type": one_of_values("type", "Names of events; repeat it or use commas.", enums.EVENT_NAMES),
    "object_id": equal("object_id", "What they are about.", ("--object",)),
}

"""The filters of the list of batches."""

from __future__ import annotations

from shipcli.features.core.filters import Rules, one_of_values
from shipcli.models import enums

BATCHES: Rules = {
    "resource_type": one_of_values("resource_type", enums.BATCH_RESOURCE_TYPES),
    "status": one_of_values("status", enums.BATCH_STATUSES),
}

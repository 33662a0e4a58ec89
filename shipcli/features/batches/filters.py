"""The filters of the list of batches."""

from __future__ import annotations

from shipcli.features.core.filters import Rules, listed
from shipcli.models import enums

BATCHES: Rules = {
    "resource_type": listed("resource_type", enums.BATCH_RESOURCE_TYPES),
    "status": listed("status", enums.BATCH_STATUSES),
}

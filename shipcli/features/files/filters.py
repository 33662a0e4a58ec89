"""The filters of the list of batches."""

from __future__ import annotations

from shipcli.features.core.filters import STATUS, Rules, filter_by_values
from shipcli.models.basics import enums

BATCHES: Rules = {
    "resource_type": filter_by_values(
        "resource_type",
        "orders, shipments, trackers or billing.",
        enums.BATCH_RESOURCE_TYPES,
        option=("--type",),
    ),
    "status": filter_by_values("status", STATUS, enums.BATCH_STATUSES),
}

"""The filters of the list of batches."""

from __future__ import annotations

from shipcli.features.core.filters import STATUS, Rules, one_of_values
from shipcli.models.basics import enums

BATCHES: Rules = {
    "resource_type": one_of_values(
        "resource_type",
        "orders, shipments, trackers or billing.",
        enums.BATCH_RESOURCE_TYPES,
        option=("--type",),
    ),
    "status": one_of_values("status", STATUS, enums.BATCH_STATUSES),
}

"""The filters of the list of files sent to carriers."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, equal

UPLOADS: Rules = {"shipment_id": equal("shipment_id", "Of this shipment."), **CREATED}

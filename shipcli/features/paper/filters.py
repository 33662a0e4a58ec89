"""The filters of the list of files sent to carriers."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, Rules, filter_by_value

UPLOADS: Rules = {"shipment_id": filter_by_value("shipment_id", "Of this shipment."), **CREATED}

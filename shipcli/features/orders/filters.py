"""The filters of the list of orders."""

from __future__ import annotations

from shipcli.features.core.filters import (
    CREATED,
    IDS,
    METADATA,
    OPTIONS,
    STATUS,
    Rules,
    filter_by_text,
    filter_by_values,
)
from shipcli.models.basics import enums

ORDERS: Rules = {
    "address": filter_by_text("address", "Text in the address it goes to."),
    "keyword": filter_by_text("keyword", "Text in address, number or source."),
    "id": IDS,
    "order_id": filter_by_values("order_id", "Order numbers.", option=("--number",)),
    "source": filter_by_values("source", "Where orders come from."),
    "status": filter_by_values("status", STATUS, enums.ORDER_STATUSES),
    **OPTIONS,
    **METADATA,
    **CREATED,
}

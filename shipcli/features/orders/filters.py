"""The filters of the list of orders."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, IDS, METADATA, OPTIONS, STATUS, Rules, one_of_values, text
from shipcli.models.basics import enums

ORDERS: Rules = {
    "address": text("address", "Text in the address it goes to."),
    "keyword": text("keyword", "Text in address, number or source."),
    "id": IDS,
    "order_id": one_of_values("order_id", "Order numbers.", option=("--number",)),
    "source": one_of_values("source", "Where orders come from."),
    "status": one_of_values("status", STATUS, enums.ORDER_STATUSES),
    **OPTIONS,
    **METADATA,
    **CREATED,
}

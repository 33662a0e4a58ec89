"""The filters of the list of orders."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, METADATA, OPTIONS, Rules, one_of_values, text
from shipcli.models import enums

ORDERS: Rules = {
    "address": text("address"),
    "keyword": text("keyword"),
    "id": one_of_values("id"),
    "order_id": one_of_values("order_id"),
    "source": one_of_values("source"),
    "status": one_of_values("status", enums.ORDER_STATUSES),
    **OPTIONS,
    **METADATA,
    **CREATED,
}

"""The filters of the list of orders."""

from __future__ import annotations

from shipcli.features.core.filters import CREATED, METADATA, OPTIONS, Rules, listed, text
from shipcli.models import enums

ORDERS: Rules = {
    "address": text("address"),
    "keyword": text("keyword"),
    "id": listed("id"),
    "order_id": listed("order_id"),
    "source": listed("source"),
    "status": listed("status", enums.ORDER_STATUSES),
    **OPTIONS,
    **METADATA,
    **CREATED,
}

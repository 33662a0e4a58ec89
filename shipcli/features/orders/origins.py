"""In which order of its shop a line was sold, however people split and combined orders since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.core.shipment_lookup import list_linked_orders
from shipcli.models import Order
from shipcli.models.basics.enums import COMBINED

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Shipment
    from shipcli.models.order import LineItem

COMBINED_FROM = "combined"  # in an order's meta: the numbers of the orders whose lines it took
SPLIT = "split"  # in an order's meta: the numbers of the orders that its lines were moved to
SOLD_IN = "sold_in"  # in an order's meta: the id of the order in which a line was sold, of those from others
SHIPPED = ("fulfilled", "delivered")
Plain = Mapping[str, Any]


@dataclass(frozen=True)
class SoldLines:
    """The lines that an order holds of what was sold in one order of the shop, itself or another.

    Shapes: `elsewhere` are the lines of that sale which other orders hold now.
    """

    order: Order
    lines: Sequence[LineItem]
    elsewhere: Sequence[LineItem]
    is_shipped: bool


def find_origin(order: Plain, line_id: str | None) -> str:
    """The id of the order in which a line was sold that an order holds now."""
    return str(((order.get("meta") or {}).get(SOLD_IN) or {}).get(line_id, order["id"]))


def list_sold(app: App, order: Order) -> list[SoldLines]:
    """What an order holds, by the orders of the shop in which it was sold."""
    meta = order.meta or {}
    if not (SPLIT in meta or SOLD_IN in meta):
        return [SoldLines(order, order.line_items, (), order.status in SHIPPED)]
    plain = order.model_dump()
    origins = list(dict.fromkeys(find_origin(plain, line.id) for line in order.line_items))
    return [_describe_sale(app, order, origin) for origin in origins]


def list_order_numbers(app: App, shipment: Shipment) -> list[str]:
    """The numbers under which a shop and its customer know what is in a shipment; none without an order."""
    held = {item.parent_id for parcel in shipment.parcels for item in parcel.items}
    documents = [app.store.get("order", id) for id in list_linked_orders(app.store, shipment.id)]
    sales = [
        sold for document in documents if document
        for sold in list_sold(app, Order.model_validate(document))
    ]  # fmt: skip
    numbers = [sold.order.order_id for sold in sales if any(line.id in held for line in sold.lines)]
    return list(dict.fromkeys(numbers))


def _describe_sale(app: App, order: Order, origin_id: str) -> SoldLines:
    document = app.store.get("order", origin_id)
    origin = Order.model_validate(document) if document else order
    elsewhere = [
        line for other in _follow_lines(app, origin) if other.id != order.id
        for line in _list_lines(other, origin_id)
    ]  # fmt: skip
    lines = _list_lines(order, origin_id)
    left = sum(line.unfulfilled_quantity for line in (*lines, *elsewhere))
    return SoldLines(origin, lines, elsewhere, left == 0)


def _list_lines(order: Order, origin_id: str) -> list[LineItem]:
    """The lines of a sale that an order holds; one that was combined into another keeps copies alone."""
    plain = order.model_dump()
    is_copy = COMBINED in (order.meta or {})
    return [line for line in order.line_items if not is_copy and find_origin(plain, line.id) == origin_id]


def _follow_lines(app: App, origin: Order) -> Iterator[Order]:
    """The order in which something was sold, and all to which its lines may have been moved."""
    waiting, seen = [origin], {origin.id}
    while waiting:
        order = waiting.pop()
        yield order
        meta = order.meta or {}
        numbers = [*meta.get(SPLIT, ()), *([meta[COMBINED]] if COMBINED in meta else ())]
        for number in numbers:
            for row in app.store.select("orders", {"order_id": number, "test_mode": order.test_mode}):
                if row["id"] not in seen and (document := app.store.get("order", row["id"])):
                    seen.add(row["id"])
                    waiting.append(Order.model_validate(document))

"""Which tracking numbers a shop has not been told, what is in their parcels, and the marks of those told.

A file is written first and marked afterwards: a crash in between repeats numbers, and loses none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.catalog import find_facts, find_moving_carrier, name_carrier
from shipcli.features.core.dates import read_moment
from shipcli.features.core.shipment_lookup import is_return, list_linked_orders
from shipcli.features.orders.origins import SoldLines, list_sold
from shipcli.models import Order, Shipment
from shipcli.models.basics.enums import SHIPMENT_STATUSES
from shipcli.models.basics.text import fold_text
from shipcli.models.shop_numbers import NumbersTold, SentLine, SentNumber, TellingMark, WaitingNumbers
from shipcli.store.query import at_least, equal, marked, one_of, unmarked

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.parts.parcel import Parcel
    from shipcli.store.query import Filter

TABLE = "told_numbers"
TOLD, WITHDRAWN = "told", "withdrawn"
ANY = "any"
BOUGHT = tuple(status for status in SHIPMENT_STATUSES if status not in ("draft", "cancelled"))


def list_waiting(
    app: App, *, shop: str = "", source: str = "", again: bool = False, since: str | None = None
) -> WaitingNumbers:
    """What a shop has not been told yet, oldest first.

    Shapes: `source` is that of the orders, `any` for all; `again` repeats the last file, `since` what was
            told since an instant.
    Errors: Invalid for an instant that can't be read.
    """
    numbers: list[SentNumber] = []
    others: Counter[str] = Counter()
    for shipment in _list_shipments(app, shop, again=again, since=since):
        for number in reversed(list_numbers(app, shipment)):
            if source == ANY or fold_text(number.order_source) == fold_text(source):
                numbers.append(number)
            else:
                others[number.order_source] += 1
    numbers.reverse()
    return WaitingNumbers(numbers=numbers, other_sources=dict(others))


def mark_told(app: App, data: NumbersTold) -> TellingMark:
    """Mark what a shop was told, so that the next file leaves it out."""
    now, states = app.now(), ((data.shipment_ids, TOLD), (data.withdrawn, WITHDRAWN))
    rows = [
        {"shop": data.shop, "shipment_id": id, "state": state, "test_mode": app.test_mode, "at": now}
        for ids, state in states
        for id in dict.fromkeys(ids)
    ]
    with app.store.transaction() as tx:
        tx.upsert_many(TABLE, rows)
    return TellingMark(marked=len(rows), at=now.isoformat())


def _list_shipments(app: App, shop: str, *, again: bool, since: str | None) -> Iterator[Shipment]:
    """The shipments that wait, then those told before and voided since, then those to be repeated."""
    conditions: list[list[Filter]] = [
        [one_of("status", BOUGHT), unmarked(TABLE, "shipment_id", shop=shop)],
        [equal("status", "cancelled"), marked(TABLE, "shipment_id", shop=shop, state=TOLD)],
    ]
    seen: set[str] = set()
    for where in conditions:
        for document in app.store.each("shipment", where, app.test_mode):
            seen.add(document["id"])
            yield Shipment.model_validate(document)
    for shipment_id in _list_told(app, shop, again=again, since=since):
        stored = app.store.get("shipment", shipment_id, app.test_mode)
        if stored and shipment_id not in seen:
            yield Shipment.model_validate(stored)


def _list_told(app: App, shop: str, *, again: bool, since: str | None) -> list[str]:
    """The shipments of the last file, or of all files since an instant, newest first."""
    own = [equal("shop", shop), equal("test_mode", app.test_mode)]
    start: datetime | None = read_moment(since, app.now(), "since") if since else None
    if again and start is None:
        last = app.store.select(TABLE, own, "-at", 1)
        start = last[0]["at"] if last else None
    if start is None:
        return []
    return [str(row["shipment_id"]) for row in app.store.select(TABLE, [*own, at_least("at", start)], "-at")]


# -- what is in a parcel ---------------------------------------------------------------------------


def list_numbers(app: App, shipment: Shipment) -> list[SentNumber]:
    """The numbers of a shipment: one per order of the shop in it, and per parcel with a number of its own.

    A shipment that no number names yet, that comes back, or that belongs to no order, has none.
    """
    if not shipment.tracking_number or is_return(shipment):
        return []
    orders = [app.store.get("order", id) for id in list_linked_orders(app.store, shipment.id)]
    stored = [Order.model_validate(order) for order in orders if order]
    if not stored:
        return _list_plain(app, shipment)
    groups = [
        (parcels, _describe_carrier(app, shipment, number))
        for number, parcels in _group_parcels(shipment).items()
    ]
    sales = [sold for order in stored for sold in list_sold(app, order)]
    return [
        number
        for sold in sales
        for parcels, carrier in groups
        if (number := _make_number(sold, parcels, carrier))
    ]


def _list_plain(app: App, shipment: Shipment) -> list[SentNumber]:
    """The number of a shipment whose order is not stored, such as a row of a file."""
    order_number = str(shipment.metadata.get("order_id") or shipment.reference or "")
    source = str(shipment.metadata.get("order_source") or "")
    if not order_number:
        return []
    carrier = _describe_carrier(app, shipment, str(shipment.tracking_number))
    return [SentNumber(order_number=order_number, order_source=source, **carrier)]


def _group_parcels(shipment: Shipment) -> dict[str, list[Parcel]]:
    """The parcels by their numbers; all have that of the shipment if not each has its own."""
    own = [parcel.reference_number for parcel in shipment.parcels]
    whole = str(shipment.tracking_number)
    if len(own) < 2 or not all(own) or len(set(own)) < len(own) or whole not in own:
        return {whole: list(shipment.parcels)}
    return {str(parcel.reference_number): [parcel] for parcel in shipment.parcels}


def _make_number(sold: SoldLines, parcels: Sequence[Parcel], carrier: Mapping[str, Any]) -> SentNumber | None:
    held: Counter[str] = Counter()
    for parcel in parcels:
        for item in parcel.items:
            held[item.parent_id or ""] += item.quantity or 0
    quantities = [(line, held[line.id or ""]) for line in sold.lines]
    lines = [
        SentLine(id=line.id or "", sku=line.sku or "", title=line.title or "", quantity=quantity,
                 metadata=line.metadata)
        for line, quantity in quantities if quantity
    ]  # fmt: skip
    if not lines:
        return None
    return SentNumber(
        order_number=sold.order.order_id,
        order_source=sold.order.source or "",
        order_metadata=sold.order.metadata,
        lines=lines,
        is_partial=bool(sold.elsewhere) or any(quantity < line.quantity for line, quantity in quantities),
        completes=sold.is_shipped,
        **carrier,
    )


def _describe_carrier(app: App, shipment: Shipment, tracking_number: str) -> dict[str, Any]:
    slug = find_moving_carrier(shipment.carrier_name, shipment.meta)
    facts = find_facts(slug)
    is_first = shipment.tracking_number == tracking_number
    link = (shipment.meta or {}).get("carrier_tracking_link") if is_first else None
    if link is None and facts and facts.tracking_link:
        link = facts.tracking_link.format(tracking_number, language="en")
    return {
        "shipment_id": shipment.id,
        "tracking_number": tracking_number,
        "tracking_url": link or "",
        "carrier": slug,
        "carrier_name": name_carrier(app, slug),
        "service": str((shipment.meta or {}).get("service_name") or shipment.service or ""),
        "ship_date": _find_ship_day(shipment),
        "withdrawn": shipment.status == "cancelled",
    }


def _find_ship_day(shipment: Shipment) -> str:
    """The day of shipping; that of the draft where the option is no day, which not every carrier minds."""
    try:
        return date.fromisoformat(str(shipment.options.get("shipment_date"))[:10]).isoformat()
    except ValueError:
        return str(shipment.created_at)[:10]

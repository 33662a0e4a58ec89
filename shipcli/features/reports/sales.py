"""What each bought shipment cost, as rows that the store can group; made from the shipments themselves.

The rows follow the shipments: before a report, those of shipments that changed since are written anew. A
shipment with several articles has a row for each, with its share of the price by weight; shares add up to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.catalog import find_moving_carrier
from shipcli.features.core.checkpoints import read_cursor, write_cursor
from shipcli.features.core.dates import find_local_day, list_offsets
from shipcli.models.basics.enums import SHIPMENT_STATUSES
from shipcli.models.basics.reference import count_decimals
from shipcli.models.basics.units import convert_weight
from shipcli.store.query import equal, one_of, outdated

if TYPE_CHECKING:
    from shipcli.features.core.app import App

TABLE = "sales"
UNIT = Decimal(10_000)  # amounts are stored in ten-thousandths, as whole numbers
BILLING = "billing"
HOME, ABROAD = "home", "abroad"
SOLD = tuple(status for status in SHIPMENT_STATUSES if status != "draft")
AT_ONCE = 500
BASIS, COUNTING = "basis", 2  # how amounts are counted: another number has all rows written anew
Document = Mapping[str, Any]


def catch_up(app: App) -> int:
    """Write the rows of shipments that were bought or changed since the last time; returns how many.

    All of them are written where the last time had other days, or was before the amounts were counted so.
    """
    _forget_other_days(app)
    changed = app.store.each("shipment", _list_changed(), app.test_mode)
    done = 0
    while documents := list(islice(changed, AT_ONCE)):
        rows = [row for document in documents for row in make_rows(app, document)]
        with app.store.transaction() as tx:
            tx.remove(TABLE, [one_of("shipment_id", [document["id"] for document in documents])])
            tx.insert_many(TABLE, rows)
        done += len(documents)
    return done


def _forget_other_days(app: App) -> None:
    basis = f"{COUNTING} {' '.join(list_offsets())}"
    if read_cursor(app, TABLE, BASIS) == basis:
        return
    with app.store.transaction() as tx:
        tx.remove(TABLE, [equal("test_mode", app.test_mode)])
    write_cursor(app, TABLE, BASIS, basis)


def _list_changed() -> list[Any]:
    return [one_of("status", SOLD), outdated(TABLE, "shipment_id", status="status", seen_at="updated_at")]


def make_rows(app: App, shipment: Document) -> Iterator[dict[str, Any]]:
    """The rows of a shipment: one per article, or one of nothing; the first has its number of parcels."""
    facts = _gather_facts(app, shipment)
    shares = _share_goods(shipment)
    step = int(UNIT.scaleb(-count_decimals(facts["currency"]))) if facts["currency"] else 1
    amounts = {name: _split(facts.pop(name), shares, step) for name in ("charge", "quoted", "billed")}
    for place, sku in enumerate(shares):
        yield {
            **facts,
            "sku": sku,
            "parcels": len(shipment["parcels"]) if place == 0 else 0,
            **{name: parts[place] for name, parts in amounts.items()},
        }


def _gather_facts(app: App, shipment: Document) -> dict[str, Any]:
    rate: Document = shipment["selected_rate"] or {}
    currency, is_ours = str(rate.get("currency") or ""), is_paid_by_sender(shipment)
    stored = app.store.select("shipments", {"id": shipment["id"]})[0]
    return {
        "shipment_id": shipment["id"],
        "test_mode": app.test_mode,
        "status": stored["status"],
        "seen_at": stored["updated_at"],
        "day": _find_day(app, shipment),
        "carrier": find_moving_carrier(shipment["carrier_name"], shipment.get("meta")),
        "service": str(shipment["service"] or ""),
        "zone": _find_zone(shipment, rate),
        "country": str((shipment["recipient"] or {}).get("country_code") or ""),
        "currency": currency,
        "is_void": shipment["status"] == "cancelled",
        "charge": count_units(rate.get("total_charge") if is_ours else 0),
        "quoted": count_units(_find_quote(shipment, rate) if is_ours else 0),
        "billed": count_units(_sum_bill(shipment, currency)),
    }


def is_paid_by_sender(shipment: Document) -> bool:
    """Whether the carrier bills the sender, rather than the recipient or a third party."""
    return (shipment.get("payment") or {}).get("paid_by") in (None, "", "sender")


def _find_day(app: App, shipment: Document) -> str:
    """The day of the purchase, in this machine's time zone."""
    intents = app.store.select(
        "intents", {"shipment_id": shipment["id"], "kind": "purchase"}, "-updated_at", 1
    )
    moment = intents[0]["updated_at"] if intents else datetime.fromisoformat(str(shipment["created_at"]))
    return find_local_day(moment).isoformat()


def _find_zone(shipment: Document, rate: Document) -> str:
    """The carrier's own zone where its rates say it, else home or abroad."""
    meta: Document = rate.get("meta") or {}
    zone = meta.get("usps_zone") or meta.get("zone")
    if zone:
        return str(zone)
    sides = {(shipment[side] or {}).get("country_code") for side in ("shipper", "recipient")}
    return HOME if len(sides) == 1 else ABROAD


def _find_quote(shipment: Document, rate: Document) -> Any:
    """What was quoted for what was bought, in the same currency; the price itself if that is not known."""
    names = ("carrier_id", "service", "currency")
    quotes = (
        quote for quote in shipment["rates"] or () if all(quote[name] == rate.get(name) for name in names)
    )
    quote = next(quotes, rate)
    return quote.get("total_charge")


def _sum_bill(shipment: Document, currency: str) -> Decimal | None:
    """What the carrier billed so far, in the currency of the price; None if it sent no bill.

    What is billed in other currencies alone is a bill of 0, or nobody would ever look at it.
    """
    lines: Sequence[Document] = (shipment.get("meta") or {}).get(BILLING) or ()
    amounts = [
        Decimal(str(line["amount"])) for line in lines if (line.get("currency") or currency) == currency
    ]
    return sum(amounts, Decimal(0)) if lines else None


# -- money and shares ------------------------------------------------------------------------------


def count_units(amount: Any) -> int | None:
    """An amount in the unit of the table."""
    return None if amount is None else int((Decimal(str(amount)) * UNIT).to_integral_value())


def read_units(units: Any) -> Decimal:
    """An amount from the unit of the table."""
    return Decimal(int(units or 0)) / UNIT


def _share_goods(shipment: Document) -> dict[str, Decimal]:
    """The weight of each article in a shipment, by SKU; its pieces where weights are not known."""
    items = [item for parcel in shipment["parcels"] for item in parcel.get("items") or ()]
    is_weighed = all(item.get("weight") for item in items)
    shares: dict[str, Decimal] = {}
    for item in items:
        pieces, sku = Decimal(item.get("quantity") or 1), str(item.get("sku") or "")
        share = _weigh(item) * pieces if is_weighed else pieces
        shares[sku] = shares.get(sku, Decimal(0)) + share
    return shares or {"": Decimal(1)}


def _weigh(item: Document) -> Decimal:
    return convert_weight(Decimal(str(item["weight"])), item.get("weight_unit") or "KG", "G")


def _split(units: int | None, shares: Mapping[str, Decimal], step: int = 1) -> list[int | None]:
    """Units by share, multiples of `step` that add up; the last share has what rounding left."""
    if units is None:
        return [None] * len(shares)
    total = sum(shares.values()) or Decimal(1)
    first = list(shares.values())[:-1]
    parts: list[int | None] = [int(units * share / total) // step * step for share in first]
    return [*parts, units - sum(part or 0 for part in parts)]

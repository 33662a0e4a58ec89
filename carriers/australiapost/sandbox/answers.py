"""What the simulated Australia Post understands of a shipment, and what it answers and draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.price_list import to_cents
from shipcli.carrier.simulation.tracking import SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list

CATALOGUE = load_catalogue(__file__)
MOST_NUMBERS, TAX_SHARE = 10, 11  # a price holds one eleventh of tax
CONTENT_TYPES = {"PDF": "application/pdf", "ZPL": "application/zpl"}
ARTICLE = "01000870900"  # one parcel, the product and its extras, in the article number


def read_booking(body: Json) -> Booking:
    items, party = body["items"], CATALOGUE.paths("party")
    contents = (content for item in items for content in as_list(item.get("item_contents")))
    return Booking(
        shipper=read_party(body["from"], party),
        recipient=read_party(body["to"], party),
        weights=tuple(Decimal(str(item["weight"])) for item in items),
        parcels=tuple(map(_measure, items)),
        service=items[0].get("product_id") or "",
        reference=body.get("shipment_reference"),
        items=read_items(contents, CATALOGUE.paths("item"), "AUD"),
    )


def _measure(item: Json) -> MeasuredParcel:
    return measure_parcel(item["weight"], "KG", [item.get(name) for name in ("length", "width", "height")])


def write_price(priced: PricedOffer) -> Json:
    code, tax = priced.offer.code, to_cents(priced.total / TAX_SHARE)
    return CATALOGUE.fill(
        "price", code=code, title=_title(code), total=priced.total, tax=tax, net=priced.total - tax
    )


def _title(code: str) -> str:
    return CATALOGUE.services.slug(code).removeprefix("australiapost_").replace("_", " ").upper()


def write_sale(sale: Sale, body: Json) -> Json:
    """Each parcel is a consignment of its own here."""
    items = [
        CATALOGUE.fill("item", number=number, article=number + ARTICLE, item=item)
        for number, item in zip(sale.numbers, body["items"], strict=True)
    ]
    total, tax = sale.priced.total, to_cents(sale.priced.total / TAX_SHARE)
    return CATALOGUE.fill("sale", id=sale.identifier, items=items, total=total, tax=tax, net=total - tax)


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    """A page for each parcel; its barcode holds the article number."""
    from shipcli.drawing import draw_labels

    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": booking.recipient.postal_code,
        "banner": "AP Article Id",
    }
    title, pages = _title(booking.service), []
    for at, article in enumerate(number + ARTICLE for number in numbers):
        caption = group_text(article, 3, 7, 2)
        pages.append(
            draw_booking(booking, article, at, "Australia Post", title, caption=caption, **furniture)
        )
    return draw_labels(pages, kind)


def draw_summary(number: str, body: Json, labels: Sequence[Mapping[str, Any]]) -> bytes:
    from shipcli.drawing import draw_form

    rows = [(str(label["number"]), str(label["service"]), f"{label['total']} AUD") for label in labels]
    details = (("Order", number), ("Consignor", str(body.get("consignor") or "")))
    columns = ("Consignment", "Product", "Price")
    return draw_form("Australia Post order summary", rows, columns=columns, details=details, sample=True)


def write_tracked(number: str, seen: SimulatedTracking | None) -> Json:
    if seen is None:
        return CATALOGUE.fill("unknown", number=number)
    status = CATALOGUE.statuses.code(seen.status)
    events = [
        CATALOGUE.fill("event", scan=scan, city=scan.city.upper(), at=scan.at.isoformat(timespec="seconds"))
        for scan in reversed(seen.scans)
    ]
    return CATALOGUE.fill("tracked", number=number, status=status, events=events)

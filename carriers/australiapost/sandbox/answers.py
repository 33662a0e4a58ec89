"""What the simulated Australia Post understands of a shipment, and what it answers and draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import BookedItem, Booking, Party, Priced, Sale
from shipcli.carrier.json_paths import Json, as_list
from shipcli.carrier.price_list import to_cents
from shipcli.carrier.simulated_papers import draw_booking, group_text
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

CATALOGUE = load_catalogue(__file__)
MOST_NUMBERS, TAX_SHARE = 10, 11  # a price holds one eleventh of tax
CONTENT_TYPES = {"PDF": "application/pdf", "ZPL": "application/zpl"}
ARTICLE = "01000870900"  # one parcel, the product and its extras, in the article number


def read_booking(body: Json) -> Booking:
    items = body["items"]
    return Booking(
        shipper=_party(body["from"]),
        recipient=_party(body["to"]),
        weights=tuple(Decimal(str(item["weight"])) for item in items),
        service=items[0].get("product_id") or "",
        reference=body.get("shipment_reference"),
        items=tuple(_goods(one) for item in items for one in as_list(item.get("item_contents"))),
    )


def _party(address: Json) -> Party:
    return Party(
        name=address.get("name") or "",
        lines=tuple(address.get("lines") or ()),
        city=address.get("suburb") or "",
        state=address.get("state") or "",
        postal_code=address["postcode"],
        country=address["country"],
    )


def _goods(content: Json) -> BookedItem:
    return BookedItem(
        description=content["description"],
        quantity=int(content["quantity"]),
        value=Decimal(str(content["value"])),
        currency="AUD",
    )


def _cost(total: Decimal, names: tuple[str, str, str]) -> Json:
    tax = to_cents(total / TAX_SHARE)
    return dict(zip(names, (total, total - tax, tax), strict=True))


def write_price(priced: Priced) -> Json:
    names = ("calculated_price", "calculated_price_ex_gst", "calculated_gst")
    code = priced.offer.code
    return {"product_id": code, "product_type": _title(code), **_cost(priced.total, names)}


def _title(code: str) -> str:
    return CATALOGUE.services.slug(code).removeprefix("australiapost_").replace("_", " ").upper()


def write_sale(sale: Sale, body: Json) -> Json:
    """Each parcel is a consignment of its own here."""
    items = [
        {
            "item_id": f"item-{number}",
            "item_reference": item.get("item_reference"),
            "product_id": item["product_id"],
            "tracking_details": {"consignment_id": number, "article_id": number + ARTICLE},
        }
        for number, item in zip(sale.numbers, body["items"], strict=True)
    ]
    summary = _cost(sale.priced.total, ("total_cost", "total_cost_ex_gst", "total_gst"))
    return {"shipment_id": sale.identifier, "items": items, "shipment_summary": summary}


def draw(booking: Booking, numbers: Sequence[str], kind: str) -> bytes:
    """A page for each parcel; its barcode holds the article number."""
    from shipcli.drawing import draw_labels

    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": booking.recipient.postal_code,
        "banner": "AP Article Id",
    }
    title, articles = _title(booking.service), [number + ARTICLE for number in numbers]
    return draw_labels(
        [
            draw_booking(
                booking, one, at, "Australia Post", title, caption=group_text(one, 3, 7, 2), **furniture
            )
            for at, one in enumerate(articles)
        ],
        kind,
    )


def draw_summary(number: str, body: Json, labels: Sequence[Mapping[str, Any]]) -> bytes:
    from shipcli.drawing import draw_form

    rows = [(str(one["number"]), str(one["service"]), f"{one['total']} AUD") for one in labels]
    details = (("Order", number), ("Consignor", str(body.get("consignor") or "")))
    columns = ("Consignment", "Product", "Price")
    return draw_form("Australia Post order summary", rows, columns=columns, details=details, sample=True)


def write_tracked(number: str, seen: SimulatedTracking | None) -> Json:
    if seen is None:
        return {"tracking_id": number, "errors": [{"code": "ESB-10001", "name": "Invalid tracking ID"}]}
    status = CATALOGUE.statuses.code(seen.status)
    events = [_event(scan) for scan in reversed(seen.scans)]
    item = {"article_id": number, "product_type": "eParcel", "events": events, "status": status}
    return {"tracking_id": number, "status": status, "trackable_items": [item]}


def _event(scan: Scan) -> Json:
    return {
        "location": f"{scan.city.upper()} ({scan.country})",
        "description": scan.description,
        "date": scan.at.isoformat(timespec="seconds"),
    }

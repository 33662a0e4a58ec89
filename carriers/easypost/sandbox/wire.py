"""What the simulated EasyPost understands of a shipment that broke no rule, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, PricedOffer, Refusal, Sale
from shipcli.carrier.simulation.papers import draw_booking, group_text
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
CONTENT_TYPES = {kind: word for word, kind in CATALOGUE.table("label_types").items()}
PAGE = "https://track.easypost.com/"
EXTRAS = {"saturday": "saturday_delivery", "signature": "delivery_confirmation"}
NAMES = ("name", "company", "city", "state", "country")


def read_booking(body: Json, service: str = "") -> Booking:
    """Shapes: `service` is the carrier behind the hub and its service, as the price list has them."""
    options = body.get("options") or {}
    return Booking(
        shipper=_party(body["from_address"]),
        recipient=_party(body["to_address"]),
        weights=(convert_weight(Decimal(str(body["parcel"]["weight"])), "OZ", "KG"),),
        service=service,
        reference=body.get("reference"),
        key=body.get("id"),
        extras=tuple(name for name, option in EXTRAS.items() if options.get(option)),
        items=tuple(_item(item) for item in as_list(get_path(body, "customs_info/customs_items"))),
        label=options.get("label_format") or "PNG",
        ship_date=_date(day) if (day := options.get("label_date")) else None,
    )


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise Refusal("SHIPMENT.INVALID_PARAMS", "label_date is not a date.", 422) from None


def _party(address: Json) -> Party:
    return Party(
        lines=tuple(line for name in ("street1", "street2") if (line := address.get(name))),
        postal_code=address.get("zip") or "",
        residential=bool(address.get("residential")),
        **{name: address.get(name) or "" for name in NAMES},
    )


def _item(item: Json) -> BookedItem:
    return BookedItem(
        description=item["description"],
        quantity=int(item["quantity"]),
        value=Decimal(str(item.get("value") or 0)),
        currency=item.get("currency") or "USD",
    )


def write_rates(shipment: str, prices: Sequence[PricedOffer]) -> list[Json]:
    """The rates of a shipment; their carrier and service stand in the price list as one."""
    return [_rate(f"rate_{shipment[4:]}{at:02d}", price) for at, price in enumerate(prices)]


def _rate(number: str, priced: PricedOffer) -> Json:
    carrier, _, service = priced.offer.code.partition(" ")
    price = {"rate": str(priced.total), "currency": priced.currency, "delivery_days": priced.offer.days}
    return {"id": number, "object": "Rate", "carrier": carrier, "service": service, **price}


def write_sold(sale: Sale, link: str, kind: str) -> Json:
    """What a purchase adds to its shipment."""
    number = sale.numbers[0]
    return {
        "tracking_code": number,
        "tracker": {"id": f"trk_{number}", "object": "Tracker", "public_url": PAGE + number},
        "postage_label": {"object": "PostageLabel", "label_file_type": kind, "label_url": link},
    }


def draw(sale: Sale) -> bytes:
    """The label as the carrier behind the hub looks, in the kind that was asked for."""
    from shipcli.drawing import draw_label

    booking, number, to = sale.booking, sale.numbers[0], sale.booking.recipient
    carrier, _, service = booking.service.partition(" ")
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:3]}",
        "postal_barcode": f"420{to.postal_code[:5]}" if to.country == "US" else None,
        "caption": group_text(number, 4, 4, 4, 4, 4),
    }
    return draw_label(draw_booking(booking, number, 0, carrier, service.upper(), **furniture), booking.label)


def write_tracker(number: str, carrier: str | None, seen: SimulatedTracking, label: Json) -> Json:
    carrier_name, _, service = str(label.get("service") or "").partition(" ")
    location = {"zip": label.get("recipient_postal_code")}
    return {
        "id": f"trk_{number}",
        "tracking_code": number,
        **_status("cancelled" if label.get("voided_at") else seen.status),
        "carrier": carrier_name or carrier or "USPS",
        "signed_by": "S. AMPLE" if seen.delivered else None,
        "est_delivery_date": _at(seen.estimated) if seen.estimated else None,
        "shipment_id": label.get("identifier"),
        "tracking_details": [_detail(scan) for scan in seen.scans],
        "carrier_detail": {"service": service or None, "destination_tracking_location": location},
        "public_url": PAGE + number,
    }


def _status(status: str) -> Json:
    """A status and its detail, which alone tells a parcel that is held or late."""
    code = CATALOGUE.statuses.code(status)
    return {"status": CATALOGUE.table("details").get(code, code), "status_detail": code}


def _detail(scan: Scan) -> Json:
    detail = {"message": scan.description, "datetime": _at(scan.at), **_status(scan.status)}
    return {**detail, "tracking_location": {"city": scan.city, "country": scan.country}}


def _at(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"

"""What the simulated eShipper understands of a shipment that broke no rule, and what it answers."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
FIRST_ID = 5000001
CODES = {FIRST_ID + at: tariff.code for at, tariff in enumerate(CATALOGUE.tariffs)}
IDS = {code: number for number, code in CODES.items()}
EXTRAS = {"signature": "signatureRequired", "saturday": "isSaturdayService"}


def read_booking(body: Json) -> Booking:
    """Shapes: the service is the carrier behind the hub and its service, as the price list has them."""
    goods = get_path(body, "customsInformation/items") or {}
    return Booking(
        shipper=_party(body["from"]),
        recipient=_party(body["to"]),
        weights=tuple(_kilograms(package) for package in as_list(body["packages"]["packages"])),
        service=CODES.get(int(body.get("serviceId") or 0), ""),
        reference=body.get("reference1"),
        extras=tuple(name for name, option in EXTRAS.items() if body.get(option)),
        items=tuple(_item(item, goods.get("currency")) for item in as_list(goods.get("item"))),
        ship_date=datetime.fromisoformat(body["scheduledShipDate"]).date(),
    )


def _party(address: Json) -> Party:
    return Party(
        name=address["attention"],
        company=address.get("company") or "",
        lines=tuple(line for name in ("address1", "address2") if (line := address.get(name))),
        city=address["city"],
        state=address.get("province") or "",
        postal_code=address.get("zip") or "",
        country=address["country"],
        residential=bool(address.get("residential")),
    )


def _kilograms(package: Json) -> Decimal:
    return convert_weight(Decimal(str(package["weight"])), package["weightUnit"], "KG")


def _item(item: Json, currency: Any) -> BookedItem:
    return BookedItem(
        description=item["description"],
        quantity=int(item["quantity"]),
        value=Decimal(str(item.get("unitPrice") or 0)),
        currency=str(currency or "CAD"),
        origin=item.get("originCountry") or "",
        code=item.get("hsnCode") or "",
    )


def write_quote(priced: PricedOffer) -> Json:
    offer, names = priced.offer, CATALOGUE.surcharges
    carrier, _, service = offer.code.partition("|")
    extras = [{"name": names[name].code, "amount": amount} for name, amount in priced.extras.items()]
    return {
        "carrierName": carrier,
        "serviceId": IDS[offer.code],
        "serviceName": service,
        "transitDays": str(offer.days),
        "baseCharge": offer.base,
        "fuelSurcharge": offer.fuel,
        "surcharges": extras or None,
        "totalCharge": priced.total,
        "totalChargedAmount": priced.total,
        "currency": priced.currency,
    }


def write_sale(sale: Sale) -> Json:
    price, numbers = write_quote(sale.priced), sale.numbers
    labels = [{"type": "pdf", "data": encode_file(_draw(sale, at))} for at in range(len(numbers))]
    invoice = draw_invoice("Commercial invoice", sale.booking, {"Order": sale.identifier})
    return {
        "order": {"id": sale.identifier, "message": ""},
        "carrier": {"carrierName": price["carrierName"], "serviceName": price["serviceName"]},
        "packages": [{"trackingNumber": number} for number in numbers],
        "trackingNumber": numbers[0],
        "trackingUrl": f"https://track.eshipper.com/{numbers[0]}",
        "labelData": {"label": labels},
        "customsInvoice": {"type": "pdf", "data": encode_file(invoice)} if sale.booking.abroad else None,
        "quote": price,
    }


def _draw(sale: Sale, at: int) -> bytes:
    """The label of one package as the carrier behind the hub looks."""
    from shipcli.drawing import draw_label

    booking, number, to = sale.booking, sale.numbers[at], sale.booking.recipient
    carrier, _, service = booking.service.partition("|")
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:3]}",
        "caption": group_text(number, 4, 4, 4),
    }
    return draw_label(draw_booking(booking, number, at, carrier, service.upper(), **furniture), "PDF")


def write_events(number: str, seen: SimulatedTracking) -> Json:
    reached = {CATALOGUE.statuses.code(scan.status) for scan in seen.scans}
    return {
        "trackingNumber": number,
        "trackingUrl": f"https://track.eshipper.com/{number}",
        "expectedDeliveryDate": f"{seen.estimated:%Y-%m-%d %H:%M:%S}" if seen.estimated else None,
        "shipmentStatus": {name: name in reached for name in CATALOGUE.statuses.codes},
        "event": [_event(scan) for scan in reversed(seen.scans)],
    }


def _event(scan: Scan) -> Json:
    at = f"{scan.at:%Y-%m-%d %H:%M:%S}"
    original = {"name": CATALOGUE.statuses.code(scan.status), "eventDate": at}
    where = f"{scan.city}, {scan.country}"
    return {"dateTime": at, "description": scan.description, "location": where, "originalEvent": original}

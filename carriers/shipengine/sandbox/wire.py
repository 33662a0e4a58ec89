"""What the simulated ShipEngine understands of a shipment, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from shipcli.carrier import load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Refusal, Sale, Surcharge, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_invoice, draw_parcels
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM, CARRIERS = CATALOGUE.paths("party"), CATALOGUE.paths("item"), CATALOGUE.table("carriers")
WEIGHTS = {word: unit for unit, word in CATALOGUE.table("weight_units").items()}
SIZES = {word: unit for unit, word in CATALOGUE.table("size_units").items()}
KINDS = CATALOGUE.table("label_types")
MEDIA = {"pdf": "application/pdf", "png": "image/png", "zpl": "application/zpl"}
ACCOUNTS = {code: f"se-{at}" for at, code in enumerate(CARRIERS.values(), 101)}
AMOUNTS = ("shipping", "insurance", "confirmation", "other")
DETAILS = {
    "out_for_delivery": "OUT_FOR_DELIVERY",
    "delivery_delayed": "CARRIER_DELAYS",
    "cancelled": "CANCELLED",
}
CODE_LENGTH = 2
SIGNED = ("signature", "adult_signature", "direct_signature")


def find_carrier(service: str) -> str:
    """The carrier behind the hub that has a service."""
    row = next((row for row in CATALOGUE.services if row.code == service), None)
    return str(CARRIERS[row.carrier]) if row and row.carrier else "ups"


def list_accounts() -> list[Json]:
    return [
        {"carrier_id": account, "carrier_code": code, "nickname": code, "friendly_name": code.upper()}
        for code, account in ACCOUNTS.items()
    ]


def read_booking(shipment: Json, kind: str = "pdf") -> Booking:
    packages = shipment["packages"]
    goods = [row for package in packages for row in package.get("products") or ()]
    return Booking(
        shipper=read_party(shipment["ship_from"], PARTY),
        recipient=read_party(shipment["ship_to"], PARTY),
        weights=tuple(weigh(package["weight"]) for package in packages),
        parcels=tuple(measure(package) for package in packages),
        service=shipment.get("service_code", ""),
        account=shipment.get("carrier_id"),
        reference=shipment.get("shipment_number"),
        references=tuple(get_path(package, "label_messages/reference1") for package in packages),
        key=shipment.get("external_shipment_id"),
        items=read_items(goods, ITEM),
        extras=tuple(list_extras(shipment)),
        label=KINDS[kind],
    )


def weigh(weight: Json) -> Decimal:
    return convert_weight(Decimal(str(weight["value"])), WEIGHTS[weight["unit"]], "KG")


def measure(package: Json) -> MeasuredParcel:
    size, weight = package.get("dimensions") or {}, package["weight"]
    sides = [Decimal(str(size[name])) for name in ("length", "width", "height") if name in size]
    unit = SIZES.get(size.get("unit", "inch"), "IN")
    return measure_parcel(weight["value"], WEIGHTS[weight["unit"]], sides, unit, "0.1")


def list_extras(shipment: Json) -> list[str]:
    advanced = shipment.get("advanced_options") or {}
    insured = any(get_path(package, "insured_value/amount") for package in shipment["packages"])
    chosen = {
        "signature": shipment.get("confirmation") in SIGNED,
        "saturday": advanced.get("saturday_delivery"),
        "insurance": insured,
        "cash": advanced.get("collect_on_delivery"),
    }
    return [name for name, is_chosen in chosen.items() if is_chosen]


def split_amounts(priced: PricedOffer, surcharges: Mapping[str, Surcharge]) -> dict[str, Decimal]:
    """What a price consists of, by ShipEngine's words."""
    amounts = dict.fromkeys(AMOUNTS, Decimal(0))
    amounts["shipping"] = priced.offer.total
    for name, amount in priced.extras.items():
        amounts[surcharges[name].code] += amount
    return amounts


def write_rate(at: int, priced: PricedOffer, surcharges: Mapping[str, Surcharge]) -> Json:
    code, carrier = priced.offer.code, find_carrier(priced.offer.code)
    amounts = split_amounts(priced, surcharges)
    return {
        "rate_id": f"se-{at}",
        "rate_type": "shipment",
        "carrier_id": ACCOUNTS[carrier],
        **{f"{name}_amount": write_money(amount, priced.currency) for name, amount in amounts.items()},
        "delivery_days": priced.offer.days,
        "service_type": code.replace("_", " ").title(),
        "service_code": code,
        "package_type": "package",
        "carrier_code": carrier,
        "carrier_nickname": carrier,
        "carrier_friendly_name": carrier.upper(),
        "guaranteed_service": False,
        "negotiated_rate": False,
        "trackable": True,
        "zone": None,
        "validation_status": "valid",
        "warning_messages": [],
        "error_messages": [],
    }


def write_money(amount: Decimal, currency: str) -> Json:
    return {"currency": currency.lower(), "amount": amount}


def write_label(sale: Sale, body: Json, now: datetime) -> Json:
    """What a purchase answers; the insurance is told apart from the rest of its cost."""
    booking, kind, money = sale.booking, body.get("label_format", "pdf"), sale.priced.currency
    carrier = find_carrier(booking.service)
    insurance = sale.priced.extras.get("insurance", Decimal(0))
    if ACCOUNTS[carrier] != booking.account:
        raise Refusal("invalid_field_value", f"{booking.service} is no service of {booking.account}")
    file = draw(sale)
    packages = [
        {**package, "tracking_number": number}
        for package, number in zip(body["shipment"]["packages"], sale.numbers, strict=True)
    ]
    answer: Json = {
        "label_id": sale.identifier,
        "status": "completed",
        "shipment_id": f"{sale.identifier}0",
        "external_shipment_id": booking.key,
        "shipment": body["shipment"],
        "created_at": write_moment(now),
        "shipment_cost": write_money(sale.priced.total - insurance, money),
        "insurance_cost": write_money(insurance, money),
        "tracking_number": sale.numbers[0],
        "is_return_label": bool(body.get("is_return_label")),
        "is_international": booking.abroad,
        "carrier_id": booking.account,
        "carrier_code": carrier,
        "service_code": booking.service,
        "package_code": packages[0].get("package_code"),
        "voided": False,
        "label_format": kind,
        "label_layout": "4x6",
        "trackable": True,
        "tracking_status": "in_transit",
        "tracking_url": f"https://track.shipengine.com/{sale.numbers[0]}",
        "label_download": {"href": inline(file, MEDIA[kind]), kind: inline(file, MEDIA[kind])},
        "form_download": None,
        "packages": packages,
    }
    if booking.abroad and booking.items:
        invoice = draw_invoice("Commercial invoice", booking, {"Shipment": sale.numbers[0]})
        answer["form_download"] = {"href": inline(invoice, MEDIA["pdf"]), "type": "customs"}
    return answer


def inline(file: bytes, media: str) -> str:
    return f"data:{media};base64,{encode_file(file)}"


def draw(sale: Sale) -> bytes:
    """The labels as the carrier behind the hub looks."""
    booking, there = sale.booking, sale.booking.recipient
    furniture = {
        "routing": f"{there.state or there.country} {there.postal_code[:5]}",
        "postal_barcode": f"420{there.postal_code[:5]}" if there.country == "US" else None,
    }
    title = booking.service.replace("_", " ").upper()
    name = find_carrier(booking.service).replace("stamps_com", "usps").upper()
    return draw_parcels(booking, sale.numbers, booking.label, name, title, groups=(4, 4, 4, 4), **furniture)


def write_tracking(number: str, status: str, seen: SimulatedTracking, label: Json) -> Json:
    return {
        "tracking_number": number,
        "tracking_url": f"https://track.shipengine.com/{number}",
        "carrier_code": find_carrier(str(label.get("service") or "")),
        **write_status(status),
        "estimated_delivery_date": write_moment(seen.estimated) if seen.estimated else None,
        "events": [write_event(scan) for scan in reversed(seen.scans)],
    }


def write_status(status: str) -> Json:
    """A status and its detail, which alone tells a parcel that is late, or on the last way."""
    code = CATALOGUE.statuses.code(status)
    is_detail = len(code) > CODE_LENGTH
    return {"status_code": "IT", "status_detail_code": code} if is_detail else {"status_code": code}


def write_event(scan: Scan) -> Json:
    return {
        "occurred_at": write_moment(scan.at),
        "description": scan.description,
        "city_locality": scan.city,
        "state_province": "",
        "postal_code": "",
        "country_code": scan.country,
        "event_code": CATALOGUE.statuses.code(scan.status),
        **write_status(scan.status),
    }


def write_validation(address: Json) -> Json:
    """An address without a street, or with none that has a number, is not found."""
    street = str(address.get("address_line1") or "")
    found = any(character.isdigit() for character in street) and bool(address.get("postal_code"))
    message = {"code": "a1002", "message": "Insufficient or incorrect address data", "type": "error"}
    matched = {**address, "city_locality": str(address["city_locality"]).upper()}
    return {
        "status": "verified" if found else "unverified",
        "original_address": address,
        "matched_address": matched if found else None,
        "messages": [] if found else [message],
    }


def write_moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z"


def write_uuid(serial: int) -> str:
    return f"{serial:08x}-0000-4000-8000-{serial:012x}"

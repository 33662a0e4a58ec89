"""What the simulated Easyship understands of a request that broke no rule, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import BookedItem, Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.papers import draw_booking, draw_invoice, group_text
from shipcli.carrier.simulation.tracking import SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PAGE = "https://www.trackmyshipment.co/shipment-tracking/"
LAST_LEG = frozenset({"out_for_delivery", "delivered", "delivery_failed", "ready_for_pickup"})


def read_booking(body: Json) -> Booking:
    unit = body["shipping_settings"]["units"]["weight"].upper()
    weights = [Decimal(str(parcel["total_actual_weight"])) for parcel in body["parcels"]]
    return Booking(
        shipper=_party(body["origin_address"]),
        recipient=_party(body["destination_address"]),
        weights=tuple(convert_weight(weight, unit, "KG") for weight in weights),
        service=get_path(body, "courier_selection/selected_courier_id") or "",
        reference=get_path(body, "shipping_settings/printing_options/remarks"),
        key=get_path(body, "order_data/platform_order_number"),
        extras=("insured",) if body["insurance"]["is_insured"] else (),
        items=tuple(_item(item) for parcel in body["parcels"] for item in parcel["items"]),
        label=(get_path(body, "shipping_settings/printing_options/format") or "pdf").upper(),
    )


def _party(address: Json) -> Party:
    company = address["company_name"]
    return Party(
        name=address["contact_name"],
        company="" if company == "N/A" else company,
        lines=tuple(line for name in ("line_1", "line_2") if (line := address.get(name))),
        city=address["city"],
        state=address.get("state") or "",
        postal_code=address.get("postal_code") or "",
        country=address["country_alpha2"],
    )


def _item(item: Json) -> BookedItem:
    return BookedItem(
        description=item["description"],
        quantity=int(item["quantity"]),
        value=Decimal(str(item["declared_customs_value"])),
        currency=item["declared_currency"],
        origin=item["origin_country_alpha2"],
        code=item.get("hs_code") or "",
    )


def courier_of(identifier: str) -> Json:
    """A courier as answers name it: USPS - Priority Mail."""
    row = CATALOGUE.services.find_wire(identifier)
    names = CATALOGUE.table("couriers")
    name = f"{names.get(str(row.carrier), row.carrier)} - {row.code}" if row else identifier
    return {"id": identifier, "name": name}


def write_rate(priced: PricedOffer) -> Json:
    offer, courier = priced.offer, courier_of(priced.offer.code)
    extras = {CATALOGUE.surcharges[name].code: amount for name, amount in priced.extras.items()}
    return {
        "courier_id": courier["id"],
        "courier_name": courier["name"],
        "currency": priced.currency,
        "shipment_charge": offer.base,
        "fuel_surcharge": offer.fuel,
        "insurance_fee": 0,
        **extras,
        "total_charge": priced.total,
        "min_delivery_time": max(1, offer.days - 1),
        "max_delivery_time": offer.days,
        "available_handover_options": ["dropoff", "free_pickup"],
        "incoterms": "DDU",
    }


def write_shipment(sale: Sale, now: datetime) -> Json:
    booking, numbers = sale.booking, sale.numbers
    form, pages = booking.label.lower(), [encode_file(_draw(sale, at)) for at in range(len(numbers))]
    papers = [{"category": "label", "format": form, "page_size": "4x6", "base64_encoded_strings": pages}]
    if booking.abroad:
        invoice = encode_file(draw_invoice("Commercial invoice", booking, {"Shipment": sale.identifier}))
        papers += [{"category": "commercial_invoice", "format": "pdf", "base64_encoded_strings": [invoice]}]
    return {
        "easyship_shipment_id": sale.identifier,
        "courier": courier_of(booking.service),
        "label_state": "generated",
        "shipment_state": "created",
        "rates": [write_rate(sale.priced)],
        "shipping_documents": papers,
        "tracking_page_url": PAGE + sale.identifier,
        "trackings": [_leg(number, 1, "active") for number in numbers],
        "updated_at": write_time(now),
    }


def _leg(number: str, at: int, state: str) -> Json:
    return {"handler": "easyship", "leg_number": at, "tracking_number": number, "tracking_state": state}


def _draw(sale: Sale, at: int) -> bytes:
    """The label of one parcel as the courier behind the hub looks."""
    from shipcli.drawing import draw_label

    booking, number, to = sale.booking, sale.numbers[at], sale.booking.recipient
    carrier, _, service = str(courier_of(booking.service)["name"]).partition(" - ")
    furniture = {
        "routing": f"{to.state or to.country} {to.postal_code[:3]}",
        "postal_barcode": f"420{to.postal_code[:5]}" if to.country == "US" else None,
        "caption": group_text(number, 5, 5, 5),
    }
    return draw_label(draw_booking(booking, number, at, carrier, service.upper(), **furniture), booking.label)


def write_legs(number: str, shipment: Json | None, seen: SimulatedTracking | None) -> list[Json]:
    """The legs of a shipment so far, the newest first: the last mile is a leg of its own."""
    numbers = [leg["tracking_number"] for leg in shipment["trackings"]] if shipment else [number]
    state = CATALOGUE.statuses.code(seen.status) if seen else "active"
    count = 2 if seen and seen.status in LAST_LEG else 1
    return [_leg(number, at, state) for number in numbers for at in range(count, 0, -1)]


def write_pickup(booked: Mapping[str, Any]) -> Json:
    day = booked["selected_date"]
    return {
        "easyship_pickup_id": booked["number"],
        "courier": courier_of(booked["courier_id"]),
        "pickup_state": "pending-confirmation",
        "selected_from_time": f"{day}T{booked['selected_from_time']}",
        "selected_to_time": f"{day}T{booked['selected_to_time']}",
        "shipments_count": len(booked["easyship_shipment_ids"]),
    }


def write_form(number: str, body: Json, link: str) -> Json:
    courier = courier_of(body["courier_account_id"])
    return {
        "id": number,
        "courier_account_id": courier["id"],
        "courier_umbrella_name": courier["name"].partition(" - ")[0],
        "document": {"format": "url", "url": link},
        "ref_number": number,
        "shipments_count": len(body["shipment_ids"]),
    }


def draw_manifest(number: str, labels: Sequence[Mapping[str, Any]]) -> bytes:
    from shipcli.drawing import draw_form

    rows = [(str(label["number"]), str(label["destination"]), f"{label['weight_kg']} kg") for label in labels]
    columns, details = ("Number", "To", "Weight"), [("Form", number)]
    return draw_form("Manifest", rows, columns=columns, details=details, sample=True)


def write_time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"

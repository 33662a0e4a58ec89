"""Collections of DHL Parcel DE: at an address, or at a place that the account has agreed. Pure.

Source: Parcel DE Pickup (Post & Parcel Germany) 3.0.0.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions
from shipcli.carrier.text_widths import fit_or_refuse
from shipcli.carrier.wire.address_parts import cut_text, fit_phone
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import THOUSANDTH, round_measure
from shipcli.models import Address, Invalid, Message, Parcel, PickupDetails, PickupRequest

from . import parts

OPTIONS = parts.CATALOGUE.option_table("pickup_options")
AGREED_PLACE = "dhl_parcel_de_pickup_location"
NAME, STREET, CITY, STATE, CONTACT, COMMENT = 50, 70, 35, 35, 50, 100
REFERENCE = 20  # characters of a parcel's own reference, in which the key of the order stands
PARCEL, BULKY = "PAKET", "SPERRGUT"
LARGEST = (Decimal(120), Decimal(60), Decimal(60))  # cm; what is larger is bulky
SIZES = (
    ("S", (Decimal(35), Decimal(25), Decimal(10))),
    ("M", (Decimal(60), Decimal(30), Decimal(15))),
)
LARGE = "L"
CANCELLED = "STORNIERT"
NOT_BOOKED = frozenset({CANCELLED, "ABGELEHNT"})


def write_pickup(request: PickupRequest, billing_number: str | None, key: str) -> Json:
    """The order; one at an agreed place is free, so nobody is billed.

    Errors: Invalid for an address abroad or without a house number, and for a text that has no room.
    """
    place_id = RequestOptions(OPTIONS, request.options).text(AGREED_PLACE)
    body = {
        "customerDetails": None if place_id else {"billingNumber": billing_number},
        "pickupLocation": {"type": "Id", "asId": place_id} if place_id else write_place(request.address),
        "businessHours": [{"timeFrom": request.ready_time[:5], "timeUntil": request.closing_time[:5]}],
        "contactPerson": [write_contact(request.address)],
        "pickupDetails": {
            "pickupDate": {"type": "Date", "value": request.pickup_date},
            "totalWeight": write_weight(request.parcels),
            "comment": write_comment(request),
        },
        "shipmentDetails": {"shipments": write_shipments(request, key)},
    }
    return dict(drop_empty(body))


def write_place(address: Address) -> Json:
    if address.country_code != parts.HOME:
        raise Invalid("address.country_code", "is not Germany, where alone DHL Parcel DE collects")
    street, house, addition = parts.split_lines(address)
    if not house:
        raise Invalid("address.address_line1", "lacks a house number, which DHL needs at a pickup")
    names = [name for name in (address.company_name, address.person_name, addition) if name]
    lines = fit_or_refuse(names, NAME, 2, "address.company_name", "DHL Parcel DE")
    place = {
        **{f"name{at}": line for at, line in enumerate(lines, 1)},
        "addressStreet": cut_text(street, STREET),
        "addressHouse": house,
        "postalCode": address.postal_code,
        "city": cut_text(address.city, CITY),
        "country": address.country_code,
        "state": cut_text(address.state_code, STATE),
    }
    for member, field in (("name1", "person_name"), ("postalCode", "postal_code"), ("city", "city")):
        if not (place.get(member) or "").strip():
            raise Invalid(f"address.{field}", "is missing: DHL needs it at a pickup")
    return {"type": "Address", "pickupAddress": place}


def write_contact(address: Address) -> Json:
    return {
        "name": cut_text(address.name, CONTACT),
        "phone": fit_phone(address.phone_number, CONTACT),
        "email": address.email or None,
    }


def write_comment(request: PickupRequest) -> str | None:
    """What the driver reads: what is to be done, and where the parcels are."""
    words = filter(None, (request.instruction, request.package_location))
    return cut_text(", ".join(words), COMMENT)


def write_weight(parcels: list[Parcel]) -> Json | None:
    total = sum((parcel.weight_in("KG") for parcel in parcels if parcel.weight), Decimal(0))
    return {"uom": "kg", "value": round_measure(total, THOUSANDTH)} if total else None


def write_shipments(request: PickupRequest, key: str) -> list[Json]:
    """Every parcel, with its number where each has one, and the key by which the order is found again."""
    numbers, parcels = request.shipment_identifiers, request.parcels
    count = max(len(parcels), len(numbers), 1)
    named = numbers if len(numbers) == count else []
    return [
        {
            **(write_kind(parcels[at]) if at < len(parcels) else {"transportationType": PARCEL}),
            "shipmentNo": named[at] if named else None,
            "customerReference": key[-REFERENCE:],
        }
        for at in range(count)
    ]


def write_kind(parcel: Parcel) -> Json:
    """What is carried, and its size: the largest where nobody says the sides."""
    sides = sorted(parcel.sides_in("CM") or LARGEST, reverse=True)
    size = next((size for size, most in SIZES if holds(most, sides)), LARGE)
    return {"transportationType": PARCEL if holds(LARGEST, sides) else BULKY, "size": size}


def holds(most: tuple[Decimal, ...], sides: list[Decimal]) -> bool:
    return all(side <= limit for side, limit in zip(sides, most, strict=True))


# -- answers ---------------------------------------------------------------------------------------


def read_pickup(body: Json) -> PickupDetails:
    """`free_of_charge` is what DHL says of the order."""
    order = body["confirmation"]["value"]
    return PickupDetails(
        confirmation_number=str(order["orderID"]),
        pickup_date=str(order.get("pickupDate") or "")[:10] or None,
        meta=drop_empty({"free_of_charge": order.get("freeOfCharge")}),
    )


def find_pickup(body: Json, key: str) -> PickupDetails | None:
    """The order among those of a day whose parcels have a key; none that is cancelled or was not taken."""
    for row in as_list(body):
        shipments = as_list(get_path(row, "shipmentDetails/shipments"))
        references = {get_path(shipment, "shipment/customerReference") for shipment in shipments}
        order = row["orderDetails"]
        if key[-REFERENCE:] in references and order["orderState"] not in NOT_BOOKED:
            return PickupDetails(confirmation_number=str(order["orderID"]))
    return None


def list_failed(body: Json) -> list[Json]:
    """The orders that were not cancelled."""
    failed = body.get("failedCancellations") if isinstance(body, dict) else None
    return [row for row in as_list(failed) if isinstance(row, dict)]


def is_cancelled(body: Json, number: str) -> bool:
    return any(str(row.get("orderID")) == number for row in as_list(body["confirmedCancellations"]))


def read_faults(body: Any) -> list[Message]:
    """What is wrong with an order, or why one was not cancelled."""
    failed = [Message(code=row.get("orderState"), message=row.get("message")) for row in list_failed(body)]
    problems: list[Any] = body if isinstance(body, list) else []
    return failed + [
        Message(code=str(row["errorCode"]), message=row.get("detail") or row.get("title"))
        for row in problems
        if isinstance(row, dict) and "errorCode" in row
    ]

"""Collections: booked, changed, cancelled. Pure.

Source: book-, modify- and cancel-pickup-global-req-3.0 with pickupdatatypes_global-3.0. What these schemas
demand goes out, as an empty element where nothing is known.
"""

from __future__ import annotations

from datetime import date, datetime

from shipcli.carrier.wire.address_parts import cut_lines, cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.carrier.wire.xml import Element, find, require
from shipcli.models import Address, Charge, Invalid, PickupCancelRequest, PickupDetails, PickupRequest

from . import parts, rates

USUAL_REGION = "AM"
BY_ACCOUNT, NO_REASON, AREA = "D", "006", "origin_service_area"
TODAY, AHEAD = "S", "A"
INSTRUCTIONS = (80, 2)  # characters of a line, lines


def write_pickup(account: str | None, request: PickupRequest, today: date) -> Json:
    """A collection, or a change to the one that an update names."""
    address = request.address
    return {
        "RegionCode": parts.region_of(address.country_code) or USUAL_REGION,
        "ConfirmationNumber": getattr(request, "confirmation_number", None),
        "Requestor": _write_requestor(account, address),
        "Place": {
            "LocationType": "R" if address.residential else "B",
            "CompanyName": address.company_name or "",
            **_write_lines(address),
            "PackageLocation": cut_text(request.package_location, 80) or "",
            "City": address.city,
            "StateCode": address.state_code or None,
            "CountryCode": address.country_code,
            "PostalCode": address.postal_code or None,
        },
        "Pickup": _write_time(request, today),
        "PickupContact": _write_contact(address),
    }


def _write_requestor(account: str | None, address: Address) -> Json:
    return {
        "AccountType": BY_ACCOUNT,
        "AccountNumber": account,
        "RequestorContact": _write_contact(address),
        "CompanyName": address.company_name or None,
        **_write_lines(address),
        "City": address.city,
        "CountryCode": address.country_code,
    }


def _write_contact(address: Address) -> Json:
    """Whom the courier asks for, which a collection has to name.

    Errors: Invalid when the address lacks the name or the phone number.
    """
    for field, value in (("person_name", address.name), ("phone_number", address.phone_number)):
        if not value:
            raise Invalid(f"address.{field}", "is missing: DHL Express asks for a contact at a collection")
    return {"PersonName": address.name, "Phone": address.phone_number}


def _write_lines(address: Address) -> Json:
    return {"Address1": "", **parts.write_lines(address, "Address")}


def _write_time(request: PickupRequest, today: date) -> Json:
    unit, _ = parts.units_of(request.parcels, request.address.country_code)
    weight = {"Weight": parts.weigh(request.parcels, unit), "WeightUnit": parts.UNIT_LETTERS[unit]}
    return {
        "PickupDate": request.pickup_date,
        "PickupTypeCode": TODAY if request.pickup_date == today.isoformat() else AHEAD,
        "ReadyByTime": request.ready_time[:5],
        "CloseTime": request.closing_time[:5],
        "Pieces": len(request.parcels) or None,
        "RemotePickupFlag": "Y",
        "weight": weight if request.parcels else None,
        "SpecialInstructions": cut_lines([request.instruction or ""], *INSTRUCTIONS) or "",
    }


def write_cancellation(request: PickupCancelRequest, home: str | None, now: datetime) -> Json:
    """`home` is the country of the account, `now` the time where the parcels wait."""
    address = request.address or Address()
    country = address.country_code or home
    return {
        "RegionCode": parts.region_of(country) or USUAL_REGION,
        "ConfirmationNumber": request.confirmation_number,
        "RequestorName": cut_text(address.name, 35),
        "CountryCode": country,
        "OriginSvcArea": request.meta.get(AREA),  # demanded, and not known with the number
        "Reason": NO_REASON,
        "PickupDate": request.pickup_date or now.date(),
        "CancelTime": f"{now:%H:%M}",
    }


def read_pickup(answer: Element) -> PickupDetails:
    """Errors: LookupError when the answer has no number."""
    return PickupDetails(
        confirmation_number=require(answer, "ConfirmationNumber"),
        pickup_date=find(answer, "NextPickupDate"),
        ready_time=cut_text(find(answer, "ReadyByTime"), 5),
        closing_time=cut_text(find(answer, "CallInTime"), 5),
        pickup_charge=read_or_skip(read_charge, answer),
        meta={AREA: area} if (area := find(answer, "OriginSvcArea")) else {},
    )


def read_charge(answer: Element) -> Charge | None:
    cost = rates.read_amount(answer, "PickupCharge")
    return Charge(name="Pickup Charge", amount=cost, currency=find(answer, "CurrencyCode")) if cost else None

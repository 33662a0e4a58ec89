"""What the documents of Canada Post share: media types, addresses, parcels, extras. Pure.

Units: kilograms and centimetres to a tenth, rounded up; Canadian dollars to the cent.
Source: the Canada Post web services, REST (rate v4, shipment v8, manifest v8, track v2, pickuprequest). Every
operation has a media type of its own, which both `Accept` and `Content-Type` must name.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure
from shipcli.models import Address, Invalid, ManifestRequest, Parcel, Payment, PickupRequest

CATALOGUE = load_catalogue(__file__)
DESK_OPTIONS = CATALOGUE.option_table("desk_options")

EMAIL = 60  # characters
RATE = "application/vnd.cpc.ship.rate-v4+xml"
SHIPMENT = "application/vnd.cpc.shipment-v8+xml"
RETURN = "application/vnd.cpc.authreturn-v2+xml"
MANIFEST = "application/vnd.cpc.manifest-v8+xml"
TRACK = "application/vnd.cpc.track-v2+xml"
PICKUP = "application/vnd.cpc.pickup+xml"
PICKUP_REQUEST = "application/vnd.cpc.pickuprequest+xml"

CANADA, CURRENCY, NO_PHONE = "CA", "CAD", "000 000 0000"
LINE, LONGEST_PHONE = 44, 25
SIDES = ("length", "width", "height")
TENTH, LIGHT_KG, LEAST_KG = Decimal("0.1"), Decimal("0.05"), Decimal("0.01")
RETURN_AT_SENDERS_EXPENSE = "RASE"  # abroad, of what can't be delivered, unless the caller says otherwise


def media(kind: str) -> Mapping[str, str]:
    """The headers of a request that carries a document and is answered with one of its kind."""
    return {"Accept": kind, "Content-Type": kind}


class Payer(NamedTuple):
    """Who ships, as the connection has it."""

    customer: str | None
    contract: str | None
    cost_centre: str | None


def postal_code(code: str | None) -> str | None:
    """A postal code as Canada Post takes it: upper case, no blanks."""
    return "".join((code or "").split()).upper() or None


def phone(address: Address) -> str:
    return (address.phone_number or NO_PHONE)[:LONGEST_PHONE]


def write_address(address: Address, side: str) -> Json:
    """Errors: Invalid naming the side whose street has more than the two lines of an address."""
    lines = wrap_lines(address.lines, LINE, 2)
    if any(len(line) > LINE for line in lines):
        raise Invalid(f"{side}.address_line1", f"Canada Post takes two lines of {LINE} characters")
    first, second, *_ = [*lines, None, None]
    return {
        "address-line-1": first,
        "address-line-2": second,
        "city": address.city,
        "prov-state": address.state_code or None,
        "country-code": address.country_code,
        "postal-zip-code": postal_code(address.postal_code),
    }


def write_sender(shipper: Address) -> Json:
    company = cut_text(shipper.company_name, LINE) or "Not Applicable"
    return {**_write_party(shipper, "contact-phone", "shipper"), "company": company}


def write_addressee(recipient: Address) -> Json:
    return _write_party(recipient, "client-voice-number", "recipient")


def _write_party(address: Address, phone_name: str, side: str) -> Json:
    return {
        "name": cut_text(address.person_name, LINE),
        "company": cut_text(address.company_name, LINE),
        phone_name: phone(address),
        "address-details": write_address(address, side),
    }


def write_parcel(parcel: Parcel) -> Json:
    """Weights are rounded up; a light one keeps its grams; sizes are sent when all three are known."""
    exact = parcel.weight_in("KG")
    weight = round_measure(exact, TENTH if exact > LIGHT_KG else THOUSANDTH) if exact else LEAST_KG
    weight = max(weight, LEAST_KG)
    sides = [round_measure(side, TENTH) for side in parcel.sides_in("CM") or ()]
    return {"weight": weight, "dimensions": dict(zip(SIDES, sides, strict=False)) or None}


def desk_options(request: PickupRequest | ManifestRequest) -> RequestOptions:
    """The options of pickups and manifests, which no label has."""
    return RequestOptions(DESK_OPTIONS, request.options)


def write_options(options: RequestOptions, *, abroad: bool = False) -> Json | None:
    """The extras that are chosen, but for those with an element of their own.

    An amount of nothing is no extra. Abroad it must be said what becomes of a parcel that can't be delivered.
    """
    chosen = [choice for choice in options.list_chosen() if choice.row.path is None and choice.value]
    rows: list[Json] = [
        {"option-code": choice.code, "option-amount": _amount(choice.value)} for choice in chosen
    ]
    if abroad and not any(choice.code in CATALOGUE.table("non_delivery") for choice in chosen):
        rows.append({"option-code": RETURN_AT_SENDERS_EXPENSE})
    return {"option": rows} if rows else None


def _amount(value: Any) -> Decimal | None:
    return round_half_up(value) if isinstance(value, Decimal) else None


def write_notification(options: RequestOptions) -> Json | None:
    email = options.notify_email(EMAIL)
    if not email:
        return None
    return {"email": email, "on-shipment": True, "on-exception": True, "on-delivery": True}


def write_settlement(payer: Payer, payment: Payment) -> Json:
    """Source: SettlementInfoType, which demands a method of payment.

    Errors: Invalid when somebody else is to pay and no customer number says who.
    """
    if payment.paid_by != "sender" and not payment.account_number:
        raise Invalid("payment.account_number", "Canada Post bills others by their customer number")
    methods = CATALOGUE.table("payment_methods")
    return {
        "paid-by-customer": payment.account_number or payer.customer,
        "contract-id": payer.contract,
        "intended-method-of-payment": methods.get(payment.paid_by or "", methods["sender"]),
    }

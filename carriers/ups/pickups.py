"""On-call collections: ordered, found again among those that are pending, cancelled. Pure.

Source: Pickup API v2403: PickupCreationRequest, PickupPendingStatusResponse, PickupCancelResponse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.text_widths import fit_or_refuse
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.rows import read_or_skip
from shipcli.models import Address, Charge, Invalid, Parcel, PickupDetails, PickupRequest
from shipcli.models.basics.plain_text import cut_at_word

from .parts import CATALOGUE, TENTH, UNIT_CODES, write_phone

OPTIONS = CATALOGUE.option_table("pickup_options")
NAME, COMPANY, LINE, PLACE, INSTRUCTION, MOST_PIECES = 22, 27, 73, 11, 57, 999
BY_ACCOUNT, CHARGE_NAME = "01", "Pickup"
PACKAGE, LETTER, LETTER_PACKAGING = "01", "02", "01"
GROUND, STANDARD, GROUND_COUNTRIES = "003", "011", frozenset({"US", "PR"})
HEAVY = {"LB": Decimal(70), "KG": Decimal(32)}
SHOWN_AHEAD = timedelta(days=1)  # what is pending is told of today and tomorrow alone


def write_pickup(request: PickupRequest, account: str, country: str | None, key: str) -> Json:
    """The order, which asks for its price; it can be found again by the key.

    Errors: Invalid for an address without a phone number, or a street that is too long.
    """
    address, options = request.address, RequestOptions(OPTIONS, request.options)
    payer = {"AccountNumber": account, "AccountCountryCode": country or address.country_code}
    is_short = len(request.package_location or "") <= PLACE
    point, other = (request.package_location, None) if is_short else (None, request.package_location)
    body = {
        "Request": {"TransactionReference": {"CustomerContext": key}},
        "RatePickupIndicator": "Y",
        "Shipper": {"Account": payer},
        "PickupDateInfo": {
            "CloseTime": write_time(request.closing_time),
            "ReadyTime": write_time(request.ready_time),
            "PickupDate": request.pickup_date.replace("-", ""),
        },
        "PickupAddress": {**write_place(address), "PickupPoint": point},
        "AlternateAddressIndicator": "Y",
        "PickupPiece": write_pieces(request, options),
        **write_weight(request.parcels),
        "PaymentMethod": BY_ACCOUNT,
        "SpecialInstruction": cut_text(", ".join(filter(None, (request.instruction, other))), INSTRUCTION),
        "ReferenceNumber": key,
        "ShippingLabelsAvailable": "Y" if request.shipment_identifiers else None,
    }
    return {"PickupCreationRequest": drop_empty(body)}


def write_time(text: str) -> str:
    return text[:5].replace(":", "")


def write_place(address: Address) -> Json:
    phone = write_phone(address.phone_number)
    needed = {
        "phone_number": phone["Number"],
        "person_name": address.name,
        "address_line1": address.street,
        "city": address.city,
        "country_code": address.country_code,
    }
    for field, value in needed.items():
        if not (value or "").strip():
            raise Invalid(f"address.{field}", "is missing: UPS needs it at a pickup")
    company, more = cut_at_word(address.company_name or str(address.name), COMPANY)
    contact, rest = cut_at_word(str(address.name), NAME)
    names = [more, rest if address.company_name and address.person_name else ""]  # what has no room above
    street = ", ".join(filter(None, (*names, *address.lines)))
    return {
        "CompanyName": company,
        "ContactName": contact,
        "AddressLine": fit_or_refuse([street], LINE, 1, "address.address_line1", "UPS"),
        "City": address.city,
        "StateProvince": address.state_code,
        "PostalCode": address.postal_code,
        "CountryCode": address.country_code,
        "ResidentialIndicator": "Y" if address.residential else "N",
        "Phone": phone,
    }


def write_pieces(request: PickupRequest, options: RequestOptions) -> list[Json]:
    """How many packages and letters; the service and where they go are the usual ones unless options say."""
    home = request.address.country_code or ""
    usual = GROUND if home in GROUND_COUNTRIES else STANDARD
    letter = [row.slug for row in CATALOGUE.packaging if row.code == LETTER_PACKAGING]
    kinds = [LETTER if parcel.packaging_type in letter else PACKAGE for parcel in request.parcels]
    return [
        {
            "ServiceCode": options.text("ups_pickup_service_code") or usual,
            "Quantity": str(min(count, MOST_PIECES)),
            "DestinationCountryCode": options.text("ups_pickup_destination_country") or home,
            "ContainerCode": kind,
        }
        for kind, count in Counter(kinds or [PACKAGE]).items()
    ]


def write_weight(parcels: Sequence[Parcel]) -> Json:
    """The sum with one decimal, and whether one of them is heavy; nothing where nobody knows."""
    known = [parcel for parcel in parcels if parcel.weight]
    if not known:
        return {}
    unit = "LB" if known[0].weight_unit in ("LB", "OZ") else "KG"
    weights = [parcel.weight_in(unit) for parcel in known]
    total = format(round_measure(sum(weights, Decimal(0)), TENTH).normalize(), "f")
    return {
        "TotalWeight": {"Weight": total, "UnitOfMeasurement": UNIT_CODES[unit]},
        "OverweightIndicator": "Y" if max(weights) > HEAVY[unit] else "N",
    }


# -- answers ---------------------------------------------------------------------------------------


def read_pickup(body: Json) -> PickupDetails:
    answer = body["PickupCreationResponse"]
    return PickupDetails(
        confirmation_number=str(answer["PRN"]), pickup_charge=read_or_skip(read_charge, answer)
    )


def read_charge(answer: Json) -> Charge | None:
    """What it costs, after discounts; None where UPS prices nothing."""
    rate = answer.get("RateResult") or {}
    amount = rate.get("GrandTotalOfAllIncentedCharge") or rate.get("GrandTotalOfAllCharge")
    if not amount:
        return None
    return Charge(name=CHARGE_NAME, amount=Decimal(str(amount)), currency=rate.get("CurrencyCode"))


def find_pickup(body: Json, key: str) -> PickupDetails | None:
    """The pending collection that has a key as its reference."""
    pending = as_list(get_path(body, "PickupPendingStatusResponse/PendingStatus"))
    numbers = [str(row["PRN"]) for row in pending if row.get("ReferenceNumber") == key]
    return PickupDetails(confirmation_number=numbers[0]) if numbers else None


def is_shown(day: str, today: date) -> bool:
    """Whether a collection of a day would be among those that are pending."""
    return date.fromisoformat(day) <= today + SHOWN_AHEAD


def read_cancellation(body: Json) -> bool:
    return str(get_path(body, "PickupCancelResponse/Response/ResponseStatus/Code")) == "1"

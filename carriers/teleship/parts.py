"""What the bodies of Teleship share: parties, parcels, options, and how it says what is wrong. Pure.

Units: kilograms or pounds, centimetres or inches, as the parcel has them; rounded up.
Source: Teleship API 1.0.0 (published description).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import THOUSANDTH, round_measure
from shipcli.models import Address, Message, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
UNNAMED, USUAL_PACKAGING, DESCRIPTION = "N/A", "your_packaging", 100
RESULTS = ("rates", "shipment", "pickup", "id", "trackingNumber", "price")  # members of an answer with one
POUNDS = ("LB", "OZ")
BY_SENDER, BY_RECIPIENT = "DUTY_TAX_GUARANTEE", "DUTY_TAX_CONSIGNEE_COLLECTION"  # who pays


def write_party(address: Address) -> Json:
    return {
        "name": address.name or UNNAMED,
        "company": address.company_name,
        "email": address.email,
        "phone": address.phone_number,
        "address": write_place(address),
    }


def write_payer(address: Address) -> Json:
    """A party that is known at the tax office."""
    taxes = {"stateTaxId": address.state_tax_id, "countryTaxId": address.federal_tax_id}
    return {**write_party(address), **taxes}


def write_place(address: Address) -> Json:
    return {
        "line1": address.street,
        "line2": address.address_line2,
        "city": address.city,
        "state": address.state_code,
        "postcode": address.postal_code,
        "country": address.country_code,
        "isResidential": address.residential or None,
    }


def write_weight(weight: Decimal, unit: str) -> Json:
    return {"value": round_measure(weight, THOUSANDTH), "unit": unit.lower()}


def choose_weight_unit(unit: str | None) -> str:
    return "LB" if unit in POUNDS else "KG"


def write_size(parcel: Parcel) -> Json | None:
    """The size of a parcel whose sides are all known."""
    unit = "IN" if parcel.dimension_unit == "IN" else "CM"
    sides = parcel.known_sides_in(unit)
    if len(sides) < 3:
        return None
    return {**{name: round_measure(side) for name, side in sides.items()}, "unit": unit.lower()}


def write_parcel(request: Request, parcel: Parcel, options: RequestOptions, is_paid: bool) -> Json:
    """What a price and a label have in common; `is_paid` is for duties that the sender pays."""
    unit = choose_weight_unit(parcel.weight_unit)
    packaging = CATALOGUE.packaging.get(parcel.packaging_type) or CATALOGUE.packaging.get(USUAL_PACKAGING)
    body: Json = {
        "customerReference": request.reference,
        "description": cut_text(parcel.description, DESCRIPTION),
        "shipDate": write_midnight(options.ship_time()),
        "commercialInvoiceReference": request.customs.invoice if request.customs else None,
        "packageType": packaging.code if packaging else None,
        "shipTo": write_party(request.recipient),
        "shipFrom": write_party(request.shipper),
        "returnTo": write_party(request.return_address) if request.return_address else None,
        "billTo": write_payer(request.billing_address) if request.billing_address else None,
        "weight": write_weight(parcel.weight_in(unit), unit),
        "dimensions": write_size(parcel),
    }
    options.write(body, "ship")
    if options.flag("teleship_duty_tax_calculation"):
        way = BY_SENDER if is_paid else BY_RECIPIENT
        body["additionalServices"] = {**body.get("additionalServices", {}), "dutyTaxCalculation": way}
    return body


def write_midnight(day: date | None) -> str | None:
    """A day, as the point in time that the description wants."""
    return f"{day:%Y-%m-%d}T00:00:00.000Z" if day else None


# -- what is wrong ---------------------------------------------------------------------------------


def list_faults(body: Json) -> Iterator[Json]:
    """Rows of messages, or one or more errors in their place."""
    yield from (row for row in as_list(body.get("messages")) if isinstance(row, dict))
    yield from (row for row in as_list(body.get("error")) if isinstance(row, dict))


def read_messages(body: Json) -> list[Message]:
    """Refusals, and what is noted beside a result."""
    return [
        Message(
            code=str(row["code"]) if row.get("code") is not None else None,
            message=row.get("message"),
            details=drop_empty({"timestamp": row.get("timestamp"), "details": row.get("details")}) or None,
        )
        for row in list_faults(body)
    ]


def is_refused(body: Json) -> bool:
    """Whether an answer holds an error and no result; notes and warnings stand beside one."""
    errors = [row for row in list_faults(body) if row.get("level", "error") == "error"]
    return bool(errors) and not any(body.get(name) for name in RESULTS)

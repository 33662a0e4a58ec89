"""What ShipEngine's bodies share: addresses, packages, money, options, carriers behind it, faults. Pure.

Units: pounds, ounces, grams or kilograms, inches or centimetres, as the parcel has them; rounded up.
Source: ShipEngine API 1.1.202511061111 (published description).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.models import Address, Message, Parcel, RateRequest, ShipmentRequest

from .customs import write_customs, write_identifiers, write_party, write_product

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
CARRIERS = CATALOGUE.table("carriers")
CONTENT, REFERENCE, USUAL_CURRENCY = 35, 50, "USD"
DETAILS = ("error_source", "error_type", "carrier_id", "carrier_code", "field_name", "label_id")


# -- carriers behind the hub -----------------------------------------------------------------------


def name_carrier(code: str | None) -> str | None:
    """Our word for a carrier behind ShipEngine; one that has none stands for itself."""
    words: dict[str, str] = {word: slug for slug, word in CARRIERS.items()}
    return words.get(code or "", code)


def find_service(code: str, carrier: str | None) -> str:
    """Our word for a service; one that is not in the catalogue, such as a regional carrier's, is its own."""
    return CATALOGUE.services.find_slug(code, carrier=name_carrier(carrier))


def describe_provider(row: Json) -> Json:
    """Who moves the parcel, and by which service, as the meta of quotes and labels says it."""
    code, carrier = row["service_code"], row.get("carrier_code")
    name = find_service(code, carrier).removeprefix("shipengine_")
    account = {"shipengine_carrier_id": row["carrier_id"]} if row.get("carrier_id") else {}
    return {"rate_provider": name_carrier(carrier), "service_name": name, **account}


# -- the shipment ----------------------------------------------------------------------------------


def write_address(address: Address | None) -> Json | None:
    if address is None:
        return None
    indicator = "yes" if address.residential else "unknown"
    return {**write_party(address), "address_residential_indicator": indicator}


def write_shipment(request: Request, whole: RequestOptions, each: list[RequestOptions]) -> Json:
    """What is priced, and bought; all its parcels are packages of one shipment."""
    day = whole.ship_time()
    body: Json = {
        "shipment_number": cut_text(request.reference, REFERENCE),
        "ship_date": f"{day:%Y-%m-%d}" if day else None,
        "ship_to": write_address(request.recipient),
        "ship_from": write_address(request.shipper),
        "return_to": write_address(request.return_address),
        "is_return": whole.flag("is_return") or None,
        "confirmation": "signature" if whole.signature() else None,
        "customs": write_customs(request),
        "tax_identifiers": write_identifiers(request),
        "insurance_provider": write_provider(whole, each),
        "packages": [
            write_package(request, parcel, options)
            for parcel, options in zip(request.parcels, each, strict=True)
        ],
    }
    whole.write(body, "ship")
    write_advanced(body, request, whole)
    return dict(drop_empty(body))


def write_provider(whole: RequestOptions, each: list[RequestOptions]) -> str | None:
    """Who insures: who is named, else the carrier, where a parcel is insured."""
    insured = any(options.insurance() for options in each)
    return (whole.text("shipengine_insurance_provider") or "carrier") if insured else None


def write_advanced(body: Json, request: Request, options: RequestOptions) -> None:
    """Who is billed, what is collected at the door, and whether duties are paid by the sender."""
    advanced: Json = body.setdefault("advanced_options", {})
    payment, cash = request.payment, options.amount("cash_on_delivery")
    if payment and payment.paid_by in CATALOGUE.table("payers"):
        payer = request.billing_address or request.recipient
        advanced["bill_to_party"] = CATALOGUE.table("payers")[payment.paid_by]
        advanced["bill_to_account"] = payment.account_number
        advanced["bill_to_country_code"] = payer.country_code
        advanced["bill_to_postal_code"] = payer.postal_code
    if cash:
        amount = write_money(cash, options.currency(USUAL_CURRENCY))
        advanced["collect_on_delivery"] = {"payment_type": "any", "payment_amount": amount}
    if (body.get("customs") or {}).get("terms_of_trade_code") == "ddp":
        advanced["delivered_duty_paid"] = True


def write_package(request: Request, parcel: Parcel, options: RequestOptions) -> Json:
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    insured = options.insurance()
    return {
        "package_code": packaging.code if packaging else "package",
        "weight": write_weight(parcel.weight_in(parcel.weight_unit or "LB"), parcel.weight_unit),
        "dimensions": write_size(parcel),
        "insured_value": write_money(insured, options.currency(USUAL_CURRENCY)) if insured else None,
        "label_messages": write_messages(request, parcel),
        "content_description": cut_text(parcel.description or parcel.content, CONTENT),
        "products": [write_product(item) for item in list_parcel_goods(request, parcel)],
    }


def write_messages(request: Request, parcel: Parcel) -> Json | None:
    """Lines printed on the label: the number of the parcel, else that of the shipment."""
    text = parcel.reference_number or request.reference
    return {"reference1": text, "reference2": None, "reference3": None} if text else None


def write_weight(weight: Decimal, unit: str | None) -> Json:
    return {"value": round_measure(weight), "unit": CATALOGUE.table("weight_units")[unit or "LB"]}


def write_size(parcel: Parcel) -> Json | None:
    """The size of a parcel whose sides are all known."""
    unit = "IN" if parcel.dimension_unit == "IN" else "CM"
    sides = parcel.known_sides_in(unit)
    if len(sides) < 3:
        return None
    word = CATALOGUE.table("size_units")[unit]
    return {"unit": word, **{name: round_measure(side) for name, side in sides.items()}}


def write_money(amount: Decimal, currency: str | None) -> Json:
    return {"currency": currency or USUAL_CURRENCY, "amount": round_half_up(amount)}


# -- faults ----------------------------------------------------------------------------------------


def list_faults(body: Any) -> list[Json]:
    """What is wrong with a request, or with one carrier of several that were asked."""
    if not isinstance(body, dict):
        return []
    prices = body.get("rate_response") or {}
    return [*as_list(body.get("errors")), *as_list(prices.get("errors"))]


def read_messages(body: Any) -> list[Message]:
    """Refusals, and a void that is not approved."""
    rows = [read_fault(row) for row in list_faults(body)]
    if isinstance(body, dict) and body.get("approved") is False:
        rows.append(Message(code=body.get("reason_code") or "not_approved", message=body.get("message")))
    return rows


def read_fault(row: Json) -> Message:
    details = {name: row[name] for name in DETAILS if row.get(name)}
    return Message(code=row.get("error_code"), message=row.get("message"), details=details or None)

"""What the requests of Amazon Shipping share: addresses, packages, goods, and how answers begin. Pure.

Units: pounds and inches, to the hundredth, rounded up.
Source: Amazon Shipping API v2: Address, Package, Item, ErrorList.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import read_amount, round_measure
from shipcli.models import Address, Commodity, Invalid, Message, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
POUND, INCH, CURRENCY = "POUND", "INCH", "USD"
NAME, LINE, EMAIL = 50, 60, 64  # characters


def unwrap(body: Any) -> Json:
    """The result in an answer; the examples of the description show it without its envelope."""
    return dict(body.get("payload") or body)


def read_errors(body: Json) -> list[Message]:
    """The errors of the API, or that of Login with Amazon, which is one word and a sentence."""
    login_errors = (
        [{"code": body["error"], "message": body.get("error_description")}] if body.get("error") else []
    )
    return [
        Message(
            code=error.get("code"),
            message=error.get("message") or error.get("code"),
            details={"note": error["details"]} if error.get("details") else None,
        )
        for error in (*as_list(body.get("errors")), *login_errors)
    ]


def write_money(amount: Decimal, currency: str | None) -> Json:
    return {"value": amount, "unit": currency or CURRENCY}


def read_money(money: Json) -> Decimal:
    """Errors: TypeError for what is no amount."""
    amount = read_amount(money["value"])
    if amount is None:
        raise TypeError("value")
    return amount


def write_address(address: Address) -> Json:
    """A region is required of every address; where people have none their town stands for it."""
    email = address.email
    body = {
        "name": cut_text(address.name, NAME),
        **{f"addressLine{at}": cut_text(line, LINE) for at, line in enumerate(address.lines, start=1)},
        "companyName": address.company_name,
        "stateOrRegion": address.state_code or address.city,
        "city": address.city,
        "countryCode": address.country_code,
        "postalCode": address.postal_code,
        "email": email if email and len(email) <= EMAIL else None,
        "phoneNumber": address.phone_number,
    }
    return dict(drop_empty(body))


def list_references(request: Request) -> list[str]:
    """The name of each package, by which its documents can be asked for again: no two are the same."""
    shipment_reference = request.reference if isinstance(request, ShipmentRequest) else None
    count = len(request.parcels)
    names = [
        parcel.reference_number or shipment_reference or parcel.id or str(at)
        for at, parcel in enumerate(request.parcels, 1)
    ]
    if len(set(names)) == count:
        return names
    return [f"{name}-{at}" for at, name in enumerate(names, 1)]


def write_packages(request: Request, each: Sequence[RequestOptions]) -> list[Json]:
    rows = zip(request.parcels, each, list_references(request), strict=True)
    return [write_package(request, *row) for row in rows]


def write_package(request: Request, parcel: Parcel, options: RequestOptions, reference: str) -> Json:
    """One package: its value is required, of goods without any it is 0.

    Errors: Invalid for dangerous goods that are not listed.
    """
    goods = parcel.items if len(request.parcels) > 1 else list_parcel_goods(request, parcel)
    sides = {name: round_measure(side) for name, side in parcel.known_sides_in("IN").items()}
    seller, dangers = request.shipper.company_name, list_dangers(options)
    if dangers and not goods:
        raise Invalid("parcels.items", "say what the dangerous goods are")
    return {
        **({"isHazmat": True} if dangers else {}),
        **({"sellerDisplayName": seller} if seller else {}),
        "dimensions": {**sides, "unit": INCH},
        "weight": write_pounds(parcel.weight_in("LB")),
        "insuredValue": write_value(request, goods, options),
        "packageClientReferenceId": reference,
        "items": [write_item(item, dangers) for item in goods],
    }


def write_value(request: Request, goods: Sequence[Commodity], options: RequestOptions) -> Json:
    """What is asked for, in the money of the request; else what the goods are worth."""
    value = options.insurance() or options.amount("declared_value")
    if value:
        return write_money(value, options.currency())
    return write_money(sum_goods(goods), name_declared_currency(request, options))


def list_dangers(options: RequestOptions) -> Json:
    """What is dangerous about the goods, by Amazon's words for it."""
    return {choice.code: choice.value for choice in options.list_chosen() if "dangerous" in choice.row.levels}


def write_pounds(weight: Decimal | None) -> Json | None:
    return None if weight is None else {"value": round_measure(weight), "unit": POUND}


def write_item(item: Commodity, dangers: Json) -> Json:
    """Units: weight and value of one piece."""
    value = item.value_amount
    body = {
        "quantity": item.quantity,
        "description": item.title or item.description,
        "itemIdentifier": item.sku,
        "itemValue": None if value is None else write_money(value, item.value_currency),
        "weight": write_pounds(item.weight_in("LB")),
        "isHazmat": True if dangers else None,
        "dangerousGoodsDetails": dangers,
    }
    return dict(drop_empty(body))

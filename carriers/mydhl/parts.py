"""What the bodies of MyDHL share: addresses, packages, services, money, refusals. Pure.

Units: kilograms and centimetres, or pounds and inches; weights to the thousandth, sides to the whole, both
       rounded up.
Source: MyDHL API 3.1.1: supermodelIoLogisticsExpressAddress, Package, ValueAddedServices, ErrorResponse.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeAlias

from shipcli.carrier import Reply, RequestOptions, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, fit_email, fit_phone, wrap_lines
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rounding import THOUSANDTH, round_half_up, round_measure
from shipcli.models import Address, Message, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

LINE, CITY, COUNTRY_NAME, PROVINCE = 45, 45, 35, 2  # characters; of a province the fewest
EMAIL, PHONE, COMPANY, NAME, REFERENCE = 70, 70, 100, 255, 35
WHOLE, PAPERLESS = Decimal(1), "mydhl_paperless_trade"
METRIC, IMPERIAL = ("KG", "CM"), ("LB", "IN")
SYSTEMS = {METRIC: "metric", IMPERIAL: "imperial"}


# -- addresses -------------------------------------------------------------------------------------


def write_place(address: Address) -> Json:
    """An address of up to three lines; a country without postal codes has an empty one."""
    lines = {f"addressLine{at}": line for at, line in enumerate(wrap_lines(address.lines, LINE, 3), 1)}
    state = address.state_code or ""
    place = {
        "cityName": cut_text(address.city, CITY),
        "countryCode": address.country_code,
        "provinceCode": state if len(state) >= PROVINCE else None,
        **lines,
    }
    return {"postalCode": address.postal_code or "", **drop_empty(place)}


def write_contact(address: Address) -> Json:
    """Somebody to ask for; a person without a company stands for one, and the other way round."""
    name = address.person_name or address.company_name
    return dict(
        drop_empty({
            "email": fit_email(address.email, EMAIL),
            "phone": fit_phone(address.phone_number, PHONE),
            "mobilePhone": fit_phone(address.phone_number, PHONE),
            "companyName": cut_text(address.company_name or address.person_name, COMPANY),
            "fullName": cut_text(name, NAME),
        })
    )  # fmt: skip


def write_country_name(address: Address) -> Json:
    name = cut_text(address.country_name, COUNTRY_NAME)
    return {"countryName": name} if name else {}


def write_offset(at: datetime) -> str:
    """The zone of a time as DHL takes it: `GMT+01:00`."""
    offset = f"{at:%z}"
    return f"GMT{offset[:3]}:{offset[3:]}"


# -- packages --------------------------------------------------------------------------------------


def choose_units(parcels: Sequence[Parcel]) -> tuple[str, str]:
    """The units of weight and size of a whole shipment: those of its first parcel."""
    pounds = bool(parcels) and parcels[0].weight_unit in ("LB", "OZ")
    return IMPERIAL if pounds else METRIC


def write_package(parcel: Parcel, units: tuple[str, str]) -> Json:
    """A package; its sides only where all are known."""
    weight_unit, size_unit = units
    sides = parcel.sides_in(size_unit)
    body: Json = {
        "typeCode": find_package_type(parcel),
        "weight": round_measure(parcel.weight_in(weight_unit), THOUSANDTH),
    }
    if sides:
        names = zip(("length", "width", "height"), sides, strict=True)
        body["dimensions"] = {name: max(round_measure(side, WHOLE), WHOLE) for name, side in names}
    return dict(drop_empty(body))


def find_package_type(parcel: Parcel) -> str | None:
    """The code of a packaging that the description knows; the others are told by weight and size alone."""
    row = CATALOGUE.packaging.get(parcel.packaging_type)
    code = row.code if row else None
    return code if code in CATALOGUE.table("package_types") else None


# -- services and money ----------------------------------------------------------------------------


def find_currency_of(request: Request, options: RequestOptions) -> str | None:
    """The currency of amounts: the request's, else the shipper's country's, else the account's, else USD."""
    home_currency = find_currency(request.shipper.country_code or "")
    return options.text("currency") or home_currency or options.currency("USD")


def write_services(request: Request, options: RequestOptions, more: Sequence[str] = ()) -> list[Json]:
    """The chosen services, those with an amount with its currency."""
    currency = find_currency_of(request, options)
    services: list[Json] = []
    for choice in options.list_chosen():
        if choice.row.local or "service" not in choice.row.levels or choice.value in (False, 0):
            continue
        amount = choice.value if isinstance(choice.value, Decimal) else None
        money = {} if amount is None else {"value": round_half_up(amount), "currency": currency}
        services.append({"serviceCode": choice.code, **money})
    codes = [service["serviceCode"] for service in services]
    return [*services, *({"serviceCode": code} for code in more if code not in codes)]


# -- refusals --------------------------------------------------------------------------------------


def read_faults(reply: Reply) -> list[Message]:
    """What DHL refuses: an object, or a list of them."""
    if not reply.content.strip():
        return []
    return [read_fault(row, reply) for row in as_list(reply.json) if isinstance(row, dict) and is_fault(row)]


def is_fault(row: Json) -> bool:
    return any(row.get(name) for name in ("detail", "message", "title"))


def read_fault(row: Json, reply: Reply) -> Message:
    details = {name: row[name] for name in ("instance", "title", "additionalDetails") if row.get(name)}
    text = row.get("detail") or row.get("message") or row.get("title")
    return Message(code=str(row.get("status") or reply.status), message=text, details=details or None)

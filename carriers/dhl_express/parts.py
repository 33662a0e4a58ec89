"""What the documents of DHL Express share: the frame, addresses, units, money, options. Pure.

Units: kilograms and centimetres, or pounds and inches, to the hundredth.
Source: schemas of XML-PI: datatypes_global_v10, pickupdatatypes_global-3.0, DCTRequestdatatypes_global.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import ChosenOption, RequestOptions, is_dutiable, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.xml import Element, document
from shipcli.models import Address, Invalid, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

NAMESPACE = "http://www.dhl.com"
# Every document has a reference of 28 to 32 characters, which DHL repeats and does nothing else with.
MESSAGE_REFERENCE = "1234567890123456789012345678901"
CONTENT, PAPERLESS = "dhl_shipment_content", "dhl_paperless_trade"
LINE, COUNTRY_NAME = 45, 35  # the longest address line, the longest name of a country
YES, NO, NOT_NAMED = "Y", "N", "N/A"
UNIT_LETTERS = {"KG": "K", "LB": "L", "CM": "C", "IN": "I"}


def write_document(root: str, user: tuple[str, str], moment: datetime, body: Json) -> Element:
    """A document with its header: when, who asks (site and password), and for some with which software."""
    facts = CATALOGUE.table("documents")[root]
    request = {
        "ServiceHeader": {
            "MessageTime": f"{moment:%Y-%m-%dT%H:%M:%S}",
            "MessageReference": MESSAGE_REFERENCE,
            "SiteID": user[0],
            "Password": user[1],
        },
        "MetaData": facts.get("software"),
    }
    content = {"Request": request, **body}
    members = {"GetQuote": content} if root == "DCTRequest" else content
    head = {"@schemaVersion": facts["version"]}
    return document(root, {**head, **members}, NAMESPACE, "req", facts["location"])


def region_of(country: str | None) -> Any:
    """The region of DHL (AM, EU or AP) that serves a country."""
    return CATALOGUE.table("regions").get(country or "")


def write_lines(address: Address, name: str = "AddressLine") -> Json:
    """Up to three lines of 45 characters."""
    return {f"{name}{at}": line for at, line in enumerate(wrap_lines(address.lines, LINE, 3), 1)}


def country_name(code: str | None) -> str | None:
    return cut_text(Address(country_code=code).country_name, COUNTRY_NAME)


def units_of(parcels: Sequence[Parcel], country: str | None) -> tuple[str, str]:
    """The units of weight and size: those of the first parcel, but for countries with metric ones only."""
    pounds = bool(parcels) and parcels[0].weight_unit in ("LB", "OZ")
    return ("LB", "IN") if pounds and country not in CATALOGUE.table("metric_countries") else ("KG", "CM")


def weigh(parcels: Sequence[Parcel], unit: str) -> Decimal:
    return round_measure(sum((parcel.weight_in(unit) for parcel in parcels), Decimal(0)))


def measure_sides(parcel: Parcel, unit: str) -> dict[str, Decimal]:
    """The sides under the names of DHL, none smaller than 1; all of them or none."""
    sides = parcel.sides_in(unit)
    if sides is None:
        return {}
    depth, width, height = (max(round_measure(side), Decimal(1)) for side in sides)
    return {"Height": height, "Depth": depth, "Width": width}


def currency_of(request: Request, options: RequestOptions) -> str | None:
    """The currency of amounts: the request's, else the shipper's country's, else the account's, else USD."""
    home_currency = find_currency(request.shipper.country_code or "")
    return options.text("currency") or home_currency or options.currency("USD")


def special_services(request: Request, options: RequestOptions) -> list[ChosenOption]:
    """The chosen options that are services of DHL.

    Errors: Invalid for papers sent as data from where customs take none but paper.
    """
    country = request.shipper.country_code
    if options.flag(PAPERLESS) and is_dutiable(request) and not takes_paperless(request):
        raise Invalid("options.paperless_trade", f"DHL Express takes paper only from {country}: print it")
    left_out = {CONTENT} | (set() if takes_paperless(request) else {PAPERLESS})
    return [choice for choice in options.list_chosen() if choice.slug not in left_out]


def takes_paperless(request: Request) -> bool:
    return request.shipper.country_code not in CATALOGUE.table("not_paperless")

"""What the documents of TNT share: the form they travel in, measures, options, money. Pure.

Units: kilograms, metres and cubic metres.
Source: schemas of ExpressConnect (pricing, shipping) and ExpressLabel.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from shipcli.carrier import (
    Carrier,
    ChosenOption,
    RequestOptions,
    holds_only_documents,
    join_words,
    load_catalogue,
    sum_goods,
)
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.wire.address_parts import read_phone_digits
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.times import MORNING
from shipcli.carrier.wire.xml import element, text
from shipcli.models import Address, Commodity, Invalid, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.reference import find_currency

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

LITRE = Decimal("0.001")
DIVISION = "tnt_division_"
GOODS, DOCUMENTS = "N", "D"
UNNAMED = "N/A"
TELEPHONE = 7  # digits


def write_form(root: str, body: Json) -> Json:
    """A document in the field of the form that TNT reads."""
    return {"xml_in": text(element(root, body))}


def write_account(number: str | None, country: str | None) -> Json | None:
    return {"accountNumber": number, "accountCountry": country} if number or country else None


def write_phone(number: str | None) -> Json:
    """Both are demanded; of a number the last seven digits are the telephone, what leads is the dial code."""
    digits = read_phone_digits(number) or ""
    return {"CONTACTDIALCODE": digits[:-TELEPHONE], "CONTACTTELEPHONE": digits[-TELEPHONE:]}


# -- what ------------------------------------------------------------------------------------------


def contents_of(request: Request) -> str:
    """Whether the shipment holds documents alone."""
    return DOCUMENTS if holds_only_documents(request.parcels) else GOODS


def weigh(parcels: Sequence[Parcel]) -> Decimal:
    return sum((round_measure(parcel.weight_in("KG")) for parcel in parcels), Decimal(0))


def write_measures(parcel: Parcel) -> Json:
    """Sides and weight; a side that is not known is left out."""
    sides = {name: round_measure(side) for name, side in parcel.known_sides_in("M").items()}
    return {**sides, "weight": round_measure(parcel.weight_in("KG"))}


def volume_of(parcels: Sequence[Parcel]) -> Decimal | None:
    """Cubic metres to the litre, never nothing; None where a side is not known."""
    volumes = [volume for parcel in parcels if (volume := parcel.volume_in("M"))]
    return round_measure(sum(volumes, Decimal(0)), LITRE) if len(volumes) == len(parcels) else None


def describe(*parcels: Parcel) -> str:
    """What is in parcels: as they say, or their items do."""
    items = [item.title or item.description for parcel in parcels for item in parcel.items]
    return join_words([parcel.description for parcel in parcels], items) or UNNAMED


def goods_of(request: Request) -> list[list[Commodity]]:
    """The goods of each parcel; those of the declaration are of one parcel, and stand in the first of several
    where none has its own.
    """
    contents = [list(parcel.items) for parcel in request.parcels]
    declared = list(request.customs.commodities) if request.customs else []
    if not declared or (len(contents) > 1 and any(contents)):
        return contents
    return [declared, *contents[1:]]


# -- options and money -----------------------------------------------------------------------------


def extras_of(options: RequestOptions) -> list[ChosenOption]:
    """The chosen options that TNT has codes for, divisions apart."""
    chosen = [choice for choice in options.list_chosen() if str(choice.value).lower() != "false"]
    return [choice for choice in chosen if not choice.slug.startswith(DIVISION)]


def division_of(options: RequestOptions) -> str | None:
    """The division that is asked for; None where none is."""
    return next((choice.code for choice in options.list_chosen() if choice.slug.startswith(DIVISION)), None)


def usual_division(origin: str | None, destination: str | None) -> str:
    """The division of a shipment that names none; some countries have one of their own."""
    if origin != destination:
        return str(CATALOGUE.table("divisions")["abroad"])
    return str(CATALOGUE.choose("divisions", origin, usual="at_home"))


def currency_of(request: Request, options: RequestOptions) -> str | None:
    """The currency of amounts: the request's, else the account's, else the shipper's country's."""
    return options.currency(find_currency(request.shipper.country_code or ""))


def goods_currency(request: Request, options: RequestOptions) -> str | None:
    """The currency of what the goods are worth.

    Errors: Invalid when the form, which has one currency, would insure in another.
    """
    insured, declared = currency_of(request, options), name_declared_currency(request, options)
    if options.insurance() and declared and declared != insured:
        raise Invalid(
            "options.insurance", f"is in {insured} and the goods in {declared}: TNT is told one currency"
        )
    return declared or insured


def goods_value(request: Request, options: RequestOptions) -> Decimal | None:
    """What the goods are worth: as it is said, else what the parcels hold, else what is insured."""
    items = sum_goods(item for goods in goods_of(request) for item in goods)
    return options.amount("declared_value") or items or options.insurance()


def ship_day(request: Request, options: RequestOptions, carrier: Carrier[Any, Any]) -> date:
    return options.ship_date() or carrier.today_at(request.shipper)


def ship_time(request: Request, options: RequestOptions, carrier: Carrier[Any, Any]) -> datetime:
    """When the parcels are ready, as the shipper's clock says; 10:00 where only a day is known."""
    return options.ship_time() or datetime.combine(carrier.today_at(request.shipper), MORNING)


def tax_number(address: Address) -> str | None:
    return address.federal_tax_id or address.state_tax_id or None

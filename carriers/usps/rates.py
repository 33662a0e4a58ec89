"""Prices: what is asked for a parcel, and which of the answered ones its label will cost. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from shipcli.carrier import ServiceTable, list_charges
from shipcli.carrier.wire.json_paths import Json, drop_empty
from shipcli.carrier.wire.rows import note_message, read_each
from shipcli.models import Message, Quote, RateRequest
from shipcli.models.rate import PRICED_ONLY

from .parts import (
    CATALOGUE,
    CATEGORY,
    CURRENCY,
    INDICATOR,
    OF_PARCELS,
    Piece,
    list_asked,
    split_zip,
    write_measures,
    write_size,
)

# Indicators of parcels that are big, which any mail class may have in place of the usual one.
DIMENSIONAL = ("DR", "DN", "OS")
# What an account with a payment authorisation pays where no price list is named.
# Source: the SKU of the recorded labels, whose price type is C.
USUAL_PRICE_TYPE = "COMMERCIAL"
EVERY_CLASS, NO_FLAT_RATE = "ALL", "no_flat_rate"
RETAIL, COUNTER_ONLY = "RETAIL", "options.usps_price_type: labels are billed at the prices of the account"
META = {
    CATEGORY: "processingCategory",
    "usps_zone": "zone",
    INDICATOR: "rateIndicator",
    "usps_price_type": "priceType",
}


def write_rate(request: RateRequest, piece: Piece, account: Json) -> Json:
    """A price request inside the United States."""
    codes = [row.code for row in list_asked(request, CATALOGUE)]
    body = {
        **write_parcel(piece, account),
        "destinationZIPCode": split_zip(request.recipient.postal_code)[0],
        "mailClasses": codes or [EVERY_CLASS],
        "itemValue": piece.value or None,
        "priceType": piece.options.text("usps_price_type"),
        "hasNonstandardCharacteristics": piece.is_nonstandard or None,
    }
    return dict(drop_empty(body))


def write_parcel(piece: Piece, account: Json) -> Json:
    """What every price request says; destination, value and mail class are the product's."""
    return {
        "originZIPCode": split_zip(piece.request.shipper.postal_code)[0],
        **write_measures(piece.parcel),
        "mailingDate": piece.mailing_date,
        "extraServices": piece.extra_services,
        **account,
    }


def read_rates(
    carrier: str, body: Json, piece: Piece, price_type: str | None, services: ServiceTable
) -> list[Quote]:
    """One price for each mail class: what the label of the parcel will cost."""
    options = [option for option in body.get("rateOptions") or () if option.get("rates")]
    named = read_each(options, lambda option: option["rates"][0]["mailClass"] and option)
    chosen = keep_flat_rates(choose_options(named, piece, price_type or USUAL_PRICE_TYPE), piece, services)
    quotes = read_each(chosen, lambda option: read_rate(carrier, option, piece.extra_services, services))
    return [mark_counter_price(quote) for quote in quotes] if price_type == RETAIL else quotes


def mark_counter_price(quote: Quote) -> Quote:
    """The price at a counter: a label has no place for it, and costs what the account pays."""
    return quote.model_copy(update={"meta": {**(quote.meta or {}), PRICED_ONLY: COUNTER_ONLY}})


def choose_options(options: Sequence[Json], piece: Piece, price_type: str) -> list[Json]:
    """Of each mail class, in the order they come, the price of the price type, of the rate indicator and
    category that are asked for, and of a parcel that is handed in anywhere; the first of equals.

    Shapes: a mail class is repeated for each price type, rate indicator, category and place of entry.
    """
    best: dict[str, Json] = {}
    ranks: dict[str, tuple[int, ...]] = {}
    for option in options:
        rate = option["rates"][0]
        mail_class = rate["mailClass"]
        rank = (
            rate.get("priceType") != price_type,
            rank_indicator(rate.get("rateIndicator"), piece.indicator_of(str(mail_class))),
            rate.get("processingCategory") != piece.category_of(str(mail_class)),
            rate.get("destinationEntryFacilityType") not in ("NONE", None),
        )
        if mail_class not in best or rank < ranks[mail_class]:
            best[mail_class], ranks[mail_class] = option, rank
    return list(best.values())


def keep_flat_rates(options: Iterable[Json], piece: Piece, services: ServiceTable) -> list[Json]:
    """The prices without those of mail classes that take no such packaging, or have no price of it here.

    A message names those that were asked for, or all where no price is left.
    """
    fitting, left_out = [], []
    for option in options:
        rate = option["rates"][0]
        problem = find_packaging_problem(piece, str(rate["mailClass"]), rate.get("rateIndicator"))
        if problem:
            left_out.append(f"{services.slug(rate['mailClass'])}: {problem}")
        else:
            fitting.append(option)
    requested = piece.request.services if isinstance(piece.request, RateRequest) else ()
    for text in left_out if requested or not fitting else ():
        note_message(Message(code=NO_FLAT_RATE, message=text))
    return fitting


def find_packaging_problem(piece: Piece, mail_class: str, indicator: str | None) -> str | None:
    """Why a price is none of the parcel in its packaging."""
    name = piece.packaging.slug if piece.packaging else None
    if not piece.is_taken_by(mail_class):
        return f"takes no {name}"
    if piece.needs_flat_rate(mail_class) and indicator != piece.indicator_of(mail_class):
        return f"has no price of {name} here"
    return None


def rank_indicator(indicator: str | None, requested: str) -> int:
    """The one asked for first, then those of big parcels, then those of particular packagings."""
    return 0 if indicator == requested else 1 if indicator in DIMENSIONAL else 2


def name_products(total: Quote, parcels: Sequence[Sequence[Quote]]) -> Quote:
    """The price of several parcels with what is to be ordered for each of them."""
    if len(parcels) == 1:
        return total
    quotes = [quote for quotes in parcels for quote in quotes if quote.service == total.service]
    rows = [{name: (quote.meta or {}).get(name) for name in (INDICATOR, CATEGORY)} for quote in quotes]
    return total.model_copy(update={"meta": {**(total.meta or {}), OF_PARCELS: rows}})


def read_rate(carrier: str, option: Json, requested: Iterable[int], services: ServiceTable) -> Quote:
    """One price: the postage with its fees, and the extra services that were asked for.

    Shapes: postage may come in parts of one name (per piece and per pound); `totalBasePrice` is postage and
            fees; extra services are listed that are on offer only.
    """
    rates, codes = option["rates"], {str(code) for code in requested}
    extras = [
        service for service in option.get("extraServices") or () if str(service.get("extraService")) in codes
    ]
    fees = [fee for rate in rates for fee in rate.get("fees") or ()]
    postage = [(rate.get("description"), rate["price"]) for rate in rates]
    paid = name_charges(extras)
    total = sum((amount for _, amount in paid), option["totalBasePrice"])
    service = services.slug(rates[0]["mailClass"])
    quote = read_price(carrier, service, total, [*postage, *name_charges(fees), *paid])
    facts = {name: rates[0].get(member) for name, member in META.items()}
    return quote.model_copy(update={"meta": {"service_name": service, **drop_empty(facts)}})


def name_charges(rows: Iterable[Json]) -> list[tuple[str | None, Decimal]]:
    """Fees and extra services by name; what has no price is included."""
    return [(row.get("name") or row.get("serviceName"), row["price"]) for row in rows if row.get("price")]


def read_price(
    carrier: str, service: str, total: Decimal, lines: Iterable[tuple[str | None, Decimal]]
) -> Quote:
    """A price with its lines: those of one name added up, those that cost nothing left out.

    Units: USD; a price per pound may be less than a cent.
    """
    sums: dict[str | None, Decimal] = {}
    for name, amount in lines:
        sums[name] = sums.get(name, Decimal(0)) + amount
    return Quote(
        carrier_name=carrier,
        service=service,
        total_charge=total,
        currency=CURRENCY,
        extra_charges=list_charges(((name, write_size(amount)) for name, amount in sums.items()), CURRENCY),
    )

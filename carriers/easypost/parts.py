"""What EasyPost's bodies share: addresses, parcels, options, the words for carriers and services. Pure.

Units: ounces and inches, to the hundredth, half up.
Source: EasyPost API, Parcel object.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import Address, Invalid, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
OZ, INCH = "OZ", "IN"


def measure(value: Decimal | None) -> Decimal | None:
    """A weight or a side: never nothing where there is something, None where it is not known."""
    return round_measure(value) if value else None


# -- addresses and parcels -------------------------------------------------------------------------


def write_address(address: Address | None) -> Json | None:
    if address is None:
        return None
    return {
        "company": address.company_name,
        "name": address.person_name,
        "street1": address.street,
        "street2": address.address_line2,
        "city": address.city,
        "state": address.state_code,
        "zip": address.postal_code,
        "country": address.country_code,
        "residential": address.residential,
        "phone": address.phone_number,
        "email": address.email,
        "federal_tax_id": address.federal_tax_id,
        "state_tax_id": address.state_tax_id,
    }


def write_parcel(parcel: Parcel) -> Json:
    name = parcel.packaging_type
    packaging = CATALOGUE.packaging.get(name) or CATALOGUE.packaging.of_code(name)
    return {
        "length": measure(parcel.length_in(INCH)),
        "width": measure(parcel.width_in(INCH)),
        "height": measure(parcel.height_in(INCH)),
        "weight": measure(parcel.weight_in(OZ)),
        "predefined_package": packaging.code if packaging else None,
    }


# -- options ---------------------------------------------------------------------------------------


def write_options(request: Request, options: RequestOptions) -> Json:
    """The options of one parcel's shipment, each under its code; what the caller names goes before the rest.

    Errors: Invalid for cash on delivery of several parcels: each is a shipment of its own, and the cash would
            be collected with every one of them.
    """
    if options.amount("easypost_cod_amount") and len(request.parcels) > 1:
        raise Invalid("options.cash_on_delivery", "EasyPost collects cash for shipments of one parcel only")
    chosen = {choice.code: choice.sent for choice in options.list_chosen()}
    signature = "SIGNATURE" if options.signature() else None
    return {"delivery_confirmation": signature, **_default_options(request, options), **chosen}


def _default_options(request: Request, options: RequestOptions) -> Json:
    """Who pays; of a purchase where the payer is, the invoice and the kind of file as well."""
    payment = request.payment
    by = payment.paid_by if payment else "sender"
    payer = {
        "type": CATALOGUE.table("payers").get(by),
        "account": payment.account_number if payment else None,
    }
    if isinstance(request, RateRequest):
        return {"payment": payer}
    payer_address = request.billing_address or (request.shipper if by == "sender" else request.recipient)
    payer |= {"country": payer_address.country_code, "postal_code": payer_address.postal_code}
    invoice = (request.customs.invoice if request.customs else None) or options.text("invoice_number")
    return {
        "payment": payer,
        "invoice_number": invoice,
        "incoterm": read_terms(request.customs) if request.customs else None,
        "label_format": request.label_type or "PDF",
    }


# -- carriers behind the hub -----------------------------------------------------------------------


@cache
def carrier_slugs() -> dict[str, str]:
    """Our words for the carriers, by EasyPost's in small letters; some have one for each kind of account."""
    slugs = {word.lower(): slug for slug, word in CATALOGUE.table("carriers").items()}
    return slugs | {word.lower(): slug for word, slug in CATALOGUE.table("other_carriers").items()}


def read_carrier(word: str | None) -> str | None:
    """Our word for a carrier behind the hub; an unknown one stands for itself."""
    return carrier_slugs().get((word or "").replace(" ", "").lower(), word)


def write_carrier(slug: str | None) -> str | None:
    """EasyPost's word for a carrier; an unknown one stands for itself."""
    names = {**CATALOGUE.table("carriers")}
    return names.get(slug, slug) if slug else None


def read_service(rate: Json) -> str:
    """Our word for the service of a rate. Carriers use the same words, so both name it."""
    return CATALOGUE.services.find_slug(rate["service"], carrier=read_carrier(rate.get("carrier")))


def behind(rate: Json) -> dict[str, Any]:
    """Who moves the parcel, and by which service, as the meta of quotes and labels says it."""
    provider = read_carrier(rate.get("carrier"))
    return {"rate_provider": provider, "service_name": read_service(rate).removeprefix("easypost_")}

"""What eShipper's bodies share: addresses, packages, the words for carriers and services. Pure.

Units: whole kilograms or pounds, whole centimetres or inches, rounded up.
Source: eShipper API v2, quote request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.contents import join_words
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_up
from shipcli.models import Address, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest
SMALL_UNITS = {"G": "KG", "OZ": "LB"}  # eShipper takes no parts of its two units


def write_address(address: Address) -> Json:
    return {
        "attention": address.name,
        "company": address.company_name,
        "address1": address.street,
        "address2": address.address_line2,
        "city": address.city,
        "province": address.state_code,
        "country": address.country_code,
        "zip": address.postal_code,
        "email": address.email,
        "phone": address.phone_number,
        "residential": address.residential or None,
    }


def weight_unit(parcel: Parcel) -> str:
    unit = parcel.weight_unit or ""
    return SMALL_UNITS.get(unit, unit)


def write_packages(request: Request, of_parcels: Sequence[RequestOptions]) -> list[Json]:
    """Every package, with what is insured and collected of it."""
    return [_package(*pair) for pair in zip(request.parcels, of_parcels, strict=True)]


def _package(parcel: Parcel, options: RequestOptions) -> Json:
    packaging = CATALOGUE.packaging.get(parcel.packaging_type)
    unit, size = weight_unit(parcel), parcel.dimension_unit or ""
    return {
        **{name: round_up(side) for name, side in parcel.known_sides_in(size).items()},
        "weight": round_up(parcel.weight_in(unit)),
        "dimensionUnit": size,
        "weightUnit": unit,
        "type": packaging.code if packaging else None,
        "freightClass": parcel.freight_class,
        "insuranceAmount": options.insurance(),
        "codAmount": options.amount("eshipper_cod"),
        "description": join_words(
            [parcel.description], [item.description or item.title for item in parcel.items]
        ),
    }


# -- carriers behind the hub -----------------------------------------------------------------------


def read_carrier(name: str | None) -> str:
    """Our word for a carrier behind the hub: Federal Express is fedex; an unknown one in our spelling."""
    words = _slug(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name or ""))
    return str(CATALOGUE.table("carriers").get(words, words))


def read_service(quote: Json) -> str:
    """Our word for the service of a quote. Carriers use the same words, so both name it.

    A service that no row has is spelt as the rows are: `eshipper_`, its carrier, its name.
    """
    carrier, name = read_carrier(quote.get("carrierName")), str(quote.get("serviceName") or "")
    row = CATALOGUE.services.find_wire(name, carrier=carrier)
    return row.slug if row else f"eshipper_{carrier}_{_slug(name)}"


def _slug(text: str) -> str:
    return re.sub(r"\W+|_+", "_", text.lower()).strip("_")


def behind(quote: Json) -> dict[str, Any]:
    """Who moves the parcel, and by which service, as the meta of quotes and labels says it."""
    return {
        "rate_provider": read_carrier(quote.get("carrierName")),
        "service_name": read_service(quote).removeprefix("eshipper_"),
        "eshipper_carrier_name": quote.get("carrierName"),
    }

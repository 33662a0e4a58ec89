"""What the messages of Canpar share: operations, addresses, packages, options. Pure.

Units: pounds and inches. Members stand in alphabetical order, as in the schemas.
Source: CanparRatingService.xsd, CanshipBusinessService.xsd, CanparAddonsService.xsd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

from shipcli.carrier import Carrier, RequestOptions, load_catalogue
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import read_amount, round_measure
from shipcli.carrier.wire.soap import SoapOperation
from shipcli.carrier.wire.xml import SOAP_12
from shipcli.models import Address, Invalid, Parcel, RateRequest, ShipmentRequest

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

NAMESPACES = {"xsd": "http://ws.dto.canshipws.canpar.com/xsd", "xsd1": "http://dto.canshipws.canpar.com/xsd"}


def endpoint(name: str) -> Mapping[str, str]:
    """Path and namespace of the service that has an operation."""
    entry: Mapping[str, str] = CATALOGUE.table("endpoints")[CATALOGUE.table("operations")[name]]
    return entry


@cache
def operation(name: str) -> SoapOperation:
    return SoapOperation(
        name,
        endpoint(name)["namespace"],
        action=f"urn:{name}",
        version=SOAP_12,
        prefix="ws",
        namespaces=NAMESPACES,
        bare_header=True,
    )


def write_request(members: Json) -> Json:
    """The body of an operation."""
    return {"request": {f"xsd:{name}": value for name, value in sorted(members.items())}}


def write_inner(members: Json) -> Json:
    """The members of a shipment or of a pickup, which are of a namespace of their own."""
    return {f"xsd1:{name}": value for name, value in members.items()}


# -- where -----------------------------------------------------------------------------------------


def write_address(address: Address, email: str | None = None) -> Json:
    """`name` is what a parcel goes to: a company, or a person who has none."""
    lines = address.lines
    return {
        "address_line_1": lines[0] if lines else None,
        "address_line_2": " ".join(lines[1:]) or None,
        "attention": address.person_name or None,
        "city": address.city or None,
        "country": address.country_code or None,
        "email": email or address.email or None,
        "name": address.company_name or address.person_name or None,
        "phone": address.phone_number or None,
        "postal_code": address.postal_code or None,
        "province": address.state_code or None,
        "residential": bool(address.residential),
    }


# -- what ------------------------------------------------------------------------------------------


def write_shipment(request: Request, carrier: Carrier[Any, Any], service: str) -> Json:
    """A shipment, to be priced or to be bought."""
    options = carrier.options_of(request)
    day = options.ship_date() or carrier.today_at(request.shipper)
    notify, premium = options.notify_email(), CATALOGUE.table("premium")
    covers = [parcel_options.insurance() for parcel_options in carrier.options_of_each(request)]
    extra_care, reference = options.flag("canpar_extra_care") or None, request.reference
    return {
        "cod_type": write_cod(options),
        "delivery_address": write_address(request.recipient, notify),
        "dg": options.flag("canpar_dangerous_goods") or options.flag("dangerous_good") or None,
        "dimention_unit": "I",
        "nsr": read_nsr(options),
        "packages": [
            write_package(parcel, cover, extra_care, reference)
            for parcel, cover in zip(request.parcels, covers, strict=True)
        ],
        "pickup_address": write_address(request.shipper),
        "premium": next(
            (premium[choice.slug] for choice in options.list_chosen() if choice.slug in premium), None
        ),
        "reported_weight_unit": "L",
        "send_email_to_delivery": True if notify else None,
        "send_email_to_pickup": True if notify and request.shipper.email else None,
        "service_type": CATALOGUE.services.code(service),
        "shipping_date": f"{day}T00:00:00",
    }


def write_package(parcel: Parcel, value: Decimal | None, extra_care: bool | None, usual: str | None) -> Json:
    """A package worth `value`; `usual` is the reference of one that has none of its own."""
    sides = {name: round_measure(side) for name, side in parcel.known_sides_in("IN").items()}
    return {
        "declared_value": value,
        "height": sides.get("height"),
        "length": sides.get("length"),
        "reference": parcel.reference_number or usual,
        "reported_weight": round_measure(parcel.weight_in("LB")) or None,
        "width": sides.get("width"),
        "xc": extra_care,
    }


def write_cod(options: RequestOptions) -> str | None:
    """The kind of payment that is collected.

    Errors: Invalid for an amount, which has no place beside it.
    """
    kind = options.text("canpar_cash_on_delivery")
    amount = read_amount(kind)
    if amount:
        raise Invalid("options.cash_on_delivery", "Canpar is told the kind of payment, not an amount")
    return kind if amount is None else None


def read_nsr(options: RequestOptions) -> bool | None:
    """Whether no signature is required; None where nothing is said of it."""
    if options.flag("canpar_no_signature_required"):
        return True
    return False if options.flag("canpar_not_no_signature_required") or options.signature() else None


def units_of(parcels: Sequence[Parcel]) -> str:
    """The unit of weight of the first parcel."""
    return "LB" if parcels and parcels[0].weight_unit in ("LB", "OZ") else "KG"

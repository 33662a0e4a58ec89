"""What the messages of Purolator share: operations, addresses, weights, options. Pure.

Units: pounds and inches, or kilograms and centimetres; the weight of a shipment is in whole pounds.
Source: EstimateService.xsd, ShippingService.xsd (v2), PickupService.xsd, ShippingDocumentsService.xsd (v1).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from typing import TypeAlias

from shipcli.carrier import RequestOptions, join_words, load_catalogue
from shipcli.carrier.wire.address_parts import cut_text, split_phone, split_street
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.carrier.wire.soap import SoapOperation
from shipcli.carrier.wire.xml import Element, element
from shipcli.models import Address, Parcel, RateRequest, ShipmentRequest
from shipcli.models.basics.phones import split_extension

CATALOGUE = load_catalogue(__file__)
Request: TypeAlias = RateRequest | ShipmentRequest

NAMESPACE, ACTION = "http://purolator.com/pws/datatypes/{}", "http://purolator.com/pws/service/{}/{}"
LEAST = {"KG": Decimal("0.45"), "LB": Decimal(1)}  # what a piece weighs at least
TEXT = 25  # characters of a description
REFERENCE = 30  # characters of a reference
NO_PHONE = "000 000 0000"  # a label needs one
UNKNOWN = "0"
CANADA = "CA"


@cache
def operation(name: str) -> SoapOperation:
    """One of the operations of the catalogue."""
    schema = CATALOGUE.table("operations")[name]["schema"]
    return SoapOperation(
        f"{name}Request", NAMESPACE.format(schema), action=ACTION.format(schema, name), prefix=schema
    )


def write_context(name: str, language: str, token: str | None) -> Element:
    """The header: for which version of an operation, in which language, by whose token."""
    facts = CATALOGUE.table("operations")[name]
    context = {
        "Version": facts["version"],
        "Language": language,
        "GroupID": "",
        "RequestReference": "",
        "UserToken": token,
    }
    return element("RequestContext", context, NAMESPACE.format(facts["schema"]), facts["schema"])


# -- where -----------------------------------------------------------------------------------------


def write_address(address: Address, phone: str | None = None) -> Json:
    """Number and name of the street stand apart; `phone` is in place of one that is not known."""
    street = split_street(address)
    return {
        "Name": address.name or "",
        "Company": address.company_name or None,
        "StreetNumber": street.number or "",
        "StreetName": street.name or "",
        "StreetAddress2": address.address_line2 or None,
        "City": address.city or "",
        "Province": address.state_code or "",
        "Country": address.country_code or "",
        "PostalCode": address.postal_code or "",
        "PhoneNumber": write_phone(address.phone_number or phone, address.country_code),
    }


def write_phone(number: str | None, country: str | None) -> Json:
    parts = split_phone(number, country or CANADA)
    return {
        "CountryCode": parts.country if number and parts.country else UNKNOWN,
        "AreaCode": parts.area or UNKNOWN,
        "Phone": parts.local or UNKNOWN,
        "Extension": split_extension(number or "")[1] or None,
    }


def write_party(address: Address, phone: str | None = None) -> Json:
    """Sender or receiver."""
    tax_number = address.federal_tax_id or address.state_tax_id
    return {"Address": write_address(address, phone), "TaxNumber": tax_number}


# -- what ------------------------------------------------------------------------------------------


def pounds(parcels: Sequence[Parcel]) -> Decimal:
    """What parcels weigh together; each counts for a pound at least."""
    weights = (max(round_measure(parcel.weight_in("LB")), LEAST["LB"]) for parcel in parcels)
    return sum(weights, Decimal(0))


def write_package(request: Request, service: str, options: RequestOptions) -> Json:
    """The parcels with what is chosen for them; the weight of all is cut to whole pounds, as recorded."""
    description = join_words([parcel.description for parcel in request.parcels])
    return {
        "ServiceID": service,
        "Description": cut_text(description, TEXT),
        "TotalWeight": {"Value": int(pounds(request.parcels)), "WeightUnit": "lb"},
        "TotalPieces": len(request.parcels),
        "PiecesInformation": {"Piece": [_write_piece(parcel) for parcel in request.parcels]},
        "OptionsInformation": write_options(options),
    }


def _write_piece(parcel: Parcel) -> Json:
    weight_unit, size_unit = units_of(parcel)
    weight = max(round_measure(parcel.weight_in(weight_unit)), LEAST[weight_unit])
    sides = parcel.known_sides_in(size_unit)
    return {
        "Weight": {"Value": weight, "WeightUnit": weight_unit.lower()},
        **{
            name.title(): {"Value": round_measure(side), "DimensionUnit": size_unit.lower()}
            for name, side in sides.items()
        },
    }


def units_of(parcel: Parcel) -> tuple[str, str]:
    """The units of weight and size nearest to those a parcel is given in."""
    return "LB" if parcel.weight_unit in (
        "LB",
        "OZ",
    ) else "KG", "IN" if parcel.dimension_unit == "IN" else "CM"


def write_options(options: RequestOptions) -> Json | None:
    """The chosen options under the ids of Purolator.

    Source: ShippingService.xsd, OptionsInformation; the ids are those that other clients of E-Ship send.
    """
    ids = CATALOGUE.table("option_ids")
    chosen = {choice.slug: choice.value for choice in options.list_chosen() if choice.slug in ids}
    pairs = [{"ID": ids[slug], "Value": _write_value(value)} for slug, value in chosen.items()]
    return {"Options": {"OptionIDValuePair": pairs}} if pairs else None


def _write_value(value: str) -> str:
    return value.lower() if value in ("True", "False") else value


def is_abroad(request: Request) -> bool:
    return request.shipper.country_code != request.recipient.country_code


def write_reference(reference: str | None, purchase: str | None = None) -> Json | None:
    """What is printed, and the reference of a purchase, by which it is found again."""
    references = {"Reference1": reference or None, "Reference4": purchase}
    return references if any(references.values()) else None

"""What Easyship's bodies share: addresses, parcels and their items, insurance, couriers. Pure.

Units: kilograms with centimetres or pounds with inches, to the hundredth, half up; the first parcel decides.
Source: Easyship API 2023-01, rates and shipments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from shipcli.carrier import RequestOptions, list_parcel_goods, load_catalogue
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import (
    Address,
    Commodity,
    ManifestRequest,
    Parcel,
    PickupRequest,
    RateRequest,
    ShipmentRequest,
)

CATALOGUE = load_catalogue(__file__)
DESK_OPTIONS = CATALOGUE.option_table("desk_options")
Request: TypeAlias = RateRequest | ShipmentRequest
SHIPMENTS = "/2023-01/shipments"
JSON, NAME, TITLE, NOTHING = "application/json", 22, 35, "N/A"
CATEGORY, MONEY = "bags_luggages", "USD"  # where nothing is said
CONTENTS = ("contains_liquids", "contains_battery_pi966", "contains_battery_pi967")
METRIC = frozenset({"KG", "G"})


def path_of(*parts: str) -> str:
    """A path, its later parts escaped."""
    first, *remaining = parts
    return "/".join([first, *(quote(part, safe="") for part in remaining)])


def desk_options(request: PickupRequest | ManifestRequest) -> RequestOptions:
    return RequestOptions(DESK_OPTIONS, request.options)


def named_shipments(request: PickupRequest | ManifestRequest) -> list[str]:
    """The ids of the shipments that a collection or a form is for, wherever the request names them."""
    options = desk_options(request)
    whole = [shipment["shipment_identifier"] for shipment in options.items("shipments")]
    return list(whole or request.shipment_identifiers or options.items("shipment_identifiers"))


# -- addresses -------------------------------------------------------------------------------------


def write_address(address: Address) -> Json:
    return {
        "city": address.city,
        "company_name": cut_text(address.company_name, NAME) or NOTHING,
        "contact_email": address.email,
        "contact_name": cut_text(address.name, NAME),
        "contact_phone": address.phone_number,
        "country_alpha2": address.country_code,
        "line_1": address.street,
        "line_2": address.address_line2,
        "postal_code": address.postal_code,
        "state": address.state_code,
    }


# -- parcels ---------------------------------------------------------------------------------------


class Units(NamedTuple):
    weight: str
    size: str

    def to_dict(self) -> Json:
        return {"weight": self.weight.lower(), "dimensions": self.size.lower()}


def units_of(request: Request) -> Units:
    """The pair of units in which the whole request is written."""
    first = request.parcels[0].weight_unit if request.parcels else None
    return Units("KG", "CM") if first in METRIC else Units("LB", "IN")


def write_parcels(request: Request, options: Sequence[RequestOptions]) -> list[Json]:
    """Shapes: the options of each parcel, in their order."""
    units, pairs = units_of(request), zip(request.parcels, options, strict=True)
    return [
        {
            "box": {**_sides(parcel, units.size), "slug": parcel_options.text("easyship_box_slug")},
            "items": [_item(request, item, parcel_options, units.weight) for item in _goods(request, parcel)],
            "total_actual_weight": round_measure(parcel.weight_in(units.weight)),
        }
        for parcel, parcel_options in pairs
    ]


def _sides(parcel: Parcel, unit: str) -> Json:
    return {name: round_measure(side) for name, side in parcel.known_sides_in(unit).items()}


def _goods(request: Request, parcel: Parcel) -> Sequence[Commodity]:
    """The goods that a parcel declares, else one that stands for them."""
    return list_parcel_goods(request, parcel) or [_something(parcel)]


def _something(parcel: Parcel) -> Commodity:
    text = parcel.description or parcel.content
    return Commodity(title=cut_text(text, TITLE), description=text, quantity=1, value_amount=Decimal(1))


def _item(request: Request, item: Commodity, options: RequestOptions, unit: str) -> Json:
    """One kind of goods. Units: weight and value of a piece."""
    weight = item.weight_in(unit)
    return {
        "actual_weight": round_measure(weight) if weight else None,
        "category": item.metadata.get("category") or CATEGORY,
        "declared_currency": item.value_currency or options.currency(MONEY),
        "declared_customs_value": Decimal(0) if item.value_amount is None else item.value_amount,
        "description": item.description or item.title or "Item",
        "hs_code": item.hs_code or NOTHING,
        "origin_country_alpha2": item.origin_country or request.shipper.country_code,
        "quantity": item.quantity,
        "sku": item.sku or NOTHING,
        **{name: item.metadata.get(name) for name in CONTENTS},
    }


def write_insurance(options: RequestOptions) -> Json:
    """What is insured is priced and bought alike."""
    amount = options.insurance()
    if not amount:
        return {"is_insured": False}
    return {"is_insured": True, "insured_amount": amount, "insured_currency": options.currency(MONEY)}


def write_incoterm(request: Request, options: RequestOptions, default: str | None = None) -> str | None:
    """Easyship knows two: duties are paid (DDP) or, whatever else is agreed, they are not (DDU)."""
    declared = read_terms(request.customs, "DDU") if request.customs else None
    incoterm = options.text("easyship_incoterms") or declared
    return ("DDP" if incoterm == "DDP" else "DDU") if incoterm else default


# -- couriers behind the hub -----------------------------------------------------------------------


def couriers_of(service: str) -> list[str]:
    """The ids of the couriers that sell a service, each for accounts of its own; an id stands for itself."""
    first = CATALOGUE.services.wire_code(service)
    return [
        first,
        *(courier_id for courier_id, slug in CATALOGUE.table("courier_ids").items() if slug == first),
    ]


def read_service(courier_id: str) -> str:
    """Our word for the service of a courier's id; an account may have other ids for the same service."""
    first = CATALOGUE.table("courier_ids").get(courier_id, courier_id)
    return CATALOGUE.services.find_slug(first)


def behind(courier: Json) -> Json:
    """Who moves the parcel, and by which service, as the meta of quotes and labels says it.

    Shapes: `courier` has an id and a name such as "USPS - Priority Mail".
    """
    service = read_service(courier["id"])
    row = CATALOGUE.services.get(service)
    name = re.sub(r"\W+", "_", str(courier.get("name") or "").partition(" - ")[0].lower()).strip("_")
    provider = row.carrier if row else CATALOGUE.table("carriers").get(name, name)
    return {"rate_provider": provider, "service_name": service.removeprefix("easyship_")}

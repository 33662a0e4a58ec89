"""Requests completed for a carrier: its form of addresses, units, presets, customs, dates, who pays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.carrier.address_form import write_addresses
from shipcli.carrier.base import DESTINATION_NOT_SERVICED
from shipcli.carrier.contents import say_variant
from shipcli.carrier.duties import complete_duty
from shipcli.carrier.limits import round_to_limit
from shipcli.carrier.preparation.refusals import (
    SIDES,
    check_destination,
    check_options,
    check_origin,
    check_parcels,
)
from shipcli.carrier.preparation.returns import check_parcels_back
from shipcli.carrier.request_options import HOLD, HOLD_ID, read_place_id
from shipcli.models import (
    Address,
    Commodity,
    Customs,
    Model,
    Parcel,
    Payment,
    RateRequest,
    ShipmentRequest,
)
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.basics.units import choose_dimension_unit, convert_length

if TYPE_CHECKING:
    from shipcli.carrier.base import Carrier

M = TypeVar("M", bound=Model)
NOT_AVAILABLE = "N/A"
HUNDREDTH = Decimal("0.01")
DEFAULT_UNIT = "LB"  # what a weight without a unit means in the recorded requests


def prepare(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with what this module promises; what the caller stated is never changed.

    Errors: Invalid for a size in an unknown unit, for several parcels where a shipment is one;
            CarrierError for what the carrier is known not to take.
    """
    declares = is_declared(request) or carrier.declares_at_home
    request = put_addresses(request, carrier)
    changes: dict[str, Any] = {}
    if parcels := getattr(request, "parcels", None):
        prepared = [prepare_parcel(parcel, carrier) for parcel in parcels]
        changes["parcels"] = [round_to_limit(parcel, carrier.limits) for parcel in prepared]
    if isinstance(request, RateRequest | ShipmentRequest):
        request = name_place(request, carrier)
        check_origin(request, carrier)
        check_destination(request, carrier)
        check_options(request, carrier)
        check_parcels(changes.get("parcels", ()), carrier, type(request))
        check_parcels_back(request, carrier)
    if isinstance(request, RateRequest) and carrier.fills_in_quotes:
        changes["shipper"] = fill_address(request.shipper, carrier.fills_in_quotes)
        changes["recipient"] = fill_address(request.recipient, carrier.fills_in_quotes)
    if options := getattr(request, "options", None):
        changes["options"] = prepare_dates(options)
    if "payment" in type(request).model_fields:
        changes["payment"] = request.payment or Payment()  # type: ignore[attr-defined]  # it has the field
        customs = request.customs if declares else None  # type: ignore[attr-defined]
        changes["customs"] = prepare_customs(customs, changes.get("parcels", ()), carrier)
    return request.model_copy(update=changes) if changes else request


def fill_address(address: Address, names: Sequence[str]) -> Address:
    """Return the address of a price request; a street that a carrier demands changes no price."""
    facts = {**dict(address), "person_name": address.name}  # a company's name will do
    missing = {name: NOT_AVAILABLE for name in names if not facts[name]}
    return address.model_copy(update=missing) if missing else address


def name_place(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with the id of the place where it is held in the option that takes it.

    Errors: CarrierError where the carrier takes none, or none of this form: it is that of another carrier.
    """
    options: Mapping[str, Any] = request.options  # type: ignore[attr-defined]  # of a price or a purchase
    place, row = read_place_id(options.get(HOLD)), carrier.options.get(HOLD_ID)
    if not place:
        return request
    if row is None or not re.fullmatch(row.pattern or ".+", place):
        raise carrier.refuse(
            DESTINATION_NOT_SERVICED, f"{carrier.name} has no place {place} to hold parcels at"
        )
    others = {name: value for name, value in options.items() if name != HOLD}
    return request.model_copy(update={"options": {**others, HOLD_ID: place}})


def prepare_parcel(parcel: Parcel, carrier: Carrier[Any, Any]) -> Parcel:
    unit = parcel.weight_unit or DEFAULT_UNIT
    preset = carrier.presets.get(parcel.package_preset)
    facts = preset.to_dict() if preset else {}
    if parcel.weight is None and facts.get("weight"):
        unit = facts["weight_unit"]
    changes = {
        "weight_unit": unit,
        "dimension_unit": parcel.dimension_unit or facts.get("dimension_unit") or choose_dimension_unit(unit),
        "items": prepare_items(parcel.items, unit),
    }
    if facts:
        changes |= _take_preset_facts(parcel, facts, str(changes["dimension_unit"]))
    return parcel.model_copy(update=changes)


def _take_preset_facts(parcel: Parcel, facts: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """Return what the preset knows and the parcel does not state, sizes in the parcel's unit."""
    names = ("weight", "packaging_type", *SIDES)
    taken = {name: facts[name] for name in names if name in facts and getattr(parcel, name) is None}
    if facts.get("dimension_unit") == unit:
        return taken
    return taken | {
        side: convert_length(taken[side], facts["dimension_unit"], unit).quantize(HUNDREDTH, ROUND_HALF_UP)
        for side in SIDES
        if side in taken
    }


def prepare_items(items: Sequence[Commodity], unit: str) -> Sequence[Commodity]:
    if all(item.weight_unit and not item.metadata for item in items):
        return items
    return [say_variant(item, {"weight_unit": item.weight_unit or unit}) for item in items]


def is_declared(request: Model) -> bool:
    """Whether a declaration belongs to a request; to one that names no countries it may."""
    if not isinstance(request, RateRequest | ShipmentRequest):
        return False
    shipper, recipient = request.shipper, request.recipient
    is_located = bool(shipper.country_code and recipient.country_code)
    return not is_located or crosses_customs(shipper, recipient)


def put_addresses(request: M, carrier: Carrier[Any, Any]) -> M:
    """Return the request with its addresses in the form of the carrier."""
    written = write_addresses(request, carrier.addresses)
    changed = {name: address for name, address in written.items() if address is not getattr(request, name)}
    return request.model_copy(update=changed) if changed else request


def prepare_customs(
    customs: Customs | None, parcels: Sequence[Parcel], carrier: Carrier[Any, Any]
) -> Customs | None:
    if customs is None:
        return None
    if address := customs.duty_billing_address:
        customs = customs.model_copy(update={"duty_billing_address": carrier.addresses.write(address)})
    unit = str(parcels[0].weight_unit) if parcels else DEFAULT_UNIT
    return customs.model_copy(
        update={
            "duty": complete_duty(customs),
            "commodities": prepare_items(customs.commodities, unit),
        }
    )


def prepare_dates(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options with their two dates agreeing: `shipping_date` (date and time) wins."""
    time = options.get("shipping_date")
    return {**options, "shipment_date": str(time)[:10]} if time else options

"""Build a draft from a request body: resolve references, assign ids, fill in defaults. Nothing is stored
and no carrier is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta, tzinfo
from decimal import Decimal
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from shipcli.carrier import registry
from shipcli.features.book import nested
from shipcli.features.book.addresses import validate_address
from shipcli.features.book.box_choice import is_auto
from shipcli.features.book.boxes import list_boxes
from shipcli.features.book.packed_parcels import pack_parcels
from shipcli.features.book.products import find_product
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.scenarios import read_scenario
from shipcli.models import (
    Address,
    AddressPatch,
    Invalid,
    Message,
    NotFound,
    Parcel,
    Shipment,
    ShipmentData,
    reference,
)
from shipcli.models.basics import postal
from shipcli.models.basics.problems import Problem
from shipcli.models.basics.units import convert_length
from shipcli.models.parts.parcel import Box, list_dimension_problems
from shipcli.models.parts.stored import Reference, resolve_references

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.base import Model
    from shipcli.store.transaction import Transaction

PLACEHOLDER = "placeholder_left_out"
OPENS, CLOSES, NEXT_DAY = time(9), time(17), time(10)
SIDES, HUNDREDTH = ("width", "height", "length"), Decimal("0.01")
REFERENCE_NUMBERS = "parcel_reference_number"
NAMES = {"address": "Address", "parcel": "Parcel", "customs": "Customs", "commodity": "Commodity"}


def expand_body(app: App, data: Model) -> dict[str, Any]:
    """Return the body as plain data, with ids of stored objects replaced by the objects.

    Errors: NotFound if an id is unknown.
    """

    def find(link: Reference) -> dict[str, Any]:
        document = nested.find(app, link.stored.kind, link.stored.id)
        if document is None:
            raise NotFound(NAMES[link.stored.kind], link.stored.id)
        return document

    return resolve_references(data, find)


def make_draft(app: App, data: ShipmentData) -> Shipment:
    """Build a draft shipment with ids, without storing it.

    Errors: NotFound if a stored object does not exist; Invalid naming the field.
    """
    body = expand_body(app, data)
    read_scenario(app, options=body["options"], metadata=body["metadata"])
    check_parents(app, body["parcels"])
    parcels = fill_parcels(choose_own_boxes(app, body["parcels"]))
    options = fill_dates(app.now(), body["options"], body["shipper"])
    return Shipment.model_validate(
        body
        | {
            "id": app.new_id("shp_"),
            "shipper": make_address(app, body, "shipper"),
            "recipient": make_address(app, body, "recipient"),
            "parcels": [give_parcel_ids(app, parcel) for parcel in parcels],
            "customs": give_customs_ids(app, body["customs"]),
            "services": body.get("services") or ([body["service"]] if body.get("service") else []),
            "service": None,
            "options": options,
            "payment": fill_payment(data, body),
            "messages": list_placeholders(data),
            "meta": {},
            "test_mode": app.test_mode,
            "created_at": app.stamp(),
        }
    )


def list_placeholders(data: ShipmentData) -> list[Message]:
    """Return a message for each field of an address whose text stands for nothing and is left out."""
    return [
        Message(code=PLACEHOLDER, message=f"{side}.{name}: {text!r} stands for none; it is left out")
        for side in ("shipper", "recipient", "return_address", "billing_address")
        if isinstance(address := getattr(data, side), AddressPatch)
        for name, text in address.left_out.items()
    ]


def fill_payment(data: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payment; if the body has none, the currency of its options is used, if valid."""
    code = str(body["options"].get("currency")).upper()
    payment = {"currency": code} if code in reference.list_currencies() else {}
    return {**body["payment"], **({} if "payment" in data.model_fields_set else payment)}


def give_id(app: App, plain: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {**plain, "id": app.new_id(prefix)}


def make_address(app: App, body: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Return an address of the body with a new id, validated if it requests validation.

    Errors: Invalid, code invalid_address, naming the fields under `side`.
    """
    address = give_id(app, body[side], "adr_")
    if not address.get("validate_location"):
        return address
    try:
        return validate_address(app, Address.model_validate(address)).model_dump()
    except Invalid as error:
        raise error.under(side) from None


def choose_own_boxes(app: App, parcels: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return parcels with boxes of this store chosen for the goods of those whose box is `auto`.

    Errors: Invalid as `pack_parcels`.
    """
    if not any(is_auto(parcel.get("package_preset")) for parcel in parcels):
        return parcels
    return pack_parcels(list_boxes(app), partial(find_product, app), parcels)


def give_parcel_ids(app: App, plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parcel with ids for itself and its items."""
    items = [give_id(app, item, "cdt_") for item in plain.get("items") or []]
    return {**plain, "id": app.new_id("pcl_"), "items": items}


def fill_parcels(parcels: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the parcels of a body with missing dimensions filled in from their presets.

    Errors: Invalid on `parcels[i].dimensions` if a preset leaves some missing.
    """
    filled = [fill_parcel(parcel) for parcel in parcels]
    problems = [
        problem.under(f"parcels[{index}]")
        for index, parcel in enumerate(filled)
        if parcel.get("package_preset")  # without one, its dimensions were checked when it was read
        for problem in list_dimension_problems(Box.model_validate(parcel))
    ]
    if problems:
        raise Invalid.many(problems)
    return filled


def fill_parcel(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parcel with missing dimensions taken from its preset, converted to the parcel's unit."""
    preset = find_preset(plain.get("package_preset"))
    unit = plain.get("dimension_unit") or preset.get("dimension_unit")
    missing = {
        side: convert_size(preset[side], preset["dimension_unit"], str(unit))
        for side in SIDES
        if side in preset and plain.get(side) is None
    }
    return {**plain, **missing, "dimension_unit": unit}


def convert_size(size: Decimal, unit: str, target: str) -> Decimal:
    return size if unit == target else convert_length(size, unit, target).quantize(HUNDREDTH)


@cache
def find_preset(name: str | None) -> Mapping[str, Any]:
    """Return the dimensions of a carrier's package preset; empty if it is unknown."""
    presets = (facts.presets.get(name or "") for facts in registry.list_facts())
    return next((preset for preset in presets if preset and "dimension_unit" in preset), {})


def give_customs_ids(app: App, plain: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not plain:
        return None
    goods = [give_id(app, item, "cdt_") for item in plain.get("commodities") or []]
    payor = plain.get("duty_billing_address")
    return {
        **plain,
        "id": app.new_id("cst_"),
        "commodities": goods,
        "duty_billing_address": give_id(app, payor, "adr_") if payor else None,
    }


def check_parents(app: App, parcels: Sequence[Mapping[str, Any]]) -> None:
    """Check that the order lines that items refer to exist in this mode.

    Errors: Invalid on `parcels[i].items[j].parent_id`.
    """
    problems = [
        problem.under(f"parcels[{index}]")
        for index, parcel in enumerate(parcels)
        for problem in find_orphans(app, parcel)
    ]
    if problems:
        raise Invalid.many(problems)


def find_orphans(app: App, parcel: Mapping[str, Any]) -> list[Problem]:
    """Return a problem on `items[j].parent_id` for each item whose order line does not exist."""
    return [
        Problem(f"items[{index}].parent_id", f"There is no order line item {item['parent_id']}.")
        for index, item in enumerate(parcel.get("items") or [])
        if item.get("parent_id") and not _is_known(app, item["parent_id"])
    ]


def _is_known(app: App, commodity_id: str) -> bool:
    kind, owner = nested.find_owner(app, commodity_id) or ("", {})
    ids = (member["id"] for a_kind, member in nested.find_nested(kind, owner) if a_kind == "commodity")
    return owner.get("test_mode", app.test_mode) == app.test_mode and commodity_id in ids


def fill_dates(now: datetime, options: Mapping[str, Any], shipper: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with both shipping_date (date and time) and shipment_date (its day), each derived from
    the other; with neither given, use the next business moment.
    """
    moment, day = options.get("shipping_date"), options.get("shipment_date")
    if not moment and day:
        moment = f"{str(day)[:10]}T{NEXT_DAY:%H:%M}"
    elif not moment:
        moment = find_business_moment(now, find_time_zone(shipper))
    return {**options, "shipping_date": moment, "shipment_date": str(moment)[:10]}


def change_dates(
    app: App, stored: Mapping[str, Any], changes: Mapping[str, Any], shipper: Mapping[str, Any]
) -> dict[str, Any]:
    """Merge changes into stored options; changing one of the two dates updates the other."""
    options = merge_keys(stored, changes)
    if "shipment_date" in changes and "shipping_date" not in changes:
        options.pop("shipping_date", None)
    return fill_dates(app.now(), options, shipper)


def find_time_zone(address: Mapping[str, Any] | Address | None) -> tzinfo | None:
    """Return the time zone of the address's country; None stands for the machine's own time zone."""
    code = address.country_code if isinstance(address, Address) else (address or {}).get("country_code")
    name = reference.find_time_zone(code) if code else None
    return ZoneInfo(name) if name else None


def find_local_zone(address: Address) -> tzinfo | None:
    """Return the time zone where an address is, by its state where its country has several.

    None stands for the machine's own time zone.
    """
    country, state = address.country_code or "", address.state_code or ""
    if not state and address.postal_code and (known := postal.find_state_of(address.postal_code, country)):
        state = known
    name = reference.find_state_time_zone(country, state.upper())
    return ZoneInfo(name) if name else find_time_zone(address)


def find_business_moment(now: datetime, zone: tzinfo | None) -> str:
    """Return the current time during business hours, otherwise 10:00 on the next business day (today if it
    is a weekday before opening).
    """
    local = now.astimezone(zone)
    if local.weekday() < 5 and OPENS <= local.time() < CLOSES:
        return local.isoformat(timespec="minutes")[:16]
    early = local.weekday() < 5 and local.time() < OPENS
    day = local.date() if early else local.date() + timedelta(days=1)
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return f"{day}T{NEXT_DAY:%H:%M}"


def number_parcels(tx: Transaction, shipment: Shipment) -> Shipment:
    """Return the shipment with a reference number for each parcel that has none."""
    return shipment.model_copy(update={"parcels": [number_parcel(tx, parcel) for parcel in shipment.parcels]})


def number_parcel(tx: Transaction, parcel: Parcel) -> Parcel:
    """Return the parcel, with the next ten-digit reference number if it has none."""
    if parcel.reference_number:
        return parcel
    number = tx.next_number(REFERENCE_NUMBERS, may_skip=True)  # drafts that are removed leave gaps as well
    return parcel.model_copy(update={"reference_number": f"{number:010d}"})


def is_own_number(app: App, number: str | None) -> bool:
    """Return whether a parcel's reference number was assigned by us rather than given by the caller."""
    if not (number and len(number) == 10 and number.isdigit()):
        return False
    rows = app.store.select("counters", {"name": REFERENCE_NUMBERS})
    return bool(rows) and int(number) <= rows[0]["value"]

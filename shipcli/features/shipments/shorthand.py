"""Complete the short bodies of shipments and rate requests typed at the bench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.features.book.box_choice import is_auto
from shipcli.features.book.boxes import SIDES, SIZES, find_box, suggest_box
from shipcli.features.book.packed_parcels import pack_parcels, use_box_sizes
from shipcli.models import Invalid
from shipcli.models.basics.areas import Place
from shipcli.models.parts.goods import declare_goods

if TYPE_CHECKING:
    from shipcli.features.shipments.defaults import ShipDefaults
    from shipcli.models.basics.units import Units


def complete_body(
    defaults: ShipDefaults, body: Mapping[str, Any], facts: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Fill in the defaults of a body: the shipper, the recipient's country, the label format.

    `facts` are the weights and measurements of each parcel; they complete or override the body's parcels.
    Errors: Invalid, NotFound.
    """
    full = {"label_type": defaults.label_type, **body}
    full["shipper"] = full.get("shipper") or defaults.shipper()
    recipient = full.get("recipient")
    if isinstance(recipient, Mapping) and not recipient.get("id"):
        home = Place.of(find_address(defaults, full["shipper"])).country or None
        full["recipient"] = {"country_code": home, **recipient}
    if full.get("carrier_ids"):
        full["carrier_ids"] = defaults.named(full["carrier_ids"])
    if facts:
        full["parcels"] = measure_parcels(defaults, full.get("parcels") or [{}] * len(facts), facts)
    if isinstance(full.get("parcels"), list):
        full["parcels"] = [complete_parcel(defaults, parcel) for parcel in full["parcels"]]
    return full


def add_goods(
    defaults: ShipDefaults, body: Mapping[str, Any], goods: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Add goods to the parcels of a body, and declare them if it crosses a customs border.

    Errors: as for `declare_goods`.
    """
    places = (find_address(defaults, body.get(side)) for side in ("shipper", "recipient"))
    return declare_goods(body, goods, *places)


def complete_parcel(defaults: ShipDefaults, parcel: Any) -> Any:
    """Complete a parcel with the dimensions of the user's own box and default units."""
    if not isinstance(parcel, Mapping):
        return parcel  # the model will report what is wrong with it
    return add_units(defaults.units, use_own_box(defaults, parcel))


def add_units(units: Units, parcel: Mapping[str, Any]) -> dict[str, Any]:
    """Add the default units to a parcel whose weight or dimensions have none."""
    usual = {
        "weight_unit": units.weight if parcel.get("weight") is not None else None,
        "dimension_unit": units.size if any(parcel.get(side) is not None for side in SIDES) else None,
    }
    missing = {name: unit for name, unit in usual.items() if unit and parcel.get(name) is None}
    return {**parcel, **missing}


def measure_parcels(
    defaults: ShipDefaults, parcels: Sequence[Any], facts: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Merge the weights and measurements of each parcel into the parcels.

    Errors: Invalid if there are not as many of them as parcels.
    """
    if len(parcels) != len(facts):
        text = f"There are {len(parcels)} parcels; weight, size and box are given for {len(facts)}."
        raise Invalid("parcels", text)
    return [
        {**parcel, **(fact if is_auto(fact.get("package_preset")) else fill_box(defaults, fact))}
        for parcel, fact in zip(parcels, facts, strict=True)
    ]


def choose_own_boxes(defaults: ShipDefaults, body: Mapping[str, Any]) -> dict[str, Any]:
    """A body with own boxes chosen for the goods of parcels whose box is `auto`.

    Errors: Invalid as `pack_parcels`.
    """
    parcels = body.get("parcels")
    if not isinstance(parcels, list):
        return dict(body)
    return {**body, "parcels": pack_parcels(defaults.boxes(), defaults.product, parcels)}


def find_address(defaults: ShipDefaults, address: Any) -> Mapping[str, Any] | None:
    """Return the fields of an address given as a body or by its id."""
    if isinstance(address, Mapping) and address.get("id"):
        return defaults.address(address["id"])
    return address if isinstance(address, Mapping) else None


def find_only_parcel(parcels: Sequence[Any]) -> Any:
    """Return the only parcel.

    Errors: Invalid unless there is exactly one, as one weight cannot be meant for several.
    """
    if len(parcels) != 1:
        raise Invalid("parcels", f"There are {len(parcels)} parcels; weight, size and box are for one.")
    return parcels[0]


def fill_box(defaults: ShipDefaults, parcel: Mapping[str, Any]) -> dict[str, Any]:
    """Return parcel facts with the dimensions of the named box; measured dimensions override them.

    Errors: Invalid on `package_preset` suggesting the closest box name.
    """
    parcel_facts = use_own_box(defaults, parcel)
    name = parcel_facts.get("package_preset")
    if not name:
        return parcel_facts
    carriers = {preset for facts in registry.list_facts() for preset in facts.presets}
    if name not in carriers:
        near = suggest_box(name, {*carriers, *defaults.boxes()})
        raise Invalid("package_preset", f"There is no box {name!r}. {near}")
    return {**dict.fromkeys(SIZES), **parcel_facts}


def use_own_box(defaults: ShipDefaults, parcel: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the name of the user's own box, which carriers do not know, by its dimensions."""
    return use_box_sizes(defaults.boxes(), parcel)


def find_own_box(defaults: ShipDefaults, parcel: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the user's own box that a parcel names; empty if it names none."""
    preset = parcel.get("package_preset")
    name = find_box(defaults.boxes(), preset) if isinstance(preset, str) else None
    return defaults.boxes()[name] if name else {}

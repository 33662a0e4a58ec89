"""Apply the rules to a draft: before carriers are asked, and once more when their rates are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.book.box_choice import choose_boxes, is_auto
from shipcli.features.book.boxes import SIDES, add_tare, find_box, list_boxes
from shipcli.features.book.drafts import find_preset
from shipcli.features.book.products import find_product
from shipcli.features.core.shipment_lookup import is_return
from shipcli.features.rules.decision import META, SERVICE, Decision, decide, decide_service, read_decision
from shipcli.features.rules.facts import list_facts
from shipcli.features.rules.service import read_rows
from shipcli.models import Commodity, Invalid, Parcel
from shipcli.models.conditions import parse_condition

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import Rate, Shipment

Row = Mapping[str, Any]
PREFERRED = "preferred_service"
CHANGED = ("options", "parcels", "label_type", "meta")  # of a draft, by rules
USUAL_LABEL = "PDF"
UNBOXED = dict.fromkeys((*SIDES, "dimension_unit", "package_preset"))


def apply_rules(app: App, draft: Shipment, trial: Sequence[Row] | None = None) -> Shipment:
    """Return a draft with what the rules set, except the service; unchanged if there are no rules.

    Rules are for what is sent: the way back has a country and services of its own, which they do not mean.
    Shapes: `trial` are rules in the place of those stored.
    """
    rows = read_rows(app.store) if trial is None else trial
    rules = [] if is_return(draft) else [row for row in rows if row.get("enabled", True)]
    earlier = read_decision(draft)
    if not rules and earlier is None:
        return draft
    bare = take_back_rules(draft)
    names = {name for row in rules for name in parse_condition(row["condition"]).names}
    own = set(_list_own(app, bare))
    decision = decide(rules, list_facts(app, bare, names), own)
    return _set(app, bare, decision)


def _list_own(app: App, draft: Shipment) -> Iterator[str]:
    """What a request says itself."""
    if draft.services or draft.options.get(PREFERRED):
        yield SERVICE
    if any(parcel.length is not None or parcel.package_preset for parcel in draft.parcels):
        yield "box"
    if draft.label_type not in (None, USUAL_LABEL, app.config["label_type"]):
        yield "label_type"
    for name in draft.options:
        yield f"options.{name}"


def take_back_rules(draft: Shipment) -> Shipment:
    """Return a draft as its request made it: without what rules set before, unless that was changed since."""
    earlier = read_decision(draft)
    if earlier is None:
        return draft
    set_before, format_before = earlier.options(), earlier.value("label_type")
    options = {name: value for name, value in draft.options.items() if set_before.get(name) != value}
    changes: dict[str, Any] = {"options": options, "parcels": _unbox(draft.parcels, earlier)}
    if format_before and draft.label_type == format_before:
        changes["label_type"] = USUAL_LABEL
    return draft.model_copy(update=changes)


def _unbox(parcels: list[Parcel], earlier: Decision) -> list[Parcel]:
    """Parcels as they were before a rule chose their box."""
    packed = earlier.settings.get("box", {}).get("packed")
    if packed:
        return [Parcel.model_validate(parcel) for parcel in packed]
    before = earlier.settings.get("box", {}).get("before") or []
    if len(before) != len(parcels):
        return parcels
    return [
        parcel.model_copy(update={**UNBOXED, "weight": weight and Decimal(weight)})
        for parcel, weight in zip(parcels, before, strict=True)
    ]


def _set(app: App, draft: Shipment, decision: Decision) -> Shipment:
    parcels = draft.parcels
    if box := decision.value("box"):
        setting = decision.settings["box"]
        if is_auto(box):
            setting["packed"] = [parcel.model_dump() for parcel in parcels]
            parcels = _pack(app, parcels, setting)
        else:
            setting["before"] = [parcel.weight and str(parcel.weight) for parcel in parcels]
            if not find_box_sizes(app, box):
                setting["note"] = f"there is no box {box} any more"
            parcels = put_in_box(app, parcels, box)
    return draft.model_copy(
        update={
            "options": {**draft.options, **decision.options()},
            "label_type": decision.value("label_type") or draft.label_type,
            "parcels": parcels,
            "meta": {**(draft.meta or {}), META: decision.to_plain()},
        }
    )


def apply_to_rates(draft: Shipment) -> Shipment:
    """Return a rated draft with the service that the rules choose; the rates it stands for come first."""
    decision = read_decision(draft)
    if decision is None:
        return draft
    decide_service(decision, draft.rates)
    rates: list[Rate] = sorted(draft.rates, key=lambda rate: rate.id not in decision.rates)
    meta = {**(draft.meta or {}), META: decision.to_plain()}
    return draft.model_copy(update={"rates": rates, "meta": meta})


def list_changes(draft: Shipment) -> dict[str, Any]:
    """The fields that rules may have changed, to be stored with new rates; empty without a decision."""
    return {name: getattr(draft, name) for name in CHANGED} if read_decision(draft) else {}


# -- boxes -----------------------------------------------------------------------------------------


def _pack(app: App, parcels: list[Parcel], setting: dict[str, Any]) -> list[Parcel]:
    """Parcels in the own boxes that hold their goods; as they were, with the reason, if none is chosen."""
    goods = [(item, item.quantity) for parcel in parcels for item in parcel.items]
    try:
        loads = choose_boxes(list_boxes(app), partial(find_product, app), goods) if goods else []
    except Invalid as error:
        setting["note"] = "; ".join(problem.reason for problem in error.problems)
        return parcels
    if not loads:
        return parcels
    setting["note"] = ", ".join(box for box, _ in loads)
    packed: list[Parcel] = []
    for box, counts in loads:
        items = [goods[place][0].model_copy(update={"quantity": count}) for place, count in counts]
        filled = _fill_parcel(app, parcels[0], items, is_only=len(loads) == len(parcels) == 1)
        packed += put_in_box(app, [filled], box)
    return packed


def _fill_parcel(app: App, parcel: Parcel, items: list[Commodity], *, is_only: bool) -> Parcel:
    """A parcel like another one with these goods; it weighs what they do, unless it is the only one."""
    if is_only:
        return parcel
    unit = parcel.weight_unit or "KG"
    weights = ((item.weight_in(unit) or Decimal(0)) * item.quantity for item in items)
    fresh = {"id": app.new_id("pcl_"), "items": items, "reference_number": None}
    return parcel.model_copy(update={**fresh, "weight": sum(weights, Decimal(0))})


def put_in_box(app: App, parcels: list[Parcel], name: str) -> list[Parcel]:
    """Return parcels in a box, own or a carrier's; its tare counts where goods were added up."""
    box = find_box_sizes(app, name)
    if not box:
        return parcels
    sizes = {side: Decimal(box[side]) for side in SIDES} | {"dimension_unit": box["dimension_unit"]}
    preset = {"package_preset": None if find_box(list_boxes(app), name) else name}
    return [parcel.model_copy(update={**sizes, **preset, **_weigh(parcel, box)}) for parcel in parcels]


def find_box_sizes(app: App, name: str) -> Mapping[str, Any]:
    """A box, own or a carrier's; empty if there is none of this name."""
    boxes = list_boxes(app)
    own = find_box(boxes, name)
    return boxes[own] if own else find_preset(name)


def _weigh(parcel: Parcel, box: Mapping[str, Any]) -> dict[str, Any]:
    """The weight of a parcel that weighs exactly what its goods do, with the box; empty if it was weighed."""
    unit = parcel.weight_unit
    if parcel.weight is None or unit is None or not parcel.items:
        return {}
    pieces = [(item.weight_in(unit), item.quantity) for item in parcel.items]
    goods = sum((weight * quantity for weight, quantity in pieces if weight), Decimal(0))
    if any(weight is None for weight, _ in pieces) or abs(goods - parcel.weight) > Decimal("0.001"):
        return {}
    return {"weight": add_tare(box, parcel.weight, unit).quantize(Decimal("0.001"))}

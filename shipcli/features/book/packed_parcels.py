"""Parcels of a body whose box is `auto`, or one of the user's own: the boxes that hold their goods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.book.box_choice import FIELD, FindProduct, choose_boxes, is_auto
from shipcli.features.book.boxes import SIZES, add_tare, find_box
from shipcli.models import Invalid
from shipcli.models.parts.parcel import Goods

if TYPE_CHECKING:
    from shipcli.features.book.boxes import Boxes

FINEST = Decimal("0.001")
NO_GOODS = "The box auto is chosen by the goods of a parcel, and none are named"


def pack_parcels(boxes: Boxes, product: FindProduct, parcels: Sequence[Any]) -> list[Any]:
    """The parcels with boxes chosen for those whose box is `auto`; the others as they are.

    Errors: Invalid as `choose_boxes`; for a parcel without goods, or goods without a weight; if one weight is
            given for several boxes.
    """
    packed: list[Any] = []
    for parcel in parcels:
        if isinstance(parcel, Mapping) and is_auto(parcel.get(FIELD)):
            packed += _pack(boxes, product, parcel)
        else:
            packed.append(parcel)
    return packed


def pack_in_own_boxes(boxes: Boxes, product: FindProduct, parcels: Sequence[Any]) -> list[Any]:
    """The parcels in the own boxes that they name, or that are chosen for them.

    Errors: Invalid as `pack_parcels`.
    """
    packed = pack_parcels(boxes, product, parcels)
    return [use_box_sizes(boxes, parcel) if boxes else parcel for parcel in packed]


def use_box_sizes(boxes: Boxes, parcel: Mapping[str, Any]) -> dict[str, Any]:
    """A parcel with the sizes of its box if that is one of the user's own, which carriers do not know."""
    name = find_box(boxes, str(parcel.get(FIELD) or ""))
    if name is None:
        return dict(parcel)
    measured = {side: boxes[name][side] for side in SIZES} if parcel.get("length") is None else {}
    return {**parcel, **measured, FIELD: None}


def _pack(boxes: Boxes, product: FindProduct, parcel: Mapping[str, Any]) -> list[dict[str, Any]]:
    items = [dict(item) for item in parcel.get("items") or ()]
    if not items:
        raise Invalid(FIELD, NO_GOODS)
    goods = [Goods.model_validate(item) for item in items]
    loads = choose_boxes(boxes, product, [(article, article.quantity) for article in goods])
    is_weighed = bool(parcel.get("weight")) and not _is_added_up(parcel, goods)
    if len(loads) > 1 and is_weighed:
        raise Invalid("weight", f"The goods need {len(loads)} boxes; one weight is given.")
    packed = []
    for box, counts in loads:
        load = [(goods[place], count) for place, count in counts]
        weighed = {} if is_weighed else _weigh(load, boxes[box])
        held = [{**items[place], "quantity": count} for place, count in counts]
        packed.append({**use_box_sizes(boxes, {**parcel, FIELD: box}), **weighed, "items": held})
    return packed


def _is_added_up(parcel: Mapping[str, Any], goods: Sequence[Goods]) -> bool:
    """Whether a parcel weighs exactly what its goods do: its box counts beside them."""
    unit = str(parcel.get("weight_unit") or "KG")
    weights = [(article.weight_in(unit), article.quantity) for article in goods]
    total = sum((weight * count for weight, count in weights if weight), Decimal(0))
    return abs(total - Decimal(str(parcel["weight"]))) <= FINEST


def _weigh(load: Sequence[tuple[Goods, int]], box: Mapping[str, Any]) -> dict[str, Any]:
    unit = load[0][0].weight_unit or "KG"
    weights = [(article, article.weight_in(unit), count) for article, count in load]
    unknown = [article.sku or article.title or "goods" for article, weight, _ in weights if not weight]
    if unknown:
        raise Invalid("weight", f"The weight of {', '.join(unknown)} is not known: --weight 2lb6oz")
    goods = sum((weight * count for _, weight, count in weights if weight), Decimal(0))
    return {"weight": round(add_tare(box, goods, unit), 3), "weight_unit": unit}

"""The user's own boxes: each has a name, dimensions and an optional empty weight.

Like settings, they are stored on the machine where parcels are packed, whichever server is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid, NotFound, find_nearest
from shipcli.models.basics.units import convert_weight

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

Boxes = Mapping[str, Mapping[str, Any]]
TABLE = "boxes"
NAME = re.compile(r"[\w.-]{1,30}")
SIDES = ("length", "width", "height")
SIZES = (*SIDES, "dimension_unit")


def list_boxes(app: App) -> Boxes:
    """Return the boxes by name."""
    return {row["name"]: row["box"] for row in app.store.select(TABLE, order="name")}


def save_box(app: App, name: str, box: Mapping[str, Any]) -> None:
    """Save a box with its dimensions and, if known, its empty weight, replacing any box of that name.

    Errors: Invalid if the name is not valid.
    """
    check_name(name)
    with app.store.transaction() as tx:
        _remove(tx, name)
        tx.upsert(TABLE, {"name": name, "box": dict(box)})


def check_name(name: str) -> None:
    """Errors: Invalid for what is no name of a box."""
    if not NAME.fullmatch(name):
        raise Invalid("name", f"{name!r} is not a box name: use letters, digits, - and _, such as M or mug-6")


def remove_box(app: App, name: str) -> None:
    """Remove a box.

    Errors: NotFound suggesting the closest name.
    """
    check_box(app, name)
    with app.store.transaction() as tx:
        _remove(tx, name)


def check_box(app: App, name: str) -> None:
    """Errors: NotFound for a box that there is none of, suggesting the closest name."""
    boxes = list_boxes(app)
    if find_box(boxes, name) is None:
        raise NotFound("box", name, message=f"You have no box {name!r}. {suggest_box(name, boxes)}")


def _remove(tx: Transaction, name: str) -> None:
    """Remove the box of this name, ignoring case, if there is one."""
    stored_name = find_box({row["name"]: row["box"] for row in tx.select(TABLE)}, name)
    if stored_name is not None:
        tx.remove(TABLE, {"name": stored_name})


def find_box(boxes: Boxes, name: str) -> str | None:
    """Return the stored name of a box, ignoring case, or None if there is no such box."""
    return next((box_name for box_name in boxes if box_name.casefold() == name.casefold()), None)


def suggest_box(name: str, names: Collection[str]) -> str:
    """Return the hint for an unknown box name: the closest known name, or where to look."""
    near = find_nearest(name, names)
    return f"Did you mean {near}?" if near else "See: shipcli parcels presets"


def add_tare(box: Mapping[str, Any], weight: Decimal, unit: str) -> Decimal:
    """Return the weight of the goods plus the empty weight of their box, if known, in `unit`."""
    if not box.get("weight"):
        return weight
    return weight + convert_weight(Decimal(box["weight"]), box["weight_unit"], unit)

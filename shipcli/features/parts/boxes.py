"""The boxes of a packing table: a name for its sizes, and what it weighs empty.

They belong to the machine at which parcels are packed, as its settings do, whichever server is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.core.app import read_setting
from shipcli.models import Invalid, NotFound, nearest
from shipcli.models.basics.units import convert_weight

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Boxes = Mapping[str, Mapping[str, Any]]
BOXES = "boxes"  # the row of the store that holds them
NAME = re.compile(r"[\w.-]{1,30}")
SIDES = ("length", "width", "height")
SIZES = (*SIDES, "dimension_unit")


def list_boxes(app: App) -> Boxes:
    """The boxes by name."""
    return read_setting(app.store, BOXES) or {}


def save_box(app: App, name: str, box: Mapping[str, Any]) -> None:
    """A box with its sizes and, where it is known, its tare; one of that name is replaced.

    Errors: Invalid for a name that is none.
    """
    if not NAME.fullmatch(name):
        raise Invalid("name", f"{name!r} is no name of a box: letters, digits, - and _, such as M or mug-6")
    known = {one: value for one, value in list_boxes(app).items() if one.casefold() != name.casefold()}
    _write(app, {**known, name: dict(box)})


def remove_box(app: App, name: str) -> None:
    """Errors: NotFound naming the nearest."""
    known = dict(list_boxes(app))
    found = find_box(known, name)
    if found is None:
        raise NotFound("box", name, message=f"There is no box {name!r} of yours. {suggest_box(name, known)}")
    del known[found]
    _write(app, known)


def _write(app: App, boxes: Boxes) -> None:
    with app.store.transaction() as tx:
        tx.upsert("settings", {"key": BOXES, "value": dict(sorted(boxes.items()))})


def find_box(boxes: Boxes, name: str) -> str | None:
    """The box that a word means, in any case."""
    return next((one for one in boxes if one.casefold() == name.casefold()), None)


def suggest_box(name: str, known: Collection[str]) -> str:
    """What to say of a box that nobody has."""
    near = nearest(name, known)
    return f"Did you mean {near}?" if near else "See: shipcli parcels presets"


def add_tare(box: Mapping[str, Any], weight: Decimal, unit: str) -> Decimal:
    """What goods weigh together with their box."""
    if not box.get("weight"):
        return weight
    return weight + convert_weight(Decimal(box["weight"]), box["weight_unit"], unit)

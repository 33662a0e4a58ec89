"""Members that a schema makes mandatory and nillable: what has no value is said to be nil.

Source: XML Schema 1.0, 2.6.2 xsi:nil. An element that is left out is none that is nil.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli.carrier.wire.xml import SCHEMA_INSTANCE

NIL: Mapping[str, Any] = {"@xmlns:xsi": SCHEMA_INSTANCE, "@xsi:nil": True}


def spell_nils(value: Any, shape: Mapping[str, Any] | None) -> Any:
    """Return a body with all members of a shape: nested dicts of names, `{"box": {"width": None}}`.

    What is None is nil, a list has the shape in each row; members that no shape names stay as they are.
    """
    if value is None:
        return dict(NIL)
    if isinstance(value, list):
        return [spell_nils(row, shape) for row in value]
    if shape is None or not isinstance(value, Mapping):
        return value
    names = dict.fromkeys([*shape, *value])
    return {name: spell_nils(value.get(name), shape.get(name)) for name in names}

"""A user's own ZPL label, with names in double braces for what differs from label to label.

    ^XA^CF0,40^FO40,60^FD{{ recipient.name }}^FS^FO40,200^BCN,150^FD{{ tracking_number }}^FS^XZ

A name is looked up and nothing else; what it gives is text that can't end a field or start a command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from shipcli.models import Address, Parcel
from shipcli.models.json import number_text

KIND = "ZPL"
PLACEHOLDER = re.compile(r"\{\{\s*([\w.\- ]*?)\s*\}\}")
OPEN = frozenset({"metadata", "connection", "options"})  # objects with names of the user's own
PLAIN = frozenset(
    {"tracking_number", "reference", "carrier_name", "account_number", "service_code", "service_name", "date",
     "piece", "pieces"}
)  # fmt: skip
SHAPES: Mapping[str, frozenset[str]] = {
    "shipper": frozenset({*Address.model_fields, "name", "country_name"}),
    "recipient": frozenset({*Address.model_fields, "name", "country_name"}),
    "parcel": frozenset({*Parcel.model_fields, "size_unit"}),
}
COMMANDS = re.compile(r"[\^~\x00-\x1f\x7f]+")
SAMPLE = "^FO40,40^A0N,120,120^FDSAMPLE^FS"
UTF_8 = "^CI28"


def template_of(label_template: Mapping[str, Any] | None) -> str | None:
    """The ZPL of a connection's label template; None when there is none.

    Errors: ValueError when it is of another type, is no ZPL label, or names something that does not exist.
    """
    if not label_template:
        return None
    kind, text = str(label_template.get("template_type") or KIND).upper(), label_template.get("template")
    if kind != KIND:
        raise ValueError(f"a template of type {kind} can't be drawn; use ZPL, or none for the built-in label")
    if not isinstance(text, str) or "^XA" not in text.upper() or "^XZ" not in text.upper():
        raise ValueError("`template` must be a ZPL label from ^XA to ^XZ")
    for name in PLACEHOLDER.findall(text):
        _check(name)
    return text


def fill(template: str, values: Mapping[str, Any], *, sample: bool = False) -> bytes:
    """The template as a label; what is not known prints nothing."""
    text = PLACEHOLDER.sub(lambda found: safe(_look_up(values, found[1])), template)
    if sample:
        text = re.sub(r"\^XZ", SAMPLE + "^XZ", text, flags=re.IGNORECASE)
    if "^CI" not in text.upper():
        text = re.sub(r"\^XA", "^XA" + UTF_8, text, flags=re.IGNORECASE)
    return text.encode()


def safe(value: Any) -> str:
    """A value as field data: one line without the signs that begin a command."""
    if value is None or isinstance(value, bool | Mapping | list):
        return ""
    text = number_text(value) if isinstance(value, Decimal) else str(value)
    return COMMANDS.sub(" ", text).strip()


def _check(name: str) -> None:
    root, _, rest = name.partition(".")
    if (root in OPEN and rest) or (root in PLAIN and not rest) or rest in SHAPES.get(root, ()):
        return
    known = [*sorted(PLAIN), *sorted(f"{one}..." for one in (*SHAPES, *OPEN))]
    raise ValueError(f"there is nothing called {{{{ {name} }}}}; there are {', '.join(known)}")


def _look_up(values: Mapping[str, Any], name: str) -> Any:
    root, _, rest = name.partition(".")
    holder = values.get(root)
    if not rest:
        return holder
    if isinstance(holder, Mapping):
        return holder.get(rest)
    return getattr(holder, rest, None) if isinstance(holder, BaseModel) else None

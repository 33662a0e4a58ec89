"""The labels of a custom carrier: the owner's template filled in, else the built-in label.

A template is the owner's own ZPL, with names in double braces for what differs from label to label:

    ^XA^CF0,40^FO40,60^FD{{ recipient.name }}^FS^FO40,200^BCN,150^FD{{ tracking_number }}^FS^XZ

A name is looked up and nothing else; what it gives is text that can't end a field or start a command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from pydantic import BaseModel

from shipcli.carrier.own_labels import describe_routing, list_address_lines, list_recipient_lines
from shipcli.models import Address, Parcel, ShipmentRequest
from shipcli.models.basics.json import write_number

KIND = "ZPL"
PLACEHOLDER = re.compile(r"\{\{([\w.\-\s]*)\}\}")
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

Colour = tuple[int, int, int]


class Look(NamedTuple):
    """What all labels of a connection share."""

    carrier_name: str
    account_number: str | None = None
    accent: Colour | None = None
    template: str | None = None
    connection: Any = None
    sample: bool = False


class Piece(NamedTuple):
    """One parcel of a purchase and the number it goes under."""

    parcel: Parcel
    number: str
    position: int
    of: int


def colour(text: str) -> Colour:
    """The colour of `#A1B2C3` or `#ABC`.

    Errors: ValueError for anything else.
    """
    digits = text.strip().removeprefix("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    if len(digits) != 6 or not set(digits.lower()) <= set("0123456789abcdef"):
        raise ValueError("must be a colour such as #1A2B3C")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def make(
    look: Look,
    request: ShipmentRequest,
    service_name: str,
    pieces: Sequence[Piece],
    day: str,
    file_format: str | None,
) -> tuple[bytes, str]:
    """One file with a label for each piece, and its format.

    A template is ZPL: it comes as PDF or PNG only when it is plain enough to be drawn here.
    Errors: ValueError for what can't be printed, and for several labels in one PNG.
    """
    if look.template is None:
        return _draw(look, request, service_name, pieces, file_format or "PDF"), file_format or "PDF"
    shared = {"service_name": service_name, "date": day}
    filled = [
        fill(look.template, _values(look, request, piece, shared), sample=look.sample) for piece in pieces
    ]
    return _as_wanted(b"\n".join(filled), file_format or "ZPL")


def _as_wanted(zpl: bytes, file_format: str) -> tuple[bytes, str]:
    from shipcli.drawing import Unconvertible, convert

    try:
        return convert(zpl, file_format), file_format
    except Unconvertible:
        return zpl, "ZPL"


def _draw(
    look: Look, request: ShipmentRequest, service_name: str, pieces: Sequence[Piece], file_format: str
) -> bytes:
    from shipcli.drawing import Block, LabelSpec, draw_labels

    abroad = request.shipper.country_code != request.recipient.country_code
    specs = [
        LabelSpec(
            carrier=look.carrier_name,
            service=service_name,
            sender=Block("FROM", list_address_lines(request.shipper, abroad)),
            recipient=Block("TO", list_recipient_lines(request.recipient, abroad)),
            tracking_number=piece.number,
            references=_references(look, request, piece),
            routing=describe_routing(request.recipient, piece.position, piece.of),
            sample=look.sample,
            accent=look.accent,
        )
        for piece in pieces
    ]
    return draw_labels(specs, file_format)


def _references(look: Look, request: ShipmentRequest, piece: Piece) -> tuple[str, ...]:
    parcel = piece.parcel
    weight = f"Weight: {write_number(parcel.weight)} {parcel.weight_unit or 'LB'}" if parcel.weight else None
    lines = (
        f"Ref: {request.reference}" if request.reference else None,
        weight,
        f"Account: {look.account_number}" if look.account_number else None,
    )
    return tuple(line for line in lines if line)


def _values(look: Look, request: ShipmentRequest, piece: Piece, shared: dict[str, str]) -> dict[str, Any]:
    return {
        **shared,
        "tracking_number": piece.number,
        "reference": request.reference,
        "carrier_name": look.carrier_name,
        "account_number": look.account_number,
        "service_code": request.service,
        "piece": piece.position,
        "pieces": piece.of,
        "shipper": request.shipper,
        "recipient": request.recipient,
        "parcel": piece.parcel,
        "metadata": request.metadata,
        "connection": look.connection,
        "options": request.options,
    }


# -- templates -------------------------------------------------------------------------------------


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
    for name in map(str.strip, PLACEHOLDER.findall(text)):
        _check(name)
    return text


def fill(template: str, values: Mapping[str, Any], *, sample: bool = False) -> bytes:
    """The template as a label; what is not known prints nothing."""
    text = PLACEHOLDER.sub(lambda match: safe(_look_up(values, match[1].strip())), template)
    if sample:
        text = re.sub(r"\^XZ", SAMPLE + "^XZ", text, flags=re.IGNORECASE)
    if "^CI" not in text.upper():
        text = re.sub(r"\^XA", "^XA" + UTF_8, text, flags=re.IGNORECASE)
    return text.encode()


def safe(value: Any) -> str:
    """A value as field data: one line without the signs that begin a command."""
    if value is None or isinstance(value, bool | Mapping | list):
        return ""
    text = write_number(value) if isinstance(value, Decimal) else str(value)
    return COMMANDS.sub(" ", text).strip()


def _check(name: str) -> None:
    root, _, member = name.partition(".")
    if (root in OPEN and member) or (root in PLAIN and not member) or member in SHAPES.get(root, ()):
        return
    names = [*sorted(PLAIN), *sorted(f"{prefix}..." for prefix in (*SHAPES, *OPEN))]
    raise ValueError(f"there is nothing called {{{{ {name} }}}}; there are {', '.join(names)}")


def _look_up(values: Mapping[str, Any], name: str) -> Any:
    root, _, member = name.partition(".")
    holder = values.get(root)
    if not member:
        return holder
    if isinstance(holder, Mapping):
        return holder.get(member)
    return getattr(holder, member, None) if isinstance(holder, BaseModel) else None

"""The labels of a custom carrier: the owner's template filled in, else the built-in label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from carriers.generic.template import fill
from shipcli.carrier.own_labels import address_lines
from shipcli.models import Parcel, ShipmentRequest
from shipcli.models.json import number_text

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
    place: int
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
    wanted: str | None,
) -> tuple[bytes, str]:
    """One file with a label for each piece, and its format.

    A template is ZPL: it comes as PDF or PNG only when it is plain enough to be drawn here.
    Errors: ValueError for what can't be printed, and for several labels in one PNG.
    """
    if look.template is None:
        return _draw(look, request, service_name, pieces, wanted or "PDF"), wanted or "PDF"
    shared = {"service_name": service_name, "date": day}
    filled = [
        fill(look.template, _values(look, request, piece, shared), sample=look.sample) for piece in pieces
    ]
    return _as_wanted(b"\n".join(filled), wanted or "ZPL")


def _as_wanted(zpl: bytes, wanted: str) -> tuple[bytes, str]:
    from shipcli.drawing import Unconvertible, convert

    try:
        return convert(zpl, wanted), wanted
    except Unconvertible:
        return zpl, "ZPL"


def _draw(
    look: Look, request: ShipmentRequest, service_name: str, pieces: Sequence[Piece], wanted: str
) -> bytes:
    from shipcli.drawing import Block, LabelSpec, draw_labels

    abroad = request.shipper.country_code != request.recipient.country_code
    specs = [
        LabelSpec(
            carrier=look.carrier_name,
            service=service_name,
            sender=Block("FROM", address_lines(request.shipper, abroad)),
            recipient=Block("TO", address_lines(request.recipient, abroad)),
            tracking_number=piece.number,
            references=_references(look, request, piece),
            sample=look.sample,
            accent=look.accent,
        )
        for piece in pieces
    ]
    return draw_labels(specs, wanted)


def _references(look: Look, request: ShipmentRequest, piece: Piece) -> tuple[str, ...]:
    parcel = piece.parcel
    weight = f"Weight: {number_text(parcel.weight)} {parcel.weight_unit or 'LB'}" if parcel.weight else None
    lines = (
        f"Ref: {request.reference}" if request.reference else None,
        weight,
        f"{piece.place} of {piece.of}" if piece.of > 1 else None,
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
        "piece": piece.place,
        "pieces": piece.of,
        "shipper": request.shipper,
        "recipient": request.recipient,
        "parcel": piece.parcel,
        "metadata": request.metadata,
        "connection": look.connection,
        "options": request.options,
    }

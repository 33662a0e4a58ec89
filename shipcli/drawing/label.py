"""What a label says, whoever draws it and in whichever format."""

from __future__ import annotations

from typing import NamedTuple

from .elements import Colour


class Block(NamedTuple):
    """An address or a note: a small title over its lines."""

    title: str
    lines: tuple[str, ...]


class LabelSpec(NamedTuple):
    """A 4x6 inch label.

    Shapes: `tracking_number` is printable ASCII up to 35 characters; up to four `references`; `code2d` is
            a symbology (pdf417, datamatrix, qr, aztec, maxicode) and its content; `accent` colours the
            headline bar. `mark` is the sign of the service (one to three characters), `postal_barcode` what
            a sorting machine reads (420 and the ZIP code), `caption` the number as people read it, in
            groups. `banner` stands between rules above the barcode ("USPS TRACKING #"). `place` says which of
            several parcels it is ("1 OF 2").
    """

    carrier: str
    service: str
    sender: Block
    recipient: Block
    tracking_number: str
    references: tuple[str, ...] = ()
    code2d: tuple[str, str] | None = None
    sample: bool = False
    accent: Colour | None = None
    routing: str | None = None
    mark: str | None = None
    postal_barcode: str | None = None
    caption: str | None = None
    banner: str | None = None
    place: str | None = None

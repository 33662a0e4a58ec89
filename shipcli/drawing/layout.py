"""What a 4x6 inch label says, and where everything stands on it.

Lines shrink a little or wrap where they are too long, and a block as a whole takes the largest size that
fits. Code 128 is drawn with bars of at least two dots; one too long for the width of the label runs down its
right side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import code128, symbols
from .elements import LABEL_HEIGHT, LABEL_WIDTH, Bars, Colour, Element, Matrix, Page, Rule, Text
from .text.shaping import clean, measure_width, wrap

LEFT = 24
RIGHT = LABEL_WIDTH - LEFT
# The right edge of everything else when the barcode runs down the side.
NARROW_RIGHT = 612
SENDER_SIZES = (24, 22, 20, 18, 16, 14, 12, 10, 8)
RECIPIENT_SIZES = (46, 42, 38, 34, 30, 27, 24, 21, 18, 15, 12, 10, 8)
QUIET_MODULES = 10
PLACE_WIDTH = 200  # beside the recipient, of which of several parcels it is
LONGEST_SERVICE = 22  # characters on one line
BARS_END = 1142
MODULES = (4, 3, 2)  # widths of a bar across the label; short numbers have the wider ones

Row = tuple[str, bool, int]  # text, whether it is bold, its width in thousandths of the em


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


class LayoutBox(NamedTuple):
    x: int
    y: int
    width: int
    height: int


def draw_label_page(spec: LabelSpec) -> Page:
    """The page of a label.

    Errors: Unprintable; ValueError when a code's content is too long for the label.
    """
    module = _choose_module(spec.tracking_number)
    right = RIGHT if module else NARROW_RIGHT
    marks = (*_draw_head(spec, right), *_draw_body(spec, right), *_draw_barcode(spec, module))
    return Page(LABEL_WIDTH, LABEL_HEIGHT, marks)


def _draw_head(spec: LabelSpec, right: int) -> list[Element]:
    """The headline bar, the sender and the rules."""
    bright = spec.accent is not None and sum(spec.accent) > 480
    across = right - LEFT
    return [
        Rule(LEFT - 8, 16, RIGHT - LEFT + 16, 76, spec.accent),
        _draw_one_line(spec.carrier, LayoutBox(LEFT + 8, 28, 470, 48), white=not bright),
        *_draw_service(spec.service, white=not bright),
        *_draw_block(spec.sender, LayoutBox(LEFT, 104, across * 9 // 16, 184), SENDER_SIZES, 16),
        Rule(LEFT, 296, across, 3),
        Rule(LEFT, 656, across, 3),
        Rule(LEFT, 944, across, 3),
    ]


def _draw_service(service: str, *, white: bool) -> list[Element]:
    """The service in the headline: on two lines when one would be too small to read."""
    if len(service) <= LONGEST_SERVICE:
        return [
            _draw_one_line(service, LayoutBox(LEFT + 490, 36, RIGHT - LEFT - 498, 34), align="R", white=white)
        ]
    middle = len(service) // 2
    blanks = [index for index, letter in enumerate(service) if letter == " "] or [middle]
    cut = min(blanks, key=lambda index: abs(index - middle))
    halves = service[:cut].strip(), service[cut:].strip()
    return [
        _draw_one_line(
            half, LayoutBox(LEFT + 390, 22 + 32 * index, RIGHT - LEFT - 398, 30), align="R", white=white
        )
        for index, half in enumerate(halves)
    ]


def _draw_body(spec: LabelSpec, right: int) -> list[Element]:
    """The recipient, the references, the two-dimensional code and how the parcel goes."""
    across = right - LEFT
    start = LEFT + across * 9 // 16 + 16
    elements: list[Element] = []
    if spec.references:
        elements += _draw_lines(spec.references, LayoutBox(start, 108, right - start, 180), SENDER_SIZES)
    taken = PLACE_WIDTH if spec.place else 0
    elements += _draw_block(spec.recipient, LayoutBox(LEFT, 308, across - taken, 340), RECIPIENT_SIZES, 20)
    if spec.place:
        elements.append(
            _draw_one_line(spec.place, LayoutBox(right - taken + 20, 308, taken - 20, 48), align="R")
        )
    text_right = right
    if spec.code2d:
        elements.append(code := _draw_code2d(spec.code2d, right))
        text_right = int(code.x - max(16, 4 * code.module))
    elements += _draw_routing(spec, text_right)
    if spec.sample and not spec.postal_barcode:
        elements.append(_draw_one_line("SAMPLE", LayoutBox(LEFT, 840, min(text_right - LEFT, 340), 90)))
    return elements


def _draw_routing(spec: LabelSpec, right: int) -> list[Element]:
    """How the parcel goes: the sign of the service, the routing code, the barcode of the postal code."""
    elements: list[Element] = []
    left = LEFT
    if spec.mark:
        elements += [Rule(LEFT, 672, 128, 4), Rule(LEFT, 672, 4, 128), Rule(LEFT, 796, 128, 4)]
        elements += [
            Rule(LEFT + 124, 672, 4, 128),
            _draw_one_line(spec.mark, LayoutBox(LEFT + 14, 690, 100, 92), align="C"),
        ]
        left = LEFT + 148
    height = 128 if spec.mark or spec.postal_barcode else 150
    if spec.routing:
        elements.append(_draw_one_line(spec.routing, LayoutBox(left, 672, right - left, height)))
    if spec.postal_barcode:
        elements.append(_draw_postal_barcode(spec.postal_barcode, right))
    return elements


def _draw_postal_barcode(content: str, right: int) -> Bars:
    """The barcode for sorting machines, with bars of two dots.

    Errors: ValueError when it is too long for them.
    """
    module, start = MODULES[-1], LEFT + 20
    if start + module * code128.count_modules(content) > right:
        raise ValueError(
            f"The sorting code ({len(content)} characters) is too long for a barcode on this label."
        )
    return Bars(start, 816, module, 112, content)


def _choose_module(tracking_number: str) -> int:
    """The bar width in dots for a barcode across the label, 0 when it has to run down the side."""
    cells = code128.count_modules(tracking_number) + 2 * QUIET_MODULES
    return next((module for module in MODULES if cells * module <= LABEL_WIDTH), 0)


def _draw_barcode(spec: LabelSpec, module: int) -> list[Element]:
    number = spec.tracking_number
    cells = code128.count_modules(number)
    shown = spec.caption or number
    caption = f"{shown}  SAMPLE" if spec.sample else shown
    if module:
        x = (LABEL_WIDTH - cells * module) // 2
        top = 994 if spec.banner else 962
        return [
            *_draw_banner(spec.banner),
            Bars(x, top, module, BARS_END - top, number),
            _draw_one_line(caption, LayoutBox(LEFT, 1150, RIGHT - LEFT, 44), align="C"),
        ]
    length = 2 * cells
    if length + 40 > LABEL_HEIGHT - 110:
        raise ValueError(
            f"The tracking number ({len(number)} characters) is too long for a barcode on this label."
        )
    y = 110 + (LABEL_HEIGHT - 90 - 110 - length) // 2
    caption_box = LayoutBox(LEFT, LABEL_HEIGHT - 60, RIGHT - LEFT, 44)
    return [
        Bars(NARROW_RIGHT + 24, y, 2, 150, number, turned=True),
        _draw_one_line(caption, caption_box, align="C"),
    ]


def _draw_banner(text: str | None) -> list[Element]:
    """A line between the rule above the barcode and the barcode, and a second rule below its number."""
    if not text:
        return []
    return [
        _draw_one_line(text, LayoutBox(LEFT, 954, RIGHT - LEFT, 32), align="C"),
        Rule(LEFT, 1200, RIGHT - LEFT, 3),
    ]


def _draw_code2d(code: tuple[str, str], right: int) -> Matrix:
    """The two-dimensional code in the lower right of its zone, with its quiet zone."""
    symbology, content = code
    room = LayoutBox(0, 676, min(460, (right - LEFT) * 11 // 16), 252)
    fitted = symbols.fit(symbology, content, room.width, room.height)
    y = room.y + (room.height - fitted.height) // 2
    return Matrix(right - fitted.width, y, fitted.module, symbology, content, fitted.columns, fitted.level)


def _draw_one_line(text: str, box: LayoutBox, align: str = "L", white: bool = False) -> Text:
    """A bold line as large as its box allows, in the middle of the box's height."""
    text = clean(text)
    wide = measure_width(text, True)
    size = min(box.height, box.width * 1000 // wide) if wide else box.height
    return Text(box.x, box.y + (box.height - size) // 2, size, text, box.width, align, True, white)


def _draw_block(block: Block, box: LayoutBox, sizes: tuple[int, ...], title_size: int) -> list[Element]:
    below = LayoutBox(box.x, box.y + title_size + 6, box.width, box.height - title_size - 6)
    return [*_draw_title(block.title, *box[:3], title_size), *_draw_lines(block.lines, below, sizes, bold=1)]


def _draw_title(title: str, x: int, y: int, across: int, size: int) -> list[Element]:
    text = clean(title)
    return [Text(x, y, min(size, across * 1000 // measure_width(text, False)), text)] if text else []


def _draw_lines(lines: Sequence[str], box: LayoutBox, sizes: tuple[int, ...], bold: int = 0) -> list[Element]:
    """The lines, `bold` of them bold, wrapped where needed, at the largest size at which they fit the box.

    Errors: ValueError when they do not fit at the smallest size.
    """
    texts = [text for line in lines if (text := clean(line))]
    rows = [(text, at < bold, measure_width(text, at < bold)) for at, text in enumerate(texts)]
    for size in sizes:
        room, capacity = box.width * 1000 // size, box.height // (size * 6 // 5)
        if len(rows) <= capacity and len(wrapped := _wrap_rows(rows, room)) <= capacity:
            return _draw_rows(wrapped, box, size)
    raise ValueError(f"The text is too long for a label: {' / '.join(lines)!r}.")


def _draw_rows(rows: list[Row], box: LayoutBox, size: int) -> list[Element]:
    """The rows below each other; one that is a little too long is drawn a little smaller."""
    step = size * 6 // 5
    return [
        Text(box.x, box.y + at * step, min(size, box.width * 1000 // wide), text, bold=bold)
        for at, (text, bold, wide) in enumerate(rows)
    ]


def _wrap_rows(rows: list[Row], room: int) -> list[Row]:
    """The lines; those more than a sixth too long for the room are cut into several."""
    wrapped: list[Row] = []
    for text, bold, wide in rows:
        if wide * 6 <= room * 7:
            wrapped.append((text, bold, wide))
        else:
            wrapped += [(line, bold, measure_width(line, bold)) for line in wrap(text, room, bold)]
    return wrapped

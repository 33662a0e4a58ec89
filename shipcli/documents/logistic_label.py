"""The GS1 logistic label: parties, contents and the container code that a warehouse scans. One per parcel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shipcli.documents import facts, gs1
from shipcli.drawing.elements import Page, Rule
from shipcli.drawing.page_layout import DOT, QUIET, PageLayout, wrap_text
from shipcli.drawing.paper import LABEL_4X6, ON_LABELS, ON_PALLETS, Letterhead
from shipcli.models import Shipment

# Widths of a bar, from 1 mm down to a quarter; the standard asks for 0.495 to 1.016.
MODULES = range(8 * DOT, DOT, -DOT)
HIGH, BELOW = 21, 11  # hundredths of the label that the bars take: container code, delivery
LARGE_TYPE_IN = 8  # the least height of a label whose bars leave room for the letters of pallets


def draw_logistic_labels(
    shipment: Shipment, codes: Sequence[str], stationery: Letterhead = Letterhead(LABEL_4X6)
) -> tuple[Page, ...]:
    """The labels of a shipment, in the order of its parcels; `codes` are their container codes.

    Errors: ValueError if there are not as many codes as parcels.
    """
    if len(codes) != len(shipment.parcels):
        raise ValueError(f"{len(shipment.parcels)} parcels need as many container codes, not {len(codes)}")
    return tuple(
        page for at, code in enumerate(codes) for page in _draw_label(shipment, at, code, stationery)
    )


def _draw_label(shipment: Shipment, at: int, code: str, stationery: Letterhead) -> tuple[Page, ...]:
    paper, type = stationery.paper, ON_PALLETS
    if paper.is_narrow or paper.high_in < LARGE_TYPE_IN:
        paper, type = replace(paper, margin_mm=LABEL_4X6.margin_mm), ON_LABELS
    book = PageLayout(replace(stationery, paper=paper), type=type)
    high, below_high = (book.high * part // 100 for part in (HIGH, BELOW))
    sides = (("From", shipment.shipper), ("To", shipment.recipient))
    book.blocks([(title, facts.format_party(who, contact=False)) for title, who in sides], most=8)
    book.y += 30
    book.rule(book.left, book.y, book.across, 8)
    book.y += 40
    _draw_words(book, shipment, at, code)
    large = book.type.large
    y = book.bottom - high - large
    _draw_bars(book, [(gs1.SSCC, code)], y, high)
    if below := _list_delivery_elements(book, shipment):
        book.rule(book.left, y - 50, book.across, 8)
        _draw_bars(book, below, y - 110 - below_high - large, below_high)
    return book.pages()


def _draw_words(book: PageLayout, shipment: Shipment, at: int, code: str) -> None:
    """The text for people: the container code, the parcel's place, weight and contents."""
    parcel, kind = shipment.parcels[at], book.type
    name = kind.large * 3
    book.text(book.left, book.y + (kind.large - kind.small) // 2, "SSCC", kind.small)
    book.text(book.left + name, book.y, code + ("  SAMPLE" if book.stationery.sample else ""), kind.large,
              bold=True, room=book.across - name)  # fmt: skip
    book.y += round(kind.large * 1.4)
    pieces = sum(item.quantity for item in parcel.items)
    words = facts.describe_parcel(shipment, at) + ([f"{pieces} pieces"] if pieces else [])
    book.line("   ".join(words), bold=True)
    names = dict.fromkeys(facts.describe_item(item)[0] for item in parcel.items)
    contents = parcel.content or parcel.description or ", ".join(names)
    carrier = (facts.name_service(shipment), shipment.tracking_number or "")
    for line in (
        "   ".join(word for word in carrier if word),
        *wrap_text(contents, book.across, kind.normal, False, 2),
    ):
        book.line(line)


def _list_delivery_elements(book: PageLayout, shipment: Shipment) -> list[gs1.Element]:
    """Destination and order number, as far as they fit into one symbol of the label's width."""
    postal = "".join(
        character
        for character in shipment.recipient.postal_code or ""
        if character.isascii() and character.isalnum()
    ).upper()
    reference = "".join(
        character
        for character in shipment.reference or ""
        if character.isascii() and character.isprintable() and character != " "
    )
    elements = [(gs1.SHIP_TO_POST, postal)] if 0 < len(postal) <= 20 else []
    with_order = [*elements, (gs1.ORDER, reference)]
    if 0 < len(reference) <= 30 and _choose_module(book, with_order):
        return with_order
    return elements if elements and _choose_module(book, elements) else []


def _choose_module(book: PageLayout, elements: Sequence[gs1.Element]) -> int:
    """The widest bar at which a symbol fits; 0 if none does."""
    count = gs1.count_modules(elements) + 2 * QUIET
    return next((module for module in MODULES if count * module <= book.wide), 0)


def _draw_bars(book: PageLayout, elements: Sequence[gs1.Element], y: int, high: int) -> None:
    module = _choose_module(book, elements)
    x = (book.wide - gs1.count_modules(elements) * module) // 2 // DOT * DOT
    book.add(*(Rule(x + at * module, y, wide * module, high) for at, wide in gs1.list_bars(elements)))
    book.text(book.left, y + high + 20, gs1.format_elements(elements), bold=True, room=book.across, align="C")

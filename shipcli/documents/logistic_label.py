"""The GS1 logistic label: who, what, and the container code that a warehouse scans. A6 upright, one per
parcel.
"""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.documents import facts, gs1
from shipcli.documents.layout import LARGE, MM, NORMAL, SMALL, Book, wrapped
from shipcli.drawing.elements import Page, Rule
from shipcli.models import Shipment

A6 = round(105 * MM), round(148 * MM)
MODULE = round(0.5 * MM)  # the narrowest bar; the standard asks for 0.495 to 1.016 mm
QUIET = 10
HIGH = round(32 * MM)
MARGIN = round(4 * MM)


def pages(shipment: Shipment, codes: Sequence[str], *, sample: bool = False) -> tuple[Page, ...]:
    """The labels of a shipment, in the order of its parcels; `codes` are their container codes.

    Errors: ValueError when there are not as many codes as parcels.
    """
    if len(codes) != len(shipment.parcels):
        raise ValueError(f"{len(shipment.parcels)} parcels need as many container codes, not {len(codes)}")
    return tuple(page for at, code in enumerate(codes) for page in _label(shipment, at, code, sample=sample))


def _label(shipment: Shipment, at: int, code: str, *, sample: bool) -> tuple[Page, ...]:
    book = Book(A6, MARGIN)
    half = book.across // 2 - 60
    ends = [
        book.block(book.left, book.y, half, "From", facts.party(shipment.shipper, contact=False), most=8),
        book.block(
            book.left + half + 120, book.y, half, "To", facts.party(shipment.recipient, contact=False), most=8
        ),
    ]
    book.y = max(ends) + 30
    book.rule(book.left, book.y, book.across, 8)
    book.y += 40
    _words(book, shipment, at, code, sample=sample)
    below = _delivery(shipment)
    y = book.high - MARGIN - HIGH - LARGE
    _bars(book, [(gs1.SSCC, code)], y, HIGH)
    if below:
        book.rule(book.left, y - 50, book.across, 8)
        _bars(book, below, y - 50 - round(17 * MM) - LARGE - 60, round(17 * MM))
    return book.pages()


def _words(book: Book, shipment: Shipment, at: int, code: str, *, sample: bool) -> None:
    """What people read: the container code, the parcel's place, weight, contents."""
    parcel, unit = shipment.parcels[at], facts.weight_unit(shipment)
    book.text(book.left, book.y, "SSCC", SMALL)
    book.text(book.left + 400, book.y - 15, code + ("  SAMPLE" if sample else ""), LARGE, bold=True,
              room=book.across - 400)  # fmt: skip
    book.y += round(LARGE * 1.3)
    pieces = sum(item.quantity for item in parcel.items)
    weight = facts.weight_text(parcel.weight_in(unit), unit) if parcel.weight is not None else ""
    words = [f"Parcel {at + 1} of {len(shipment.parcels)}", weight, facts.size_text(shipment, at),
             f"{pieces} pieces" if pieces else ""]  # fmt: skip
    book.text(
        book.left, book.y, "   ".join(word for word in words if word), NORMAL, bold=True, room=book.across
    )
    book.y += round(NORMAL * 1.4)
    names = dict.fromkeys(facts.label_of(item)[0] for item in parcel.items)
    contents = parcel.content or parcel.description or ", ".join(names)
    carrier = "   ".join(
        word for word in (facts.service_name(shipment), shipment.tracking_number or "") if word
    )
    for line in (carrier, *wrapped(contents, book.across, NORMAL, False, 2)):
        book.text(book.left, book.y, line, NORMAL, room=book.across)
        book.y += round(NORMAL * 1.3)


def _delivery(shipment: Shipment) -> list[gs1.Element]:
    """Where to and which order, as far as they fit into one symbol of the label's width."""
    postal = "".join(
        one for one in shipment.recipient.postal_code or "" if one.isascii() and one.isalnum()
    ).upper()
    reference = "".join(
        one for one in shipment.reference or "" if one.isascii() and one.isprintable() and one != " "
    )
    found = [(gs1.SHIP_TO_POST, postal)] if 0 < len(postal) <= 20 else []
    with_order = [*found, (gs1.ORDER, reference)]
    return with_order if 0 < len(reference) <= 30 and _module(with_order) else found if _module(found) else []


def _module(elements: Sequence[gs1.Element]) -> int:
    """The widest module at which a symbol fits, from twice the narrowest down to half; 0 when none does."""
    if not elements:
        return 0
    room = (A6[0] - MARGIN) // (gs1.modules(elements) + 2 * QUIET)
    return min(room, MODULE) if room >= MODULE // 2 else 0


def _bars(book: Book, elements: Sequence[gs1.Element], y: int, high: int) -> None:
    module = _module(elements)
    wide = gs1.modules(elements) * module
    x = (book.wide - wide) // 2
    book.add(*(Rule(x + at * module, y, one * module, high) for at, one in gs1.bars(elements)))
    book.text(
        book.left, y + high + 20, gs1.readable(elements), NORMAL, bold=True, room=book.across, align="C"
    )

"""The customs declarations of the post: CN22 for small values, CN23 for all others.

Source: Universal Postal Convention, forms CN 22 and CN 23.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from shipcli.documents import facts
from shipcli.documents.facts import DeclaredGoods
from shipcli.documents.layout import LARGE, MM, SMALL, TINY, Book, Cell, TableColumn
from shipcli.drawing.elements import Page
from shipcli.models import Commodity, Shipment

CN22_SIZE = round(105 * MM), round(148 * MM)
CN23_SIZE = round(210 * MM), round(148 * MM)
MARGIN = round(4 * MM)
BOXES = (
    ("Gift", ("gift",)),
    ("Documents", ("documents",)),
    ("Sale of goods", ("merchandise",)),
    ("Commercial sample", ("sample",)),
    ("Returned goods", ("return_merchandise",)),
    ("Other", ("other",)),
)
CERTIFIED_22 = (
    "I, the undersigned, whose name and address are given on the item, certify that the particulars given "
    "in this declaration are correct and that this item does not contain any dangerous article or articles "
    "prohibited by legislation or by postal or customs regulations."
)
CERTIFIED_23 = (
    "I certify that the particulars given in this customs declaration are correct and that this item does "
    "not contain any dangerous article or articles prohibited by legislation or by postal or customs "
    "regulations."
)
CN22_COLUMNS = (
    TableColumn("Quantity and detailed description of contents", 38, lines=2),
    TableColumn("Weight", 13, "R"),
    TableColumn("Value", 19, "R"),
    TableColumn("HS code", 18),
    TableColumn("Origin", 12),
)
CN23_COLUMNS = (
    TableColumn("Detailed description of contents", 40, lines=2),
    TableColumn("Quantity", 9, "R"),
    TableColumn("Net weight", 13, "R"),
    TableColumn("Value", 15, "R"),
    TableColumn("HS tariff number", 13),
    TableColumn("Country of origin", 10),
)


def cn22(shipment: Shipment, *, day: str = "", sample: bool = False) -> tuple[Page, ...]:
    """The small declaration, A6 upright; goods that find no room go on further sheets."""
    goods = facts.goods_of(shipment)
    book = Book(CN22_SIZE, MARGIN)
    _title(book, "CN 22", shipment, sample=sample)
    _ticks(book, shipment, 3)
    book.table(CN22_COLUMNS, [_small_row(item, goods) for item in goods.items])
    book.need(round(34 * MM))
    _total(book, shipment, goods)
    book.y += 40
    _certified(book, shipment, CERTIFIED_22, day)
    return book.pages()


def cn23(shipment: Shipment, *, day: str = "", sample: bool = False) -> tuple[Page, ...]:
    """The full declaration, A5 lying; goods that find no room go on further sheets."""
    goods = facts.goods_of(shipment)
    book = Book(CN23_SIZE, MARGIN)
    _title(book, "CN 23", shipment, sample=sample)
    _parties(book, shipment)
    book.table(CN23_COLUMNS, [_row(item, goods) for item in goods.items])
    book.need(round(46 * MM))
    _total(book, shipment, goods)
    book.y += 40
    _ticks(book, shipment, 6)
    _remarks(book, shipment)
    _certified(book, shipment, CERTIFIED_23, day)
    return book.pages()


def _title(book: Book, form: str, shipment: Shipment, *, sample: bool) -> None:
    book.text(book.left, book.y, "CUSTOMS DECLARATION" + ("  SAMPLE" if sample else ""), LARGE, bold=True)
    book.text(book.left, book.y, form, LARGE, bold=True, room=book.across, align="R")
    book.y += round(LARGE * 1.3)
    book.text(book.left, book.y, "May be opened officially", SMALL, room=book.across // 2)
    book.text(
        book.left, book.y, shipment.tracking_number or "", SMALL, bold=True, room=book.across, align="R"
    )
    book.y += round(SMALL * 1.5)
    book.rule(book.left, book.y, book.across, 8)
    book.y += 40


def _ticks(book: Book, shipment: Shipment, per_line: int) -> None:
    """The kinds of contents, the declared one ticked."""
    kind = (shipment.customs.content_type if shipment.customs else None) or "merchandise"
    wide, side = book.across // per_line, 70
    for at, (name, kinds) in enumerate(BOXES):
        x = book.left + at % per_line * wide
        book.box(x, book.y, side, side, 6)
        if kind in kinds:
            book.text(x, book.y + 5, "X", 65, bold=True, room=side, align="C")
        book.text(x + side + 35, book.y + 4, name, SMALL, bold=kind in kinds, room=wide - side - 60)
        if at % per_line == per_line - 1:
            book.y += side + 35
    book.y += 20


def _small_row(item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    title, more = facts.label_of(item)
    code = item.value_currency or goods.currency
    return [
        Cell(f"{item.quantity} x {title}", (more,) if more else ()),
        facts.weight_text(facts.line_weight(item, "KG"), "kg"),
        _amount(facts.line_value(item), code),
        item.hs_code or "",
        item.origin_country or "",
    ]


def _row(item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    title, more = facts.label_of(item)
    code = item.value_currency or goods.currency
    return [
        Cell(title, (more,) if more else ()),
        str(item.quantity),
        facts.weight_text(facts.line_weight(item, "KG"), "kg"),
        _amount(facts.line_value(item), code),
        item.hs_code or "",
        item.origin_country or "",
    ]


def _amount(amount: Decimal | None, code: str) -> str:
    return f"{facts.money(amount, code)} {code}" if amount is not None else ""


def _total(book: Book, shipment: Shipment, goods: DeclaredGoods) -> None:
    """Total weight and value; the weight is that of the parcels, packing included."""
    gross = facts.gross_weight(shipment, "KG")
    half = book.across // 2
    book.y += 30
    weight = f"Total weight  {facts.weight_text(gross if gross is not None else goods.weight, 'kg')}"
    value = f"Total value  {', '.join(_amount(total, code) for code, total in goods.sums.items())}"
    book.text(book.left, book.y, weight, 80, bold=True, room=half - 40)
    book.text(book.left + half, book.y, value, 80, bold=True, room=half, align="R")
    book.y += 120


def _parties(book: Book, shipment: Shipment) -> None:
    half = book.across // 2 - 100
    sender, recipient = shipment.shipper, shipment.recipient
    ends = [
        book.block(book.left, book.y, half, "From", [*facts.party(sender), *facts.tax_ids(sender)], most=8),
        book.block(
            book.left + half + 200,
            book.y,
            half,
            "To",
            [*facts.party(recipient), *facts.tax_ids(recipient)],
            most=8,
        ),
    ]
    book.y = max(ends) + 30


def _remarks(book: Book, shipment: Shipment) -> None:
    """Invoice, licence, certificate and the registrations of the sender."""
    customs = shipment.customs
    pairs = [("Invoice", customs.invoice if customs else None), *facts.customs_ids(shipment)]
    pairs += [("Terms", facts.terms(shipment)), ("Reference", shipment.reference)]
    pairs += [("Comments", customs.content_description if customs else None)]
    if rate := shipment.selected_rate:
        pairs += [("Postal charges", _amount(rate.total_charge, rate.currency or ""))]
    words = [f"{name}: {value}" for name, value in facts.filled(pairs)]
    book.paragraph("   ".join(words), SMALL)
    book.y += 30


def _certified(book: Book, shipment: Shipment, sentence: str, day: str) -> None:
    book.paragraph(sentence, TINY)
    customs = shipment.customs
    signer = (customs and customs.signer) or shipment.shipper.name or ""
    date = (customs and customs.invoice_date) or day
    y, share = book.y + round(9 * MM), (book.across * 3 // 5, book.across * 2 // 5)
    places: Sequence[tuple[str, str]] = ((f"{signer}  {date or ''}", "Date and sender's signature"),
                                         (shipment.shipper.city or "", "Place"))  # fmt: skip
    x = book.left
    for (value, caption), wide in zip(places, share, strict=True):
        book.text(x, y - 100, value.strip(), 75, bold=True, room=wide - 100)
        book.rule(x, y, wide - 100, 5)
        book.text(x, y + 15, caption, TINY)
        x += wide
    book.y = y + 90

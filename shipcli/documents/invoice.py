"""The commercial invoice: what customs of both countries ask to see of goods that are sold or sent."""

from __future__ import annotations

from shipcli.documents import facts
from shipcli.documents.facts import DeclaredGoods
from shipcli.documents.layout import LARGE, MM, NORMAL, SMALL, TITLE, Book, Cell, TableColumn
from shipcli.drawing.elements import Page
from shipcli.models import Commodity, Shipment

STATEMENT = (
    "I declare that all information on this invoice is true and correct, and that the contents and value "
    "of this shipment are as stated above."
)
COLUMNS = (
    TableColumn("#", 4, "R"),
    TableColumn("Description of goods", 37, lines=4),
    TableColumn("HS code", 12),
    TableColumn("Origin", 7),
    TableColumn("Pieces", 8, "R"),
    TableColumn("Net weight", 11, "R"),
    TableColumn("Unit value", 12, "R"),
    TableColumn("Total value", 14, "R"),
)
GAP = round(6 * MM)


def pages(shipment: Shipment, *, day: str = "", sample: bool = False) -> tuple[Page, ...]:
    """The invoice of a shipment; `day` is its date when the declaration names none."""
    goods, customs = facts.goods_of(shipment), shipment.customs
    number = (customs and customs.invoice) or shipment.reference or shipment.tracking_number or shipment.id
    book = Book(foot=f"Commercial invoice {number}")
    _head(book, shipment, str(number), day, sample=sample)
    book.table(COLUMNS, [_row(at, item, goods) for at, item in enumerate(goods.items, 1)])
    _sums(book, shipment, goods)
    _signature(book, shipment, day)
    return book.pages()


def _head(book: Book, shipment: Shipment, number: str, day: str, *, sample: bool) -> None:
    half = book.across // 2 - GAP // 2
    right = book.left + half + GAP
    book.text(book.left, book.y, "Commercial invoice" + ("  SAMPLE" if sample else ""), TITLE, bold=True)
    book.y += round(TITLE * 1.5)
    seller = [*facts.party(shipment.shipper), *facts.tax_ids(shipment.shipper)]
    left_end = book.block(book.left, book.y, half, "Exporter", seller)
    buyer = [*facts.party(shipment.recipient), *facts.tax_ids(shipment.recipient)]
    left_end = book.block(book.left, left_end + GAP // 2, half, "Consignee", buyer)
    if payor := facts.importer(shipment):
        lines = [*facts.party(payor), *facts.tax_ids(payor)]
        left_end = book.block(book.left, left_end + GAP // 2, half, "Importer of record", lines)
    right_end = book.pairs(right, book.y, half, _details(shipment, number, day))
    book.y = max(left_end, right_end) + GAP // 2


def _details(shipment: Shipment, number: str, day: str) -> list[tuple[str, str]]:
    customs, unit = shipment.customs, facts.weight_unit(shipment)
    duty = customs.duty if customs else None
    return facts.filled(
        [
            ("Invoice number", number),
            ("Invoice date", (customs and customs.invoice_date) or day or facts.sold_day(shipment)),
            ("Tracking number", shipment.tracking_number),
            ("Carrier", facts.service_name(shipment)),
            ("Reference", shipment.reference if shipment.reference != number else None),
            ("Terms of trade", facts.terms(shipment)),
            ("Reason for export", facts.reason(shipment)),
            ("Contents", customs.content_description if customs else None),
            ("Country of export", shipment.shipper.country_name),
            ("Country of destination", shipment.recipient.country_name),
            ("Duties paid by", facts.PAYERS.get((duty and duty.paid_by) or "", "")),
            ("Duties account", duty.account_number if duty else None),
            *facts.customs_ids(shipment),
            ("Packages", str(len(shipment.parcels))),
            ("Gross weight", facts.weight_text(facts.gross_weight(shipment, unit), unit)),
        ]
    )


def _row(at: int, item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    title, more = facts.label_of(item)
    below = tuple(text for text in (more, f"SKU {item.sku}" if item.sku else "") if text)
    code = item.value_currency or goods.currency
    return [
        str(at),
        Cell(title, below),
        item.hs_code or "",
        item.origin_country or "",
        str(item.quantity),
        facts.weight_text(facts.line_weight(item, goods.unit), goods.unit),
        facts.money(item.value_amount, code),
        f"{facts.money(facts.line_value(item), code)} {code}" if item.value_amount is not None else "",
    ]


def _sums(book: Book, shipment: Shipment, goods: DeclaredGoods) -> None:
    duty = shipment.customs.duty if shipment.customs else None
    lines = [("Total pieces", str(goods.pieces))]
    lines += facts.filled([("Total net weight", facts.weight_text(goods.weight, goods.unit))])
    totals = [("Total value", f"{facts.money(total, code)} {code}") for code, total in goods.sums.items()]
    declared = duty.declared_value if duty else None
    if duty and declared is not None and list(goods.sums.values()) != [declared]:
        code = duty.currency or goods.currency
        totals.append(("Declared for customs", f"{facts.money(declared, code)} {code}"))
    step = round(LARGE * 1.4)
    book.need(step * (len(lines) + len(totals)) + 100)
    book.y += 60
    room = book.across * 45 // 100
    x = book.right - room
    for name, value in (*lines, *totals):
        size = LARGE if (name, value) in totals else NORMAL
        book.text(x, book.y, name, NORMAL, room=room // 2)
        book.text(x, book.y, value, size, bold=True, room=room - 30, align="R")
        book.y += round(size * 1.4)


def _signature(book: Book, shipment: Shipment, day: str) -> None:
    customs = shipment.customs
    book.need(round(32 * MM))
    book.y += 150
    book.paragraph(STATEMENT)
    signer = (customs and customs.signer) or shipment.shipper.person_name or ""
    certified = " (certified)" if customs and customs.certify else ""
    y, third = book.y + round(14 * MM), book.across // 3
    places = (
        ("Signature", ""),
        (f"Name{certified}", signer),
        ("Date", (customs and customs.invoice_date) or day),
    )
    for at, (caption, value) in enumerate(places):
        x = book.left + at * third
        book.text(x, y - round(NORMAL * 1.4), str(value or ""), NORMAL, bold=True, room=third - 120)
        book.rule(x, y, third - 120)
        book.text(x, y + 25, caption, SMALL, room=third - 120)
    book.y = y + round(SMALL * 2)

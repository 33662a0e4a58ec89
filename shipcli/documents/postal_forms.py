"""The customs declarations of the post: CN22 for small values, CN23 for all others.

Source: Universal Postal Convention, forms CN 22 and CN 23.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shipcli.documents import facts
from shipcli.documents.facts import DeclaredGoods
from shipcli.drawing.elements import Page, Rule, Text
from shipcli.drawing.page_layout import PageLayout, wrap_text
from shipcli.drawing.paper import DPI, MM, ON_LABELS, PLAIN, Letterhead
from shipcli.drawing.table import GREY, Cell, TableColumn, draw_table
from shipcli.models import Commodity, Shipment

BOXES = (
    ("Gift", "gift"),
    ("Documents", "documents"),
    ("Sale of goods", "merchandise"),
    ("Commercial sample", "sample"),
    ("Returned goods", "return_merchandise"),
    ("Other", "other"),
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
    TableColumn("Quantity and detailed description of contents", 40),
    TableColumn("Net weight", 14, "R"),
    TableColumn("Value", 19, "R", narrow=22),
    TableColumn("HS code", 15, narrow=0),
    TableColumn("Origin", 12, narrow=0),
)
CN23_COLUMNS = (
    TableColumn("Detailed description of contents", 38, narrow=46),
    TableColumn("Quantity", 9, "R", narrow=15),
    TableColumn("Net weight", 13, "R", narrow=18),
    TableColumn("Value", 15, "R", narrow=23),
    TableColumn("HS code", 13, narrow=0),
    TableColumn("Origin", 12, narrow=0),
)
SENDERS_COPY = "Sender's copy"
LICENCES = (("Licence", "license_number"), ("Certificate", "certificate_number"))


def draw_cn22(shipment: Shipment, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """The small declaration; goods that do not fit go on further sheets."""
    return _draw_on_paper(_draw_cn22, shipment, stationery)


def draw_cn23(shipment: Shipment, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """The full declaration; goods that do not fit go on further sheets."""
    return _draw_on_paper(_draw_cn23, shipment, stationery)


def _draw_on_paper(
    form: Callable[[Shipment, Letterhead], tuple[Page, ...]], shipment: Shipment, stationery: Letterhead
) -> tuple[Page, ...]:
    """A form as large as a label; on a sheet as large as its half, with a copy for the sender below."""
    if stationery.paper.is_narrow:
        return form(shipment, stationery)
    high = round(stationery.paper.high_in * DPI)
    return tuple(
        _add_copy(page, high) for page in form(shipment, replace(stationery, paper=stationery.paper.half))
    )


def _add_copy(page: Page, high: int) -> Page:
    """A sheet with the same twice, to be cut along its middle."""
    copy = [mark._replace(y=mark.y + page.height) for mark in page.elements]
    dash = page.width // 80
    cut = [Rule(at * dash, page.height - 2, dash // 2, 4, GREY) for at in range(81)]
    size = ON_LABELS.tiny
    word = Text(0, page.height + 2 * size, size, SENDERS_COPY, page.width - 8 * size, "R")
    return Page(page.width, high, (*page.elements, *copy, *cut, word), page.dpi)


def _draw_cn22(shipment: Shipment, stationery: Letterhead) -> tuple[Page, ...]:
    goods = facts.collect_goods(shipment)
    book = _begin(stationery, "CN 22", shipment)
    _draw_tick_boxes(book, shipment)
    draw_table(book, CN22_COLUMNS, [_make_small_row(item, goods) for item in goods.items])
    _draw_totals(book, shipment, goods)
    _certify(book, shipment, CERTIFIED_22)
    return book.pages()


def _draw_cn23(shipment: Shipment, stationery: Letterhead) -> tuple[Page, ...]:
    goods = facts.collect_goods(shipment)
    book = _begin(stationery, "CN 23", shipment)
    _draw_sides(book, shipment)
    _draw_importer(book, shipment)
    draw_table(book, CN23_COLUMNS, [_make_row(item, goods) for item in goods.items])
    _draw_totals(book, shipment, goods)
    _draw_tick_boxes(book, shipment)
    _draw_licences(book, shipment)
    _draw_remarks(book, shipment)
    _certify(book, shipment, CERTIFIED_23)
    return book.pages()


def _begin(stationery: Letterhead, form: str, shipment: Shipment) -> PageLayout:
    """A form with its title, and the number of the item as a barcode."""
    book = PageLayout(stationery, continuation=f"{form}  {shipment.tracking_number or ''}".strip())
    large, small, number = book.type.large, book.type.small, shipment.tracking_number or ""
    sample = "  SAMPLE" if book.stationery.sample else ""
    book.text(book.left, book.y, f"CUSTOMS DECLARATION{sample}", large, bold=True)
    book.text(book.left, book.y, form, large, bold=True, room=book.across, align="R")
    book.y += round(large * 1.4)
    book.text(book.left, book.y, "May be opened officially", small, room=book.across // 2)
    if book.is_narrow:
        book.y += round(small * 1.6)
    room = book.across if book.is_narrow else book.across // 2
    high = book.bars(book.right - room, book.y, room, number, 9, "C" if book.is_narrow else "R")
    if not high:
        book.text(book.left, book.y, number, bold=True, room=book.across, align="R")
    book.y += high or round(book.type.normal * 1.4)
    _end_part(book)
    return book


def _end_part(book: PageLayout) -> None:
    """A line below a part of the form."""
    book.y += 20
    book.rule(book.left, book.y, book.across, 8)
    book.y += 35


def _draw_tick_boxes(book: PageLayout, shipment: Shipment) -> None:
    """The kinds of contents, the declared one ticked."""
    kind = (shipment.customs.content_type if shipment.customs else None) or "merchandise"
    per_line = 3 if book.is_narrow else 6
    step = round(book.type.small * 1.5)
    book.make_room(2 * step)
    for at, (name, content_type) in enumerate(BOXES):
        x = book.left + at % per_line * (book.across // per_line)
        _draw_tick_box(book, x, book.across // per_line, name, ticked=kind == content_type)
        if at % per_line == per_line - 1:
            book.y += step
    book.y += 20


def _draw_tick_box(book: PageLayout, x: int, wide: int, name: str, *, ticked: bool) -> None:
    side = round(book.type.small * 1.05)
    book.box(x, book.y, side, side, 6)
    if ticked:
        book.text(x, book.y + 3, "X", side - 6, bold=True, room=side, align="C")
    book.text(x + side + 30, book.y, name, book.type.small, bold=ticked, room=wide - side - 60)


def _make_small_row(item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    title, details = facts.describe_item(item)
    return [Cell(f"{item.quantity} x {title}", details), *_list_customs_cells(item, goods)]


def _make_row(item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    return [Cell(*facts.describe_item(item)), str(item.quantity), *_list_customs_cells(item, goods)]


def _list_customs_cells(item: Commodity, goods: DeclaredGoods) -> list[str]:
    """The weight, value, HS code and origin of a line."""
    code = item.value_currency or goods.currency
    return [
        facts.format_weight(facts.sum_line_weight(item, "KG"), "kg"),
        facts.format_value(facts.sum_line_value(item), code),
        item.hs_code or "",
        facts.format_origin(item),
    ]


def _draw_totals(book: PageLayout, shipment: Shipment, goods: DeclaredGoods) -> None:
    """Total weight and value; the weight is that of the parcels, packing included."""
    gross = facts.sum_gross_weight(shipment, "KG")
    half = book.across // 2
    values, step = _list_value_lines(book, goods, half), round(book.type.normal * 1.3)
    book.make_room(2 * book.gap + step * (len(values) - 1))
    book.y += 30
    weight = f"Total weight  {facts.format_weight(gross if gross is not None else goods.weight, 'kg')}"
    book.text(book.left, book.y, weight, bold=True, room=half - 40)
    for line in values:
        book.text(book.left + half, book.y, line, bold=True, room=half, align="R")
        book.y += step
    _end_part(book)


def _list_value_lines(book: PageLayout, goods: DeclaredGoods, room: int) -> list[str]:
    """The total value in one line, or a line for each currency if it does not fit."""
    totals = facts.list_total_values(goods)
    whole = f"Total value  {', '.join(totals)}"
    if len(wrap_text(whole, room, book.type.normal, True)) == 1:
        return [whole]
    return [f"Total value  {totals[0]}", *totals[1:]]


def _draw_sides(book: PageLayout, shipment: Shipment) -> None:
    """Sender and recipient with their phones, which customs call."""
    sides = []
    for title, who in (("From", shipment.shipper), ("To", shipment.recipient)):
        lines = facts.format_party_with_tax(who)
        lines += [] if who.phone_number else [f"Phone: {facts.NOT_STATED}"]
        sides.append((title, lines))
    book.blocks(sides, most=9)
    _end_part(book)


def _draw_importer(book: PageLayout, shipment: Shipment) -> None:
    """The importer, and how customs reach them: the recipient unless another one is named."""
    who = facts.find_importer(shipment)
    words = ["The recipient, as above"]
    if who:
        reach = [("Phone", who.phone_number), ("E-mail", who.email)]
        words = [", ".join(facts.format_party(who, contact=False)[:2]), *facts.list_tax_ids(who)]
        words += [f"{name}: {value}" for name, value in facts.select_filled(reach)]
    _draw_field(book, "Importer", "   ".join(words))
    _end_part(book)


def _draw_field(book: PageLayout, name: str, value: str) -> None:
    """The label of a field, and its value on the right."""
    names = book.across // (5 if book.is_narrow else 8)
    lines = wrap_text(value, book.across - names, book.type.normal, False, 3)
    book.make_room(len(lines) * round(book.type.normal * 1.3))
    book.text(book.left, book.y + 12, name, book.type.small, room=names - 40)
    book.lines(book.left + names, lines)


def _draw_licences(book: PageLayout, shipment: Shipment) -> None:
    """Which licence, certificate and invoice go with the goods: ticked, and their numbers."""
    customs = shipment.customs
    options = customs.options if customs else {}
    papers = [(name, str(options.get(key) or "")) for name, key in LICENCES]
    papers += [("Invoice", (customs and customs.invoice) or "")]
    share = book.across // len(papers)
    book.make_room(3 * book.gap)
    for at, (name, number) in enumerate(papers):
        x = book.left + at * share
        _draw_tick_box(book, x, share, f"{name} no.", ticked=bool(number))
        book.text(x, book.y + round(book.type.small * 1.4), number, bold=True, room=share - 40)
    book.y += round(book.type.small * 1.4 + book.type.normal * 1.3)
    _end_part(book)


def _draw_remarks(book: PageLayout, shipment: Shipment) -> None:
    """The registrations of the sender, and other notes for customs."""
    customs, licences = shipment.customs, [name for name, _ in LICENCES]
    pairs = [(name, number) for name, number in facts.list_customs_ids(shipment) if name not in licences]
    pairs += facts.select_filled([
        ("Incoterm", facts.describe_incoterm(shipment)),
        ("Reference", shipment.reference),
        ("Comments", customs.content_description if customs else None),
    ])  # fmt: skip
    if rate := shipment.selected_rate:
        pairs += [("Postal charges", facts.format_value(rate.total_charge, rate.currency or ""))]
    book.paragraph("   ".join(f"{name}: {value}" for name, value in pairs), book.type.small)
    book.y += 30


def _certify(book: PageLayout, shipment: Shipment, sentence: str) -> None:
    """The sender's certification, at the end of the form."""
    lines = wrap_text(sentence, book.across, book.type.tiny)
    end = book.move_to_end(round(len(lines) * book.type.tiny * 1.3 + 14 * MM))
    book.paragraph(sentence, book.type.tiny)
    customs = shipment.customs
    signer = (customs and customs.signer) or shipment.shipper.name or ""
    day = (customs and customs.invoice_date) or book.stationery.day
    book.signature_lines(
        end - book.type.small * 2,
        [
            (f"{signer}  {day or ''}".strip(), "Date and sender's signature"),
            (shipment.shipper.city or "", "Place"),
        ],
    )

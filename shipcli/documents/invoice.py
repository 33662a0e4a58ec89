"""The commercial invoice: what the customs of both countries require for goods."""

from __future__ import annotations

from shipcli.documents import facts
from shipcli.documents.amounts import format_money
from shipcli.documents.facts import DeclaredGoods
from shipcli.drawing.elements import Page
from shipcli.drawing.page_layout import PageLayout, Party
from shipcli.drawing.paper import MM, PLAIN, Letterhead
from shipcli.drawing.table import Cell, TableColumn, draw_table
from shipcli.models import Commodity, Shipment
from shipcli.models.parts.articles import find_sku

STATEMENT = (
    "I declare that all information on this invoice is true and correct, and that the contents and value "
    "of this shipment are as stated above."
)
COLUMNS = (
    TableColumn("#", 4, "R", narrow=5),
    TableColumn("Description of goods", 36, lines=4, narrow=55),
    TableColumn("HS code", 12, narrow=0),
    TableColumn("Origin", 8, narrow=0),
    TableColumn("Pieces", 8, "R", narrow=13),
    TableColumn("Net weight", 11, "R", narrow=0),
    TableColumn("Unit value", 12, "R", narrow=0),
    TableColumn("Total value", 15, "R", narrow=27),
)


def draw_invoice(shipment: Shipment, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """The invoice of a shipment; its date is that of the stationery if the declaration names none."""
    goods, customs = facts.collect_goods(shipment), shipment.customs
    number = (customs and customs.invoice) or shipment.reference or shipment.tracking_number or shipment.id
    book = PageLayout(stationery, footer=f"Commercial invoice {number}")
    book.heading("Commercial invoice")
    book.parties(_list_parties(shipment), _list_details(shipment, goods, str(number), stationery.day))
    draw_table(book, COLUMNS, [_make_row(at, item, goods) for at, item in enumerate(goods.items, 1)])
    _draw_totals(book, shipment, goods)
    _draw_signature(book, shipment)
    return book.pages()


def _list_parties(shipment: Shipment) -> list[Party]:
    sides = [("Exporter", shipment.shipper), ("Consignee", shipment.recipient)]
    payor = facts.find_importer(shipment)
    sides += [("Importer of record", payor)] if payor else []
    return [(title, facts.format_party_with_tax(who)) for title, who in sides]


def _list_details(shipment: Shipment, goods: DeclaredGoods, number: str, day: str) -> list[tuple[str, str]]:
    customs, unit = shipment.customs, facts.choose_weight_unit(shipment)
    duty = customs.duty if customs else None
    return facts.select_filled(
        [
            ("Invoice number", number),
            (
                "Invoice date",
                (customs and customs.invoice_date) or day or facts.choose_shipping_date(shipment),
            ),
            ("Tracking number", shipment.tracking_number),
            ("Carrier", facts.name_service(shipment)),
            ("Reference", shipment.reference if shipment.reference != number else None),
            ("Incoterm", facts.describe_incoterm(shipment) or facts.NOT_STATED),
            ("Currency", ", ".join(goods.sums)),
            ("Reason for export", facts.describe_export_reason(shipment)),
            ("Contents", customs.content_description if customs else None),
            ("Country of export", shipment.shipper.country_name),
            ("Country of destination", shipment.recipient.country_name),
            ("Duties paid by", facts.PAYERS.get((duty and duty.paid_by) or "", "")),
            ("Duties account", duty.account_number if duty else None),
            *facts.list_customs_ids(shipment),
            ("Packages", str(len(shipment.parcels))),
            ("Gross weight", facts.format_weight(facts.sum_gross_weight(shipment, unit), unit)),
        ]
    )


def _make_row(at: int, item: Commodity, goods: DeclaredGoods) -> list[str | Cell]:
    title, details = facts.describe_item(item)
    below = (*details, f"SKU {find_sku(item)}") if item.sku else details
    code = item.value_currency or goods.currency
    return [
        str(at),
        Cell(title, below),
        item.hs_code or "",
        facts.format_origin(item),
        str(item.quantity),
        facts.format_weight(facts.sum_line_weight(item, goods.unit), goods.unit),
        format_money(item.value_amount, code),
        facts.format_value(facts.sum_line_value(item), code),
    ]


def _draw_totals(book: PageLayout, shipment: Shipment, goods: DeclaredGoods) -> None:
    duty = shipment.customs.duty if shipment.customs else None
    lines = [("Total pieces", str(goods.pieces))]
    lines += facts.select_filled([("Total net weight", facts.format_weight(goods.weight, goods.unit))])
    totals = [("Total value", text) for text in facts.list_total_values(goods)]
    declared = duty.declared_value if duty else None
    if duty and declared is not None and list(goods.sums.values()) != [declared]:
        code = duty.currency or goods.currency
        totals.append(("Declared for customs", facts.format_value(declared, code)))
    step = round(book.type.large * 1.4)
    book.make_room(step * (len(lines) + len(totals)) + book.gap)
    book.y += book.gap // 2
    room = book.across * (80 if book.is_narrow else 45) // 100
    x = book.right - room
    for name, value in (*lines, *totals):
        size = book.type.large if (name, value) in totals else book.type.normal
        book.text(x, book.y, name, room=room // 2)
        book.text(x, book.y, value, size, bold=True, room=room - 30, align="R")
        book.y += round(size * 1.4)


def _draw_signature(book: PageLayout, shipment: Shipment) -> None:
    customs = shipment.customs
    end = book.move_to_end(round((18 if book.is_narrow else 30) * MM))
    book.paragraph(STATEMENT, book.type.small if book.is_narrow else book.type.normal)
    signer = (customs and customs.signer) or shipment.shipper.person_name or ""
    certified = " (certified)" if customs and customs.certify else ""
    day = (customs and customs.invoice_date) or book.stationery.day
    book.signature_lines(
        end - book.type.small * 2,
        [("", "Signature"), (str(signer), f"Name{certified}"), (str(day), "Date")],
    )

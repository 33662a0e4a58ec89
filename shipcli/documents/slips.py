"""Papers that go into a parcel: packing slip, return slip."""

from __future__ import annotations

from shipcli.documents import facts
from shipcli.drawing.elements import Page
from shipcli.drawing.page_layout import PageLayout
from shipcli.drawing.paper import MM, PLAIN, Letterhead
from shipcli.drawing.table import Cell, TableColumn, draw_table
from shipcli.models import Commodity, Order, Shipment
from shipcli.models.basics.text import count_text
from shipcli.models.parts.articles import find_sku

PACKED = (
    TableColumn("SKU", 18, lines=24, narrow=0),
    TableColumn("Article", 52, lines=9, narrow=76),
    TableColumn("Weight", 14, "R", narrow=0),
    TableColumn("Quantity", 16, "R", narrow=24),
)
ORDERED = (
    TableColumn("SKU", 18, lines=24, narrow=0),
    TableColumn("Article", 46, lines=9, narrow=50),
    TableColumn("Ordered", 12, "R", narrow=17),
    TableColumn("Sent", 12, "R", narrow=13),
    TableColumn("To follow", 12, "R", narrow=20),
)
RETURNED = (
    TableColumn("SKU", 18, lines=24, narrow=0),
    TableColumn("Article", 42, lines=9, narrow=44),
    TableColumn("Sent", 9, "R", narrow=12),
    TableColumn("Returned", 12, "R", narrow=22),
    TableColumn("Reason", 12, "R", narrow=22),
)
REASONS = (
    "1 too small", "2 too large", "3 not as described", "4 faulty",
    "5 wrong article", "6 came too late", "7 changed mind",
)  # fmt: skip
REQUESTS = ("my money back", "the article again", "another article")


# -- packing slip ----------------------------------------------------------------------------------


def draw_packing_slip(shipment: Shipment, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """The contents of a shipment, parcel by parcel, without prices."""
    book = PageLayout(stationery, footer=f"Packing slip {shipment.display_name}")
    book.heading("Packing slip", shipment.tracking_number or "")
    book.parties(
        [
            ("Deliver to", facts.format_party(shipment.recipient)),
            ("From", facts.format_party(shipment.shipper)),
        ],
        _list_details(shipment, stationery.day),
    )
    for at, parcel in enumerate(shipment.parcels):
        _draw_parcel_heading(book, shipment, at)
        if parcel.items:
            draw_table(
                book, PACKED, [_pack(item, facts.choose_weight_unit(shipment)) for item in parcel.items]
            )
        book.y += book.gap // 2
    return book.pages()


def draw_order_slip(order: Order, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """What was ordered, what has been sent, and what will follow."""
    book = PageLayout(stationery, footer=f"Packing slip {order.order_id}")
    book.heading("Packing slip", order.order_id)
    numbers = [
        shipment.tracking_number
        for shipment in order.shipments
        if shipment.tracking_number and shipment.status != "cancelled"
    ]
    pairs = [("Order", order.order_id), ("Order date", order.order_date), ("Source", order.source),
             ("Tracking number", ", ".join(numbers))]  # fmt: skip
    parties = [("Deliver to", facts.format_party(order.shipping_to))]
    parties += [("From", facts.format_party(order.shipping_from))] if order.shipping_from else []
    book.parties(parties, facts.select_filled(pairs))
    rows: list[list[str | Cell]] = [
        [find_sku(item), Cell(*facts.describe_item(item)), str(item.quantity),
         str(max(item.quantity - item.unfulfilled_quantity, 0)), str(item.unfulfilled_quantity)]
        for item in order.line_items
    ]  # fmt: skip
    draw_table(book, ORDERED, rows)
    return book.pages()


def _list_details(shipment: Shipment, day: str) -> list[tuple[str, str]]:
    unit, items = facts.choose_weight_unit(shipment), facts.list_contents(shipment)
    pieces = count_text(sum(item.quantity for item in items), "piece")
    parcels = count_text(len(shipment.parcels), "parcel")
    return facts.select_filled(
        [
            ("Reference", shipment.reference),
            ("Order", str((shipment.metadata or {}).get("order_id") or "")),
            ("Date", day or facts.choose_shipping_date(shipment)),
            ("Carrier", facts.name_service(shipment)),
            ("Tracking number", shipment.tracking_number),
            ("Contents", f"{pieces} in {parcels}" if items else parcels),
            ("Weight", facts.format_weight(facts.sum_gross_weight(shipment, unit), unit)),
            ("Note", _find_note(shipment)),
        ]
    )


def _find_note(shipment: Shipment) -> str:
    """The note of a shipment, or else of the order that it fulfils."""
    return str(shipment.options.get("shipment_note") or (shipment.metadata or {}).get("note") or "")


def _draw_parcel_heading(book: PageLayout, shipment: Shipment, at: int) -> None:
    """The heading of a parcel."""
    parcel, words = shipment.parcels[at], facts.describe_parcel(shipment, at)
    words += [parcel.description or parcel.content or ""] if not parcel.items else []
    book.make_room(5 * book.gap)
    book.paragraph("   ".join(word for word in words if word), bold=True)
    book.y += book.gap // 3


def _pack(item: Commodity, unit: str) -> list[str | Cell]:
    weight = facts.format_weight(facts.sum_line_weight(item, unit), unit)
    return [find_sku(item), Cell(*facts.describe_item(item)), weight, Cell(str(item.quantity), bold=True)]


# -- return slip -----------------------------------------------------------------------------------


def draw_return_slip(shipment: Shipment, stationery: Letterhead = PLAIN) -> tuple[Page, ...]:
    """A form for the customer to fill in and put into the returned parcel."""
    book = PageLayout(stationery, footer=f"Return slip {shipment.display_name}")
    book.heading("Return slip", shipment.reference or shipment.tracking_number or "")
    back = shipment.return_address or shipment.shipper
    pairs = [
        ("Reference", shipment.reference),
        ("Sent on", stationery.day or facts.choose_shipping_date(shipment)),
        ("Tracking number", shipment.tracking_number),
    ]
    book.parties(
        [("Send back to", facts.format_party(back)), ("Sent by", facts.format_party(shipment.recipient))],
        facts.select_filled(pairs),
    )
    book.paragraph(
        "Please write down how many pieces of each article you return, and the number of the reason."
    )
    book.y += book.gap // 2
    rows: list[list[str | Cell]] = [
        [find_sku(item), Cell(*facts.describe_item(item)), str(item.quantity), "______", "______"]
        for item in facts.list_contents(shipment) or facts.collect_goods(shipment).items
    ]
    draw_table(book, RETURNED, rows)
    book.y += book.gap // 2
    book.phrases(["Reasons:", *REASONS])
    _draw_requests(book)
    return book.pages()


def _draw_requests(book: PageLayout) -> None:
    """What the customer asks for, with lines to write on at the end of the page."""
    line, lines = round((6.5 if book.is_narrow else 8) * MM), 1 if book.is_narrow else 2
    book.make_room((lines + 3) * line)
    book.y += book.gap // 2
    book.phrases(["I would like:", *(f"[  ] {request}" for request in REQUESTS)])
    end = book.move_to_end((lines + 2) * line)
    book.line("Remarks", book.type.small)
    for at in range(1, lines + 1):
        book.rule(book.left, book.y + at * line, book.across, 3)
    book.signature_lines(end - 2 * book.type.small, [("", "Date"), ("", "Signature")])

"""Papers that lie in a parcel: packing slip, return slip."""

from __future__ import annotations

from shipcli.documents import facts
from shipcli.documents.layout import LARGE, MM, NORMAL, SMALL, TITLE, Book, Cell, TableColumn
from shipcli.drawing import code128
from shipcli.drawing.elements import Bars, Page
from shipcli.models import Commodity, Order, Shipment

PACKED = (
    TableColumn("SKU", 18, lines=2),
    TableColumn("Article", 52, lines=4),
    TableColumn("Weight", 14, "R"),
    TableColumn("Quantity", 16, "R"),
)
ORDERED = (
    TableColumn("SKU", 18, lines=2),
    TableColumn("Article", 46, lines=4),
    TableColumn("Ordered", 12, "R"),
    TableColumn("Sent", 12, "R"),
    TableColumn("To follow", 12, "R"),
)
RETURNED = (
    TableColumn("SKU", 18, lines=2),
    TableColumn("Article", 42, lines=4),
    TableColumn("Sent", 9, "R"),
    TableColumn("Returned", 12, "R"),
    TableColumn("Reason", 12, "R"),
)
REASONS = (
    "1 too small", "2 too large", "3 not as described", "4 faulty",
    "5 wrong article", "6 came too late", "7 changed mind",
)  # fmt: skip
GAP = round(6 * MM)


# -- packing slip ----------------------------------------------------------------------------------


def packing_slip(shipment: Shipment, *, day: str = "", sample: bool = False) -> tuple[Page, ...]:
    """What is in the parcels of a shipment, parcel by parcel, without prices."""
    book = Book(foot=f"Packing slip {shipment.reference or shipment.id}")
    _title(book, "Packing slip", shipment.tracking_number or "", sample=sample)
    _sides(book, shipment, day)
    for at, parcel in enumerate(shipment.parcels):
        _parcel(book, shipment, at)
        if parcel.items:
            book.table(PACKED, [_packed(item, facts.weight_unit(shipment)) for item in parcel.items])
        book.y += GAP // 2
    pieces = sum(item.quantity for parcel in shipment.parcels for item in parcel.items)
    book.need(200)
    book.text(
        book.left,
        book.y,
        f"{facts.count_text(pieces, 'piece')} in {facts.count_text(len(shipment.parcels), 'parcel')}",
        bold=True,
    )
    return book.pages()


def order_slip(order: Order, *, sample: bool = False) -> tuple[Page, ...]:
    """What was ordered, what of it was sent, what follows."""
    book = Book(foot=f"Packing slip {order.order_id}")
    _title(book, "Packing slip", order.order_id, sample=sample)
    half = book.across // 2 - GAP // 2
    right = book.left + half + GAP
    left_end = book.block(book.left, book.y, half, "Deliver to", facts.party(order.shipping_to))
    if order.shipping_from:
        left_end = book.block(book.left, left_end + GAP // 2, half, "From", facts.party(order.shipping_from))
    numbers = [
        one.tracking_number for one in order.shipments if one.tracking_number and one.status != "cancelled"
    ]
    pairs = [("Order", order.order_id), ("Order date", order.order_date), ("Source", order.source),
             ("Tracking number", ", ".join(numbers))]  # fmt: skip
    book.y = max(left_end, book.pairs(right, book.y, half, facts.filled(pairs))) + GAP // 2
    rows: list[list[str | Cell]] = [
        [item.sku or "", _article(item), str(item.quantity),
         str(max(item.quantity - item.unfulfilled_quantity, 0)), str(item.unfulfilled_quantity)]
        for item in order.line_items
    ]  # fmt: skip
    book.table(ORDERED, rows)
    return book.pages()


def _title(book: Book, title: str, code: str, *, sample: bool) -> None:
    """The heading, and the number that stands for the paper as a barcode on its right."""
    book.text(book.left, book.y, title + ("  SAMPLE" if sample else ""), TITLE, bold=True)
    if code and code.isascii() and code.isprintable():
        module, wide = 8, code128.modules(code)
        if wide * module <= book.across // 2:
            x = book.right - wide * module
            book.add(Bars(x, book.y, module, round(9 * MM), code))
            book.text(x, book.y + round(9.5 * MM), code, SMALL, room=wide * module, align="C")
    book.y += round(15 * MM)


def _sides(book: Book, shipment: Shipment, day: str) -> None:
    half = book.across // 2 - GAP // 2
    right = book.left + half + GAP
    left_end = book.block(book.left, book.y, half, "Deliver to", facts.party(shipment.recipient))
    left_end = book.block(book.left, left_end + GAP // 2, half, "From", facts.party(shipment.shipper))
    unit = facts.weight_unit(shipment)
    pairs = [
        ("Reference", shipment.reference),
        ("Order", str((shipment.metadata or {}).get("order_id") or "")),
        ("Date", day or facts.sold_day(shipment)),
        ("Carrier", facts.service_name(shipment)),
        ("Tracking number", shipment.tracking_number),
        ("Parcels", str(len(shipment.parcels))),
        ("Weight", facts.weight_text(facts.gross_weight(shipment, unit), unit)),
        ("Note", str(shipment.options.get("shipment_note") or "")),
    ]
    book.y = max(left_end, book.pairs(right, book.y, half, facts.filled(pairs))) + GAP // 2


def _parcel(book: Book, shipment: Shipment, at: int) -> None:
    """The heading of a parcel."""
    parcel, unit = shipment.parcels[at], facts.weight_unit(shipment)
    weight = facts.weight_text(parcel.weight_in(unit), unit) if parcel.weight is not None else ""
    words = [f"Parcel {at + 1} of {len(shipment.parcels)}", weight, facts.size_text(shipment, at)]
    words += [parcel.description or parcel.content or ""] if not parcel.items else []
    book.need(900)
    book.text(book.left, book.y, "   ".join(word for word in words if word), bold=True, room=book.across)
    book.y += round(NORMAL * 1.8)


def _packed(item: Commodity, unit: str) -> list[str | Cell]:
    weight = facts.weight_text(facts.line_weight(item, unit), unit)
    return [item.sku or "", _article(item), weight, Cell(str(item.quantity), bold=True)]


def _article(item: Commodity) -> Cell:
    title, more = facts.label_of(item)
    return Cell(title, (more,) if more else ())


# -- return slip -----------------------------------------------------------------------------------


def return_slip(shipment: Shipment, *, day: str = "", sample: bool = False) -> tuple[Page, ...]:
    """What a customer fills in and puts into the parcel that goes back."""
    book = Book(foot=f"Return slip {shipment.reference or shipment.id}")
    _title(book, "Return slip", shipment.reference or shipment.tracking_number or "", sample=sample)
    half = book.across // 2 - GAP // 2
    right = book.left + half + GAP
    back = shipment.return_address or shipment.shipper
    left_end = book.block(book.left, book.y, half, "Send back to", facts.party(back))
    left_end = book.block(book.left, left_end + GAP // 2, half, "Sent by", facts.party(shipment.recipient))
    pairs = [("Reference", shipment.reference), ("Sent on", day or facts.sold_day(shipment)),
             ("Tracking number", shipment.tracking_number)]  # fmt: skip
    book.y = max(left_end, book.pairs(right, book.y, half, facts.filled(pairs))) + GAP // 2
    items = [item for parcel in shipment.parcels for item in parcel.items] or list(
        facts.goods_of(shipment).items
    )
    book.paragraph(
        "Please write down how many pieces of each article you return, and the number of the reason."
    )
    book.y += 80
    rows: list[list[str | Cell]] = [
        [item.sku or "", _article(item), str(item.quantity), "______", "______"] for item in items
    ]
    book.table(RETURNED, rows)
    book.y += GAP // 2
    book.paragraph("Reasons:  " + "    ".join(REASONS))
    _wishes(book)
    return book.pages()


def _wishes(book: Book) -> None:
    book.need(round(38 * MM))
    book.y += GAP // 2
    wishes = "I would like:   [  ] my money back    [  ] the article again    [  ] another article"
    book.text(book.left, book.y, wishes, NORMAL, room=book.across)
    book.y += round(10 * MM)
    book.text(book.left, book.y, "Remarks", SMALL)
    for at in (1, 2):
        book.rule(book.left, book.y + at * round(8 * MM), book.across, 3)
    y, half = book.y + round(22 * MM), book.across // 2
    for x, caption in ((book.left, "Date"), (book.left + half, "Signature")):
        book.rule(x, y, half - 120, 5)
        book.text(x, y + 25, caption, SMALL)
    book.y = y + LARGE * 2

"""The files in which shops take tracking numbers: their columns, and when a row is a line of an order.

Every shop's form and a form of one's own is a mapping of headings to fields (`FIELDS`); `=text` is the text.
Source: the shops' own help pages and importers, see `docs/shops.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shipcli.features.shops.carrier_names import spell_carrier
from shipcli.models import Invalid, suggest_nearest
from shipcli.models.shop_numbers import SentLine, SentNumber

PerLine = Literal["never", "partial", "always"]
OWN = "own"
OF_LINES = ("sku", "title", "quantity", "line_id")
FIELDS = (
    "order_number", "order_source", "tracking_number", "plain_number", "tracking_url", "carrier",
    "carrier_name", "carrier_slug", "other_carrier", "carrier_if_known", "service", "ship_date",
    "shipment_id", "status", "shipped_status", "notify", *OF_LINES,
)  # fmt: skip
OF_OBJECTS = ("order.", "line.")  # what the order or its line carries besides: order.shopify_id
PLAIN = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True)
class ShopSheet:
    """The file of a shop: heading to field, what a row is, and how cells are written.

    Shapes: `other` is the name for a carrier that the shop does not know; `corrects`: a number that was
            taken back has a row; `hint` says what to do with the file.
    """

    slug: str
    columns: Mapping[str, str]
    per_line: PerLine = "never"
    delimiter: str = ","
    ending: str = ".csv"
    day: str = "%Y-%m-%d"
    other: str | None = None
    corrects: bool = False
    hint: str = ""
    spellings: Mapping[str, str] | None = None
    source: str | None = None


SHEETS: Mapping[str, ShopSheet] = {
    sheet.slug: sheet
    for sheet in (
        ShopSheet(
            "shopify",
            {
                "ID": "order.shopify_id", "Name": "order_number", "Command": "=UPDATE",
                "Line: Type": "=Fulfillment Line", "Line: SKU": "sku", "Line: Quantity": "quantity",
                "Fulfillment: Status": "status", "Fulfillment: Tracking Company": "carrier",
                "Fulfillment: Tracking Number": "tracking_number",
                "Fulfillment: Tracking URL": "tracking_url", "Fulfillment: Send Receipt": "notify",
            },
            "partial", corrects=True,
            hint="Shopify takes files through an app such as Matrixify: its name must contain Orders",
        ),
        ShopSheet(
            "etsy",
            {"receipt_id": "order_number", "tracking_code": "tracking_number", "carrier_name": "carrier"},
            other="other", hint="Etsy takes no files: these are the fields of its API, and of its form",
        ),
        ShopSheet(
            "amazon",
            {
                "order-id": "order_number", "order-item-id": "line.order_item_id", "quantity": "quantity",
                "ship-date": "ship_date", "carrier-code": "carrier", "carrier-name": "other_carrier",
                "tracking-number": "tracking_number", "ship-method": "service",
            },
            "partial", delimiter="\t", ending=".txt", other="Other",
        ),
        ShopSheet(
            "ebay",
            {
                "Shipping Status": "=Shipped", "Order Number": "order_number",
                "Item Number": "line.item_number", "Item Title": "title", "Custom Label": "sku",
                "Transaction ID": "line.transaction_id", "Shipping Carrier Used": "carrier",
                "Tracking Number": "plain_number",
            },
            "always",
        ),
        ShopSheet(
            "woocommerce",
            {
                "order_id": "order_number", "tracking_provider": "carrier",
                "tracking_number": "tracking_number", "date_shipped": "ship_date",
                "status_shipped": "shipped_status", "sku": "sku", "qty": "quantity",
            },
            "partial", day="%d-%m-%Y",
            hint="Advanced Shipment Tracking asks for the form of dates: DD-MM-YYYY",
        ),
        ShopSheet(
            "walmart",
            {
                "PO#": "order_number", "Order#": "order.order_number", "Line#": "line.line", "SKU": "sku",
                "Update Status": "=Shipped", "Update Qty": "quantity", "Carrier": "carrier",
                "Tracking Number": "tracking_number", "Tracking Url": "tracking_url",
            },
            "always", other="Other",
        ),
        ShopSheet(
            "bigcommerce",
            {
                "Order ID": "order_number", "Tracking Number": "tracking_number",
                "Tracking Link": "tracking_url", "Shipping Method": "service",
                "Shipping Provider": "carrier_if_known", "Tracking Carrier": "carrier_name",
            },
        ),
        ShopSheet(
            "magento",
            {
                "order_id": "order_number", "sku": "sku", "qty": "quantity", "carrier_code": "carrier",
                "title": "carrier_name", "track_number": "tracking_number",
            },
            "always", other="custom",
        ),
        ShopSheet(
            "squarespace",
            {
                "orderNumber": "order_number", "shipDate": "ship_date", "carrierName": "carrier_name",
                "service": "service", "trackingNumber": "tracking_number", "trackingUrl": "tracking_url",
            },
            hint="Squarespace takes no files: these are the fields of its Orders API",
        ),
    )
}  # fmt: skip


def find_sheet(slug: str) -> ShopSheet:
    """The file of a shop.

    Errors: Invalid naming the nearest shop, and the way to a form of one's own.
    """
    if slug not in SHEETS:
        hint = suggest_nearest(slug, SHEETS)
        own = "or a file of your own, such as own.yaml"
        raise Invalid("map", f"No form for {slug!r} is known.{hint} Known: {', '.join(SHEETS)}, {own}.")
    return SHEETS[slug]


def write_rows(sheet: ShopSheet, numbers: Sequence[SentNumber]) -> Iterator[dict[str, str]]:
    """The rows of numbers; what was taken back has none where the shop has no word for it."""
    for number in _list_sayable(sheet, numbers):
        lines: Sequence[SentLine | None] = number.lines if _has_lines(sheet, number) else [None]
        for line in lines:
            cells = _fill_fields(sheet, number, line)
            yield {heading: _read_cell(field, cells) for heading, field in sheet.columns.items()}


def has_rows(sheet: ShopSheet, numbers: Sequence[SentNumber]) -> bool:
    """Whether a file of these numbers says anything."""
    return bool(_list_sayable(sheet, numbers))


def _list_sayable(sheet: ShopSheet, numbers: Sequence[SentNumber]) -> list[SentNumber]:
    return [number for number in numbers if sheet.corrects or not number.withdrawn]


def list_unsayable(sheet: ShopSheet, numbers: Sequence[SentNumber]) -> list[str]:
    """What a person must take out of the shop by hand: the order and the number of each void label."""
    void = [number for number in numbers if number.withdrawn and not sheet.corrects]
    return [f"{number.tracking_number} of order {number.order_number}" for number in void]


def check_columns(columns: Mapping[str, str]) -> None:
    """Errors: Invalid naming the column whose field no number has."""
    for heading, field in columns.items():
        if not (field in FIELDS or field.startswith(("=", *OF_OBJECTS))):
            near = suggest_nearest(field, FIELDS)
            raise Invalid(f"columns.{heading}", f"{field!r} is no field.{near} Known: {', '.join(FIELDS)}")


def _has_lines(sheet: ShopSheet, number: SentNumber) -> bool:
    if sheet.per_line == "never" or not number.lines:
        return False
    return sheet.per_line == "always" or number.is_partial


def _fill_fields(sheet: ShopSheet, number: SentNumber, line: SentLine | None) -> dict[str, str]:
    """Every field that a column may name."""
    shop_name = _spell(sheet, number)
    year, month, day = number.ship_date.split("-")
    facts = {
        "order_number": number.order_number,
        "order_source": number.order_source,
        "tracking_number": number.tracking_number,
        "plain_number": PLAIN.sub("", number.tracking_number),
        "tracking_url": number.tracking_url,
        "carrier": shop_name or sheet.other or number.carrier_name,
        "carrier_if_known": shop_name or "",
        "other_carrier": "" if shop_name else number.carrier_name,
        "carrier_name": number.carrier_name,
        "carrier_slug": number.carrier,
        "service": number.service,
        "ship_date": sheet.day.replace("%Y", year).replace("%m", month).replace("%d", day),
        "shipment_id": number.shipment_id,
        "status": "cancelled" if number.withdrawn else "success",
        "shipped_status": "1" if number.completes else "2",
        "notify": "FALSE" if number.withdrawn else "TRUE",
        **{f"order.{name}": str(value) for name, value in number.order_metadata.items() if value is not None},
    }
    if line is None:
        return facts
    kept = {f"line.{name}": str(value) for name, value in line.metadata.items() if value is not None}
    return {**facts, **kept, "sku": line.sku, "title": line.title, "quantity": str(line.quantity),
            "line_id": line.id}  # fmt: skip


def _spell(sheet: ShopSheet, number: SentNumber) -> str | None:
    own = sheet.spellings or {}
    return own.get(number.carrier) or spell_carrier(sheet.slug, number.carrier)


def _read_cell(field: str, cells: Mapping[str, str]) -> str:
    return field[1:] if field.startswith("=") else cells.get(field, "")

"""The goods of an order that a shop packs into one cell.

BigCommerce writes `Product ID: 7, Product Qty: 2, Product SKU: M-1, Product Name: Mug`, and a bar between
articles; exporters of WooCommerce `name:Mug|product_id:7|sku:M-1|quantity:2|total:25.00`, with semicolons or
line breaks between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

FIELDS: Mapping[str, str] = {
    "name": "title", "productname": "title", "sku": "sku", "productsku": "sku", "quantity": "quantity",
    "qty": "quantity", "productqty": "quantity", "productquantity": "quantity", "price": "value_amount",
    "productunitprice": "value_amount", "productprice": "value_amount", "weight": "weight",
    "productweight": "weight", "meta": "variant", "variation": "variant", "variant": "variant",
    "productvariationdetails": "variant", "productoptions": "variant", "options": "variant",
}  # fmt: skip
TOTALS = ("total", "producttotalprice")  # of all pieces
_BIG = re.compile(r"(?:^|,\s*)(Product [A-Z][A-Za-z ]*?):\s*")
_WOO = re.compile(r"(?:^|\|)\s*([a-z_]+):")
_WOO_END = re.compile(r"(?:;|(?<!\s)[^\S\n]*\n)\s*(?=[a-z_]+:)")


def unpack_items(text: str) -> list[dict[str, str]]:
    """The cells of each article, by field; empty for a text that is in no known form."""
    if _BIG.match(text):
        packed = re.split(r"\|\s*(?=Product [A-Z])", text)
        articles = [_read_pairs(_BIG, part.strip()) for part in packed if part.strip()]
    else:
        articles = [_read_pairs(_WOO, part.strip()) for part in _WOO_END.split(text) if part.strip()]
    items = [_make_cells(article) for article in articles]
    return items if all(item.get("title") or item.get("sku") for item in items) else []


def _read_pairs(name: re.Pattern[str], text: str) -> dict[str, str]:
    """The named parts of a text; a name is written in small letters without signs."""
    return dict(_list_pairs(name, text))


def _list_pairs(name: re.Pattern[str], text: str) -> Iterator[tuple[str, str]]:
    names = list(name.finditer(text))
    ends = [*(match.start() for match in names[1:]), len(text)]
    for match, end in zip(names, ends, strict=True):
        yield re.sub(r"[\W_]", "", match[1]).lower(), text[match.end() : end].strip()


def _make_cells(pairs: Mapping[str, str]) -> dict[str, str]:
    cells = {FIELDS[name]: value for name, value in pairs.items() if name in FIELDS and value}
    total = next((pairs[name] for name in TOTALS if pairs.get(name)), "")
    price = _divide(total, cells.get("quantity", "1")) if "value_amount" not in cells else ""
    return {**cells, "value_amount": price} if price else cells


def _divide(total: str, quantity: str) -> str:
    """The price of one piece, if it can be told to the cent."""
    try:
        price = Decimal(total) / Decimal(quantity)
    except (InvalidOperation, ZeroDivisionError):
        return ""
    return str(price.quantize(Decimal("0.01")))

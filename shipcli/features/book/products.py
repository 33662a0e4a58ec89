"""The product catalogue: fills in the details that orders, imports and command-line goods leave out.

Like boxes, products are stored on the machine where parcels are packed, whichever server is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.models import NotFound
from shipcli.models.basics.json import write_number
from shipcli.models.parts.product import Product, ProductData, ProductFacts

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

KIND = "product"
FIELDS = tuple(ProductFacts.model_fields)
ON_ROWS = tuple(name for name in FIELDS if name != "barcode")  # which only the packing station asks for
AMOUNTS = ("weight", "value_amount", "length", "width", "height")


def save_products(app: App, products: Sequence[ProductData]) -> list[Product]:
    """Save products and return them; given values overwrite known ones, the rest is kept."""
    with app.store.transaction() as tx:
        saved = [_merge(app, tx, data) for data in products]
        for product in saved:
            tx.put(KIND, product.model_dump())
    return saved


def _merge(app: App, reader: Reader, data: ProductData) -> Product:
    stored = _read(reader, data.sku) or {"id": app.new_id("prd_"), "created_at": app.stamp()}
    changes = {name: value for name, value in data.model_dump().items() if value is not None}
    return Product.model_validate({**stored, **changes})


def find_product(app: App, sku: str) -> dict[str, Any] | None:
    """Return the known fields of the product with this SKU, or None if there is none."""
    document = _read(app.store, sku)
    if document is None:
        return None
    product = Product.model_validate(document).model_dump()
    return {name: product[name] for name in FIELDS if product[name] is not None}


def get_product(app: App, product_id: str) -> Product:
    """Return a product.

    Errors: NotFound.
    """
    document = app.store.get(KIND, product_id)
    if document is None:
        raise NotFound(KIND, product_id)
    return Product.model_validate(document)


def _read(reader: Reader, sku: str) -> dict[str, Any] | None:
    rows = reader.select("products", {"sku": sku})
    return reader.get(KIND, rows[0]["id"]) if rows else None


def discard_product(app: App, product_id: str) -> Product:
    """Delete a product and return it.

    Errors: NotFound.
    """
    product = get_product(app, product_id)
    with app.store.transaction() as tx:
        tx.delete(KIND, product_id)
    return product


def read_as_cells(app: App) -> Mapping[str, Mapping[str, str]]:
    """Return all products by SKU, with their fields as text for the cells of a file."""
    return {str(product["sku"]): dict(_write_cells(product)) for product in app.store.each(KIND)}


def _write_cells(product: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ON_ROWS:
        value = product.get(name)
        if value is not None:
            yield name, write_number(Decimal(value)) if name in AMOUNTS else str(value)

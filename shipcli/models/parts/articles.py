"""Articles: what tells one from another, and texts that are longer than an item has room for.

The fields of an item hold 35 characters of a title and of a SKU. A longer one is whole in its metadata,
as `title` and `sku`, beside the `variant` (colour, size) that a shop names in a column of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shipcli.models.basics.plain_text import cut_at_word
from shipcli.models.parts.parcel import LONGEST_ITEM_TEXT, Goods

LONGEST_DESCRIPTION = 100
VARIANTS = ("variant", "variations")  # in metadata; the second is of orders imported before


def find_title(item: Goods) -> str:
    """The whole title of an item; empty when it has none."""
    return str(item.metadata.get("title") or item.title or "")


def find_sku(item: Goods) -> str:
    """The whole SKU of an item; empty when it has none."""
    return str(item.metadata.get("sku") or item.sku or "")


def read_variant(item: Goods) -> str:
    """The variant of an item, such as its colour and size; empty when it has none."""
    return str(next(filter(None, map(item.metadata.get, VARIANTS)), ""))


def find_variant(item: Goods) -> str:
    """The variant of an item, unless its title says it already."""
    variant = read_variant(item)
    return "" if variant.casefold() in find_title(item).casefold() else variant


def identify_article(item: Goods) -> tuple[str, str, str]:
    """SKU, title and variant: items are one article only if all three agree."""
    return find_sku(item), find_title(item) or item.description or "", find_variant(item)


def fit_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """The body of an item whose title and SKU may be longer than its fields; their whole goes to metadata.

    The description of an item with a longer title, or with a variant, says both as far as it has room.
    """
    title, sku = item.get("title") or "", item.get("sku") or ""
    variant = str(item["metadata"].get("variant") or "")
    whole = {name: text for name, text in (("title", title), ("sku", sku)) if len(text) > LONGEST_ITEM_TEXT}
    fitted = dict(item) | {"metadata": {**item["metadata"], **whole}}
    if title:
        fitted["title"] = cut_at_word(title, LONGEST_ITEM_TEXT)[0]
    if sku:
        fitted["sku"] = sku[:LONGEST_ITEM_TEXT]
    if not item.get("description") and (variant or "title" in whole):
        text = f"{title} ({variant})" if variant and variant not in title else title
        fitted["description"] = cut_at_word(text.strip(), LONGEST_DESCRIPTION)[0] or None
    return fitted

"""Goods as people type them, and what customs ask about them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Decimal
from typing import Any

from shipcli.models.basics.areas import crosses_customs
from shipcli.models.basics.decimals import AMOUNT, read_typed_amount
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.units import convert_weight, parse_weight
from shipcli.models.parts.parcel import Goods

FIELD = "goods"
FORM = "Mug:2:12.50USD:6912.00:CN"
PARTS = 6  # the last is the weight of one piece
GRAM = Decimal("0.001")
WORDS = ("title", "hs_code", "origin_country")
_VALUE = re.compile(rf"{AMOUNT}\s*([A-Za-z]{{3}})?")
# What a customs form has a column for, as people say it.
CUSTOMS_FIELDS: Mapping[str, str] = {
    "value_amount": "value",
    "hs_code": "HS number",
    "origin_country": "country of origin",
}


def parse_goods(text: str, weight_unit: str | None = None) -> dict[str, Any]:
    """One kind of goods as typed, `Mug:2:12.50USD:6912.00:CN:0.4kg`: name, pieces, and of one piece value,
    HS number, country of origin, weight. What is not known is left empty, or off the end.

    Errors: Invalid on `goods`.
    """
    parts = [part.strip() for part in text.split(":")]
    if not parts[0] or len(parts) > PARTS:
        raise Invalid(FIELD, f"{text!r} is no goods such as {FORM}")
    title, count, value, hs_code, origin, weight = parts + [""] * (PARTS - len(parts))
    if count and not (count.isascii() and count.isdigit() and int(count)):
        raise Invalid(FIELD, f"{text!r}: {count!r} is not a number of pieces; write goods such as {FORM}")
    article: dict[str, Any] = {
        "title": title,
        "quantity": int(count or 1),
        **(parse_value(value) if value else {}),
    }
    codes = {"hs_code": hs_code, "origin_country": origin.upper()}
    return article | {name: code for name, code in codes.items() if code} | _read_weight(weight, weight_unit)


def parse_value(text: str) -> dict[str, Any]:
    """`12.50USD` as the two fields of goods.

    Errors: Invalid on `value`, also for a number that does not say of which money.
    """
    match = _VALUE.fullmatch(text)
    if not match:
        raise Invalid("value", f"{text!r} is not a value such as 12.50USD")
    if not match[2]:
        raise Invalid("value", f"{text} of which money? Say {text}USD")
    return {"value_amount": read_typed_amount(match[1]), "value_currency": match[2].upper()}


def fill_from_product(goods: Mapping[str, Any], product: Mapping[str, Any] | None) -> dict[str, Any]:
    """Goods with what they lack taken from their product; amounts are taken with their units."""
    full = dict(goods)
    for names in (
        ("weight", "weight_unit"),
        ("value_amount", "value_currency"),
        *((name,) for name in WORDS),
    ):
        if product and not full.get(names[0]) and product.get(names[0]) is not None:
            full |= {name: product.get(name) for name in names}
    return full


def use_product(goods: Mapping[str, Any], product: Mapping[str, Any] | None) -> dict[str, Any]:
    """Goods as typed, completed from the product if their name is its SKU."""
    if not product:
        return dict(goods)
    sku = goods["title"]
    return {**fill_from_product({**goods, "title": None}, {"title": sku, **product}), "sku": sku}


def _read_weight(weight: str, unit: str | None) -> dict[str, Any]:
    if not weight:
        return {}
    amount, unit = parse_weight(weight, unit)
    return {"weight": amount, "weight_unit": unit}


def declare_goods(
    body: Mapping[str, Any],
    goods: Sequence[Mapping[str, Any]],
    origin: Any,
    destination: Any,
) -> dict[str, Any]:
    """The body of a shipment with goods: in its only parcel, and declared where they pass customs.

    Shapes: origin and destination are addresses, as for `crosses_customs`.
    Errors: Invalid when goods without a weight leave nothing of the weight of the parcels.
    """
    full = dict(body)
    parcels = full.get("parcels") or []
    weighed = share_weight(goods, parcels)
    if len(parcels) == 1 and isinstance(parcels[0], Mapping) and not parcels[0].get("items"):
        full["parcels"] = [{**parcels[0], "items": weighed}]
    if crosses_customs(origin, destination):
        customs = full.get("customs") or {}
        full["customs"] = {"content_type": "merchandise", **customs, "commodities": weighed}
    return full


def share_weight(goods: Sequence[Mapping[str, Any]], parcels: Sequence[Any]) -> list[dict[str, Any]]:
    """Goods with the weight of a piece: of those that name none, an equal share of what parcels weigh
    beside the others, rounded down to a thousandth of the unit.

    Errors: Invalid when nothing is left for them.
    """
    pieces = sum(article["quantity"] for article in goods if article.get("weight") is None)
    weighed = [
        parcel
        for parcel in parcels
        if isinstance(parcel, Mapping) and parcel.get("weight") and parcel.get("weight_unit")
    ]
    if not pieces or len(weighed) != len(parcels) or not weighed:
        return [dict(article) for article in goods]
    unit = str(weighed[0]["weight_unit"])
    left = sum((_measure_weight(parcel, unit) for parcel in weighed), Decimal(0))
    left -= sum(
        (_measure_weight(article, unit) * article["quantity"] for article in goods if article.get("weight")),
        Decimal(0),
    )
    each = (left / pieces).quantize(GRAM, ROUND_DOWN)
    if each <= 0:
        raise Invalid(FIELD, f"They weigh more than the parcel: say what a piece weighs, {FORM}:0.4kg")
    return [article if article.get("weight") is not None else {**article, "weight": each, "weight_unit": unit}
            for article in map(dict, goods)]  # fmt: skip


def _measure_weight(item: Mapping[str, Any], unit: str) -> Decimal:
    return convert_weight(Decimal(str(item["weight"])), str(item["weight_unit"]), unit)


def find_gap(goods: Sequence[Goods]) -> str | None:
    """What customs would ask about these goods; None when nothing is missing."""
    if not goods:
        return "no goods are declared"
    lacking: dict[str, list[str]] = {}
    for article in goods:
        missing = [word for name, word in CUSTOMS_FIELDS.items() if getattr(article, name) in (None, "")]
        if missing:
            name = article.sku or article.title or article.description or "goods"
            lacking.setdefault(" or ".join(missing), []).append(name)
    return "; ".join(f"no {what} of {', '.join(names)}" for what, names in lacking.items()) or None

"""The filters of the list of orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from shipcli.clocks import real_clock
from shipcli.features.book.methods import fold_method, read_paid_method
from shipcli.features.core.dates import parse_instant
from shipcli.features.core.filters import (
    CREATED,
    FLAG,
    IDS,
    METADATA,
    OPTIONS,
    STATUS,
    FilterRule,
    RowTest,
    Rules,
    filter_by_text,
    filter_by_values,
    read_bool,
    split_words,
    take_last,
)
from shipcli.models.basics import enums
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.places import find_country_code

ORDERS: Rules = {
    "address": filter_by_text("address", "Text in the address it goes to."),
    "keyword": filter_by_text("keyword", "Text in address, number or source."),
    "id": IDS,
    "order_id": filter_by_values("order_id", "Order numbers.", option=("--number",)),
    "source": filter_by_values("source", "Where orders come from."),
    "status": filter_by_values("status", STATUS, enums.ORDER_STATUSES),
    **OPTIONS,
    **METADATA,
    **CREATED,
}

# -- at the bench: what no column of the store holds -----------------------------------------------

AGE = re.compile(r"([<>]?)\s*(\d{1,4})\s*([hdw])", re.IGNORECASE)
HOURS = {"h": 1, "d": 24, "w": 168}
BENCH_HELP: Mapping[str, str] = {
    "sku": "With one of these articles, by SKU.",
    "method": "Paid by one of these methods, such as Express.",
    "country": "To one of these countries, by code or name.",
    "age": "At least so old: 2d, 12h, 1w; <2d is younger.",
    "single_item": "Of a single piece.",
}
Order = Mapping[str, Any]


def _test_sku(value: Any) -> RowTest:
    skus = {word.casefold() for word in split_words(value)}
    return lambda order: any(str(line.get("sku") or "").casefold() in skus for line in order["line_items"])


def _test_method(value: Any) -> RowTest:
    """Names of methods may have commas in them."""
    texts = [value] if isinstance(value, str) else [str(text) for text in value]
    methods = {fold_method(word) for word in (*texts, *split_words(value))}
    return lambda order: fold_method(read_paid_method(order) or "") in methods


def _test_country(value: Any) -> RowTest:
    codes = {_read_country(word) for word in split_words(value)}
    return lambda order: order["shipping_to"].get("country_code") in codes


def _read_country(word: str) -> str:
    """Errors: Invalid for a word that is no country."""
    code = find_country_code(word)
    if code is None:
        raise Invalid("country", f"{word!r} is not a country; use a code such as US")
    return code


def _test_age(value: Any) -> RowTest:
    """Errors: Invalid for a text that is no age."""
    match = AGE.fullmatch(str(take_last(value)).strip())
    if match is None:
        raise Invalid("age", f"{take_last(value)!r} is not an age such as 2d, 12h or <1w")
    sign, count, unit = match.groups()
    least = timedelta(hours=int(count) * HOURS[unit.lower()])
    if sign == "<":
        return lambda order: measure_age(order) < least
    return lambda order: measure_age(order) >= least


def measure_age(order: Order) -> timedelta:
    """How long ago an order was placed: by whole days if only its day is known."""
    now = real_clock()
    since_created = now - parse_instant(str(order["created_at"]))
    if not order.get("order_date"):
        return since_created
    days = timedelta(days=(now.date() - date.fromisoformat(str(order["order_date"])[:10])).days)
    return max(days, since_created)


def _test_single_item(value: Any) -> RowTest:
    if not read_bool(value):
        return lambda order: True
    return lambda order: sum(line["quantity"] for line in order["line_items"]) == 1


def _filter_at_bench(name: str, test: Any, **more: Any) -> FilterRule:
    option = (f"--{name.replace('_', '-')}",)
    return FilterRule(
        lambda value: [], help=BENCH_HELP[name], option=option, test=test, published=False, **more
    )


AT_BENCH: Rules = {
    **ORDERS,
    "sku": _filter_at_bench("sku", _test_sku, several=True),
    "method": _filter_at_bench("method", _test_method, several=True),
    "country": _filter_at_bench("country", _test_country, several=True),
    "age": _filter_at_bench("age", _test_age),
    "single_item": _filter_at_bench("single_item", _test_single_item, type=FLAG),
}

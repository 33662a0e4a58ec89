"""Guess which columns of a file hold which fields, by the words of their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shipcli.readers.headers import READ

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
NOISE = frozenset({"code", "line", "number", "no", "of", "the"})
SAME: Mapping[str, str] = {
    "zip": "postal", "zipcode": "postal", "postcode": "postal", "street": "address", "province": "state",
    "region": "state", "telephone": "phone", "tel": "phone", "mobile": "phone", "mail": "email",
    "to": "recipient", "ship": "recipient", "shipping": "recipient", "delivery": "recipient",
    "customer": "recipient", "from": "shipper", "sender": "shipper", "qty": "quantity", "pieces": "piece",
    "ref": "reference",
}  # fmt: skip
# What a name that says no side or thing is about.
USUAL: Mapping[str, Sequence[str]] = {
    "shipments": ("recipient", "parcel"),
    "orders": ("recipient", "item", "order"),
}
ALSO: Mapping[str, Mapping[str, str]] = {
    "shipments": {"Order": "reference", "Order ID": "reference", "Customer": "recipient_name"},
    "orders": {"Customer": "shipping_to_name"},
}


def guess_columns(headers: Sequence[str], resource_type: str) -> dict[str, str]:
    """Field to header for every column whose name tells its content.

    If several match one field the default header wins, else the first.
    """
    fields = {_split_words(header): name for name, header in reversed(list(READ[resource_type].items()))}
    fields = {_split_words(header): name for header, name in ALSO.get(resource_type, {}).items()} | fields
    columns: dict[str, str] = {}
    defaults = set(READ[resource_type].values())
    for header in sorted(headers, key=lambda header: header not in defaults):
        name = _find_field(_split_words(header), fields, USUAL.get(resource_type, ()))
        if name:
            columns.setdefault(name, header)
    return columns


def _find_field(
    words: frozenset[str], fields: Mapping[frozenset[str], str], usual: Sequence[str]
) -> str | None:
    tries = [words, *(words | {word} for word in usual), *(words | {word, "1"} for word in usual)]
    return next((fields[attempt] for attempt in tries if words and attempt in fields), None)


def _split_words(header: str) -> frozenset[str]:
    words = [word.lower() for word in _WORD.findall(header)]
    return frozenset(SAME.get(word, word) for word in words if word not in NOISE)

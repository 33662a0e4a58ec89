"""The names that a condition may use: what each stands for, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shipcli.models.basics.text import suggest_nearest

Type = Literal[
    "weight", "length", "volume", "money", "count", "hour", "day", "country", "state", "text", "code", "texts"
]  # fmt: skip
ORDERED = frozenset({"weight", "length", "volume", "money", "count", "hour", "code"})
ROUND = frozenset({"hour", "day"})  # after the last comes the first: `between 22 and 6`
EVERY, TEXTUAL = frozenset({"=", "!=", "in", "between"}), frozenset({"=", "!=", "in", "contains"})
OPERATORS: dict[str, frozenset[str]] = {
    **dict.fromkeys(ORDERED, EVERY | {"<", "<=", ">", ">="}),
    "code": EVERY | TEXTUAL | {"<", "<=", ">", ">="},
    "day": EVERY,
    "country": frozenset({"=", "!=", "in"}),
    "state": TEXTUAL,
    "text": TEXTUAL,
    "texts": TEXTUAL,
}


@dataclass(frozen=True)
class Name:
    """A name. Those `of_rates` are known of each rate, once the carriers have answered."""

    name: str
    type: Type
    about: str
    of_rates: bool = False


NAMES: dict[str, Name] = {
    row.name: row
    for row in (
        Name("weight", "weight", "what all parcels weigh together"),
        Name("length", "length", "the longest side of the largest parcel"),
        Name("width", "length", "its middle side"),
        Name("height", "length", "its shortest side"),
        Name("girth", "length", "around it, across the two shorter sides"),
        Name("volume", "volume", "of all parcels together"),
        Name("parcels", "count", "how many parcels there are"),
        Name("quantity", "count", "how many pieces of goods there are"),
        Name("value", "money", "what all goods are worth together"),
        Name("country", "country", "where it goes"),
        Name("state", "state", "the state or province it goes to, by code or name"),
        Name("postal_code", "code", "the postal code it goes to"),
        Name("sku", "texts", "the SKUs of the goods"),
        Name("tag", "texts", "the tags of the order"),
        Name("method", "text", "the delivery method that the customer paid for"),
        Name("source", "text", "the shop that the order came from"),
        Name("day", "day", "the day of the week at the sender's"),
        Name("hour", "hour", "the hour of the day at the sender's, 0 to 23"),
        Name("carrier", "texts", "the carrier or connection of a rate", of_rates=True),
        Name("service", "text", "the service of a rate", of_rates=True),
        Name("transit_days", "count", "how many days a rate takes", of_rates=True),
        Name("zone", "text", "the carrier's zone, where a rate names it", of_rates=True),
        Name("price", "money", "what a rate costs", of_rates=True),
    )
}
ALIASES = {
    "zip": "postal_code", "postcode": "postal_code", "postal": "postal_code", "province": "state",
    "tags": "tag", "skus": "sku", "transit": "transit_days", "weekday": "day", "shipping_method": "method",
    "pieces": "quantity", "shop": "source",
}  # fmt: skip
RATE_NAMES = frozenset(name for name, row in NAMES.items() if row.of_rates)


def find_name(word: str) -> Name | None:
    """The name that a word means, in any case; None for another word."""
    folded = word.casefold()
    return NAMES.get(ALIASES.get(folded, folded))


def describe_unknown_name(word: str) -> str:
    """What is said of a word that is no name, with the nearest one."""
    near = suggest_nearest(word, (*NAMES, *ALIASES))
    return f"There is no {word!r}.{near or ' The names are ' + ', '.join(NAMES)}"

"""What a word means on another server than ours: an id, a number, a reference, or the start of an id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.service import list_connections
from shipcli.features.core import filters as lists
from shipcli.features.files.batches import service as batches
from shipcli.features.orders.service import list_orders
from shipcli.features.pickups.service import list_pickups
from shipcli.features.webhooks.service import list_webhooks
from shipcli.gateway.gateway import Candidate, LocalOnly
from shipcli.gateway.where import ListFilter
from shipcli.store.queries import list_id_starts
from shipcli.store.schema import find_kind

if TYPE_CHECKING:
    from shipcli.features.core.filters import Lister

STORED = ("address", "parcel", "shipment", "tracker", "manifest", "template", "upload", "event")
LISTERS: Mapping[str, Lister] = {
    **{kind: lists.list_stored(kind) for kind in STORED},
    "order": list_orders,
    "pickup": list_pickups,
    "connection": list_connections,
    "webhook": list_webhooks,
    "batch": batches.list_batches,
}
# The names of objects by which a server finds them; all others are looked for page by page.
FILTERS: Mapping[str, tuple[str, ...]] = {
    "shipment": ("tracking_number", "reference"),
    "tracker": ("tracking_number",),
    "order": ("order_id",),
}
ID_DIGITS = 32
Each = Callable[[str, ListFilter], Iterator[Mapping[str, Any]]]  # all of a kind that match, newest first


def find_lister(kind: str) -> Lister:
    """The use-case that lists a kind.

    Errors: OnlyHere for a kind that no server lists.
    """
    if kind not in LISTERS:
        raise LocalOnly(f"A command about {kind}s")
    return LISTERS[kind]


def is_whole_id(kind: str, word: str) -> bool:
    """Whether a word is the whole id of an object of a kind."""
    prefix = find_kind(kind).prefix
    return word.startswith(prefix) and len(word) == len(prefix) + ID_DIGITS


def find_meant(each: Each, kind: str, word: str, most: int) -> list[Candidate]:
    """The objects a word may mean, up to a maximum: those it names, else those whose id starts with it."""
    shape = find_kind(kind)
    named = list(islice(_find_named(each, kind, word, shape.lookups), most))
    starts = tuple(list_id_starts(shape.prefix, word))
    if named or not starts:
        return named
    begun = (row for row in each(kind, ListFilter()) if str(row.get("id")).startswith(starts))
    return list(islice(begun, most))


def _find_named(each: Each, kind: str, word: str, fields: tuple[str, ...]) -> Iterator[Candidate]:
    """The objects that have this name, newest first."""
    filters = [ListFilter({name: word}) for name in FILTERS.get(kind, ())] or [ListFilter()] * bool(fields)
    rows = (row for where in filters for row in each(kind, where))
    seen = set()
    for row in rows:
        if word in [row.get(name) for name in fields] and row["id"] not in seen:
            seen.add(row["id"])
            yield row

"""The stored objects that a word may mean: by id, number, name, nickname or the start of one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from shipcli.cli.current_run import get_run
from shipcli.features.book import nicknames
from shipcli.features.orders import filters
from shipcli.gateway import where as gateway_where
from shipcli.models.basics.errors import NotFound, ShipcliError
from shipcli.models.basics.text import find_nearest

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Candidate

MAX_CANDIDATES = 10
_NAMES = ("person_name", "company_name")


def list_candidates(kind: str, word: str) -> list[Candidate]:
    """The objects that a word may mean: their ids at least, and if there are several, more fields."""
    nickname = _find_nickname(word) if kind == "address" else None
    candidates = get_run().gateway.find(kind, nickname or word, MAX_CANDIDATES)
    if not candidates and kind in _BY_NAME:
        candidates = _BY_NAME[kind](word)
    bare = word.removeprefix("#")
    are_of_one_parcel = kind == "shipment" and all(
        str(candidate.get("reference") or "").removeprefix("#") == bare for candidate in candidates
    )
    return drop_cancelled(candidates) if are_of_one_parcel else candidates


def drop_cancelled(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The shipments that are not voided; all of them if every one is."""
    return [candidate for candidate in candidates if candidate.get("status") != "cancelled"] or list(
        candidates
    )


def find_numbered_orders(word: str) -> list[Candidate]:
    """The orders with a number, which is often written with a # that one side leaves out."""
    bare = word.removeprefix("#")
    for number in dict.fromkeys((word, bare, f"#{bare}")):
        rows = get_run().gateway.each("order", gateway_where.make_where(filters.ORDERS, {"order_id": number}))
        orders = [row for row in islice(rows, MAX_CANDIDATES) if row["order_id"] == number]
        if orders:
            return list(orders)
    return []


def _find_nickname(word: str) -> str | None:
    """The id of the address with this nickname on this machine."""
    try:
        return nicknames.find_nickname(get_run().local_app, word)
    except ShipcliError:
        if not get_run().api_url:
            raise
        return None  # a server is asked without a store on this machine


def _find_named_addresses(word: str) -> list[Candidate]:
    """The addresses of a person or company with that name, else those whose names contain every word."""
    where, folded = gateway_where.select_standalone(word.split()), word.casefold()
    rows = [row for row in get_run().gateway.each("address", where) if where.fits(row)]
    names = [[str(row.get(name) or "").casefold() for name in _NAMES] for row in rows]
    whole = [row for row, named in zip(rows, names, strict=True) if folded in named]
    part = [row for row, named in zip(rows, names, strict=True)
            if all(token in " ".join(named) for token in folded.split())]  # fmt: skip
    return list(islice(whole or part, MAX_CANDIDATES))


def suggest_address(word: str) -> NotFound | None:
    """The error that suggests the address with the most similar name; None if there is none."""
    rows = get_run().gateway.each("address", gateway_where.select_standalone())
    called = {str(row[name]): row["id"] for row in rows for name in _NAMES if row.get(name)}
    near = find_nearest(word, called)
    if near is None:
        return None
    text = f"There is no address {word}; did you mean {near}, {called[near]}?"
    return NotFound("address", word, message=text)


def find_shipments_by_reference(word: str) -> list[Candidate]:
    """The shipments with a reference, with or without the # of an order's number."""
    other = word.removeprefix("#") if word.startswith("#") else f"#{word}"
    return get_run().gateway.find("shipment", other, MAX_CANDIDATES)


# Kinds that people also name by something other than an id or the start of one.
_BY_NAME = {
    "order": find_numbered_orders,
    "shipment": find_shipments_by_reference,
    "address": _find_named_addresses,
}

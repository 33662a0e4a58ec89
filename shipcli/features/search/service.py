"""Anything by any words of it: shipments, trackers and addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.models import Invalid
from shipcli.store.query import Filter, flag, text

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KINDS: Mapping[str, Sequence[Filter]] = {
    "shipment": (),
    "tracker": (),
    "address": (flag("attached", False),),
}


def find(app: App, words: Sequence[str], limit: int) -> list[dict[str, Any]]:
    """What has every word somewhere, newest first, kind by kind; each word may stand in another field.

    Errors: Invalid when there is no word.
    """
    return list(islice(_found(app, words_of(words)), limit))


def words_of(phrases: Sequence[str]) -> list[str]:
    """The words of phrases.

    Errors: Invalid when there is none.
    """
    wanted = [word for phrase in phrases for word in phrase.split()]
    if not wanted:
        raise Invalid("words", "Say what to look for.")
    return wanted


def has_words(document: Any, words: Sequence[str]) -> bool:
    """Whether every word stands somewhere in a text of a document, in any case."""
    texts = [text.casefold() for text in _texts(document)]
    return all(any(word.casefold() in text for text in texts) for word in words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


def _found(app: App, words: Sequence[str]) -> Iterator[dict[str, Any]]:
    for kind, own in KINDS.items():
        where = [*own, *(text(word) for word in words)]
        for document in app.store.each(kind, where, test_mode=app.test_mode):
            yield row_of(kind, document)


def row_of(kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Kind, id, number, name and status of anything."""
    person = document.get("recipient") or document.get("info") or document
    named = ("person_name", "company_name", "customer_name")
    return {
        "kind": kind,
        "id": document["id"],
        "number": document.get("tracking_number") or document.get("reference"),
        "name": next((person[name] for name in named if person.get(name)), None),
        "status": document.get("status"),
    }

"""Search for words in documents, and the result row of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shipcli.models import Invalid

NUMBERS = ("tracking_number", "order_id", "reference")


def split_words(phrases: Sequence[str]) -> list[str]:
    """The words in phrases.

    Errors: Invalid if there are none.
    """
    wanted = [word for phrase in phrases for word in phrase.split()]
    if not wanted:
        raise Invalid("words", "Say what to look for.")
    return wanted


def has_words(document: Any, words: Sequence[str]) -> bool:
    """Whether every word is part of some text in a document, ignoring case."""
    texts = [text.casefold() for text in _list_texts(document)]
    return all(any(word.casefold() in text for text in texts) for word in words)


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _list_texts(one)


def make_row(kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """The result row of an object of any kind: kind, id, number, name and status."""
    owner = (document.get(name) for name in ("recipient", "shipping_to", "info"))
    person = next((one for one in owner if one), document)
    named = ("person_name", "company_name", "customer_name")
    return {
        "kind": kind,
        "id": document["id"],
        "number": next((document[name] for name in NUMBERS if document.get(name)), None),
        "name": next((person[name] for name in named if person.get(name)), None),
        "status": document.get("status"),
    }

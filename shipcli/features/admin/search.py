"""Search for words in documents, and the result row of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shipcli.models import Invalid

OWN_ID = re.compile(r"(?<![a-z])[a-z]+_[0-9a-f]{32}")  # a number in it is there by chance
NUMBERS = ("tracking_number", "order_id", "reference")


def split_words(phrases: Sequence[str]) -> list[str]:
    """Return the words in phrases.

    Errors: Invalid if there are none.
    """
    words = [word for phrase in phrases for word in phrase.split()]
    if not words:
        raise Invalid("words", "Say what to look for.")
    return words


def has_words(document: Any, words: Sequence[str]) -> bool:
    """Return whether every word is part of some text in a document, ignoring case.

    Of our own ids only the beginning matches.
    """
    texts = [text.casefold() for text in _list_texts(document)]
    return all(any(_has_word(text, word.casefold()) for text in texts) for word in words)


def _has_word(text: str, word: str) -> bool:
    return text.startswith(word) or word in OWN_ID.sub("", text)


def _list_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _list_texts(item)


def make_row(kind: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result row of an object of any kind: kind, id, number, reference, name and status."""
    people = (document.get(name) for name in ("recipient", "shipping_to", "info"))
    person = next((person for person in people if person), document)
    names = ("person_name", "company_name", "customer_name")
    return {
        "kind": kind,
        "id": document["id"],
        "number": next((document[name] for name in NUMBERS if document.get(name)), None),
        "reference": document.get("reference"),
        "name": next((person[name] for name in names if person.get(name)), None),
        "status": document.get("status"),
    }

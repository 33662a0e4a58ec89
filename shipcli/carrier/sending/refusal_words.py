"""What a refusal says where its carrier's reader finds nothing: gateways speak a language of their own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from shipcli.carrier.wire.calls import UNREADABLE, Reply

LONGEST = 200  # characters of it that are told
SAYING = (
    "message", "error_description", "faultstring", "detail", "description", "title", "reason",
    "errors", "error",
)  # fmt: skip


def find_words(reply: Reply) -> str | None:
    """The sentence of a refusal in JSON, XML or plain text, in one line; None of a page, and of a file."""
    try:
        said = next(_read(reply), "")
    except UNREADABLE:
        said = "" if reply.structured else reply.text
    words = " ".join(said.split())[:LONGEST]
    return words if words.isprintable() and words else None


def _read(reply: Reply) -> Iterator[str]:
    if reply.content.lstrip().startswith(b"<"):
        nodes = [(str(node.tag).lower(), node.text or "") for node in reply.xml.iter()]
        return (text for name in SAYING for tag, text in nodes if tag == name and text.strip())
    return _list_texts(reply.json) if isinstance(reply.json, str) else _find_texts(reply.json)


def _find_texts(value: Any) -> Iterator[str]:
    """The texts under the names that say something, at any depth."""
    if isinstance(value, list):
        yield from chain.from_iterable(map(_find_texts, value))
    elif isinstance(value, dict):
        named = {str(name).lower(): one for name, one in value.items()}
        yield from chain.from_iterable(_list_texts(named[name]) for name in SAYING if name in named)
        yield from chain.from_iterable(map(_find_texts, value.values()))


def _list_texts(value: Any) -> Iterator[str]:
    """All the texts of what stands under such a name."""
    if isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_list_texts, value))
    elif isinstance(value, dict):
        yield from _find_texts(value)
        yield from chain.from_iterable(map(_list_texts, value.values()))

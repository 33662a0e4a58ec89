"""Rows of an answer: one that can't be read is left out with a message, and the others are read.

What is left out is said to whoever runs the flow (`collect_unread`). A message names the member on which the
reader broke, and never its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from shipcli.carrier.wire.calls import UNREADABLE, Reply
from shipcli.models import Message

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T")
UNREADABLE_ROW = "unreadable_row"
_UNREAD: ContextVar[list[Message] | None] = ContextVar("unread", default=None)
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w./@ -]{0,59}")


@contextmanager
def collect_unread() -> Iterator[list[Message]]:
    """Return the messages about what is left out meanwhile, each once."""
    messages: list[Message] = []
    token = _UNREAD.set(messages)
    try:
        yield messages
    finally:
        _UNREAD.reset(token)


def read_each(rows: Iterable[Any], read: Callable[..., T], *arguments: Any) -> list[T]:
    """Return what `read(row, *arguments)` makes of each row, without the rows that it can't read.

    For prices, scans and other rows of which each stands for itself; not for the parts of a sum.
    """
    results = ((row, read_or_skip(read, row, *arguments)) for row in rows)
    return [result for _, result in results if result is not None]


def read_replies(rows: Iterable[tuple[Any, ...]], read: Callable[..., T]) -> list[T]:
    """Return what `read(*row)` makes of each row, whose last member is a reply; failed replies are left out.

    Shapes: `read_replies(zip(numbers, replies), lambda number, reply: read_tracking(reply.json, number))`.
    """
    return read_each([row for row in rows if row[-1].ok], lambda row: read(*row))


def read_or_skip(read: Callable[..., T], row: Any, *arguments: Any) -> T | None:
    """Return what `read(row, *arguments)` makes of a part of an answer, or None where it can't be read."""
    try:
        return read(row, *arguments)
    except UNREADABLE as error:
        note_message(explain_unread(read, row, arguments, error))
        return None


def explain_unread(
    read: Callable[..., Any], row: Any, arguments: tuple[Any, ...], error: Exception
) -> Message:
    """Return the message about a row that `read` broke on."""
    location = _find_place(read, row, arguments) or _name_missing(error)
    at = f" ({location})" if location else ""
    text = f"A part of the answer can't be read{at}; it is left out"
    return Message(code=UNREADABLE_ROW, message=text)


def note_message(message: Message) -> None:
    """Say something to whoever runs the flow, once."""
    messages = _UNREAD.get()
    if messages is not None and message not in messages:
        messages.append(message)


def _name_missing(error: Exception) -> str | None:
    """Return the name that an error complains about, where it is one."""
    if isinstance(error, ValidationError):
        return ".".join(map(str, error.errors()[0]["loc"]))
    name = str(error.args[0]) if error.args and isinstance(error, LookupError) else ""
    return name if _PLAIN_NAME.fullmatch(name) else None


# -- on which member a reader broke ----------------------------------------------------------------


def _find_place(read: Callable[..., Any], row: Any, arguments: tuple[Any, ...]) -> str | None:
    """Return the last member that `read` looked at before it broke: it reads once more, and is watched."""
    seen: list[str] = []
    try:
        read(_watch(row, "", seen), *arguments)
    except UNREADABLE:
        return seen[-1] if seen else None
    return None


def _watch(value: Any, path: str, seen: list[str]) -> Any:
    """Return a row that notes which of its members are looked at."""
    if isinstance(value, dict):
        return _WatchedObject(value, path, seen)
    if isinstance(value, list | tuple):
        return type(value)(_watch(member, path, seen) for member in value)
    if isinstance(value, Reply):
        return _watch_reply(value, seen)
    return _watch_xml(value, seen) if hasattr(value, "iterfind") else value


def _watch_reply(reply: Reply, seen: list[str]) -> Reply:
    """Return a reply whose body notes what is looked at in it."""
    watched = replace(reply)
    kind = "xml" if reply.content.lstrip().startswith(b"<") else "json"
    watched.__dict__[kind] = _watch(getattr(reply, kind), "", seen)
    return watched


class _WatchedObject(dict[str, Any]):
    """A JSON object that notes the path of each member that is read."""

    def __init__(self, value: dict[str, Any], path: str, seen: list[str]) -> None:
        super().__init__(value)
        self._path, self._seen = path, seen

    def __getitem__(self, name: str) -> Any:
        return self._note(name, super().__getitem__(name) if name in self else self.__missing__(name))

    def __missing__(self, name: str) -> Any:
        self._note(name, None)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        return self._note(name, super().__getitem__(name) if name in self else default)

    def _note(self, name: str, value: Any) -> Any:
        path = f"{self._path}/{name}" if self._path else str(name)
        self._seen.append(path)
        return _watch(value, path, self._seen)


def _watch_xml(node: _Element, seen: list[str]) -> _Element:
    """Return a copy of an element that notes the paths that are looked for in it."""

    from lxml import etree  # the kit is imported by carriers that have no XML

    class WatchedElement(etree.ElementBase):
        def findtext(self, path: Any, *arguments: Any, **named: Any) -> Any:
            seen.append(f"{self.tag}/{path}")
            return super().findtext(path, *arguments, **named)

        def find(self, path: Any, *arguments: Any, **named: Any) -> Any:
            seen.append(f"{self.tag}/{path}")
            return super().find(path, *arguments, **named)

        def get(self, name: Any, *arguments: Any) -> Any:
            seen.append(f"{self.tag}/@{name}")
            return super().get(name, *arguments)

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=WatchedElement))
    return etree.fromstring(etree.tostring(node, with_tail=False), parser)


def sort_newest_first(rows: Iterable[Any], member: str) -> list[Any]:
    """Return rows by the time in a member, as text of one form; those without a time come last."""
    return sorted(rows, key=lambda row: str(row.get(member) or ""), reverse=True)

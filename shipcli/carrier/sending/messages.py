"""Messages of the kit itself: on lost and on unreadable replies, and on refusals without a known text."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from shipcli.carrier.base import Carrier
from shipcli.carrier.sending.ports import TransportError
from shipcli.carrier.wire.calls import UNREADABLE, Call, Reply
from shipcli.models import Message

log = logging.getLogger("shipcli.driver")

LONGEST, LONGEST_READ = 200, 20_000  # characters of a refusal that are shown, and that are looked at
# The members that hold the text of a refusal, in JSON and XML, the most telling first.
TEXT_NAMES = (
    "message", "error_description", "faultstring", "detail", "description", "title", "reason",
    "errors", "error",
)  # fmt: skip


# What is said of a call whose answer was lost, or cannot be read.
LOST_ANSWER = frozenset({"timeout", "unreachable", "unreadable_reply"})


def drop_lost_answers(messages: Iterable[Message], carrier_id: str | None = None) -> list[Message]:
    """Return messages but for those on lost answers, of one account or of all: once it is known what became
    of a purchase, they tell of a trouble that is over.
    """
    return [
        message
        for message in messages
        if message.code not in LOST_ANSWER or (carrier_id and message.carrier_id != carrier_id)
    ]


def explain_unreachable(carrier: Carrier[Any, Any], error: TransportError) -> Message:
    if error.refused:
        return Message(code="unreadable_reply", message=f"{carrier.name} answered with {error}")
    code = "timeout" if error.timed_out else "unreachable"
    return Message(code=code, message=f"{carrier.name} could not be reached: {error}")


def explain_unreadable(carrier: Carrier[Any, Any], error: Exception) -> Message:
    """Return the message about a reply that a reader broke on; the error is logged under its trace id."""
    key = carrier.context.key  # repeatable where ids are
    trace_id = (uuid.uuid5(uuid.NAMESPACE_OID, key) if key else uuid.uuid4()).hex
    log.error("unreadable reply of %s (%s)", carrier.slug, trace_id, exc_info=error)
    text = f"{carrier.name} answered with something that can't be read ({type(error).__name__})"
    return Message(code="unreadable_reply", message=text, details={"trace_id": trace_id})


def add_details(call: Call, messages: Sequence[Message]) -> list[Message]:
    """Return the messages of a call, with what the call was about (`Call.about`) in their details."""
    if not call.about:
        return list(messages)
    return [
        message.model_copy(update={"details": {**(message.details or {}), **call.about}})
        for message in messages
    ]


def find_text(reply: Reply) -> str | None:
    """Return the text of a refusal in JSON, XML or plain text, in one line; None of a page or a file.

    Gateways in front of a carrier refuse in a format of their own, which the carrier's reader does not know.
    """
    try:
        text = next(_list_reply_texts(reply), "")
    except UNREADABLE:
        text = "" if reply.structured else reply.text
    line = " ".join(text[:LONGEST_READ].split())[:LONGEST]
    return line if line.isprintable() and line else None


def _list_reply_texts(reply: Reply) -> Iterator[str]:
    if reply.content.lstrip().startswith(b"<"):
        nodes = [(str(node.tag).lower(), node.text or "") for node in reply.xml.iter()]
        return (text for name in TEXT_NAMES for tag, text in nodes if tag == name and text.strip())
    return _list_texts(reply.json) if isinstance(reply.json, str) else _find_texts(reply.json)


def _find_texts(value: Any) -> Iterator[str]:
    """Yield the texts under `TEXT_NAMES`, at any depth."""
    if isinstance(value, list):
        yield from chain.from_iterable(map(_find_texts, value))
    elif isinstance(value, dict):
        named = {str(name).lower(): item for name, item in value.items()}
        yield from chain.from_iterable(_list_texts(named[name]) for name in TEXT_NAMES if name in named)
        yield from chain.from_iterable(map(_find_texts, value.values()))


def _list_texts(value: Any) -> Iterator[str]:
    """Yield all texts in the value of such a name."""
    if isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_list_texts, value))
    elif isinstance(value, dict):
        yield from _find_texts(value)
        yield from chain.from_iterable(map(_list_texts, value.values()))

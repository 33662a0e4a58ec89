"""How the answers of a server differ from those of a recording."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shipcli.features.admin.request_log import MASK
from shipcli.http import HttpReply
from shipcli.models import json
from shipcli.recordings.exchanges import Exchange
from shipcli.recordings.matching import IDENTIFIERS, VOLATILE, IdMap, is_id, is_moment, pair_items
from shipcli.recordings.redaction import KEPT_HEADERS, KEY, PERSONAL_QUERIES, SERVER, is_hidden

SendRecorded = Callable[[str, str, list[tuple[str, str]], dict[str, str], Any], HttpReply]
LINK = "://"
KINDS = ("status", "missing", "new", "type", "value")
EVENTS, OF_EVENTS = "events[", ("date", "time")  # days and times of events are those of the run
OF_LOG_INS = ("/api/token", "/oauth")


class Difference(NamedTuple):
    """One difference: the number of the exchange, what was asked, what kind it is, where, and both values."""

    number: int
    request: str
    kind: str
    field: str
    recorded: Any
    now: Any


class DriftReport(NamedTuple):
    """What a replay found."""

    sent: int
    skipped: list[str]
    differences: list[Difference]


def replay_against(
    exchanges: Sequence[Exchange], send: SendRecorded, ignored: Collection[str] = ()
) -> DriftReport:
    """Send the requests of a recording in their order, and compare the answers.

    Errors: Unreachable.
    """
    ids, sent, skipped = IdMap(), 0, list[str]()
    differences: list[Difference] = []
    for number, exchange in enumerate(exchanges, 1):
        if reason := find_obstacle(exchange):
            skipped.append(f"{number} {exchange.name}: {reason}")
            continue
        status, answer = send_again(exchange, send, ids)
        sent += 1
        ids.learn(exchange.answer, answer)
        rows = compare(exchange, status, answer, ids, ignored)
        differences += [Difference(number, exchange.name, *row) for row in rows]
    return DriftReport(sent, skipped, differences)


def find_obstacle(exchange: Exchange) -> str | None:
    """Why a request can't be sent again."""
    if exchange.sent_file:
        return "its body was not kept"
    if exchange.path.startswith(OF_LOG_INS) or has_mask(exchange.body):
        return "its secrets were not kept"
    if any(name in PERSONAL_QUERIES for name, _ in exchange.query):
        return "the person it asks for was not kept"
    return None


def has_mask(value: Any) -> bool:
    """Whether something in a body was masked."""
    if isinstance(value, Mapping):
        return any(has_mask(item) for item in value.values())
    if isinstance(value, list):
        return any(has_mask(item) for item in value)
    return bool(value == MASK)


def send_again(exchange: Exchange, send: SendRecorded, ids: IdMap) -> tuple[int, Any]:
    """Status and body of the answer now; None if the body is no JSON."""
    headers = {
        name: value
        for name, value in exchange.headers.items()
        if name == KEY or (name in KEPT_HEADERS and name != "content-type")
    }
    query = [(name, str(ids.translate(value))) for name, value in exchange.query if value != MASK]
    path = ids.translate_path(exchange.path)
    reply = send(exchange.method, path, query, headers, ids.translate(exchange.body))
    try:
        return reply.status, json.loads(reply.content) if reply.content else None
    except ValueError:
        return reply.status, None


Found = tuple[str, str, Any, Any]  # kind, field, recorded, now


def compare(
    exchange: Exchange, status: int, answer: Any, ids: IdMap, ignored: Collection[str] = ()
) -> list[Found]:
    """The differences of one answer; those of its fields do not matter if its status differs."""
    if status != exchange.status:
        return [("status", "", exchange.status, status)]
    if exchange.file:
        return []
    return list(_compare_values(ids.translate(exchange.answer), answer, "", set(ignored)))


def _compare_values(recorded: Any, now: Any, field: str, ignored: set[str]) -> Iterator[Found]:
    if isinstance(recorded, Mapping) and isinstance(now, Mapping):
        yield from _compare_objects(recorded, now, field, ignored)
    elif isinstance(recorded, list) and isinstance(now, list):
        yield from _compare_lists(recorded, now, field, ignored)
    elif name_type(recorded) != name_type(now):
        if None not in (recorded, now) or read_name(field) not in VOLATILE:
            yield "type", field, name_type(recorded), name_type(now)
    elif recorded != now and not is_volatile(recorded, now, field):
        yield "value", field, recorded, now


def _compare_objects(
    recorded: Mapping[str, Any], now: Mapping[str, Any], field: str, ignored: set[str]
) -> Iterator[Found]:
    prefix = f"{field}." if field else ""
    for name in recorded:
        if name in ignored:
            continue
        if name not in now:
            yield "missing", prefix + name, recorded[name], None
        else:
            yield from _compare_values(recorded[name], now[name], prefix + name, ignored)
    for name in now:
        if name not in recorded and name not in ignored:
            yield "new", prefix + name, None, now[name]


def _compare_lists(recorded: list[Any], now: list[Any], field: str, ignored: set[str]) -> Iterator[Found]:
    if len(recorded) != len(now):
        yield "value", f"{field}.length", len(recorded), len(now)
    for number, (one, other) in enumerate(pair_items(recorded, now)):
        yield from _compare_values(one, other, f"{field}[{number}]", ignored)


def read_name(field: str) -> str:
    """The name of a field without where it stands."""
    return field.rpartition(".")[2].partition("[")[0]


def is_volatile(recorded: Any, now: Any, field: str) -> bool:
    """Whether two values may differ from one run to the next."""
    name = read_name(field)
    is_of_event = name in OF_EVENTS and EVENTS in field
    if name in VOLATILE or name in IDENTIFIERS or is_hidden(name) or is_of_event:
        return True
    texts = [text for text in (recorded, now) if isinstance(text, str)]
    return bool(texts) and all(
        is_id(text) or is_moment(text) or LINK in text or SERVER in text or _has_id(text) for text in texts
    )


def _has_id(text: str) -> bool:
    return any(is_id(word.strip("'\".,:;()")) for word in text.replace("/", " ").split())


def name_type(value: Any) -> str:
    """The name of a JSON type."""
    names = {bool: "boolean", type(None): "null", str: "text", dict: "object", list: "list"}
    return names.get(type(value), "number")

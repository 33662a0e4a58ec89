"""What came into a sandbox and went out of it, for tests to ask: requests, webhooks, expectations."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import ndiff
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.events.envelope import write_envelope
from shipcli.features.admin.request_log import hide_secrets_in_body
from shipcli.features.sandbox.faults import matches
from shipcli.models import Invalid, json
from shipcli.models.sandbox_faults import ExpectData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

MOST_REQUESTS, LONGEST_BODY, MOST_SHOWN = 10_000, 16_384, 1000
MOST_BYTES = 32 * 1024 * 1024
RECORD, REQUESTS_FILE = "recorded_requests", "requests.jsonl"


class RecordedRequests:
    """The requests that a sandbox was sent, in a file beside its store: any process may read it.

    Long bodies are left out; a file that has grown too large begins again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def add(self, *, body: bytes, **facts: Any) -> None:
        """Record a request."""
        if self._file is None:
            self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if os.fstat(self._file).st_size > MOST_BYTES:
            os.ftruncate(self._file, 0)
        kept = body if len(body) <= LONGEST_BODY else b""
        os.write(self._file, json.dump_bytes({**facts, "body": _show_body(kept)}) + b"\n")

    def list(self) -> list[dict[str, Any]]:
        """All that are kept, oldest first."""
        return [json.loads(line) for line in self._read_lines()]

    def clear(self) -> int:
        """Forget all, and say how many there were."""
        count = len(self._read_lines())
        if count:
            os.truncate(self._path, 0)
        return count

    def close(self) -> None:
        """Close the file; the next request opens it again."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read_lines(self) -> Sequence[bytes]:
        try:
            return self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return ()


def get_requests(app: App) -> RecordedRequests:
    """The record of a sandbox."""
    made = app.shared.get(RECORD) or RecordedRequests(app.home / REQUESTS_FILE)
    record: RecordedRequests = app.shared.setdefault(RECORD, made)
    return record


def list_requests(
    app: App,
    *,
    method: str | None = None,
    path: str | None = None,
    status: str | None = None,
    limit: str | None = None,
) -> list[dict[str, Any]]:
    """The requests since they were cleared, oldest first: of a method, a path with `*`, a status or its class
    (`4xx`); the newest `limit`.

    Errors: Invalid for a limit that is no number.
    """
    pattern = f"{(method or '*').upper()} {path or '*'}"
    rows = [
        row
        for row in get_requests(app).list()
        if matches(pattern, row["method"], row["path"]) and _has_status(row, status)
    ]
    return rows[-read_limit(limit) :]


def _has_status(row: Mapping[str, Any], status: str | None) -> bool:
    text = str(row["status"])
    return not status or text == status or (status[1:].lower() == "xx" and text[:1] == status[:1])


def _show_body(body: bytes) -> Any:
    """A body as it is logged, without secrets and files; of one that is no JSON, such as a form, the size."""
    try:
        return hide_secrets_in_body(body)
    except ValueError:
        return f"[{len(body)} bytes]"


def read_limit(text: str | None) -> int:
    """Errors: Invalid unless it is a number above 0."""
    if not text:
        return MOST_SHOWN
    if not text.isdecimal() or not 0 < int(text) <= MOST_REQUESTS:
        raise Invalid("limit", f"must be a number from 1 to {MOST_REQUESTS}")
    return int(text)


def clear_requests(app: App) -> dict[str, int]:
    """Forget the requests so far, and say how many there were."""
    return {"cleared": get_requests(app).clear()}


# -- webhooks ----------------------------------------------------------------------------------


def list_inbox(
    app: App, *, type: str | None = None, object_id: str | None = None, limit: str | None = None
) -> list[dict[str, Any]]:
    """The webhooks that were sent, oldest first, each with its body and what the receiver answered; of a
    type, or about an object.
    """
    where = {"test_mode": app.test_mode, **({"type": type} if type else {})}
    rows = app.store.select("deliveries", where, ("-id",), read_limit(limit))
    sent = [_describe_delivery(app, row) for row in reversed(rows)]
    return [row for row in sent if not object_id or _names(row["body"], object_id)]


def _describe_delivery(app: App, row: Mapping[str, Any]) -> dict[str, Any]:
    event = app.store.get("event", row["event_id"])
    webhook = app.store.get("webhook", row["webhook_id"]) or {}
    names = ("id", "type", "webhook_id", "event_id", "attempt", "ok", "status", "error", "response", "at")
    facts = {name: row[name] for name in names}
    return {**facts, "url": webhook.get("url"), "body": json.loads(write_envelope(event)) if event else None}


def _names(body: Any, object_id: str) -> bool:
    data = (body or {}).get("data") or {}
    return object_id in (data.get("id"), data.get("tracking_number"), data.get("reference"))


# -- expectations ------------------------------------------------------------------------------


def check_expectation(app: App, data: ExpectData) -> dict[str, Any]:
    """Whether the requests so far are those that a test expects, in this order: each so many times, with
    `nothing_else` no other; where neither is said, each at least once, whatever came between them.

    Shapes: `diff` has a line for each request: `- ` one that is missing, `+ ` one that is too much.
    """
    came = [f"{row['method']} {row['path']}" for row in get_requests(app).list()]
    named = [line for line in came if any(_fits(pattern, line) for pattern in data.requests)]
    compared = came if data.nothing_else else named
    wanted = _spell_out(data, compared)
    diff = [line for line in ndiff(wanted, compared) if not line.startswith("?")]
    met = wanted == compared
    if data.times is None and not data.nothing_else:
        met = come_in_order(data.requests, compared)
    return {"met": met, "expected": wanted, "requests": compared, "diff": [] if met else diff}


def come_in_order(patterns: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether there is a line for each pattern, one after the other."""
    rest = iter(lines)
    return all(any(_fits(pattern, line) for line in rest) for pattern in patterns)


def _fits(pattern: str, line: str) -> bool:
    method, _, path = line.partition(" ")
    return matches(pattern, method, path)


def _spell_out(data: ExpectData, came: Sequence[str]) -> list[str]:
    """The lines that are expected, in which those that came stand for the patterns they fit."""
    rest, expected = list(came), []
    for pattern in data.requests:
        count = data.times if data.times is not None else _count_leading(pattern, rest)
        for _ in range(count):
            fits = bool(rest) and _fits(pattern, rest[0])
            expected.append(rest.pop(0) if fits else pattern)
    return expected


def _count_leading(pattern: str, lines: Sequence[str]) -> int:
    """How many lines at the beginning fit a pattern; one at least is expected."""
    count = 0
    while count < len(lines) and _fits(pattern, lines[count]):
        count += 1
    return max(1, count)

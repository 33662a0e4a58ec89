"""Queries of the logs: API calls, and exchanges with carriers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shipcli.models import json
from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.store.query import Filter, any_of, at_least, contains, differs, equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

LOGS, TRACES = "logs", "traces"
NAMES = {LOGS: "request", TRACES: "trace"}
_CLASS = re.compile(r"([1-5])xx", re.IGNORECASE)
KEY = "$SHIPCLI_API_KEY"


def find(
    app: App,
    table: str,
    *,
    object_id: str | None = None,
    status: Sequence[str] = (),
    text: str | None = None,
    limit: int | None = 20,
) -> list[dict[str, Any]]:
    """Return the newest matching rows of this mode.

    Shapes: `status` are numbers or classes such as 4xx; `text` is part of the path of a call, or of the
            carrier name of an exchange.
    Errors: Invalid for an unknown status.
    """
    _check_table(table)
    where = [equal("test_mode", app.test_mode)]
    where += [equal("object_id", object_id)] if object_id else []
    where += [any_of(*(_filter_by_status(word) for word in status))] if status else []
    where += [contains("path" if table == LOGS else "carrier_name", text)] if text else []
    return [_format_times(row) for row in app.store.select(table, where, ("-started_at", "-id"), limit)]


def list_since(app: App, table: str, *, after: str = "") -> list[dict[str, Any]]:
    """Return the rows after the one with this id, oldest first."""
    _check_table(table)
    where = [equal("test_mode", app.test_mode), at_least("id", after), differs("id", after)]
    return [_format_times(row) for row in app.store.select(table, where, ("id",))]


def get(app: App, table: str, id: str) -> dict[str, Any]:
    """Return a row of this mode by its id; an API call also by its request id.

    Errors: NotFound.
    """
    _check_table(table)
    rows = app.store.select(table, {"id": id, "test_mode": app.test_mode})
    if not rows and table == LOGS:
        rows = app.store.select(table, {"request_id": id, "test_mode": app.test_mode}, ("-started_at",), 1)
    if not rows:
        raise NotFound(NAMES[table], id)
    return _format_times(rows[0])


def _check_table(table: str) -> None:
    """Errors: NotFound for a table that holds no log: others hold secrets."""
    if table not in NAMES:
        raise NotFound("log", table)


def format_curl(row: dict[str, Any], base: str) -> str:
    """Return a call as a curl command; the key is read from the environment, masked values stay masked."""
    words = ["curl", "-sS", "-X", row["method"], shlex.quote(base.rstrip("/") + row["path"])]
    words += ["-H", f'"Authorization: Token {KEY}"']
    body = row["request"]
    if body is not None:
        words += ["-H", shlex.quote("Content-Type: application/json"), "-d", shlex.quote(json.dumps(body))]
    return " ".join(words)


def _filter_by_status(word: str) -> Filter:
    kind = _CLASS.fullmatch(word)
    if kind:
        return one_of("status", range(int(kind[1]) * 100, int(kind[1]) * 100 + 100))
    if not (word.isascii() and word.isdigit() and len(word) == 3):
        raise Invalid("status", f"{word!r} is not a status such as 404 or 4xx")
    return equal("status", int(word))


def _format_times(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}

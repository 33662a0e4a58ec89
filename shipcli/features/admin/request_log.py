"""The request log: one row for each API call that changes something, without secrets and files."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from shipcli.models import json

if TYPE_CHECKING:
    from shipcli.features.core.app import App

MASK = "***"
LONGEST_PATH = 2000
LONGEST = 65536  # bytes kept of a body
FILE = 400  # texts of at least this length in a field of `FILES` are files
SECRETS = frozenset(
    {"credentials", "password", "token", "access", "refresh", "otp_token", "secret", "client_secret", "key"}
)
FILES = frozenset(
    {"doc_file", "label", "invoice", "manifest", "delivery_image", "signature_image", "data_file"}
)
SECRETS_OF_QUERIES = SECRETS | {"api_key", "code", "state", "code_challenge"}
_TELLING = SECRETS | FILES
_NESTED = frozenset({dict, list})
_SIGNATURE = re.compile(r"(?<=[?&]token=)[^&\s\"#]+")  # in a link: it opens the file to anybody
_ID = re.compile(rb'\{"id":"([A-Za-z0-9_]{1,64})"')


class LogEntry(NamedTuple):
    """One request and its answer. `id` is the request's; bodies are JSON texts, or empty."""

    id: str
    method: str
    path: str
    status: int
    caller: str
    test_mode: bool
    started_at: datetime
    duration_ms: float
    request: bytes
    response: bytes


def record(app: App, entries: Iterable[LogEntry]) -> None:
    """Write calls to the log."""
    rows = [_make_row(app, entry) for entry in entries]
    with app.store.transaction(locks=()) as tx:
        tx.insert_many("logs", rows)


def _make_row(app: App, entry: LogEntry) -> dict[str, Any]:
    named = _ID.match(entry.response)
    return {
        **entry._asdict(),
        "id": app.new_id("log_"),
        "request_id": entry.id,
        "object_id": named[1].decode() if named else None,
        "request": hide_secrets_in_body(entry.request),
        "response": hide_secrets_in_body(entry.response),
    }


def write_path(path: str, query: Sequence[tuple[str, str]]) -> str:
    """A path as it is logged: with the query, whose secrets are masked."""
    shown = urlencode(
        [(name, MASK if name in SECRETS_OF_QUERIES else value) for name, value in query], safe="*/:,@"
    )
    return (f"{path}?{shown}" if shown else path)[:LONGEST_PATH]


def hide_secrets_in_body(text: bytes) -> Any:
    """Return a body as it is logged: with secrets and files masked, and cut if it is too long."""
    text = text.removeprefix(BOM_UTF8)  # which is also skipped when a body is parsed
    if not text:
        return None
    if _has_secrets(json.peek(text)):
        text = json.dump_bytes(mask_value(json.loads(text)))
    if len(text) > LONGEST:
        return {"cut": text[:LONGEST].decode("utf-8", "replace")}
    return json.embed_text(text)


def _has_secrets(value: Any) -> bool:
    """Return whether a value has a field that must be masked, at any depth."""
    waiting: list[Any] = [[value]]
    for container in waiting:
        if isinstance(container, dict) and not _TELLING.isdisjoint(container):
            return True
        inside = container.values() if isinstance(container, dict) else container
        waiting += [item for item in inside if type(item) in _NESTED]
    return False


def mask_value(value: Any) -> Any:
    """Return the value with secrets masked and files replaced by their size."""
    if isinstance(value, Mapping):
        return {name: _mask_member(name, item) for name, item in value.items()}
    return [mask_value(item) for item in value] if isinstance(value, list) else value


def _mask_member(name: str, value: Any) -> Any:
    if name in SECRETS and not _describes(name, value):
        return value if value is None else MASK
    if name in FILES and isinstance(value, str) and len(value) >= FILE:
        return f"[{len(value)} characters]"
    return mask_value(value)


def _describes(name: str, value: Any) -> bool:
    """Whether a value is what a carrier's list of credentials says about a field, not the credential."""
    return isinstance(value, Mapping) and value.get("name") == name and {"type", "required"} <= value.keys()


def hide_signatures(value: Any) -> Any:
    """Return the value with the signatures of links masked."""
    if isinstance(value, Mapping):
        return {name: hide_signatures(item) for name, item in value.items()}
    if isinstance(value, list):
        return [hide_signatures(item) for item in value]
    return _SIGNATURE.sub(MASK, value) if isinstance(value, str) and "token=" in value else value

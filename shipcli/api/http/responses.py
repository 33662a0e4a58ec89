"""The responses: JSON bodies, error bodies, lists in their envelope, files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pydantic import BaseModel

from shipcli.models import json
from shipcli.models.basics.errors import ShipcliError, Throttled
from shipcli.store.errors import CommitUnknown, StoreBusy

Header = tuple[bytes, bytes]
CHALLENGE: Header = (b"www-authenticate", b'Basic realm="api"')
JSON_TYPE: Header = (b"content-type", b"application/json")
FULL = HTTPStatus.INSUFFICIENT_STORAGE
AWAY = HTTPStatus.SERVICE_UNAVAILABLE
SOON: Header = (b"retry-after", b"1")
BUSY = "The store can't be used at the moment and nothing was saved: send the request again"
UNKNOWN = (
    "The connection to the store broke while the request was being saved: send it again with the same "
    "Idempotency-Key, or look before you repeat it"
)
INTERNAL = "Something went wrong on the server; the request id names the record of it"


class HttpResponse(NamedTuple):
    """Status, body and headers of a response."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = (JSON_TYPE,)

    def with_headers(self, *headers: Header) -> HttpResponse:
        """A copy with more headers."""
        return HttpResponse(self.status, self.body, (*self.headers, *headers))


def write_result(value: Any, status: int = 200) -> HttpResponse:
    """A result as JSON."""
    return HttpResponse(
        status, json.dump_bytes(value.model_dump() if isinstance(value, BaseModel) else value)
    )


def write_json_text(text: str, status: int = 200) -> HttpResponse:
    """A stored document, unchanged."""
    return HttpResponse(status, text.encode())


def write_file(content: bytes, media_type: str, *headers: Header) -> HttpResponse:
    """Bytes other than JSON."""
    return HttpResponse(200, content, ((b"content-type", media_type.encode()), *headers))


# -- errors ------------------------------------------------------------------------------------


def write_error(error: ShipcliError) -> HttpResponse:
    """An error with its body; internal errors are hidden, except for a full disk and a store that is away."""
    if isinstance(error, StoreBusy | CommitUnknown):
        text = BUSY if isinstance(error, StoreBusy) else UNKNOWN
        return write_failure(AWAY, error.code, text, SOON)
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and error.status != FULL:
        return write_internal_error()
    response = HttpResponse(error.status, json.dump_bytes(error.body()))
    if isinstance(error, Throttled):
        return response.with_headers(retry_after(error))
    return response


def retry_after(error: Throttled) -> Header:
    """The header that says when to retry."""
    return b"retry-after", str(error.retry_after_s).encode()


def write_internal_error() -> HttpResponse:
    """The response to an internal error."""
    return write_failure(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", INTERNAL)


def write_failure(status: int, code: str, message: str, *headers: Header) -> HttpResponse:
    """An error of the HTTP layer itself."""
    body = json.dump_bytes({"errors": [{"code": code, "message": message}]})
    return HttpResponse(int(status), body, (JSON_TYPE, *headers))


def write_not_found(path: str) -> HttpResponse:
    """The response for a path that does not exist."""
    return write_failure(404, "not_found", f"There is nothing at {path[:200]}")


def write_not_allowed(method: str, allowed: Iterable[str]) -> HttpResponse:
    """The response for a method that an existing path does not support."""
    allow = ", ".join(allowed)
    message = f"Method {method[:20]} is not allowed here, only {allow}"
    return write_failure(405, "method_not_allowed", message, (b"allow", allow.encode()))


# -- lists -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a list was requested, at which address, and with which other parameters."""

    address: str
    others: tuple[tuple[str, str], ...]
    limit: int
    offset: int

    def link(self, offset: int) -> str:
        """The URL of another part of the list."""
        others = f"{urlencode(self.others)}&" if self.others else ""
        start = f"&offset={offset}" if offset > 0 else ""
        return f"{self.address}?{others}limit={self.limit}{start}"


def write_page(count: int, items: Iterable[Any], window: Window) -> HttpResponse:
    """A page of a list in its envelope; stored JSON texts are written unchanged."""
    following, before = window.offset + window.limit, window.offset - window.limit
    forward = window.link(following) if following < count else None
    back = window.link(min(before, count - window.limit)) if window.offset else None
    texts = ",".join(item if isinstance(item, str) else json.dumps(item) for item in items)
    links = f'"next":{json.dumps(forward)},"previous":{json.dumps(back)}'
    return write_json_text(f'{{"count":{count},{links},"results":[{texts}]}}')

"""Error answers of a server, as the errors that a use-case on this machine raises."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from shipcli.http import HttpReply
from shipcli.models import json
from shipcli.models.basics.errors import (
    NO_CONNECTION,
    BilledAbove,
    Conflict,
    Invalid,
    InvalidRows,
    LimitReached,
    NoConnection,
    NotAuthorised,
    NotFound,
    OutcomeUnknown,
    Refused,
    ShipcliError,
    Throttled,
    Unreachable,
)
from shipcli.models.basics.problems import flatten
from shipcli.models.message import Message

_SERVER_ERROR, _WAIT_S = 500, 60
NO_SUCH_PATH = "There is nothing at "
_NAMED = re.compile(r"(\w+)(?: \S+)? not found")


class UnreadableAnswer(Unreachable):
    """The server's answer is not one that this API gives."""

    code = "unreadable_answer"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"The answer of {url} can't be read: {why}")


class NotOffered(ShipcliError):
    """The server has no such operation: it is older than this program."""

    code = "not_offered"
    exit_code = 2

    def __init__(self, url: str, what: str = "", *, is_control: bool = False) -> None:
        if what:
            lacking = f"{what[:1].lower()}{what[1:]}"
            super().__init__(f"{url} has no operation for this: {lacking}. Servers of shipcli have one")
            return
        who = "only sandboxes offer this" if is_control else "a newer version of it may"
        super().__init__(f"{url} does not offer this; {who}")


class ServerFault(Unreachable):
    """The server made a mistake; `request_id` names its record of it."""

    code = "internal_error"

    def __init__(self, url: str, status: int, request_id: str | None, reason: str = "") -> None:
        named = f" (request {request_id})" if request_id else ""
        super().__init__(f"{url} answered {status}{named}{f': {reason}' if reason else ''}")
        self.request_id = request_id


def read_failure(reply: HttpReply, url: str) -> ShipcliError:
    """The error that an answer reports."""
    request_id = reply.headers.get("x-request-id")
    try:
        body = json.loads(reply.content)
    except ValueError:
        body = None
    if reply.status >= _SERVER_ERROR:
        is_full = isinstance(body, dict) and reply.status == HTTPStatus.INSUFFICIENT_STORAGE
        return ServerFault(url, reply.status, request_id, _read_error(reply, body).message if is_full else "")
    if not isinstance(body, dict):
        return UnreadableAnswer(url, f"it is not JSON, with the status {reply.status}")
    error = _read_error(reply, body)
    if reply.status == HTTPStatus.NOT_FOUND and error.message.startswith(NO_SUCH_PATH):
        return NotOffered(url, is_control=error.message.startswith(f"{NO_SUCH_PATH}/_sandbox/"))
    error.request_id = request_id
    error.is_replay = reply.headers.get("idempotent-replayed") == "true"
    return error


def _read_error(reply: HttpReply, body: Mapping[str, Any]) -> ShipcliError:
    messages = [
        Message.model_validate(message) for message in body.get("messages") or () if isinstance(message, dict)
    ]
    if messages and not body.get("errors"):
        unknown = any(message.code == OutcomeUnknown.code for message in messages)
        return (OutcomeUnknown if unknown else Refused)(messages, reply.status)
    errors = [error for error in body.get("errors") or () if isinstance(error, dict)]
    rows = [_read_error_item(reply, error) for error in errors]
    if len(rows) > 1 or any(row.index is not None for row in rows):
        return InvalidRows(rows)
    return rows[0] if rows else ShipcliError(f"The server answered {reply.status}", status=reply.status)


def _read_error_item(reply: HttpReply, item: Mapping[str, Any]) -> ShipcliError:
    """One item of an error body."""
    code, message = item.get("code"), str(item.get("message") or item.get("detail") or "")
    code = code if isinstance(code, str) else Invalid.code  # older servers send a tree of codes
    problems, index = list(flatten(item.get("details"))), item.get("index")
    match reply.status:
        case 400 | 409 if code in (LimitReached.code, BilledAbove.code):
            return BilledAbove(message) if code == BilledAbove.code else LimitReached(message)
        case 400 | 422 if problems:
            return Invalid.many(problems, code, index=index)
        case 400 | 422:
            return Invalid("", message or "the request is wrong", code, index=index)
        case 401 | 403:
            return NotAuthorised(message or "This server does not know you", code=code, status=reply.status)
        case 404:
            return _read_missing(message, item.get("details"))
        case 409:
            return Conflict(message, code)
        case 429:
            wait = reply.headers.get("retry-after", "")
            return Throttled(int(wait) if wait.isdigit() else _WAIT_S)
    return ShipcliError(message or f"The server answered {reply.status}", code=code, status=reply.status)


def _read_missing(message: str, details: Any) -> NotFound:
    if message == NO_CONNECTION:
        return NoConnection(details if isinstance(details, dict) else None)
    match = _NAMED.fullmatch(message)
    what = match[1].lower() if match else "object"
    return NotFound(what, message=message or "There is no such object on the server")

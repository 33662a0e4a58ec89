"""Turns a request into the call of a use-case: reads its body and query, writes the errors and the log.

Everything here may run in a thread; nothing here depends on the event loop.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from pydantic import ValidationError

from shipcli.api.http import responses
from shipcli.api.http.request import HttpRequest
from shipcli.api.http.responses import Header, HttpResponse, Window
from shipcli.api.limits import BodyLimits
from shipcli.api.principal import Principal
from shipcli.api.request_log_writer import RequestLogWriter, make_log_entry
from shipcli.api.sandbox.headers import add_notice, asks_of_sandbox, echo_empty, read_sandbox_headers
from shipcli.carrier.wire.multipart import split
from shipcli.features.core.app import App
from shipcli.features.core.filters import read_filters, read_offset, read_page_size
from shipcli.features.core.idempotency import (
    RememberedResponse,
    make_idempotency_key,
    perform_once,
    remember_after,
    send_once,
)
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.core.sandbox_request import answer_for
from shipcli.features.sandbox.lenience import is_lenient
from shipcli.models import json
from shipcli.models.basics.errors import Invalid, NotAuthorised, ShipcliError
from shipcli.models.basics.text_lengths import find_long_texts
from shipcli.models.batch import split_by_row
from shipcli.operations.form import TYPES, Form, FormField
from shipcli.operations.operation import IdempotencyPolicy, Listing, Operation, Parameter

MULTIPART, ENCODED = TYPES
END = b"--"  # after the last boundary: without it the body was truncated, and so is its file


def read_form(request: HttpRequest, content: bytes) -> Form:
    """Read the fields of a request.

    Errors: ShipcliError 415 for another type, 400 for a body that does not match its type.
    """
    in_query = {name: FormField(value.encode()) for name, value in request.query}
    return in_query | (_read_body(request, content) if content else {})


def _read_body(request: HttpRequest, content: bytes) -> dict[str, FormField]:
    media = request.media_type()
    if media == ENCODED:
        pairs = parse_qsl(content.decode("utf-8", "replace"), keep_blank_values=True)
        return {name: FormField(value.encode()) for name, value in pairs}
    if media != MULTIPART:
        text = f"Unsupported media type {media!r} in request: send `Content-Type: {MULTIPART}`"
        raise ShipcliError(text, code="unsupported_media_type", status=415)
    header = request.headers[b"content-type"].decode("latin-1")
    try:
        parts = split(content, header)
        if not content.rstrip().endswith(END):
            raise ValueError("the body ends before its last boundary")
    except ValueError as error:
        raise ShipcliError(f"Multipart form parse error - {error}", code="parse_error", status=400) from None
    return {
        part.name: FormField(part.content if isinstance(part.content, bytes) else part.content.encode(),
                         part.filename or "")
        for part in parts
    }  # fmt: skip


def digest_fields(form: Form) -> dict[str, Any]:
    """A digest of each field, the same for the same fields whatever boundary separates them."""
    return {name: [field.filename, hashlib.sha256(field.content).hexdigest()] for name, field in form.items()}


EXPECTED = (responses.FULL, responses.AWAY)  # no fault of the program, which goes on by itself
log = logging.getLogger("shipcli.api")
NO_STORE: tuple[Header, ...] = ((b"cache-control", b"no-store"), (b"cdn-cache-control", b"no-store"))
JSON_TYPES = ("application/json", "text/json")
LONGEST_KEY = 255
REPLAYED: Header = (b"idempotent-replayed", b"true")
REQUEST_VALUES: dict[str, Callable[[HttpRequest], str]] = {
    "host": lambda request: f"{request.host}/",
    "peer": lambda request: request.peer,
}
NO_BODY: dict[str, Any] = {}


class OperationCall(NamedTuple):
    """One call of an operation by one caller."""

    operation: Operation
    values: tuple[str, ...]
    request: HttpRequest
    caller: Principal
    app: App
    limits: BodyLimits
    content: bytes = b""
    request_log: RequestLogWriter | None = None


def carry_out(task: OperationCall) -> HttpResponse:
    """Answer a request, whatever happens; add calls that are logged to the request log."""
    started, begun = task.app.now(), time.perf_counter()
    body: Any = None
    try:
        with answer_for(read_sandbox_headers(task.app, task.request)):
            body = read_body(task)
            response = call_use_case(task, body)
    except Exception as error:  # noqa: BLE001 - the server's outermost layer: no bug may stop it
        response = answer_error(error, task.request)
    if body and is_lenient(task.app):
        response = echo_empty(body, response)
    if not task.app.sandbox and asks_of_sandbox(task.request.headers, body):
        response = add_notice(response)
    if task.operation.logged and task.request_log:
        took = round((time.perf_counter() - begun) * 1000, 3)
        kept = task.content if isinstance(body, dict) and not task.operation.is_form else b""
        task.request.is_logged = True
        task.request_log.add(
            make_log_entry(
                task.request, task.caller, response.status, started, took, body=kept, answer=response.body
            )
        )
    return response.with_headers(*NO_STORE) if task.operation.policy is IdempotencyPolicy.NEVER else response


def answer_error(error: Exception, request: HttpRequest) -> HttpResponse:
    """Turn an error into a response; unexpected ones are logged."""
    if isinstance(error, ShipcliError):
        response = responses.write_error(error)
        # Not to a web page: the browser would remember what was typed, and other pages could use it.
        if asks_for_credentials(error) and b"origin" not in request.headers:
            return response.with_headers(responses.CHALLENGE)
        if response.status in EXPECTED:
            log.warning("request %s: %s", request.id.decode(), error)
        if response.status < 500 or response.status in EXPECTED:
            return response
    log.error("request %s: %s %s failed", request.id.decode(), request.method, request.path, exc_info=error)
    return responses.write_internal_error()


def asks_for_credentials(error: ShipcliError) -> bool:
    """Whether the error is that there are no credentials at all."""
    return isinstance(error, NotAuthorised) and error.code == NotAuthorised.code


# -- what came in ------------------------------------------------------------------------------


def read_body(task: OperationCall) -> Any:
    """The JSON object that was sent, an empty one if nothing was; None if the operation takes no body.

    Errors: ShipcliError 415 for another type or a compressed body, 400 for anything but a JSON object.
    """
    if task.content:
        _check_unpacked(task.request.headers.get(b"content-encoding", b"").decode("latin-1").lower())
    if task.operation.is_form:
        return read_form(task.request, task.content)
    if task.operation.body is None:
        return None
    if not task.content:
        return NO_BODY
    media = task.request.media_type()
    if media not in JSON_TYPES and not media.endswith("+json"):
        text = f"Unsupported media type {media!r} in request: send `Content-Type: application/json`"
        raise ShipcliError(text, code="unsupported_media_type", status=415)
    try:
        body = json.load_strict(task.content)
    except ValueError as error:
        raise ShipcliError(f"JSON parse error - {error}", code="parse_error", status=400) from None
    if not isinstance(body, dict):
        raise Invalid("", f"must be an object, not {_name_type(body)}")
    task.limits.check(body)
    return body


def _check_unpacked(encoding: str) -> None:
    if encoding not in ("", "identity"):
        text = f"Unsupported content encoding {encoding!r} in request: send the body unpacked"
        raise ShipcliError(text, code="unsupported_media_type", status=415)


def _name_type(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def validate_body(operation: Operation, body: Any) -> Any:
    """Validate the body against its model, and the length of its texts.

    Errors: Invalid naming every wrong field; InvalidRows for a batch.
    """
    assert operation.body is not None
    try:
        check_text_lengths(body)
        return operation.body.model_validate(body)
    except (ValidationError, Invalid) as error:
        invalid = error if isinstance(error, Invalid) else Invalid.from_pydantic(error)
        raise (split_by_row(invalid, operation.rows) if operation.rows else invalid) from None


def check_text_lengths(values: Any) -> None:
    """Errors: Invalid naming every text that is longer than any field of a request may be."""
    if problems := list(find_long_texts(values)):
        raise Invalid.many(problems)


def read_query(operation: Operation, request: HttpRequest) -> dict[str, Any]:
    """The query parameters that the use-case takes; if one is repeated, the last value counts.

    Errors: Invalid naming the parameter, or all that are required and missing.
    """
    values = dict(request.query)
    read = [parameter for parameter in operation.query if not parameter.declared]
    if missing := [one.name for one in read if one.required and one.name not in values]:
        raise Invalid.many([(name, "is required") for name in missing])
    return {one.name: _read_parameter(one, values[one.name]) for one in read if one.name in values}


def _read_parameter(parameter: Parameter, text: str) -> Any:
    try:
        return parameter.read(text)
    except ValueError:
        reason = "is not a whole number" if parameter.read is int else "can't be read"
        raise Invalid(parameter.name, f"{text[:40]!r} {reason}") from None


def find_idempotency_key(task: OperationCall, body: Any) -> IdempotencyKey | None:
    """The request under its idempotency key, if it has one.

    Errors: Invalid for a key that is too long.
    """
    key = task.request.headers.get(b"idempotency-key", b"").decode("latin-1").strip()
    if not key or task.request.method != "POST" or task.operation.policy is IdempotencyPolicy.NEVER:
        return None
    if len(key) > LONGEST_KEY:
        raise Invalid("Idempotency-Key", f"must have at most {LONGEST_KEY} characters")
    request = {"body": digest_fields(body) if task.operation.is_form else body, "query": task.request.query}
    return make_idempotency_key(task.app, f"POST {task.request.path}", key, request)


# -- the call ----------------------------------------------------------------------------------


def call_use_case(task: OperationCall, body: Any) -> HttpResponse:
    """Call the use-case and return its answer.

    Errors: whatever the use-case raises.
    """
    operation = task.operation
    check_text_lengths(dict(task.request.query))
    if isinstance(operation.answer, Listing):
        return answer_list(task, operation.answer)
    if operation.stored:
        text = task.app.store.raw(operation.stored, task.values[0], task.app.test_mode)
        if text is not None:
            return responses.write_json_text(text, operation.status)
    arguments = [*task.values, *_list_given(operation, body)]
    named = read_query(operation, task.request) if operation.query else {}
    named |= {name: REQUEST_VALUES[name](task.request) for name in operation.from_request}
    answer = _perform_call(task, arguments, named, find_idempotency_key(task, body))
    response = responses.write_result(answer.value, answer.failed_with or operation.status)
    return response.with_headers(REPLAYED) if answer.is_replay else response


def _list_given(operation: Operation, body: Any) -> list[Any]:
    if operation.is_form:
        return [body]
    return [validate_body(operation, body)] if operation.body else []


def _perform_call(
    task: OperationCall, arguments: list[Any], named: dict[str, Any], request: IdempotencyKey | None
) -> RememberedResponse:
    operation, app = task.operation, task.app
    use = partial(operation.use, app, *arguments, **named)
    if request is None:
        return RememberedResponse(use())
    if operation.policy is IdempotencyPolicy.IN_TRANSACTION:
        return perform_once(app, request, partial(use, once=request))
    work = send_once if operation.policy is IdempotencyPolicy.RECORD_FIRST else remember_after
    return perform_once(app, request, partial(work, app, request, use))


def answer_list(task: OperationCall, listing: Listing) -> HttpResponse:
    """Answer with a page of a list.

    Errors: Invalid for a date that cannot be read, or an unknown status.
    """
    request = task.request
    values = dict(request.query)
    window = Window(
        request.host + request.path,
        tuple(pair for pair in request.query if pair[0] not in ("limit", "offset")),
        read_page_size(values.get("limit")),
        read_offset(values.get("offset")),
    )
    where = read_filters(listing.filters, request.values_by_name)
    count, items = task.operation.use(task.app, where, window.limit, window.offset)
    return responses.write_page(count, items, window)

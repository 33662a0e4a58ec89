"""What injected faults do to an answer of the API; every such answer names its rule."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from shipcli.api.http.request import HttpRequest, Send
from shipcli.api.http.responses import Header, HttpResponse
from shipcli.features.admin.request_log import LogEntry
from shipcli.features.sandbox.faults import EFFECTS, Encounter, choose_fault, choose_once, has_rules
from shipcli.models import Invalid, json
from shipcli.models.basics.problems import Problem
from shipcli.models.sandbox_faults import FaultRule, FaultRuleData

if TYPE_CHECKING:
    from shipcli.features.core.app import App

CONTROL_PATH, FAULT_HEADER, SCENARIO_HEADER = "/_sandbox/", "X-Sandbox-Fault", "X-Sandbox-Scenario"
_FAULT, _SCENARIO = FAULT_HEADER.lower().encode(), SCENARIO_HEADER.lower().encode()  # as they come
MOST_ANSWERS = 1000
INJECTED = b"x-sandbox-injected"
CODE = "sandbox_fault"
CHUNKS_PER_S = 10
FLAGS = frozenset({"drop", "lost", "cut", "stale"})


def read_fault(text: str) -> FaultRuleData:
    """Read a fault as a header has it: `status=503;times=2`, `drop`, `latency=2;status=504`.

    Errors: Invalid naming what can't be read, and what can.
    """
    values: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, _, value = part.partition("=")
        name = name.strip()
        if name not in FaultRuleData.model_fields or name in ("match", "carrier", "webhook"):
            names = sorted(set(FaultRuleData.model_fields) - {"match", "carrier", "webhook"})
            raise Invalid(FAULT_HEADER, f"There is no {name!r}. Known: {', '.join(names)}.")
        values[name] = True if name in FLAGS and not value else value.strip()
    try:
        return FaultRuleData.model_validate(values)
    except ValueError as error:
        raise Invalid(FAULT_HEADER, _first_reason(error)) from None


def _first_reason(error: ValueError) -> str:
    problems: tuple[Problem, ...] = Invalid.from_pydantic(error).problems  # type: ignore[arg-type]
    return f"{problems[0].field}: {problems[0].reason}"


def answer_instead(fault: FaultRule) -> HttpResponse | None:
    """The answer of a fault that answers itself; None if the request is to be carried out."""
    status = fault.status or (HTTPStatus.TOO_MANY_REQUESTS if fault.retry_after is not None else None)
    if status is None:
        return None
    body = fault.body
    if body is None:
        message = f"The sandbox was told to fail here ({fault.id})"
        body = {"errors": [{"code": CODE, "message": message}]}
    headers: list[Header] = [(b"content-type", b"application/json")]
    if fault.retry_after is not None:
        headers.append((b"retry-after", str(fault.retry_after).encode()))
    content = body.encode() if isinstance(body, str) else json.dump_bytes(body)
    return HttpResponse(int(status), content, tuple(headers))


def distort(response: HttpResponse, fault: FaultRule) -> HttpResponse:
    """Return an answer with its body cut, or of a wrong type."""
    if fault.cut:
        response = response._replace(body=response.body[: len(response.body) // 2])
    if fault.content_type:
        others = [header for header in response.headers if header[0] != b"content-type"]
        response = response._replace(
            headers=(*others, (b"content-type", fault.content_type.encode("latin-1", "replace")))
        )
    return response


def name_fault(fault: FaultRule) -> Header:
    """The header that says who made the fault."""
    return INJECTED, fault.id.encode()


async def send_slowly(send: Send, body: bytes, bytes_per_s: int) -> None:
    """Send a body in pieces, so that so many bytes arrive in a second."""
    size = max(1, bytes_per_s // CHUNKS_PER_S)
    for start in range(0, len(body), size):
        await send({"type": "http.response.body", "body": body[start : start + size], "more_body": True})
        await asyncio.sleep(1 / CHUNKS_PER_S)
    await send({"type": "http.response.body", "body": b""})


def hang_up(send: Send) -> None:
    """Close the connection without an answer.

    Errors: ConnectionAbortedError where there is no connection, in this process.
    """
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        raise ConnectionAbortedError("the connection was dropped by a fault of the sandbox")
    transport.abort()


class FaultInjector:
    """The faults of one sandbox server."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._first_answers: dict[tuple[str, str], HttpResponse] = {}

    def may_meet(self, request: HttpRequest) -> bool:
        """Whether a request can meet a fault at all: most need no look at the rules."""
        return _FAULT in request.headers or has_rules(self._app)

    def choose(self, request: HttpRequest) -> FaultRule | None:
        """The fault that a request meets: that of its header, else that of a rule."""
        if request.path.startswith(CONTROL_PATH) or request.is_for_people:
            return None
        if header := request.headers.get(_FAULT, b"").decode("latin-1"):
            with suppress(Invalid):  # the request is refused when it is read
                key = f"{request.method} {request.path} {header}"
                if fault := choose_once(self._app, read_fault(header), key):
                    return fault
        scenario = request.headers.get(_SCENARIO, b"").decode("latin-1") or None
        return choose_fault(self._app, Encounter(request.method, request.path, scenario=scenario))

    def distort(self, request: HttpRequest, response: HttpResponse, fault: FaultRule) -> HttpResponse:
        """Return an answer as a fault has it: an old one, cut, of a wrong type."""
        if fault.stale and request.method == "GET":
            response = self._show_first(request, response)
        return distort(response, fault)

    def _show_first(self, request: HttpRequest, fresh: HttpResponse) -> HttpResponse:
        """The first answer to this read."""
        if len(self._first_answers) > MOST_ANSWERS:
            self._first_answers.clear()
        query = request.scope.get("query_string", b"").decode("latin-1")
        return self._first_answers.setdefault((request.path, query), fresh)

    def make_entry(self, request: HttpRequest, fault: FaultRule, status: int) -> LogEntry:
        """The log entry that says which rule made an answer."""
        return LogEntry(
            id=request.id.decode(),
            method=request.method,
            path=request.path,
            status=status,
            caller=f"sandbox:{fault.id}",
            test_mode=True,
            started_at=self._app.now(),
            duration_ms=0.0,
            request=b"",
            response=json.dump_bytes({"injected": fault.id, "effects": list_effects(fault)}),
        )


def list_effects(fault: FaultRule) -> dict[str, Any]:
    """What a fault does, without what it does not."""
    return {name: value for name in EFFECTS if (value := getattr(fault, name))}

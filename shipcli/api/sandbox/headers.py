"""The headers with which a request controls the sandbox; elsewhere they are ignored, as the answer says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.api.http.responses import HttpResponse
from shipcli.api.sandbox.fault_effects import FAULT_HEADER, SCENARIO_HEADER, read_fault
from shipcli.features.core.sandbox_request import SandboxRequest
from shipcli.features.core.scenarios import KEY, check_scenario
from shipcli.features.sandbox.lenience import echo_empty_texts
from shipcli.models import Invalid, find_nearest, json

if TYPE_CHECKING:
    from shipcli.api.http.request import HttpRequest
    from shipcli.features.core.app import App

PREFIX = b"x-sandbox-"
IGNORED = "sandbox_ignored"
ERRORS = 400


def read_sandbox_headers(app: App, request: HttpRequest) -> SandboxRequest:
    """What the headers of a request ask of the sandbox; nothing outside one.

    Errors: Invalid naming an unknown header or value, and those that are known.
    """
    headers = request.headers
    values: dict[str, Any] = {"method": request.method, "path": request.path}
    values["request_id"] = request.id.decode()
    for name in headers if app.sandbox else ():
        if name.startswith(PREFIX):
            field, read = _find_header(name.decode("latin-1"))
            values[field] = read(headers[name].decode("latin-1").strip())
    return SandboxRequest(**values)


def _find_header(name: str) -> tuple[str, Callable[[str], Any]]:
    """Errors: Invalid listing the headers that there are."""
    known = {header.lower(): header for header in HEADERS}
    if name in known:
        return HEADERS[known[name]]
    near = find_nearest(name, known)
    hint = f" Did you mean {known[near]}?" if near else ""
    raise Invalid(name, f"There is no such header.{hint} Known: {', '.join(sorted(HEADERS))}.")


def _read_scenario(name: str) -> str:
    check_scenario(SCENARIO_HEADER, name)
    return name


HEADERS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    SCENARIO_HEADER: ("scenario", _read_scenario),
    FAULT_HEADER: ("fault", read_fault),
}


def asks_of_sandbox(headers: Mapping[bytes, bytes], body: Any) -> bool:
    """Whether a request asks anything of a sandbox."""
    if any(name.startswith(PREFIX) for name in headers):
        return True
    places = [body.get(name) for name in ("options", "metadata")] if isinstance(body, dict) else []
    return any(isinstance(place, dict) and place.get(KEY) for place in places)


def add_notice(response: HttpResponse) -> HttpResponse:
    """Return a response outside a sandbox with a message that what was asked of one was ignored."""
    try:
        answer = json.loads(response.body)
    except ValueError:
        return response
    if not isinstance(answer, dict) or not isinstance(answer.get("messages"), list):
        return response
    text = "This is no sandbox: its headers and scenarios were ignored"
    notice = {"code": IGNORED, "message": text}
    return response._replace(body=json.dump_bytes({**answer, "messages": [*answer["messages"], notice]}))


def echo_empty(body: Any, response: HttpResponse) -> HttpResponse:
    """Return a response of a lenient sandbox with "" where it has null and "" was sent."""
    if not isinstance(body, dict) or b'""' not in json.dump_bytes(body) or response.status >= ERRORS:
        return response
    return response._replace(body=json.dump_bytes(echo_empty_texts(body, json.loads(response.body))))

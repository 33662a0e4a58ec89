"""What a sandbox does with every request besides answering it: injects faults, and keeps what came."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from shipcli.api.http.request import HttpRequest
from shipcli.api.http.responses import JSON_TYPE, HttpResponse
from shipcli.api.principal import ANONYMOUS
from shipcli.api.request_log_writer import RequestLogWriter, make_log_entry
from shipcli.api.sandbox.fault_effects import CONTROL_PATH, FaultInjector, name_fault
from shipcli.carrier.sending.transport import sleep_virtually
from shipcli.features.admin.request_log import write_path
from shipcli.features.sandbox.evidence import get_requests
from shipcli.models.sandbox_faults import FaultRule

if TYPE_CHECKING:
    from shipcli.features.core.app import App


class Arrival(NamedTuple):
    """When a request came, by the clock of the sandbox and by the counter, and the fault that it meets."""

    at: datetime
    counter: float
    fault: FaultRule | None


class SandboxWatch:
    """Watches the requests of a sandbox, except those of its control plane."""

    def __init__(self, app: App, request_log: RequestLogWriter) -> None:
        self._app, self._log, self._faults = app, request_log, FaultInjector(app)

    async def meet(self, request: HttpRequest) -> Arrival:
        """The arrival of a request, once the pause of its fault is over; a fault that drops it is noted."""
        at, counter = self._app.now(), time.perf_counter()
        if not self._faults.may_meet(request):
            return Arrival(at, counter, None)
        fault = await asyncio.to_thread(self._faults.choose, request)
        if fault and fault.latency:
            await sleep_virtually(self._app.clock, fault.latency)
        if fault and fault.drop:
            self._note(request, 0, fault)
        return Arrival(at, counter, fault)

    def finish(self, request: HttpRequest, response: HttpResponse, arrival: Arrival) -> HttpResponse:
        """Return an answer as the fault has it; the request and its fault are noted."""
        fault = arrival.fault
        if not (request.is_logged or fault or is_own(request)):
            self._log_unlogged(request, response, arrival)
        if fault:
            response = self._faults.distort(request, response, fault).with_headers(name_fault(fault))
        self._note(request, response.status, fault)
        return response.with_headers((b"x-sandbox-now", self._app.now().isoformat().encode()))

    def _note(self, request: HttpRequest, status: int, fault: FaultRule | None) -> None:
        """Keep a request with the status of its answer, 0 for one that had none; its fault is in the log."""
        if fault:
            self._log.add(self._faults.make_entry(request, fault, status))
        if is_own(request):
            return
        get_requests(self._app).add(
            method=request.method,
            path=request.path,
            query=write_path(request.path, request.query).partition("?")[2],
            status=status,
            at=self._app.now().isoformat(),
            request_id=request.id.decode(),
            injected=fault.id if fault else None,
            body=request.content,
        )

    def _log_unlogged(self, request: HttpRequest, response: HttpResponse, arrival: Arrival) -> None:
        """Log a call that no operation has logged: a read, or one that was refused before."""
        caller = request.caller or replace(ANONYMOUS, test_mode=self._app.test_mode)
        took = round((time.perf_counter() - arrival.counter) * 1000, 3)
        kept = response.body if is_refused(response) else b""
        self._log.add(make_log_entry(request, caller, response.status, arrival.at, took, answer=kept))


def is_own(request: HttpRequest) -> bool:
    """Whether a request is for the control plane or for people who look on: no test expects it."""
    return request.path.startswith(CONTROL_PATH) or request.is_for_people


def is_refused(response: HttpResponse) -> bool:
    """Whether a response is an error with a JSON body, short enough to be kept."""
    return response.status >= HTTPStatus.BAD_REQUEST and JSON_TYPE in response.headers

"""What a sandbox does with every request besides answering it: injects faults, and keeps what came."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from shipcli.api.fault_effects import CONTROL_PATH, FaultInjector, name_fault
from shipcli.api.principal import ANONYMOUS
from shipcli.api.request import HttpRequest
from shipcli.api.request_log_writer import RequestLogWriter
from shipcli.api.responses import JSON_TYPE, HttpResponse
from shipcli.carrier.sending.transport import sleep_virtually
from shipcli.features.admin.request_log import LogEntry, write_path
from shipcli.features.sandbox.evidence import get_requests
from shipcli.models.sandbox_faults import FaultRule

if TYPE_CHECKING:
    from shipcli.features.core.app import App


Begin = tuple[datetime, float]  # when a request came, by the clock of the sandbox and by the counter


class SandboxWatch:
    """Watches the requests of a sandbox, except those of its control plane."""

    def __init__(self, app: App, request_log: RequestLogWriter) -> None:
        self._app, self._log, self._faults = app, request_log, FaultInjector(app)

    async def meet(self, request: HttpRequest) -> FaultRule | None:
        """The fault that a request meets, once its pause is over; one that drops it is noted."""
        if not self._faults.may_meet(request):
            return None
        fault = await asyncio.to_thread(self._faults.choose, request)
        if fault and fault.latency:
            await sleep_virtually(self._app.clock, fault.latency)
        if fault and fault.drop:
            self._note(request, 0, fault)
        return fault

    def finish(
        self, request: HttpRequest, response: HttpResponse, fault: FaultRule | None, since: Begin
    ) -> HttpResponse:
        """Return an answer as the fault has it; the request and its fault are noted."""
        if not (request.is_logged or fault or request.path.startswith(CONTROL_PATH)):
            self._log.add(self._make_log_entry(request, response, *since))
        if fault:
            response = self._faults.distort(request, response, fault).with_headers(name_fault(fault))
        self._note(request, response.status, fault)
        return response.with_headers((b"x-sandbox-now", self._app.now().isoformat().encode()))

    def _note(self, request: HttpRequest, status: int, fault: FaultRule | None) -> None:
        """Keep a request with the status of its answer, 0 for one that had none; its fault is in the log."""
        if fault:
            self._log.add(self._faults.make_entry(request, fault, status))
        if request.path.startswith(CONTROL_PATH):
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

    def _make_log_entry(
        self, request: HttpRequest, response: HttpResponse, started: datetime, begun: float
    ) -> LogEntry:
        """The entry of a call that no operation has logged: a read, or one that was refused before."""
        caller = request.caller
        return LogEntry(
            id=request.id.decode(),
            method=request.method,
            path=write_path(request.path, request.query),
            status=response.status,
            caller=(caller or ANONYMOUS).name,
            test_mode=caller.test_mode if caller else self._app.test_mode,
            started_at=started,
            duration_ms=round((time.perf_counter() - begun) * 1000, 3),
            request=b"",
            response=response.body if is_refused(response) else b"",
        )


def is_refused(response: HttpResponse) -> bool:
    """Whether a response is an error with a JSON body, short enough to be kept."""
    return response.status >= HTTPStatus.BAD_REQUEST and JSON_TYPE in response.headers

"""Keeps the requests that a sandbox was sent, for tests that ask what came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.api.fault_effects import CONTROL_PATH
from shipcli.api.request import HttpRequest
from shipcli.features.admin.request_log import write_path
from shipcli.features.sandbox.evidence import get_requests
from shipcli.models.sandbox_faults import FaultRule

if TYPE_CHECKING:
    from shipcli.features.core.app import App


class RequestRecorder:
    """Records every request of a sandbox but those of its control plane; nothing elsewhere."""

    def __init__(self, app: App) -> None:
        self._app = app

    def add(self, request: HttpRequest, status: int, fault: FaultRule | None) -> None:
        """Record a request with the status of its answer, 0 for one that had none."""
        if not self._app.sandbox or request.path.startswith(CONTROL_PATH):
            return
        query = write_path(request.path, request.query).partition("?")[2]
        get_requests(self._app).add(
            method=request.method,
            path=request.path,
            query=query,
            status=status,
            at=self._app.now().isoformat(),
            request_id=request.id.decode(),
            injected=fault.id if fault else None,
            body=request.content,
        )

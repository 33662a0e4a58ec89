"""What the headers of a request ask of the sandbox, for the code that answers it in the same thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.models.sandbox_faults import FaultRuleData


@dataclass(frozen=True)
class SandboxRequest:
    """What a request asks of the sandbox besides what its body says."""

    method: str = ""
    path: str = ""
    scenario: str | None = None
    fault: FaultRuleData | None = None  # made before the request is read
    request_id: str = ""


NOTHING = SandboxRequest()
_current: ContextVar[SandboxRequest] = ContextVar("sandbox_request")


def get_sandbox_request() -> SandboxRequest:
    """What the request being answered in this thread asks."""
    return _current.get(NOTHING)


@contextmanager
def answer_for(request: SandboxRequest) -> Iterator[None]:
    """Answer a request in the block."""
    token = _current.set(request)
    try:
        yield
    finally:
        _current.reset(token)

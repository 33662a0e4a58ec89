"""What the contract tests share: which carriers a test is for, and the questions they all ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import CancelRequest
from tests.carriers.bench import AnyCarrier, Bench, said
from tests.carriers.errands import DELIVERED, destination

F = TypeVar("F", bound=Callable[..., None])
__all__ = ["DELIVERED", "FAILED", "READERS_FAULT", "UNDER_WAY", "needs", "refused", "track", "void"]
READERS_FAULT = "unreadable_reply"
UNDER_WAY, FAILED = "SC0100000002", "SC0700000006"  # one whose journey goes on, one whose journey failed


def needs(
    *verbs: str, network: bool = False, when: Callable[[AnyCarrier], bool] | None = None
) -> Callable[[F], F]:
    """Run a test for the carriers that have these verbs (and, if so said, ask somebody, or fit)."""

    def mark(test: F) -> F:
        test.needs, test.network, test.when = verbs, network, when  # type: ignore[attr-defined]
        return test

    return mark


def refused(outcome: FlowOutcome[Any]) -> bool:
    """No result (or a success that is false), a reason, and the reason was understood."""
    good = outcome.result is not None and getattr(outcome.result, "success", True)
    return not good and bool(outcome.messages) and READERS_FAULT not in said(outcome)


def void(bench: Bench, number: str) -> FlowOutcome[Any]:
    service = bench.service() if bench.carrier_class.can("ship") else None
    request = CancelRequest(shipment_identifier=number, service=service, options=destination(bench))
    return bench.ask("void", request)


def track(bench: Bench, *numbers: str) -> FlowOutcome[Any]:
    return bench.ask("track", bench.tracking(*numbers))

"""What every carrier promises of a refused purchase: it is a refusal, unless something may have been sold."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.sending.flow_runner import FlowOutcome
from shipcli.carrier.wire.soap import make_soap_fault
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, KEY
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

pytestmark = pytest.mark.usefixtures("impatient")
SITUATIONS = ("no_service", "over_limit", "invalid", "bad_login")
SENDER, SERVER = ("Client", "Client.Authentication", "MustUnderstand"), ("Server", "Server.userException")


def speaks_soap(carrier_class: AnyCarrier) -> bool:
    folder = Path(inspect.getfile(carrier_class)).parent
    return any("carrier.wire.soap" in module.read_text("utf-8") for module in folder.glob("*.py"))


def answer_sale(bench: Bench, answer: Callable[[Request], Reply | None]) -> FlowOutcome[Any]:
    """What a purchase comes to whose first call that spends money is answered so."""
    bench.bought()  # so that the log-ins are over
    request, tap = ERRANDS["ship"](bench), Tap(bench)
    bench.calls.clear()

    def instead(request: Request) -> Reply | None:
        return None if not bench.calls or bench.calls[-1].may_repeat else answer(request)

    tap.instead = instead
    outcome = bench.ask("ship", request, key=KEY)
    bench.close()
    return outcome


def refuse(bench: Bench, situation: str, request: Request) -> Reply:
    """The carrier's refusal of a situation, in its form."""
    simulator: Any = registry.get_simulator(bench.carrier_class.slug)(bench.ledger, lambda: bench.now)
    simulator.request = request
    reply: Reply = simulator.refuse(simulator.refusal(situation, about="SO-1"))
    return reply


@needs("ship", network=True)
def test_a_refusal_in_the_carriers_own_form_is_no_unknown_outcome(carrier_class: AnyCarrier) -> None:
    for situation in SITUATIONS:
        bench = Bench(carrier_class, lane(carrier_class))
        outcome = answer_sale(bench, partial(refuse, bench, situation))
        assert (outcome.failed, outcome.unknown) == (True, False), f"{situation}: {said(outcome)}"


@needs("ship", network=True)
def test_an_answer_of_a_server_that_broke_is_an_unknown_outcome(carrier_class: AnyCarrier) -> None:
    broken = Reply(502, b"<html>Bad gateway</html>")
    outcome = answer_sale(Bench(carrier_class, lane(carrier_class)), lambda request: broken)
    assert (outcome.failed, outcome.unknown) == (True, True), said(outcome)


@needs("ship", network=True, when=speaks_soap)
def test_a_fault_of_the_message_is_a_refusal_and_one_of_the_server_is_not(carrier_class: AnyCarrier) -> None:
    for code, status, unknown in [
        *((code, status, False) for code in SENDER for status in (200, 400, 500)),
        *((code, status, True) for code in SERVER for status in (200, 500)),
    ]:
        fault = make_soap_fault(code, "The message could not be read", status)
        outcome = answer_sale(Bench(carrier_class, lane(carrier_class)), lambda request, fault=fault: fault)  # type: ignore[misc]
        assert (outcome.failed, outcome.unknown) == (True, unknown), f"{code} {status}: {said(outcome)}"

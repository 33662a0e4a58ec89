"""What every carrier promises of a refused purchase: it is a refusal, unless something may have been sold."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli.carrier import Reply, Request, registry
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.carrier.wire.soap import make_soap_fault
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, KEY
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

pytestmark = pytest.mark.usefixtures("impatient")
SITUATIONS = ("no_service", "over_limit", "invalid", "bad_login")
# Refusals in forms of others: of gateways in front of a carrier, and of versions that are not published yet.
OTHER_FORMS: Mapping[str, Reply] = {
    "page": Reply(413, b"<html><head><title>Too large</title></head><body><h1>Too large</h1></body></html>"),
    "nothing": Reply(400),
    "empty": Reply(400, b"{}"),
    "nulls": Reply(400, b'{"errors": [null], "error": null, "message": null, "detail": null}'),
    "texts": Reply(400, b'{"errors": ["Too heavy"], "error": "invalid_request"}'),
    "fields": Reply(400, b'{"errors": {"weight": ["Too heavy"]}, "title": "Not valid", "status": 400}'),
    "rows": Reply(400, b'[{"code": "E1", "message": "Too heavy"}, null]'),
    "gateway": Reply(403, b'{"fault": {"faultstring": "No quota", "detail": {"errorcode": "quota"}}}'),
}
CODE_WORDS = ("<", "None", "{'", "['")  # in what people are told
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
def test_a_refusal_in_a_form_of_others_is_told_in_words(carrier_class: AnyCarrier) -> None:
    for name, reply in OTHER_FORMS.items():
        bench = Bench(carrier_class, lane(carrier_class))
        outcome = answer_sale(bench, lambda request, reply=reply: reply)  # type: ignore[misc]
        texts = [message.message or "" for message in outcome.messages]
        codes = [message.code or "" for message in outcome.messages]
        odd = [text for text in (*texts, *codes) for word in CODE_WORDS if word in text]
        assert texts, name
        assert all(texts), f"{name}: {outcome.messages}"
        assert not odd, f"{name}: {odd}"


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

"""What every carrier promises when things go wrong: messages, no lost purchase, no secret told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from shipcli.carrier import Call, registry
from shipcli.carrier.base import RETIRED
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.carrier.sending.transport import RetiredTransport
from shipcli.models import json as plain_json
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, run_errand, verbs_of
from tests.carriers.promises import DELIVERED, READERS_FAULT, needs, refused, track, void

UPSETS = ("garbled", "error", "closed", "slow", "unavailable", "rate_limited")


# -- when things go wrong --------------------------------------------------------------------------


def first_ask(bench: Bench) -> FlowOutcome[Any]:
    """The cheapest question the carrier answers; prices of a rate sheet ask nobody."""
    kind = bench.carrier_class
    if kind.can("rate") and not kind.service_levels:
        return bench.quote()
    return track(bench, DELIVERED) if kind.can("track") else bench.buy()


@needs(network=True)
def test_wrong_credentials_are_a_message(carrier_class: AnyCarrier) -> None:
    secrets = dict.fromkeys(carrier_class.secret_fields(), "denied-secret")
    bench = Bench(carrier_class, lane(carrier_class), credentials=secrets)
    outcome = first_ask(bench)
    bench.close()
    assert refused(outcome) or (not outcome.result and outcome.messages), said(outcome)
    assert READERS_FAULT not in said(outcome)


@pytest.mark.parametrize("scenario", UPSETS)
@pytest.mark.usefixtures("impatient")
@needs(network=True)
def test_a_carrier_that_is_upset_gives_messages(carrier_class: AnyCarrier, scenario: str) -> None:
    patience = 0.05 if scenario == "slow" else 30.0
    bench = Bench(carrier_class, lane(carrier_class), scenario=scenario, timeout_s=patience)
    outcome = first_ask(bench)
    bench.close()
    assert not outcome.result
    assert outcome.messages


@pytest.mark.parametrize("scenario", ["garbled", "error", "closed", "slow"])
@pytest.mark.usefixtures("impatient")
@needs("ship", network=True)
def test_a_purchase_nobody_answered_is_of_unknown_outcome(bench: Bench, scenario: str) -> None:
    bench.bought()
    request = bench.request()
    bench.scenario, bench.timeout_s = scenario, 0.05 if scenario == "slow" else 30.0
    bench.calls.clear()
    outcome = bench.ask("ship", request, key="e" * 32)
    assert outcome.failed
    assert outcome.messages
    assert outcome.unknown == any(not call.may_repeat for call in bench.calls)


def asks_for_paper(calls: Sequence[Call]) -> bool:
    """Whether the latest call of a purchase reads what was bought by one before it."""
    return calls[-1].may_repeat and not all(call.may_repeat for call in calls)


@pytest.mark.usefixtures("impatient")
@needs("ship", "fetch_label", network=True)
def test_a_purchase_whose_file_is_lost_is_bought_and_its_label_fetched_later(bench: Bench) -> None:
    request = bench.request()
    bench.calls.clear()
    bench.loses = lambda sent: asks_for_paper(bench.calls)
    outcome = bench.ask("ship", request, key="e" * 32)
    if outcome.result:
        assert outcome.result.docs["label"]  # it comes with the purchase, or by another way
        return
    assert outcome.paid, said(outcome)
    bench.loses = lambda sent: False
    label = bench.fetch_label(outcome.paid, request)
    assert label.result, said(label)
    assert label.result.tracking_number == outcome.paid.tracking_number
    assert label.result.docs["label"]


@needs("ship", network=True)
def test_no_secret_and_no_label_is_kept_in_a_trace(bench: Bench) -> None:
    label = bench.bought()
    if bench.carrier_class.can("track"):
        track(bench, label.tracking_number)
    if bench.carrier_class.can("void"):
        void(bench, label.shipment_identifier or "")
    kept = "\n".join(plain_json.dumps([one.request, one.response]) for one in bench.traces)
    secrets = [*bench.carrier().secrets(), *(token.value for token in bench.known_tokens())]
    assert kept
    authorised = [one.request["headers"].get("Authorization", "***") for one in bench.traces]
    assert set(authorised) == {"***"}
    assert [secret for secret in secrets if len(secret) >= 3 and secret in kept] == []
    assert label.docs["label"][:500] not in kept


@needs("rate")
def test_the_same_question_has_the_same_answer(carrier_class: AnyCarrier) -> None:
    answers = []
    for _ in range(2):
        bench = Bench(carrier_class, lane(carrier_class))
        answers.append(plain_json.dumps([quote.model_dump() for quote in bench.quote().result or []]))
        bench.close()
    assert answers[0] == answers[1]
    assert answers[0] != "[]"


@needs(network=True, when=lambda carrier: carrier.retired is not None)
def test_a_carrier_whose_api_is_off_is_not_asked_and_names_another(carrier_class: AnyCarrier) -> None:
    assert carrier_class.retired in {"", *registry.list_slugs()}
    for verb in verbs_of(carrier_class):
        bench = Bench(carrier_class, lane(carrier_class))
        request = ERRANDS[verb](bench)
        bench.driver.transport_of = lambda carrier: RetiredTransport(carrier_class)
        outcome = run_errand(bench, verb, request)
        bench.close()
        told = {message.code for message in outcome.messages}
        assert (verb, outcome.result or None, told, outcome.unknown) == (verb, None, {RETIRED}, False)

"""What one question to one carrier comes to: done, done before, refused, or not known."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.carrier.sending.jobs import CarrierJob, FlowOutcome
from shipcli.features.connections import accounts
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.core.app import App
from shipcli.features.shipments import proxy
from shipcli.models import (
    Confirmation,
    Message,
    OutcomeUnknown,
    Refused,
    Shipment,
    ShipmentCancelData,
)
from tests.features.shipments.purchases import bought, set_scenario


def void(app: App, sold: Shipment, carrier: str) -> Confirmation:
    """Asked for past the store, as a client of the proxy does."""
    given = {"shipment_identifier": sold.shipment_identifier, "service": sold.service}
    answer = proxy.void_label(app, carrier, ShipmentCancelData.model_validate(given))
    return Confirmation.model_validate(answer.confirmation, from_attributes=True)


@pytest.mark.parametrize("carrier", ["ups", "usps", "canadapost"])
def test_a_label_that_is_voided_twice_is_voided(timed: App, carrier: str) -> None:
    sold = bought(timed, carrier)
    for _ in range(2):
        done = void(timed, sold, carrier)
        assert (done.success, done.operation) == (True, "Cancel Shipment")


def test_a_refusal_is_told_in_the_carriers_name(timed: App) -> None:
    sold = bought(timed, "usps")
    unknown = sold.model_copy(update={"shipment_identifier": "9234690000004299999999"})
    with pytest.raises(Refused) as caught:
        void(timed, unknown, "usps")
    assert {(one.carrier_name, one.carrier_id) for one in caught.value.messages} == {("usps", "usps")}


@pytest.mark.parametrize("scenario", ["closed", "garbled"])
def test_of_a_lost_answer_it_is_said_whose_it_is_and_what_to_do(timed: App, scenario: str) -> None:
    sold = bought(timed, "usps")
    set_scenario(timed, "usps", scenario)
    with pytest.raises(OutcomeUnknown) as caught:
        void(timed, sold, "usps")
    said = caught.value.messages[-1]
    assert (said.code, said.carrier_name, said.carrier_id) == ("outcome_unknown", "usps", "usps")
    assert said.message == "It is not known whether the void took effect: the same again finds out"


# -- what no simulator says: the driver is handed the outcome --------------------------------------


class GivenOutcome:
    """A driver whose carrier comes to a given outcome."""

    def __init__(self, outcome: FlowOutcome[Any]) -> None:
        self.outcome = outcome

    def run(self, job: CarrierJob) -> FlowOutcome[Any]:
        return self.outcome


def ask(app: App, monkeypatch: pytest.MonkeyPatch, verb: str, outcome: FlowOutcome[Any]) -> Any:
    """What is made of an outcome with UPS."""
    (account,) = accounts.choose(app, "shipping", carrier_name="ups")
    monkeypatch.setitem(app.shared, "driver", GivenOutcome(outcome))
    return ask_carrier(app, account, verb, ShipmentCancelData(shipment_identifier="1Z"))


def test_a_refusal_without_a_word_is_put_into_words(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = FlowOutcome(Confirmation(success=False, operation="Cancel Shipment"))
    with pytest.raises(Refused) as caught:
        ask(app, monkeypatch, "cancel_pickup", refused)
    (said,) = caught.value.messages
    assert (said.code, said.carrier_name, said.carrier_id) == ("refused", "ups", "ups")
    assert said.message == "The carrier did not cancel pickup and gave no reason"


def test_a_result_that_knows_no_success_is_one(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    note = Message(message="by the way")
    assert ask(app, monkeypatch, "pickup", FlowOutcome("a form", [note])) == ("a form", [note])


@pytest.mark.parametrize("code", ["timeout", "unreadable_reply"])
@pytest.mark.parametrize(
    ("verb", "then"),
    [("void", "the same again finds out"), ("schedule_pickup", "look with the carrier first")],
)
def test_what_is_done_once_is_in_doubt_after_a_lost_answer(
    app: App, monkeypatch: pytest.MonkeyPatch, verb: str, then: str, code: str
) -> None:
    lost = FlowOutcome(None, [Message(code="other"), Message(code=code)], failed=True)
    with pytest.raises(OutcomeUnknown) as caught:
        ask(app, monkeypatch, verb, lost)
    assert caught.value.messages[-1].message.endswith(then)
    assert len(caught.value.messages) == 3


@pytest.mark.parametrize(("verb", "code"), [("rate", "timeout"), ("void", "invalid_number")])
def test_anything_else_is_a_refusal(app: App, monkeypatch: pytest.MonkeyPatch, verb: str, code: str) -> None:
    said = Message(code=code)
    with pytest.raises(Refused) as caught:
        ask(app, monkeypatch, verb, FlowOutcome(None, [said], failed=True))
    assert caught.value.messages == [said]


def test_what_may_have_been_done_is_in_doubt_whatever_is_said(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OutcomeUnknown):
        ask(app, monkeypatch, "rate", FlowOutcome(None, [], failed=True, unknown=True))

"""What one question to one carrier comes to: done, done before, refused, or not known."""

from __future__ import annotations

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import proxy
from shipcli.models import Confirmation, OutcomeUnknown, Refused, Shipment, ShipmentCancelData
from tests.services.test_voids import bought, set_scenario


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
    unknown = sold.changed(shipment_identifier="9234690000004299999999")
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

"""Labels taken back once: after a crash, after a lost answer, by several at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from shipcli.carriers.usps import Usps

from shipcli.features.admin import settlement
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections import service as connections
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.connections.intent_states import VOID
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.processes import name_process
from shipcli.features.paper.printing import print_jobs as print_jobs
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_requests import Paper
from shipcli.features.shipments import proxy, voids
from shipcli.features.shipments import resolution as purchase_resolution
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Conflict,
    ConnectionData,
    Invalid,
    NotFound,
    OutcomeUnknown,
    Refused,
    Shipment,
    ShipmentCancelData,
    ShipmentResolveData,
)
from tests.factories import PARCEL, draft
from tests.features.conftest import listen, live_labels, perform_keyed
from tests.features.connections.samples import UPS
from tests.features.shipments.purchases import announced, bought, is_open, set_scenario, status

SYDNEY = {
    "person_name": "Ann Ito", "address_line1": "1 George St", "city": "Sydney", "state_code": "NSW",
    "postal_code": "2000", "country_code": "AU",
}  # fmt: skip
CARRIERS = ("ups", "usps", "canadapost", "generic")


def void_at_carrier(app: App, shipment: Shipment) -> None:
    """What a client does past the store, and what a process had done that died before it could note it."""
    given = {"shipment_identifier": shipment.shipment_identifier, "service": shipment.service}
    proxy.void_label(app, str((shipment.meta or {}).get("ext") or shipment.carrier_name),
                     ShipmentCancelData.model_validate(given))  # fmt: skip


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_label_that_was_voided_past_us_can_still_be_cancelled(timed: App, carrier: str) -> None:
    sold = bought(timed, carrier)
    void_at_carrier(timed, sold)
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"
    assert not is_open(timed)


def test_a_refund_that_was_requested_past_us_counts_as_done(timed: App) -> None:
    sold = bought(timed, "canadapost", options={"canadapost_submit_shipment": True})
    for _ in range(2):
        given = {"shipment_identifier": sold.shipment_identifier, "options": {"email": "dock@example.com"}}
        proxy.void_label(timed, "canadapost", ShipmentCancelData.model_validate(given))
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"


def test_a_carrier_that_knows_a_job_by_where_it_goes_is_told_so(timed: App) -> None:
    sold = bought(timed, "allied_express", shipper=SYDNEY, recipient={**SYDNEY, "postal_code": "2010"})
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"
    assert live_labels(timed) == {}


def test_a_label_that_can_no_longer_be_voided_stays_good(timed: App) -> None:
    sold = bought(timed, "usps")
    record = timed.ledger.get("usps", "label", str(sold.tracking_number)) or {}
    timed.ledger.put("usps", "label", str(sold.tracking_number), {**record, "manifested_at": "2031-05-07"})
    with pytest.raises(Refused, match="SCAN form"):
        shipments.cancel_shipment(timed, sold.id)
    assert status(timed, sold) == "purchased"
    assert not is_open(timed)


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("reached", [True, False], ids=["the carrier was asked", "it was not"])
def test_a_void_that_a_dead_process_left_open_is_finished_by_the_same_again(
    timed: App, carrier: str, reached: bool
) -> None:
    sold = bought(timed, carrier)
    announced(timed, sold)
    if reached:
        void_at_carrier(timed, sold)
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"
    assert live_labels(timed) == {}
    assert not is_open(timed)


def test_a_void_that_a_dead_process_left_open_is_finished_by_the_worker(timed: App) -> None:
    sold = bought(timed)
    announced(timed, sold)
    settlement.settle_all(timed)
    assert (status(timed, sold), live_labels(timed)) == ("cancelled", {})


def test_a_keyed_void_that_died_is_answered_by_its_key(timed: App) -> None:
    sold = bought(timed)
    once = idempotency.make_idempotency_key(timed, "cancel", "k", None)
    idempotency.claim(timed, once)
    announced(timed, sold, once)
    void_at_carrier(timed, sold)
    with timed.store.transaction() as tx:
        mark = {"owner": f"{name_process().partition('/')[0]}/999999999/1", "sent": True}
        tx.update("idempotency", once.where, {"response": mark})
    for _ in range(2):
        found = perform_keyed(timed, once, shipments.cancel_shipment, sold.id)
        assert found["status"] == "cancelled"


@pytest.mark.parametrize("scenario", ["error", "garbled", "closed"])
def test_a_void_whose_answer_is_lost_stays_open_and_is_asked_again(timed: App, scenario: str) -> None:
    sold = bought(timed, "usps")
    set_scenario(timed, "usps", scenario)
    with pytest.raises(OutcomeUnknown, match="the same again"):
        shipments.cancel_shipment(timed, sold.id)
    assert status(timed, sold) == "purchased"
    assert is_open(timed)
    set_scenario(timed, "usps", None)
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"
    assert live_labels(timed) == {}


def test_of_several_that_cancel_at_once_one_asks_the_carrier(timed: App) -> None:
    sold = bought(timed)

    def cancel(_: int) -> str:
        try:
            return shipments.cancel_shipment(timed, sold.id).status
        except Conflict:
            return "conflict"

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(cancel, range(8)))
    assert answers == ["cancelled", *["conflict"] * 7]
    asked = timed.store.select("traces", {"verb": "void"})
    assert len(asked) == 1


def test_a_label_whose_void_is_open_is_not_printed(timed: App) -> None:
    sold = bought(timed)
    queued = Paper(printers.LABEL, sold.id, "spool:/tmp/none")
    announced(timed, sold)
    (refused,) = print_jobs.enqueue(timed, [queued])
    assert isinstance(refused, Conflict)
    assert "being voided" in refused.message
    assert f"shipcli void {sold.tracking_number}" in refused.message


def test_a_shipment_whose_void_is_open_is_not_voided_beside_it(timed: App) -> None:
    sold = bought(timed)
    account = accounts.choose(timed, "shipping", carrier_name="ups")[0]
    action = CarrierAction(VOID, timed.new_id(""), sold.id, account.id, (sold.id,))
    intent_actions.announce(timed, action, account)  # by this process, which lives
    with pytest.raises(Conflict, match="right now"):
        shipments.cancel_shipment(timed, sold.id)
    with pytest.raises(Conflict, match="is being voided"):
        intent_actions.announce(timed, action, account)


def test_every_piece_of_a_half_voided_shipment_is_voided_in_the_end(timed: App) -> None:
    sold = bought(timed, "usps", parcels=[PARCEL, PARCEL])
    given = {"shipment_identifier": (sold.meta or {})["shipment_identifiers"][1]}
    proxy.void_label(timed, "usps", ShipmentCancelData.model_validate(given))
    assert shipments.cancel_shipment(timed, sold.id).status == "cancelled"
    assert live_labels(timed) == {}


def test_a_void_names_the_connection_the_service_and_every_piece(
    timed: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = listen(monkeypatch, Usps, "void")
    several, single = bought(timed, "usps", parcels=[PARCEL, PARCEL]), bought(timed, "usps")
    for one in (several, single):
        shipments.cancel_shipment(timed, one.id)
    pieces = (several.meta or {})["shipment_identifiers"]
    assert len(pieces) == 2
    assert [request.carrier_id for request in asked] == ["usps", "usps"]
    assert [request.service for request in asked] == [several.service, single.service]
    assert [request.options.get("shipment_identifiers") for request in asked] == [pieces, None]


def test_a_shipment_of_the_other_mode_is_not_cancelled(timed: App) -> None:
    sold = bought(timed)
    with pytest.raises(NotFound, match=sold.id):
        shipments.cancel_shipment(timed.in_mode(False), sold.id)
    with pytest.raises(NotFound, match=sold.id):
        voids.store_cancelled(timed.in_mode(False), sold)
    assert (status(timed, sold), len(live_labels(timed))) == ("purchased", 1)


def test_a_draft_is_cancelled_once_under_its_key(timed: App) -> None:
    made = shipments.create_shipment(timed, draft(carrier_ids=["ups"]))
    once = idempotency.make_idempotency_key(timed, "cancel", "k", None)
    answers = [perform_keyed(timed, once, shipments.cancel_shipment, made.id) for _ in range(2)]
    assert (answers[0], answers[0]["status"]) == (answers[1], "cancelled")


def test_two_processes_do_not_cancel_the_same_shipment_at_once(timed: App) -> None:
    sold = bought(timed)
    with hold_locks(timed, [f"void/{sold.id}"], "taken"), pytest.raises(Conflict, match="right now"):
        shipments.cancel_shipment(timed, sold.id)


def test_what_is_said_of_a_void_is_noted_with_its_shipment(timed: App) -> None:
    sold = bought(timed, "usps")
    shipments.cancel_shipment(timed, sold.id)
    assert {row["object_id"] for row in timed.store.select("traces", {"verb": "void"})} == {sold.id}


def test_a_wish_whose_shipment_was_cancelled_meanwhile_ends(timed: App) -> None:
    sold = bought(timed)
    announced(timed, sold)
    void_at_carrier(timed, sold)
    voids.store_cancelled(timed, sold)
    settlement.settle_all(timed)
    assert not is_open(timed)


def open_without_connection(app: App) -> Shipment:
    """A void that a dead process left open, whose connection was removed."""
    sold = bought(app)
    action = announced(app, sold)
    connections.remove_connection(app, action.connection_id)
    return sold


def test_a_void_whose_connection_is_gone_names_the_way_out(timed: App) -> None:
    sold = open_without_connection(timed)
    settlement.settle_all(timed)
    with pytest.raises(Conflict, match=f"shipments resolve {sold.tracking_number} --voided or --not-voided"):
        shipments.cancel_shipment(timed, sold.id)
    assert is_open(timed)


def test_a_void_whose_connection_was_added_again_is_finished(timed: App) -> None:
    sold = open_without_connection(timed)
    account = {"carrier_name": "ups", "carrier_id": "ups", "credentials": UPS}
    connections.add_connection(timed, ConnectionData.model_validate(account))
    settlement.settle_all(timed)
    assert (status(timed, sold), live_labels(timed), is_open(timed)) == ("cancelled", {}, False)


@pytest.mark.parametrize(("is_void", "became"), [(True, "cancelled"), (False, "purchased")])
def test_a_person_says_what_became_of_a_void_and_may_say_it_again(
    timed: App, is_void: bool, became: str
) -> None:
    sold = open_without_connection(timed)
    for _ in range(2):
        said = purchase_resolution.resolve_shipment(
            timed, sold.id, ShipmentResolveData.model_validate({"voided": is_void})
        )
        assert (said.status, status(timed, sold), is_open(timed)) == (became, became, False)


def test_of_a_void_that_is_over_nothing_else_is_said(timed: App) -> None:
    sold = bought(timed)
    with pytest.raises(Conflict, match="no void"):
        voids.resolve_void(timed, sold.id, is_void=True)
    with pytest.raises(Invalid):
        purchase_resolution.resolve_shipment(timed, sold.id, ShipmentResolveData())


def test_a_shipment_that_is_not_there_is_named_when_it_is_to_be_cancelled(timed: App) -> None:
    with pytest.raises(NotFound, match="Shipment shp_nobody not found"):
        shipments.cancel_shipment(timed, "shp_nobody")

"""FedEx Web Service: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shipcli.carriers.fedex_ws import FedexWs

from shipcli.carrier import Reply, Request
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import ERRANDS, run_errand
from tests.carriers.tap import Tap, refuse


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(FedexWs)
    yield made
    made.close()


def test_further_parcels_name_the_first_which_names_the_shipment(bench: Bench) -> None:
    tap, boxes = Tap(bench), (parcel("1"), parcel("2"), parcel("3"))
    outcome = bench.buy(*boxes, service="fedex_ground")
    label = outcome.result
    assert label, said(outcome)
    assert label.meta["tracking_numbers"][0] == label.tracking_number == label.shipment_identifier
    bought = [one.content for one in tap.sent if b"ProcessShipmentRequest" in one.content]
    named = [b"MasterTrackingId" in content for content in bought]
    assert named == [False, True, True]
    quotes = {one.service: one.total_charge for one in bench.quote(*boxes).result or []}
    assert label.selected_rate
    assert label.selected_rate.total_charge == quotes["fedex_ground"]


def test_parcels_are_deleted_when_one_of_them_is_refused(bench: Bench) -> None:
    tap, count = Tap(bench), 0

    def refuse_the_third(request: Request) -> Reply | None:
        nonlocal count
        count += b"ProcessShipmentRequest" in request.content
        return refuse(bench, request) if count == 3 and b"ProcessShipment" in request.content else None

    tap.instead = refuse_the_third
    outcome = bench.buy(parcel(), parcel(), parcel(), service="fedex_ground")
    labels = bench.ledger.find("fedex_ws", "label")
    assert (outcome.result, outcome.unknown) == (None, False)
    assert [bool(one["voided_at"]) for one in labels] == [True, True]


def test_an_unclear_end_of_the_old_collection_leaves_the_new_one_and_says_so(bench: Bench) -> None:
    change, tap = ERRANDS["update_pickup"](bench), Tap(bench)
    tap.instead = lambda request: Reply(500) if b"CancelPickupRequest" in request.content else None
    outcome = run_errand(bench, "update_pickup", change)
    standing = [one for one in bench.ledger.find("fedex_ws", "pickup") if not one["cancelled_at"]]
    assert (outcome.result, outcome.unknown, len(standing)) == (None, True, 2)
    assert all(one["number"] in said(outcome) for one in standing)


def test_numbers_to_bill_by_and_the_way_to_fedex_go_out(bench: Bench) -> None:
    tap = Tap(bench)
    options = {
        "fedex_po_number": "PO-7",
        "fedex_department_number": "D-8",
        "fedex_rma_number": "R-9",
        "fedex_pickup_type": "contact_fedex_to_schedule",
    }
    request = ERRANDS["ship"](bench)
    outcome = run_errand(
        bench,
        "ship",
        request.model_copy(update={"reference": "SO-1", "options": {**request.options, **options}}),
    )
    assert outcome.result, said(outcome)
    text = next(one.content.decode() for one in tap.sent if b"ProcessShipmentRequest" in one.content)
    for kind, number in (
        ("CUSTOMER_REFERENCE", "SO-1"),
        ("P_O_NUMBER", "PO-7"),
        ("DEPARTMENT_NUMBER", "D-8"),
        ("RMA_ASSOCIATION", "R-9"),
    ):
        assert f"CustomerReferenceType>{kind}<" in text.replace("v26:", "")
        assert f"Value>{number}<" in text.replace("v26:", "")
    assert "DropoffType>REQUEST_COURIER<" in text


@pytest.mark.parametrize(
    ("name", "value"), [("fedex_pickup_type", "by mule"), ("fedex_rma_number", "9" * 21)]
)
def test_a_word_or_number_that_fedex_does_not_take_is_refused_by_name(
    bench: Bench, name: str, value: str
) -> None:
    tap, request = Tap(bench), ERRANDS["ship"](bench)
    outcome = run_errand(
        bench, "ship", request.model_copy(update={"options": {**request.options, name: value}})
    )
    assert f"options.{name}" in said(outcome)
    assert not any(b"ProcessShipmentRequest" in one.content for one in tap.sent)

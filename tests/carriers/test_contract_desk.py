"""What every carrier promises beside labels: collections, closing forms, documents."""

from __future__ import annotations

import base64
from typing import Any

from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import PickupRequest
from tests.carriers.bench import Bench, said
from tests.carriers.errands import cancellation, changed_collection, collection, document, end_of_day
from tests.carriers.promises import needs, refused, void

# -- collections, forms, documents -----------------------------------------------------------------


def book(bench: Bench, **values: Any) -> FlowOutcome[Any]:
    if bench.carrier_class.can("ship"):
        values = {"shipment_identifiers": [bench.bought().shipment_identifier], **values}
    return bench.ask("schedule_pickup", PickupRequest.model_validate(collection(bench, **values)))


def booked(bench: Bench) -> str:
    outcome = book(bench)
    assert outcome.result, said(outcome)
    return str(outcome.result.confirmation_number)


@needs("schedule_pickup")
def test_a_collection_is_booked(bench: Bench) -> None:
    outcome = book(bench)
    assert outcome.result, said(outcome)
    assert outcome.result.confirmation_number


@needs("schedule_pickup")
def test_a_collection_on_a_sunday_is_refused(bench: Bench) -> None:
    assert refused(book(bench, pickup_date="2025-03-09"))


@needs("schedule_pickup")
def test_a_collection_that_closes_before_it_opens_is_refused_by_a_carrier_that_takes_times(
    bench: Bench,
) -> None:
    outcome = book(bench, ready_time="17:00", closing_time="09:00")
    takes_no_times = outcome.result is not None and outcome.result.closing_time is None
    assert refused(outcome) or takes_no_times


@needs("schedule_pickup", "update_pickup")
def test_a_collection_is_changed(bench: Bench) -> None:
    outcome = bench.ask("update_pickup", changed_collection(bench))
    assert outcome.result, said(outcome)
    assert outcome.result.confirmation_number


@needs("schedule_pickup", "cancel_pickup")
def test_a_collection_is_cancelled_once(bench: Bench) -> None:
    number = booked(bench)
    outcome = cancel(bench, number)
    assert outcome.result, said(outcome)
    assert outcome.result.success
    assert refused(cancel(bench, number))


@needs("cancel_pickup")
def test_a_collection_nobody_booked_is_not_cancelled(bench: Bench) -> None:
    assert refused(cancel(bench, "99999999"))


def cancel(bench: Bench, number: str) -> FlowOutcome[Any]:
    return bench.ask("cancel_pickup", cancellation(bench, number))


@needs("ship", "manifest")
def test_the_day_is_closed_with_a_form(bench: Bench) -> None:
    outcome = manifest(bench, bench.bought().shipment_identifier or "")
    assert outcome.result, said(outcome)
    form = outcome.result.doc.get("manifest")  # one that has no paper is drawn by the product
    assert base64.b64decode(form).startswith(b"%PDF") if form else outcome.result.meta["id"]


@needs("manifest", network=True)
def test_a_form_for_an_unknown_label_is_refused(bench: Bench) -> None:
    assert refused(manifest(bench, "99999999999"))


def manifest(bench: Bench, *numbers: str) -> FlowOutcome[Any]:
    return bench.ask("manifest", end_of_day(bench, *numbers))


@needs("upload_document")
def test_a_document_is_handed_over(bench: Bench) -> None:
    number = bench.bought().tracking_number if bench.carrier_class.can("ship") else None
    outcome = bench.ask("upload_document", document(bench, number))
    assert outcome.result, said(outcome)
    assert all(one.doc_id for one in outcome.result.documents)


# -- asked a second time ---------------------------------------------------------------------------


def says_done_before(bench: Bench, verb: str, outcome: FlowOutcome[Any]) -> bool:
    """Whether the carrier did it again without harm, or says that it was done before."""
    done = outcome.result is not None and getattr(outcome.result, "success", True)
    return done or bench.carrier_class.says_done_before(verb, outcome.messages)


@needs("ship", "void")
def test_a_second_void_is_told_from_a_refusal(bench: Bench) -> None:
    number = str(bench.bought().shipment_identifier)
    void(bench, number)
    again = void(bench, number)
    assert says_done_before(bench, "void", again), said(again)


@needs("schedule_pickup", "cancel_pickup")
def test_a_second_cancellation_of_a_collection_is_told_from_a_refusal(bench: Bench) -> None:
    number = booked(bench)
    cancel(bench, number)
    again = cancel(bench, number)
    assert says_done_before(bench, "cancel_pickup", again), said(again)


@needs("ship", "manifest")
def test_a_second_form_of_a_label_is_told_from_a_refusal(bench: Bench) -> None:
    number = str(bench.bought().shipment_identifier)
    manifest(bench, number)
    again = manifest(bench, number)
    assert says_done_before(bench, "manifest", again), said(again)

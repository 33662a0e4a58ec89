"""Batches: checked whole, done in the background, each resource once, whatever interrupts them."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from pydantic import ValidationError

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.core.filters import read_filters
from shipcli.features.files import data_templates
from shipcli.features.files.batches import service as batches
from shipcli.features.files.batches.items import WORK
from shipcli.features.files.batches.runner import carry_on
from shipcli.features.files.batches.work import BatchRun
from shipcli.features.files.engine import ImportPlan, import_file
from shipcli.features.files.filters import BATCHES
from shipcli.features.files.row_handlers import open_rows
from shipcli.features.orders import service as orders
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.rate_selection import list_offering
from shipcli.features.trackers import service as trackers
from shipcli.models import (
    BatchOperation,
    BatchOrderData,
    BatchShipmentData,
    BatchTrackerData,
    Conflict,
    ImportData,
    Invalid,
    InvalidRows,
    NotFound,
    Shipment,
    ShipmentUpdateData,
)
from shipcli.models.data_template import DataTemplateData
from shipcli.readers.tables import DataFile
from shipcli.store.errors import StoreError
from tests.factories import PARCEL, RECIPIENT, body, draft
from tests.features.conftest import live_labels, resolve
from tests.features.files.batch_samples import csv_of, done, events, load, shipment_row, statuses
from tests.features.files.rows import charge, line
from tests.features.orders.samples import order_body
from tests.features.shipments.purchases import Killed, dead, killed
from tests.refusals import refusing_rows
from tests.shared import find_shared

STANDARD = "standard_service"
SERVICES = {"generic": STANDARD, "usps": "usps_ground_advantage", "fedex": "fedex_ground"}


def wanted(number: int, **changes: Any) -> dict[str, Any]:
    return body(reference=f"SO-{number}", carrier_ids=["generic"], **changes)


def ship(app: App, *rows: Mapping[str, Any]) -> BatchOperation:
    return batches.create_shipments(app, BatchShipmentData.model_validate({"shipments": rows}))


def order(app: App, *rows: Mapping[str, Any]) -> BatchOperation:
    return batches.create_orders(app, BatchOrderData.model_validate({"orders": rows}))


def watch(app: App, *rows: Mapping[str, Any]) -> BatchOperation:
    return batches.create_trackers(app, BatchTrackerData.model_validate({"trackers": rows}))


def number(text: str, carrier: str = "usps", **fields: Any) -> dict[str, Any]:
    return {"tracking_number": text, "carrier_name": carrier, **fields}


def of(app: App, batch: BatchOperation, place: int) -> Shipment:
    return shipments.get_shipment(app, str(batch.resources[place].id))


def nothing_stored(app: App) -> bool:
    kinds = ("batch", "order", "shipment", "tracker", "event")
    return (
        not any(app.store.count(kind) for kind in kinds)
        and not app.jobs.find()
        and not app.store.select(WORK)
    )


# -- from queued to completed ----------------------------------------------------------------------


def test_a_new_batch_is_queued_without_resources(app: App) -> None:
    batch = order(app, order_body())
    assert batch.id.startswith("batch_")
    assert (batch.status, batch.resource_type, batch.resources) == ("queued", "orders", [])
    assert (batch.test_mode, batch.object_type) == (True, "batch")
    assert batch.created_at.endswith("Z")
    assert batch.created_at <= batch.updated_at
    assert batches.get_batch(app, batch.id) == batch
    assert app.store.count("order") == 0


def test_the_events_follow_the_batch(app: App) -> None:
    done(app, order(app, order_body()))
    assert events(app) == ["batch_queued", "batch_running", "batch_completed"]
    queued, running, completed = [one["data"] for one in app.store.each("event") if "batch" in one["type"]][
        ::-1
    ]
    assert queued["resources"] == []
    assert running["resources"][0]["id"].startswith("ord_")
    assert (completed["status"], completed["resources"][0]["status"]) == ("completed", "completed")


def test_the_end_of_a_batch_is_the_end_of_its_job(app: App) -> None:
    batch = order(app, order_body())
    assert [job.args["batch_id"] for job in app.jobs.find(queue="batches")] == [batch.id]
    done(app, batch)
    assert app.jobs.find() == []
    assert app.store.select(WORK) == []


def test_an_unknown_batch_and_one_of_the_other_mode_are_not_found(app: App) -> None:
    batch = order(app, order_body())
    for place, id in ((app, "batch_1"), (app.in_mode(False), batch.id)):
        with pytest.raises(NotFound):
            batches.get_batch(place, id)
        with pytest.raises(NotFound):
            batches.run_here(place, id)


def test_batches_are_listed_newest_first_by_type_and_status(app: App) -> None:
    first, second = order(app, order_body()), watch(app, number("SC1000000001"))
    done(app, first)
    count, rows = batches.list_batches(app)
    assert (count, [row["id"] for row in rows]) == (2, [second.id, first.id])
    for given in ({"resource_type": "orders"}, {"status": "completed"}):
        count, rows = batches.list_batches(app, read_filters(BATCHES, given))
        assert [row["id"] for row in rows] == [first.id]
    assert rows[0]["resources"][0]["status"] == "completed"
    assert batches.list_batches(app.in_mode(False)) == (0, [])


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [BatchShipmentData, BatchOrderData, BatchTrackerData])
def test_the_list_is_required_and_not_empty(model: Any) -> None:
    (key,) = model.model_fields
    wrongs: list[dict[str, Any]] = [{}, {key: []}, {key: None}]
    for wrong in wrongs:
        with pytest.raises(ValidationError):
            model.model_validate(wrong)


def test_wrong_elements_are_named_by_index_and_nothing_is_stored(app: App) -> None:
    rows = [
        wanted(0),
        wanted(1, shipper={"id": "adr_nothing"}),
        wanted(2),
        {**wanted(3), "id": "shp_nothing"},
    ]
    with pytest.raises(InvalidRows) as caught:
        ship(app, *rows)
    assert [item["index"] for item in caught.value.items()] == [1, 3]
    assert caught.value.status == 400
    assert nothing_stored(app)


def test_an_item_of_no_order_line_is_named_by_index(app: App) -> None:
    item = {"title": "Lamp", "weight": 1, "weight_unit": "KG", "parent_id": "cdt_nothing"}
    with pytest.raises(InvalidRows) as caught:
        ship(app, wanted(0), wanted(1, parcels=[{**PARCEL, "items": [item]}]))
    (error,) = caught.value.items()
    assert error["index"] == 1
    assert "parcels[0].items[0].parent_id" in error["message"]
    assert nothing_stored(app)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (number("1Z1", "nobody"), "validation"),
        (number("1Z1", "dhl_universal"), "invalid_carrier"),
        (number(" "), "tracking_number_required"),
    ],
)
def test_a_tracker_nobody_can_ask_about_is_named_by_index(app: App, wrong: dict[str, Any], code: str) -> None:
    for row in app.store.each("connection"):
        if row["carrier_name"] == "dhl_universal":
            connections.remove_connection(app.in_mode(row["test_mode"]), row["id"])
    with pytest.raises(InvalidRows) as caught:
        watch(app, number("SC1000000001"), wrong)
    assert [(item["index"], item["code"]) for item in caught.value.items()] == [(1, code)]
    assert nothing_stored(app)


# -- shipments -------------------------------------------------------------------------------------


def test_those_that_name_a_service_are_bought_and_the_others_rated(app: App) -> None:
    preferred = {"preferred_service": STANDARD}
    batch = done(app, ship(app, wanted(0, service=STANDARD), wanted(1, options=preferred), wanted(2)))
    assert (batch.status, statuses(batch)) == ("completed", ["completed"] * 3)
    found = [of(app, batch, place) for place in range(3)]
    assert [one.status for one in found] == ["purchased", "purchased", "draft"]
    assert {one.service for one in found[:2]} == {STANDARD}
    assert found[2].rates
    assert [one.errors for one in batch.resources] == [None] * 3
    assert sorted(live_labels(app)) == ["SO-0", "SO-1"]
    assert events(app, "shipment_") == ["shipment_purchased"] * 2


def test_a_failed_resource_says_why_and_stops_no_other(app: App) -> None:
    batch = done(app, ship(app, wanted(0, service="nonsense"), wanted(1, service=STANDARD)))
    assert (batch.status, statuses(batch)) == ("completed_with_errors", ["failed", "completed"])
    assert batch.resources[0].errors is not None
    assert batch.resources[0].errors["errors"][0]["code"] == "service_unavailable"
    assert (of(app, batch, 0).status, of(app, batch, 1).status) == ("draft", "purchased")
    assert events(app)[-1] == "batch_completed"


def test_a_carriers_refusal_is_kept_with_its_messages(app: App) -> None:
    refused = body(carrier_ids=["ups"], options={"sandbox_scenario": "unavailable"})
    batch = done(app, ship(app, refused))
    errors = batch.resources[0].errors
    assert errors is not None
    assert errors["messages"][0]["carrier_name"] == "ups"


def test_a_batch_of_which_nothing_succeeds_has_failed(app: App) -> None:
    batch = done(app, ship(app, wanted(0, service="nonsense")))
    assert batch.status == "failed"
    assert events(app)[-1] == "batch_failed"


def test_a_sandbox_lets_a_row_fail_that_asks_for_it(app: App) -> None:
    rows = [wanted(0), {**wanted(1), "reference": "ROWFAIL"}]
    assert statuses(done(app, ship(app, *rows))) == ["completed", "failed"]
    tracked = [number("SC1000000001"), number("SC1000000002", reference="ROWFAIL")]
    assert statuses(done(app, watch(app, *tracked))) == ["completed", "failed"]
    assert statuses(done(app, order(app, order_body(), order_body(order_id="ROWFAIL")))) == [
        "completed",
        "failed",
    ]


def test_data_nobody_expected_fails_its_resource_only(app: App, caplog: pytest.LogCaptureFixture) -> None:
    batch = ship(app, wanted(0), wanted(1))
    with app.store.transaction() as tx:
        tx.update(WORK, {"batch_id": batch.id, "position": 0}, {"body": {"id": "shp_1"}})
    caplog.set_level("CRITICAL", "shipcli.batches")
    found = done(app, batch)
    assert statuses(found) == ["failed", "completed"]
    assert found.resources[0].errors is not None
    assert found.resources[0].errors["errors"][0]["code"] == "internal_error"


def test_an_element_with_an_id_processes_the_known_draft(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"], metadata={"a": "1"}))
    parcel = {"id": known.parcels[0].id, "weight": 7, "weight_unit": "KG"}
    change = {"id": known.id, "parcels": [parcel], "service": STANDARD, "reference": "NEW",
              "recipient": {**RECIPIENT, "person_name": "Bo"}, "metadata": {"b": "2"}}  # fmt: skip
    batch = done(app, ship(app, wanted(0) | change))
    assert [one.id for one in batch.resources] == [known.id]
    bought = shipments.get_shipment(app, known.id)
    assert (bought.status, bought.service, bought.reference) == ("purchased", STANDARD, "NEW")
    assert (bought.recipient.person_name, bought.recipient.id) == ("Bo", known.recipient.id)
    assert bought.metadata == {"a": "1", "b": "2"}
    assert [(one.id, one.weight, one.weight_unit) for one in bought.parcels] == [
        (known.parcels[0].id, Decimal(7), "KG")
    ]
    assert bought.created_at == known.created_at
    assert app.store.count("shipment") == 1


def test_a_known_draft_that_was_changed_and_got_no_price_has_none_of_before(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    parcel = {"id": known.parcels[0].id, "weight": 7, "weight_unit": "KG"}
    change = {"id": known.id, "parcels": [parcel], "carrier_ids": ["nobody"]}
    assert statuses(done(app, ship(app, wanted(0) | change))) == ["failed"]
    after = shipments.get_shipment(app, known.id)
    assert (after.status, after.parcels[0].weight, after.rates) == ("draft", Decimal(7), [])


def test_rates_of_a_batch_do_not_undo_what_was_changed_meanwhile(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, asked = ship(app, wanted(0)), shipments.quote

    def slow(app: App, *args: Any, **kwargs: Any) -> Any:
        shipments.update_shipment(app, kwargs["object_id"], ShipmentUpdateData(metadata={"meanwhile": True}))
        return asked(app, *args, **kwargs)

    monkeypatch.setattr(shipments, "quote", slow)
    (resource,) = done(app, batch).resources
    found = shipments.get_shipment(app, str(resource.id))
    assert (found.metadata["meanwhile"], len(found.rates)) == (True, 2)


def test_a_draft_bought_while_a_batch_rates_it_is_completed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, asked = ship(app, wanted(0)), shipments.quote
    bought: list[Shipment] = []

    def slow(app: App, *args: Any, **kwargs: Any) -> Any:
        rates = asked(app, *args, **kwargs)
        if not bought:
            known = shipments.get_shipment(app, kwargs["object_id"])
            bought.append(purchase.buy(app, known, rates[0][0]))
        return rates

    monkeypatch.setattr(shipments, "quote", slow)
    assert statuses(done(app, batch)) == ["completed"]
    assert of(app, batches.get_batch(app, batch.id), 0).tracking_number == bought[0].tracking_number


def test_a_parcel_without_an_id_is_added_to_the_known_draft(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    done(app, ship(app, wanted(0) | {"id": known.id}))
    after = shipments.get_shipment(app, known.id)
    assert len(after.parcels) == 2
    assert after.parcels[0].id == known.parcels[0].id


def test_a_wrong_parcel_of_a_known_draft_is_named(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    parcel = {"id": known.parcels[0].id, "weight": -1}
    with pytest.raises(InvalidRows, match=r"row 0: parcels\[0\]\.weight"):
        ship(app, wanted(0) | {"id": known.id, "parcels": [parcel]})
    assert shipments.get_shipment(app, known.id) == known


def test_a_bought_shipment_and_one_named_twice_are_refused(app: App) -> None:
    bought = shipments.create_shipment(app, draft(carrier_ids=["generic"], service=STANDARD))
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    rows = [wanted(0) | {"id": one.id} for one in (bought, known, known)]
    with pytest.raises(InvalidRows) as caught:
        ship(app, *rows)
    assert [item["index"] for item in caught.value.items()] == [0, 2]


def test_a_draft_bought_meanwhile_is_not_bought_again(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    parcel = {"id": known.parcels[0].id}
    batch = ship(app, wanted(0) | {"id": known.id, "parcels": [parcel], "service": STANDARD})
    purchase.buy(app, known, list_offering(known, STANDARD)[0])
    assert done(app, batch).status == "completed"
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


# -- interrupted -----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["announce", "conclude", "store_bought"])
@pytest.mark.parametrize("slug", ["generic", "usps", "fedex"])
def test_a_batch_killed_while_it_buys_is_finished_without_a_second_label(
    app: App, monkeypatch: pytest.MonkeyPatch, where: str, slug: str
) -> None:
    service = SERVICES[slug]
    rows = [body(reference=f"SO-{n}", carrier_ids=[slug], service=service) for n in range(3)]
    batch = ship(app, *rows)
    with monkeypatch.context() as patch:
        patch.setattr(purchase, where, killed)
        with pytest.raises(Killed):
            batches.run_here(app, batch.id)
    dead(app)
    found = done(app, batch)
    assert all(len(numbers) == 1 for numbers in live_labels(app).values())
    lost = slug == "fedex" and where != "announce"
    assert statuses(found) == ["failed" if lost else "completed", "completed", "completed"]
    assert of(app, found, 0).status == ("needs_attention" if lost else "purchased")
    assert events(app) == ["batch_queued", "batch_running", "batch_completed"]


def test_what_another_process_is_buying_is_waited_for(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ship(app, wanted(0, service=STANDARD))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            batches.run_here(app, batch.id)
    seen: list[tuple[int, int]] = []

    def progress(ended: int, total: int) -> None:
        seen.append((ended, total))
        dead(app)  # only now is the purchase given up by its process

    assert batches.run_here(app, batch.id, progress)
    assert (seen[0], seen[-1]) == ((0, 1), (1, 1))
    assert batches.get_batch(app, batch.id).status == "completed"
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


def test_a_halted_batch_goes_on_where_it_stopped(app: App) -> None:
    import threading

    batch = ship(app, *(wanted(n, service=STANDARD) for n in range(4)))
    halt = threading.Event()

    def progress(ended: int, total: int) -> None:
        if ended == 2:
            halt.set()

    assert carry_on(BatchRun(app, batch.id, lambda tx: True, halt, progress)) is False
    half = batches.get_batch(app, batch.id)
    assert (half.status, statuses(half)) == ("running", ["completed", "completed", "running", "running"])
    before = dict(live_labels(app))
    found = done(app, batch)
    assert (found.status, len(live_labels(app))) == ("completed", 4)
    assert before.items() <= live_labels(app).items()
    assert events(app) == ["batch_queued", "batch_running", "batch_completed"]


def test_what_one_process_does_another_leaves_alone(app: App) -> None:
    batch = order(app, order_body())
    with app.store.transaction() as tx:
        job = app.jobs.hold(tx, "batches", "run_batch", {"batch_id": batch.id}, unique=f"batch/{batch.id}")
    assert job is not None
    assert batches.run_here(app, batch.id) is False
    assert batches.get_batch(app, batch.id).status == "queued"
    app.jobs.release([job])
    assert batches.run_here(app, batch.id) is True
    assert batches.run_here(app, batch.id) is False


def test_an_interrupted_process_gives_the_batch_back(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ship(app, wanted(0, service=STANDARD))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "announce", killed)
        with pytest.raises(Killed):
            batches.run_here(app, batch.id)
    assert [job.state for job in app.jobs.find(queue="batches")] == ["ready"]


def test_a_lease_is_renewed_again_after_the_store_could_not_do_it_once(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    failing, renewed = iter([StoreError("there is no room")]), threading.Event()
    renew = type(app.jobs).renew

    def renew_later(*given: Any) -> set[str]:
        if error := next(failing, None):
            raise error
        held = renew(*given)
        renewed.set()
        return held

    monkeypatch.setattr(batches, "RENEWAL_S", 0.001)
    monkeypatch.setattr(type(app.jobs), "renew", renew_later)
    seen: list[bool] = []
    batch = order(app, order_body())
    assert batches.run_here(app, batch.id, lambda ended, total: seen.append(renewed.wait(10)))
    assert all(seen)
    assert batches.get_batch(app, batch.id).status == "completed"


def test_who_lost_the_batch_does_not_end_it(app: App) -> None:
    import threading

    batch = order(app, order_body())
    assert carry_on(BatchRun(app, batch.id, lambda tx: False, threading.Event()))
    assert batches.get_batch(app, batch.id).status == "running"
    assert events(app) == ["batch_queued", "batch_running"]


def test_a_batch_nobody_will_work_on_is_marked_failed(app: App) -> None:
    kept, lost = order(app, order_body()), order(app, order_body(order_id="2"))
    (job,) = [job for job in app.jobs.find() if job.args["batch_id"] == lost.id]
    app.jobs.discard([job.id])
    assert batches.give_up_lost(app) == [lost.id]
    found = batches.get_batch(app, lost.id)
    assert (found.status, statuses(found)) == ("failed", ["failed"])
    assert batches.get_batch(app, kept.id).status == "queued"
    assert events(app)[-1] == "batch_failed"
    assert batches.retry_failed(app, lost.id) == 1
    assert done(app, lost).status == "completed"


# -- again -----------------------------------------------------------------------------------------


def test_only_failed_resources_are_tried_again(app: App) -> None:
    scenario = {"sandbox_scenario": "unavailable"}
    rejected = body(service="ups_ground", carrier_ids=["ups"], options=scenario, reference="SO-0")
    batch = done(app, ship(app, rejected, wanted(1, service=STANDARD)))
    assert statuses(batch) == ["failed", "completed"]
    before = live_labels(app)
    with app.store.transaction() as tx:
        stored = tx.get("shipment", str(batch.resources[0].id))
        assert stored
        options = {name: one for name, one in stored["options"].items() if name != "sandbox_scenario"}
        tx.put("shipment", {**stored, "options": options})
    assert batches.retry_failed(app, batch.id) == 1
    assert batches.get_batch(app, batch.id).status == "running"
    again = done(app, batch)
    assert (again.status, statuses(again)) == ("completed", ["completed"] * 2)
    assert again.resources[0].errors is None
    assert live_labels(app)["SO-1"] == before["SO-1"]
    assert events(app)[-2:] == ["batch_running", "batch_completed"]


def test_a_resolved_purchase_is_completed_by_the_next_try(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = ship(app, body(carrier_ids=["fedex"], service="fedex_ground"))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            batches.run_here(app, batch.id)
    dead(app)
    found = done(app, batch)
    assert found.status == "failed"
    batches.retry_failed(app, batch.id)
    assert done(app, batch).status == "failed"  # nobody has looked yet: it is not bought again
    resolve(app, str(found.resources[0].id), bought=live_labels(app)["SO-1"][0])
    batches.retry_failed(app, batch.id)
    assert done(app, batch).status == "completed"
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


def test_a_batch_under_way_is_not_tried_again(app: App) -> None:
    batch = order(app, order_body())
    with pytest.raises(Conflict):
        batches.retry_failed(app, batch.id)
    done(app, batch)
    assert batches.retry_failed(app, batch.id) == 0
    assert batches.get_batch(app, batch.id).status == "completed"


# -- orders ----------------------------------------------------------------------------------------


def test_orders_are_stored_and_know_their_batch(app: App) -> None:
    batch = done(app, order(app, order_body(order_id="1"), order_body(order_id="2")))
    found = [orders.get_order(app, str(one.id)) for one in batch.resources]
    assert [one.order_id for one in found] == ["1", "2"]
    assert [(one.meta or {})["batch_ids"] for one in found] == [[batch.id]] * 2
    assert events(app, "order_") == ["order_created"] * 2


def test_an_order_that_exists_is_used_as_it_is(app: App) -> None:
    known = done(app, order(app, order_body(order_id="1"))).resources[0].id
    batch = done(app, order(app, order_body(order_id="1"), order_body(order_id="1", source="web")))
    assert batch.status == "completed"
    assert batch.resources[0].id == known != batch.resources[1].id
    assert app.store.count("order") == 2
    assert events(app, "order_") == ["order_created"] * 2


def test_an_order_given_twice_is_stored_once(app: App) -> None:
    batch = done(app, order(app, order_body(), order_body()))
    assert len({one.id for one in batch.resources}) == app.store.count("order") == 1


def test_a_cancelled_order_is_made_anew_by_a_body_and_not_by_a_file(app: App) -> None:
    first = done(app, order(app, order_body(order_id="1"))).resources[0].id
    orders.cancel_order(app, str(first))
    row = line("1", **{"Order source": "API"})
    assert done(app, load(app, "order", [row])).resources[0].id == first
    assert done(app, order(app, order_body(order_id="1"))).resources[0].id != first


# -- trackers --------------------------------------------------------------------------------------


def test_a_new_tracker_is_asked_about_once_and_then_made_known(app: App) -> None:
    row = number(
        "SC0100000001", info={"note": "mine"}, metadata={"a": "1"}, reference="R", account_number="A"
    )
    batch = done(app, watch(app, row))
    found = trackers.get_tracker(app, str(batch.resources[0].id))
    assert (found.status, found.metadata) == ("in_transit", {"a": "1"})
    assert found.info is not None
    assert found.info.note == "mine"
    assert found.meta is not None
    assert (found.meta["reference"], found.meta["account_number"]) == ("R", "A")
    assert events(app, "tracker_") == ["tracker_created"]
    created = next(one for one in app.store.each("event") if one["type"] == "tracker_created")
    assert created["data"]["status"] == "in_transit"


def test_a_number_without_data_stays_unknown_with_one_event(app: App) -> None:
    batch = done(app, watch(app, number("SC9100000001")))
    found = trackers.get_tracker(app, str(batch.resources[0].id))
    assert batch.status == "completed"
    assert (found.status, [one.code for one in found.events]) == ("unknown", ["UNKNOWN"])
    assert found.messages
    assert events(app, "tracker_") == ["tracker_created"]


def test_a_tracker_that_exists_is_used_as_it_is(app: App) -> None:
    known = done(app, watch(app, number("SC1000000001"))).resources[0].id
    rows = [number("SC1000000001", metadata={"a": "1"}), number("SC1000000001", "ups")]
    batch = done(app, watch(app, *rows))
    assert batch.resources[0].id == known != batch.resources[1].id
    assert trackers.get_tracker(app, str(known)).metadata == {}
    assert events(app, "tracker_") == ["tracker_created"] * 2


def test_trackers_wait_for_a_store_that_could_not_keep_what_asking_needs(app: App) -> None:
    batch = watch(app, number("SC0100000001", "ups"))
    with refusing_rows(app.store, "insert", "tokens"), pytest.raises(StoreError):
        batches.run_here(app, batch.id)
    found = trackers.get_tracker(app, str(done(app, batch).resources[0].id))
    assert (found.status, found.messages) == ("in_transit", [])


def test_many_trackers_of_several_carriers_are_each_made_known_once(app: App) -> None:
    rows = [number(f"SC01000000{n:02}", ("usps", "ups")[n % 2]) for n in range(25)]
    batch = done(app, watch(app, *rows))
    assert statuses(batch) == ["completed"] * 25
    assert events(app, "tracker_") == ["tracker_created"] * 25


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "stored", "rows"),
    [
        ("order", "orders", [line("1")]),
        ("orders", "orders", [line("1")]),
        ("shipment", "shipments", [shipment_row("A")]),
        ("tracker", "trackers", [{"Tracking Number": "SC1000000001", "Carrier": "usps"}]),
        ("trackers", "trackers", [{"Tracking Number": "SC1000000001", "Carrier": "usps"}]),
    ],
)
def test_a_file_is_a_batch_of_its_rows(app: App, word: str, stored: str, rows: list[dict[str, str]]) -> None:
    batch = load(app, word, rows)
    assert (batch.status, batch.resource_type) == ("queued", stored)
    assert done(app, batch).status == "completed"
    assert app.store.count(stored.removesuffix("s")) == 1


def test_another_resource_type_is_refused() -> None:
    with pytest.raises(ValidationError):
        ImportData.model_validate({"resource_type": "pickups"})


def test_rows_of_one_order_are_one_resource(app: App) -> None:
    batch = done(app, load(app, "orders", [line("1"), line("2"), line("1", "Book")]))
    assert len(batch.resources) == 2
    found = orders.get_order(app, str(batch.resources[0].id))
    assert [item.title for item in found.line_items] == ["Lamp", "Book"]
    assert (found.meta or {})["batch_ids"] == [batch.id]


LEFT_OUT = "stands for nothing and is left out"


@pytest.mark.parametrize(
    ("kind", "make", "phone", "near"),
    [
        ("orders", line, "Shipping phone", ("HS tarif number", "HS tariff number")),
        ("shipments", shipment_row, "Recipient phone", ("Parcel lenght", "Parcel length")),
    ],
)
def test_a_batch_says_what_of_its_file_was_left_out(
    app: App, kind: str, make: Callable[..., dict[str, str]], phone: str, near: tuple[str, str]
) -> None:
    wrong, right = near
    made = load(app, kind, [make(f"{number}", **{phone: "n/a", wrong: "1"}) for number in range(3)])
    assert [message.message for message in made.messages or []] == [
        f"1 column ignored: {wrong}",
        f"row 1, {wrong}: nothing reads this column; did you mean {right!r}?",
        f"row 2 and 2 more rows, {phone}: 'n/a' {LEFT_OUT}",
    ]
    assert done(app, made).messages == made.messages
    assert len(batches.list_batches(app)[1][0]["messages"]) == 3


def test_a_batch_without_anything_to_say_of_its_file_has_no_messages(app: App) -> None:
    made = load(app, "trackers", [{"Tracking Number": "SC1000000001", "Carrier": "usps"}])
    assert "messages" not in made.model_dump()


def test_the_messages_of_a_batch_end_with_how_many_more_there_are(app: App) -> None:
    rows = [
        line(f"{code}", **{"Shipping postal code": f"{code}", "Shipping state": "MA"})
        for code in range(1001, 1151)
    ]
    messages = load(app, "orders", rows).messages or []
    assert (len(messages), messages[-1].message) == (101, "50 more notes")


def test_a_tracker_of_a_file_is_made_known_once(app: App) -> None:
    rows = [{"Tracking Number": "SC1000000001", "Carrier": "usps"}]
    for _ in range(2):
        done(app, load(app, "trackers", rows))
    assert events(app, "tracker_") == ["tracker_created"]


@pytest.mark.slow
def test_a_thousand_order_rows_take_five_seconds_of_work_at_most(app: App) -> None:
    rows = [line(f"{number // 2}", f"Thing {number}") for number in range(1000)]
    start = time.process_time()
    batch = done(app, load(app, "orders", rows))
    assert time.process_time() - start < 5
    assert (batch.status, len(batch.resources), app.store.count("order")) == ("completed", 500, 500)


def test_bad_cells_are_named_by_row_and_column_and_nothing_is_stored(app: App) -> None:
    rows = [line("1"), line("2", **{"Item weight": "heavy"}), line("3", **{"Shipping country": "Atlantis"})]
    with pytest.raises(InvalidRows) as caught:
        load(app, "orders", rows)
    found = [(item["index"], item["code"], list(item["details"])) for item in caught.value.items()]
    assert found == [(1, "invalid_row", ["Item weight"]), (2, "invalid_row", ["Shipping country"])]
    assert nothing_stored(app)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "validation"),
        (b"PK\x03\x04 no spreadsheet", "validation"),
        (b"Tracking number\nA", "unknown_headers"),
        (csv_of([line("1")]).splitlines()[0], "validation"),
    ],
    ids=["empty", "broken", "other columns", "no rows"],
)
def test_an_unreadable_file_is_refused(app: App, content: bytes, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        load(app, "orders", content)
    assert (caught.value.code, caught.value.status) == (code, 400)
    assert nothing_stored(app)


def test_a_spreadsheet_is_read_by_its_content(app: App) -> None:
    book = openpyxl.Workbook()
    row, sheet = line("1"), book.create_sheet("orders", 0)
    for values in (row.keys(), row.values()):
        sheet.append(list(values))
    content = io.BytesIO()
    book.save(content)
    assert done(app, load(app, "orders", content.getvalue())).status == "completed"


def test_a_template_names_the_columns_of_a_file(app: App) -> None:
    mapping = {"tracking_number": "Nr", "tracking_carrier": {"constant": "usps"}}
    told = {"slug": "mine", "name": "Mine", "resource_type": "trackers", "fields_mapping": mapping}
    data_templates.create_template(app, DataTemplateData.model_validate(told))
    rows = [{"Nr": "SC1000000001"}, {"Nr": "SC1000000002"}]
    assert statuses(done(app, load(app, "trackers", rows, "mine"))) == ["completed"] * 2
    with pytest.raises(Invalid, match="data_template"):
        load(app, "trackers", rows, "nonsense")
    with pytest.raises(Invalid, match="data_template"):
        load(app, "orders", rows, "mine")


def test_a_shipment_row_is_bought_when_it_names_a_service(app: App) -> None:
    batch = done(app, load(app, "shipments", [shipment_row("A", Service=STANDARD), shipment_row("B")]))
    assert [of(app, batch, place).status for place in range(2)] == ["purchased", "draft"]
    assert of(app, batch, 0).parcels[0].weight_unit == "KG"


def test_a_row_that_is_shipped_is_matched_or_skipped_and_never_bought(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"], service=STANDARD))
    shipped = {"Service": STANDARD, "Status": "shipped"}
    rows = [
        shipment_row("A", **{**shipped, "Tracking number": str(known.tracking_number)}),
        shipment_row("B", **shipped),
    ]
    batch = done(app, load(app, "shipments", rows))
    assert (batch.status, [one.id for one in batch.resources]) == ("completed", [known.id, None])
    assert app.store.count("shipment") == 1


# -- a file that comes again -----------------------------------------------------------------------


def test_the_same_file_again_buys_nothing_again(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD), shipment_row("", Service=STANDARD), shipment_row("C")]
    first, again = (done(app, load(app, "shipments", rows)) for _ in range(2))
    assert (first.status, again.status) == ("completed", "completed")
    assert [one.id for one in again.resources] == [one.id for one in first.resources]
    assert app.store.count("shipment") == 3
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 2


def test_a_file_that_has_grown_buys_its_new_rows(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD)]
    first = done(app, load(app, "shipments", rows))
    grown = done(app, load(app, "shipments", [shipment_row("B", Service=STANDARD), *rows]))
    assert statuses(grown) == ["completed", "completed"]
    assert grown.resources[1].id == first.resources[0].id
    assert app.store.count("shipment") == 2


def test_rows_of_one_reference_are_shipments_of_their_own_and_found_again(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD), shipment_row("A", Service=STANDARD)]
    first, again = (done(app, load(app, "shipments", rows)) for _ in range(2))
    assert len({one.id for one in first.resources}) == 2
    assert [one.id for one in again.resources] == [one.id for one in first.resources]


def test_the_same_file_twice_before_the_first_is_worked_on_is_bought_once(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD)]
    batches_of_it = [load(app, "shipments", rows) for _ in range(2)]
    assert [done(app, batch).status for batch in batches_of_it] == ["completed", "completed"]
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


def test_a_row_that_changed_after_its_purchase_fails_and_names_what_was_bought(app: App) -> None:
    first = done(app, load(app, "shipments", [shipment_row("A", Service=STANDARD)]))
    changed = shipment_row("A", Service=STANDARD, **{"Recipient address 1": "1 Elsewhere Rd"})
    again = done(app, load(app, "shipments", [changed]))
    assert statuses(again) == ["failed"]
    message = (again.resources[0].errors or {})["errors"][0]["message"]
    assert message.startswith("The row changed after the purchase")
    assert str(first.resources[0].id) in message
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


def test_a_row_that_failed_is_bought_from_the_corrected_file(app: App) -> None:
    first = done(app, load(app, "shipments", [shipment_row("A", Service=STANDARD, **{"Recipient name": ""})]))
    assert statuses(first) == ["failed"]
    again = done(app, load(app, "shipments", [shipment_row("A", Service=STANDARD)]))
    assert statuses(again) == ["completed"]
    assert again.resources[0].id == first.resources[0].id
    assert of(app, again, 0).recipient.person_name == "Ana"


def test_a_label_that_was_voided_is_not_bought_again_by_its_file(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD)]
    first = done(app, load(app, "shipments", rows))
    shipments.cancel_shipment(app, str(first.resources[0].id))
    again = done(app, load(app, "shipments", rows))
    assert statuses(again) == ["failed"]
    assert app.store.count("shipment") == 1


def test_a_file_imported_by_the_command_line_is_known_to_the_api(app: App) -> None:
    rows = [shipment_row("A", Service=STANDARD)]
    plan = ImportPlan(buy="service")
    import_file(open_rows(app, "shipments", DataFile("rows.csv", csv_of(rows)), plan))
    assert statuses(done(app, load(app, "shipments", rows))) == ["completed"]
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


# -- invoice lines ---------------------------------------------------------------------------------


def test_an_invoice_line_of_an_unknown_number_is_a_failed_resource(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"], service=STANDARD))
    before = app.store.count("event")
    rows = [charge(known.tracking_number), charge("nothing"), charge(known.tracking_number)]
    batch = done(app, load(app, "billing", rows))
    assert (batch.resource_type, batch.status) == ("billing", "completed_with_errors")
    assert [(one.status, one.id) for one in batch.resources] == [
        ("completed", known.id), ("failed", None), ("completed", known.id),
    ]  # fmt: skip
    assert batch.resources[1].errors is not None
    assert "nothing" in batch.resources[1].errors["errors"][0]["message"]
    billed = (shipments.get_shipment(app, known.id).meta or {})["billing"]
    assert [one["amount"] for one in billed] == [Decimal("7.25")] * 2
    assert app.store.count("event") - before == 3  # those of the batch


def test_a_failed_invoice_line_is_found_by_a_later_try(app: App) -> None:
    known = shipments.create_shipment(app, draft(carrier_ids=["generic"], service=STANDARD))
    live = app.in_mode(False)
    batch = done(live, load(live, "billing", [charge(known.tracking_number)]))
    assert batch.status == "failed"
    with app.store.transaction() as tx:
        tx.put("shipment", known.model_dump(), test_mode=False)
    batches.retry_failed(live, batch.id)
    assert done(live, batch).status == "completed"
    assert app.store.select(WORK) == []


@pytest.mark.slow
def test_the_sample_order_files_become_batches(tmp_path: Path) -> None:
    content = find_shared("data/orders_default_300.csv").read_bytes()
    app = open_app(tmp_path / "home", sandbox=True, environ={})
    batch = done(app, load(app, "orders", content))
    again = done(app, load(app, "orders", content))
    app.close()
    assert batch.status == again.status == "completed"
    assert [one.id for one in batch.resources] == [one.id for one in again.resources]

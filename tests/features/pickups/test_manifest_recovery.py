"""Forms of the day after a crash, a lost answer or a bad shipment: closed, with no command but the same."""

from __future__ import annotations

import pytest

from shipcli.features.admin import settlement
from shipcli.features.connections import accounts
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.pickups import grouping, manifest_creation, manifests
from shipcli.features.pickups.manifest_requests import LISTED_BEFORE
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments import voids
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    Conflict,
    ManifestDetails,
    ManifestResolveData,
    NotFound,
    OutcomeUnknown,
    Refused,
    Shipment,
)
from shipcli.workflows import end_of_day
from tests.features.conftest import Clock
from tests.features.pickups.bookings import sold
from tests.features.pickups.forms import close_all, form, fresh, interrupted
from tests.features.shipments.purchases import announced, is_open, set_scenario

CARRIERS = ("usps", "canadapost")


def forms_at_carriers(app: App) -> int:
    return sum(1 for _ in app.ledger.everything("manifest"))


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("reached", [True, False], ids=["the carrier had closed them", "it had not"])
def test_a_form_that_a_dead_process_asked_for_is_finished_by_the_same_again(
    timed: App, carrier: str, reached: bool
) -> None:
    one, two = sold(timed, carrier), sold(timed, carrier)
    interrupted(timed, one, two, carrier=carrier, reached=reached)
    finished = form(timed, one, two, carrier=carrier)
    assert set(finished.shipment_identifiers) == {one.shipment_identifier, two.shipment_identifier}
    assert {(fresh(timed, each).meta or {})["manifest_id"] for each in (one, two)} == {finished.id}
    assert manifests.merge_forms(timed, [finished.id]).startswith(b"%PDF")
    assert forms_at_carriers(timed) == 1
    assert not is_open(timed)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_the_worker_finishes_a_form_that_a_dead_process_asked_for(timed: App, carrier: str) -> None:
    listed = sold(timed, carrier)
    manifest_id = interrupted(timed, listed, carrier=carrier, reached=True)
    settlement.settle_all(timed)
    assert (fresh(timed, listed).meta or {})["manifest_id"] == manifest_id
    assert forms_at_carriers(timed) == 1


def test_the_form_that_canada_post_made_is_asked_for_again(timed: App) -> None:
    listed = sold(timed, "canadapost")
    manifest_id = interrupted(timed, listed, carrier="canadapost", reached=True)
    settlement.settle_all(timed)
    found = manifests.get_manifest(timed, manifest_id)
    assert len((found.meta or {})["links"]) == 1
    assert not found.messages


def test_the_form_of_a_carrier_that_keeps_none_is_drawn(timed: App) -> None:
    listed = sold(timed, "usps")
    manifest_id = interrupted(timed, listed, carrier="usps", reached=True)
    settlement.settle_all(timed)
    (said,) = manifests.get_manifest(timed, manifest_id).messages
    assert said.code == LISTED_BEFORE
    assert (said.details or {})["shipment"] == listed.id


@pytest.mark.parametrize("carrier", CARRIERS)
def test_the_end_of_day_shows_the_form_of_the_run_that_was_killed(timed: App, carrier: str) -> None:
    listed = sold(timed, carrier)
    manifest_id = interrupted(timed, listed, carrier=carrier, reached=True)
    (line,) = end_of_day.finish_interrupted(LocalGateway(timed))
    assert (line.state, line.manifest_id, line.shipments) == ("closed", manifest_id, (listed.id,))
    assert end_of_day.list_open_groups(LocalGateway(timed)) == []
    assert end_of_day.finish_interrupted(LocalGateway(timed)) == []


@pytest.mark.parametrize("carrier", CARRIERS)
def test_days_that_follow_a_form_nobody_remembers_are_closed(timed: App, clock: Clock, carrier: str) -> None:
    """What an earlier version left: the carrier has closed a shipment, and no wish says so."""
    lost = sold(timed, carrier)
    manifest_id = interrupted(timed, lost, carrier=carrier, reached=True)
    with timed.store.transaction() as tx:
        tx.remove("intents", {"object_id": manifest_id})
    for _ in range(2):
        clock.advance(days=1)
        new = sold(timed, carrier)
        lines = close_all(timed)
        assert {line.state for line in lines} == {"closed"}
        assert (fresh(timed, new).meta or {})["manifest_id"]
    assert (fresh(timed, lost).meta or {})["manifest_id"]
    assert end_of_day.choose_exit_code(lines) == 0


def test_a_shipment_that_the_carrier_refuses_does_not_drag_the_others_down(timed: App) -> None:
    bad, good = sold(timed, "usps"), sold(timed, "usps")
    timed.ledger.remove("usps", "label", str(bad.tracking_number))
    (line,) = close_all(timed)
    assert line.state == "closed"
    assert bad.id in str(line.detail)
    assert "not a label of this account" in str(line.detail)
    assert end_of_day.choose_exit_code([line]) == 9
    assert (fresh(timed, good).meta or {})["manifest_id"] == line.manifest_id
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    assert [one.id for one in group.shipments] == [bad.id]


def test_a_shipment_whose_void_is_open_does_not_drag_the_others_down(timed: App) -> None:
    voiding, good = sold(timed, "usps"), sold(timed, "usps")
    announced(timed, voiding)
    finished = form(timed, voiding, good)
    assert finished.shipment_identifiers == [good.shipment_identifier]
    assert [(message.details or {})["shipment"] for message in finished.messages] == [voiding.id]
    with pytest.raises(Conflict, match="is being voided"):
        form(timed, voiding)


def test_a_lost_answer_of_usps_stays_open_and_is_asked_for_again(timed: App) -> None:
    listed = sold(timed, "usps")
    with pytest.raises(OutcomeUnknown, match="the same again"):
        form(timed, listed, options={"sandbox_scenario": "garbled"})
    assert is_open(timed)
    settlement.settle_all(timed)
    assert (fresh(timed, listed).meta or {})["manifest_id"]
    assert not is_open(timed)


def test_a_lost_answer_of_canada_post_is_looked_up_at_once(timed: App) -> None:
    listed = sold(timed, "canadapost")
    with pytest.raises(OutcomeUnknown, match="not known"):
        form(timed, listed, carrier="canadapost", options={"sandbox_scenario": "garbled"})
    assert form(timed, listed, carrier="canadapost").id
    assert forms_at_carriers(timed) == 1


def test_a_refusal_ends_the_wish(timed: App) -> None:
    listed = sold(timed, "usps")
    timed.ledger.remove("usps", "label", str(listed.tracking_number))
    with pytest.raises(Refused):
        form(timed, listed)
    assert not is_open(timed)


def test_a_carrier_that_can_not_be_reached_leaves_the_wish_open(timed: App, clock: Clock) -> None:
    listed = sold(timed, "canadapost")
    interrupted(timed, listed, carrier="canadapost", reached=True)
    set_scenario(timed, "canadapost", "error")
    settlement.settle_all(timed)
    assert is_open(timed)
    with pytest.raises(OutcomeUnknown):
        form(timed, listed, carrier="canadapost")
    set_scenario(timed, "canadapost", None)
    clock.advance(minutes=1)
    settlement.settle_all(timed)
    assert not is_open(timed)


def test_a_wish_whose_shipments_were_cancelled_meanwhile_ends(timed: App) -> None:
    listed = sold(timed, "usps")
    interrupted(timed, listed, carrier="usps", reached=False)
    voids.store_cancelled(timed, listed)
    settlement.settle_all(timed)
    assert (is_open(timed), forms_at_carriers(timed)) == (False, 0)


def test_a_group_whose_form_a_dead_process_asked_for_is_closed_by_that_form(timed: App) -> None:
    sold(timed, "usps")
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    manifest_id = interrupted(timed, *group.shipments, carrier="usps", reached=True)
    assert end_of_day.make_manifest(LocalGateway(timed), group).id == manifest_id
    assert (is_open(timed), forms_at_carriers(timed)) == (False, 1)


# -- a connection that is gone ---------------------------------------------------------------------


def orphaned(app: App) -> tuple[Shipment, str]:
    listed = sold(app, "usps")
    manifest_id = interrupted(app, listed, carrier="usps", reached=True)
    (row,) = app.store.select("connections", {"carrier_name": "usps", "test_mode": True})
    connections.remove_connection(app, row["id"])
    settlement.settle_all(app)
    return listed, manifest_id


def test_a_person_says_that_a_form_was_not_made(timed: App) -> None:
    listed, manifest_id = orphaned(timed)
    with pytest.raises(Conflict, match="is gone"):
        manifest_creation.resolve_manifest(timed, manifest_id, ManifestResolveData(made=True))
    for _ in range(2):  # saying it again is answered alike
        said = manifest_creation.resolve_manifest(timed, manifest_id, ManifestResolveData(made=False))
        assert said == {"id": manifest_id, "object_type": "manifest", "made": False}
    assert not is_open(timed)
    assert not (fresh(timed, listed).meta or {}).get("manifest_id")


def test_a_person_says_that_a_form_was_made(timed: App) -> None:
    listed = sold(timed, "usps")
    manifest_id = interrupted(timed, listed, carrier="usps", reached=True)
    said = manifest_creation.resolve_manifest(timed, manifest_id, ManifestResolveData(made=True))
    assert said["shipment_identifiers"] == [listed.shipment_identifier]
    assert (fresh(timed, listed).meta or {})["manifest_id"] == manifest_id


def test_of_a_form_that_is_known_there_is_nothing_to_say(timed: App) -> None:
    known = form(timed, sold(timed, "usps"))
    with pytest.raises(NotFound, match="no manifest with an unknown outcome"):
        manifest_creation.resolve_manifest(timed, known.id, ManifestResolveData(made=True))


# -- pickups of what was closed --------------------------------------------------------------------


def test_what_was_closed_today_and_is_not_collected_waits_for_its_pickup(timed: App, clock: Clock) -> None:
    old = sold(timed, "usps")
    form(timed, old)
    clock.advance(days=1)
    new = sold(timed, "usps")
    form(timed, new)
    (group,) = end_of_day.list_closed_today(LocalGateway(timed))
    assert [one.id for one in group.shipments] == [new.id]
    line = end_of_day.book_pickup(LocalGateway(timed), group, end_of_day.make_open_line(group), "14:00-17:00")
    assert [one.id for one in grouping.list_pickup_shipments(timed, str(line.pickup_id))] == [new.id]
    assert end_of_day.list_closed_today(LocalGateway(timed)) == []
    assert shipments.get_shipment(timed, old.id).status == "purchased"


def test_details_of_a_form_without_a_file_are_drawn(timed: App) -> None:
    listed = sold(timed, "usps")
    account = accounts.choose(timed, "shipping", carrier_name="usps")[0]
    drawn = manifest_creation.make_form_file(
        timed, account, listed.shipper, [listed], ManifestDetails(), None
    )
    assert drawn.startswith(b"%PDF")

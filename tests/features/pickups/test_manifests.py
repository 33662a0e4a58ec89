"""Manifests: stored, straight through, drawn where the carrier makes none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pypdfium2
import pytest
from pydantic import ValidationError
from shipcli.carriers.canadapost import CanadaPost

from shipcli.cli.console.list_views import VIEWS
from shipcli.cli.console.tables import draw_list
from shipcli.features.book import addresses
from shipcli.features.connections import service as connections
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.core.filters import list_stored, read_filters
from shipcli.features.core.locks import hold_locks
from shipcli.features.orders import service as orders
from shipcli.features.orders.fulfilment import MARK
from shipcli.features.pickups import grouping, manifest_creation, manifests, proxy
from shipcli.features.pickups import service as pickups
from shipcli.features.pickups.filters import MANIFESTS
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    AddressData,
    Conflict,
    Invalid,
    ManifestData,
    ManifestRequestData,
    NoConnection,
    NotFound,
    OutcomeUnknown,
    Refused,
    Shipment,
    json,
)
from shipcli.store.query import flag
from shipcli.workflows import end_of_day
from shipcli.workflows.open_day import read_open_day
from tests.factories import CANADA, FARTHER, PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.conftest import Clock, listen
from tests.features.paper.samples import covering, ordered
from tests.features.pickups.bookings import booked, bought
from tests.features.pickups.forms import body, fresh, made

list_manifests = list_stored("manifest")


def words(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return text


def manifested(app: App, shipment: Shipment) -> bool:
    """Whether the carrier itself says so."""
    found = app.ledger.get("usps", "label", str(shipment.tracking_number))
    return bool(found and found["manifested_at"])


def test_a_manifest_lists_its_shipments_and_has_a_file(timed: App) -> None:
    one, two = bought(timed), bought(timed)
    form = made(timed, one, two, reference="Friday", options={"note": 1})
    assert form.id.startswith("manf_")
    assert (form.object_type, form.carrier_name, form.carrier_id) == ("manifest", "usps", "usps")
    assert form.shipment_identifiers == [one.shipment_identifier, two.shipment_identifier]
    assert form.manifest_url == f"/v1/manifests/{form.id}/manifest.pdf"
    assert (form.reference, form.options, form.test_mode) == ("Friday", {"note": 1}, True)
    assert (form.meta or {})["ext"] == "usps"
    assert "id" not in form.model_dump()["address"]
    assert manifests.merge_forms(timed, [form.id]).startswith(b"%PDF")
    assert manifested(timed, one)
    assert manifests.get_manifest(timed, form.id).model_dump() == form.model_dump()


@pytest.mark.parametrize("field", ["carrier_name", "address", "shipment_ids"])
def test_what_a_manifest_needs_is_required(field: str) -> None:
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": ["1"]}
    with pytest.raises(ValidationError, match=field):
        ManifestData.model_validate({name: value for name, value in given.items() if name != field})


def test_shipments_are_named_by_id_or_number_under_either_name(timed: App) -> None:
    one, two = bought(timed), bought(timed)
    given = {
        "carrier_name": "usps",
        "address": SHIPPER,
        "shipment_identifiers": [one.tracking_number, two.id, one.id],
    }
    form = manifests.create_manifest(timed, ManifestData.model_validate(given))
    assert len(form.shipment_identifiers) == 2


def test_what_cannot_be_listed_is_named_in_the_messages(timed: App) -> None:
    good, foreign, listed = bought(timed), bought(timed, "ups"), bought(timed)
    unbought = shipments.create_shipment(timed, draft(carrier_ids=["usps"]))
    made(timed, listed)
    form = made(timed, "nope", foreign, good, listed, unbought)
    assert form.shipment_identifiers == [good.shipment_identifier]
    rejected = {(message.details or {})["shipment"]: message.message for message in form.messages}
    assert set(rejected) == {"nope", foreign.id, listed.id, unbought.id}
    assert "bought with ups" in str(rejected[foreign.id])
    assert "already" in str(rejected[listed.id])
    assert "draft" in str(rejected[unbought.id])


def test_nothing_left_to_list_is_refused(timed: App) -> None:
    listed = bought(timed)
    made(timed, listed)
    with pytest.raises(Invalid) as caught:
        made(timed, listed, "nope", bought(timed, "ups"))
    assert {problem.field for problem in caught.value.problems} == {"shipment_ids"}
    assert timed.store.count("manifest") == 1


def test_a_voided_shipment_is_not_listed(timed: App) -> None:
    gone = bought(timed)
    shipments.cancel_shipment(timed, gone.id)
    with pytest.raises(Invalid, match="cancelled"):
        made(timed, gone)


def test_a_manifested_shipment_is_found_by_its_filter(timed: App) -> None:
    listed, other = bought(timed), bought(timed)
    form = made(timed, listed)
    found = {
        yes: [one["id"] for one in timed.store.each("shipment", [flag("has_manifest", yes)], True)]
        for yes in (True, False)
    }
    assert found == {True: [listed.id], False: [other.id]}
    assert (fresh(timed, listed).meta or {})["manifest_id"] == form.id


def test_shipments_of_another_connection_need_a_manifest_of_their_own(timed: App) -> None:
    second = timed.store.select("connections", {"carrier_name": "usps", "test_mode": True})[0]
    data = connections.reveal_connection(timed, timed.store.get("connection", second["id"]) or {})
    from shipcli.models import ConnectionData

    given = {"carrier_name": "usps", "carrier_id": "usps-east", "credentials": data.credentials}
    connections.add_connection(timed, ConnectionData.model_validate(given))
    here, there = bought(timed), bought(timed, "usps-east")
    form = made(timed, here, there)
    assert form.shipment_identifiers == [here.shipment_identifier]
    assert "usps-east" in str(form.messages[0].message)
    assert made(timed, there).carrier_id == "usps-east"


def test_a_refused_manifest_stores_nothing(timed: App) -> None:
    listed = bought(timed)
    with pytest.raises(Refused):
        made(timed, listed, options={"sandbox_scenario": "rate_limited"})
    assert timed.store.count("manifest") == 0
    assert made(timed, listed).id


def test_a_lost_answer_is_told_as_unknown(timed: App) -> None:
    with pytest.raises(OutcomeUnknown, match="not known"):
        made(timed, bought(timed), options={"sandbox_scenario": "garbled"})


def test_two_processes_do_not_list_the_same_shipment_at_once(timed: App) -> None:
    listed = bought(timed)
    with hold_locks(timed, [f"manifest/{listed.id}"], "taken"), pytest.raises(Conflict, match="right now"):
        made(timed, listed)


def test_after_a_manifest_the_carrier_decides_about_voiding(timed: App) -> None:
    listed, drawn = bought(timed), bought(timed, "ups")
    made(timed, listed)
    made(timed, drawn, carrier="ups")
    with pytest.raises(Refused, match="SCAN form"):
        shipments.cancel_shipment(timed, listed.id)
    assert fresh(timed, listed).status == "purchased"
    assert shipments.cancel_shipment(timed, drawn.id).status == "cancelled"


def test_every_piece_of_a_shipment_is_manifested(timed: App) -> None:
    several = bought(timed, parcels=[PARCEL, PARCEL])
    form = made(timed, several)
    assert len((form.meta or {})["trackingNumbers"]) == 2


def test_a_carrier_that_closes_groups_is_told_what_stays_out(timed: App) -> None:
    east = bought(timed, "canadapost", shipper=CANADA, recipient=FARTHER)
    west = bought(timed, "canadapost", shipper=CANADA, recipient=FARTHER)
    for one in (east, west):  # the second would fail had the first closed the whole group
        form = made(timed, one, carrier="canadapost", address=CANADA)
        assert form.shipment_identifiers == [one.shipment_identifier]
    assert form.options == {}


def test_a_shipment_closed_at_its_purchase_gets_a_drawn_form(timed: App) -> None:
    options = {"canadapost_submit_shipment": True}
    sent = bought(timed, "canadapost", shipper=CANADA, recipient=FARTHER, options=options)
    form = made(timed, sent, carrier="canadapost", address=CANADA)
    assert str(sent.tracking_number) in words(manifests.merge_forms(timed, [form.id]))


def grouped(app: App) -> Shipment:
    """A label that waits in its carrier's group for the end of the day."""
    return bought(app, "canadapost", shipper=CANADA, recipient=FARTHER)


@pytest.mark.parametrize("given", ["mine,yours", ["mine", "yours"], None])
def test_a_carrier_is_told_of_what_stays_out_beside_what_was_said(
    timed: App, monkeypatch: pytest.MonkeyPatch, given: Any
) -> None:
    closed, elsewhere, listed, left_out = (grouped(timed) for _ in range(4))
    bought(timed)
    with timed.store.transaction() as tx:
        stored = tx.get("shipment", elsewhere.id) or {}
        tx.put("shipment", {**stored, "meta": {**stored["meta"], "group_id": "another"}})
    made(timed, closed, carrier="canadapost", address=CANADA)
    asked = listen(monkeypatch, CanadaPost, "manifest")
    options = {"excluded_shipments": given} if given else {}
    made(timed, listed, carrier="canadapost", address=CANADA, reference="Friday", options=options)
    (request,) = asked
    said = ["mine", "yours"] if given else []
    assert request.options["excluded_shipments"] == [*said, left_out.shipment_identifier]
    assert request.shipment_identifiers == [listed.shipment_identifier]
    assert request.reference == "Friday"


def test_an_unknown_carrier_has_no_connection(timed: App) -> None:
    with pytest.raises(NoConnection):
        made(timed, bought(timed), carrier="no_such_carrier")


def test_manifests_are_listed_newest_first_and_by_carrier(timed: App, clock: Clock) -> None:
    older = made(timed, bought(timed))
    clock.advance(minutes=1)
    newer = made(timed, bought(timed, "ups"), carrier="ups")
    _, listed = list_manifests(timed, [], 20, 0)
    assert [json.loads(text)["id"] for text in listed] == [newer.id, older.id]
    assert list_manifests(timed, read_filters(MANIFESTS, {"carrier_name": ["ups"]}), 20, 0)[0] == 1


def form_of(app: App, manifest_id: str) -> bytes:
    return manifests.merge_forms(app, [manifest_id])


READINGS: tuple[Callable[[App, str], Any], ...] = (manifests.get_manifest, form_of)


def test_an_unknown_manifest_is_not_found(timed: App) -> None:
    for read in READINGS:
        with pytest.raises(NotFound, match="Manifest manf_no not found") as caught:
            read(timed, "manf_no")
        assert (caught.value.what, caught.value.id) == ("manifest", "manf_no")


def test_manifests_belong_to_a_mode(timed: App) -> None:
    form, live = made(timed, bought(timed)), timed.in_mode(False)
    for read in READINGS:
        with pytest.raises(NotFound, match=form.id):
            read(live, form.id)
    assert (list_manifests(live, [], 20, 0)[0], list_manifests(timed, [], 20, 0)[0]) == (0, 1)


def test_a_stored_address_may_be_the_place_of_a_manifest(timed: App) -> None:
    stored = addresses.create_address(timed, AddressData.model_validate({**SHIPPER, "person_name": "Gate 4"}))
    form = made(timed, bought(timed), address={"id": stored.id})
    assert form.address.person_name == "Gate 4"


@pytest.mark.parametrize("name", ["shipment_ids", "shipment_identifiers"])
def test_without_an_address_the_place_of_a_manifest_is_the_first_shipments_shipper(
    timed: App, name: str
) -> None:
    first = bought(timed, shipper={**SHIPPER, "person_name": "Gate 4"})
    words = [first.tracking_number, bought(timed).id]
    whole = end_of_day.complete_manifest(LocalGateway(timed), {name: words})
    assert whole[name] == words
    assert AddressData.model_validate(whole["address"]) == AddressData.model_validate(
        first.shipper.model_dump()
    )


def test_an_address_that_was_given_or_can_not_be_known_is_left_as_it_is(timed: App) -> None:
    for asked in (
        {"shipment_ids": [bought(timed).id], "address": {"id": "adr_1"}},
        {"shipment_ids": ["x"]},
        {},
    ):
        assert end_of_day.complete_manifest(LocalGateway(timed), asked) == asked


def test_the_same_keyed_manifest_twice_is_made_once(timed: App) -> None:
    listed, once = bought(timed), idempotency.make_idempotency_key(timed, "manifest", "k", None)
    forms = [manifests.create_manifest(timed, body(listed), once=once) for _ in range(2)]
    assert forms[0].model_dump() == forms[1].model_dump()
    assert timed.store.select("idempotency")[0]["status"] == 201


def test_shipments_that_were_listed_meanwhile_are_not_closed_again(timed: App) -> None:
    listed = bought(timed)
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    made(timed, listed)
    with pytest.raises(Conflict, match="changed meanwhile"):
        end_of_day.make_manifest(LocalGateway(timed), group)


# -- drawn forms -------------------------------------------------------------------------------------


def test_a_carrier_without_a_manifest_call_gets_a_drawn_form(timed: App) -> None:
    one = bought(timed, "ups")
    two = bought(timed, "ups", recipient={**RECIPIENT, "person_name": "Zoë 田中"})
    form = made(timed, one, two, carrier="ups", reference="Dock 2")
    text = words(manifests.merge_forms(timed, [form.id]))
    for part in (
        one.tracking_number,
        two.tracking_number,
        "Zoë 田中",
        "SAMPLE",
        "Dock 2",
        "2031-05-07",
        "10 LB",
    ):
        assert str(part) in text


def test_a_character_that_no_font_has_does_not_stop_the_day(timed: App) -> None:
    odd = bought(timed, "generic", recipient={**RECIPIENT, "company_name": "Plain", "person_name": "Ana"})
    with timed.store.transaction() as tx:
        stored = tx.get("shipment", odd.id) or {}
        tx.put("shipment", {**stored, "recipient": {**stored["recipient"], "person_name": "Ana 𓀀"}})
    form = made(timed, odd, carrier="generic")
    assert "Ana ?" in words(manifests.merge_forms(timed, [form.id]))


def test_forms_of_several_manifests_become_one_file_in_order(timed: App) -> None:
    forms = [made(timed, bought(timed, name), carrier=name) for name in ("ups", "generic")]
    ids = [form.id for form in forms]
    text = words(manifests.merge_forms(timed, ids))
    assert text.index(forms[0].shipment_identifiers[0]) < text.index(forms[1].shipment_identifiers[0])
    assert manifests.merge_forms(timed, [ids[0]], "PNG").startswith(b"\x89PNG")


def test_the_carriers_own_form_is_kept_as_it_came(timed: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_creation, "draw_manifest", None)
    form = made(timed, bought(timed))
    kept = timed.store.file(form.id, manifest_creation.FILE) or {}
    assert (kept["format"], kept["media_type"]) == ("PDF", "application/pdf")
    assert form_of(timed, form.id) == kept["content"]


def test_a_manifest_whose_file_is_lost_is_named(timed: App) -> None:
    whole, broken = made(timed, bought(timed)), made(timed, bought(timed))
    with timed.store.transaction() as tx:
        tx.remove("files", {"owner_id": broken.id})
    with pytest.raises(NotFound, match=f"{broken.id} has no file") as caught:
        manifests.merge_forms(timed, [whole.id, broken.id])
    assert caught.value.what == manifest_creation.FILE


def test_forms_that_can_not_become_one_file_name_the_field(timed: App) -> None:
    form = form_of(timed, made(timed, bought(timed)).id)
    for files, kind, field, why in (
        ([], "PDF", "manifests", "nothing to merge"),
        ([form, form], "PNG", "format", "can't be made PNG"),
        ([form], "GIF", "format", "can't be made GIF"),
    ):
        with pytest.raises(Invalid, match=why) as caught:
            manifests.merge_form_files(files, kind)
        assert [problem.field for problem in caught.value.problems] == [field]


# -- straight through --------------------------------------------------------------------------------


def through(app: App, *named: str, carrier: str = "usps") -> dict[str, Any]:
    given = {"carrier_name": carrier, "address": SHIPPER, "shipment_identifiers": list(named)}
    return proxy.generate_manifest(app, ManifestRequestData.model_validate(given)).model_dump()


def test_a_manifest_goes_straight_through_with_its_file(timed: App) -> None:
    by_id, by_number = bought(timed), bought(timed)
    answer = through(timed, by_id.id, str(by_number.tracking_number))
    assert set(answer) == {"messages", "manifest"}
    assert answer["manifest"]["doc"]["manifest"].startswith("JVBERi")
    assert len(answer["manifest"]["meta"]["trackingNumbers"]) == 2
    assert timed.store.count("manifest") == 0
    assert timed.store.count("shipment", [flag("has_manifest", True)]) == 0


def test_unknown_identifiers_go_to_the_carrier_as_they_are(timed: App) -> None:
    with pytest.raises(Refused, match="is not a label of this account"):
        through(timed, "9200000000000000000000")
    drawn = through(timed, "1Z0000000000000000", carrier="ups")
    assert drawn["manifest"]["doc"]["manifest"].startswith("JVBERi")


@pytest.mark.parametrize("field", ["carrier_name", "address", "shipment_identifiers"])
def test_what_a_manifest_straight_through_needs_is_required(field: str) -> None:
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": ["1"]}
    with pytest.raises(ValidationError, match=field):
        ManifestRequestData.model_validate({name: value for name, value in given.items() if name != field})


# -- the end of the day ------------------------------------------------------------------------------


def test_a_day_is_grouped_by_account_and_place(timed: App) -> None:
    here = [bought(timed), bought(timed, shipper={**SHIPPER, "city": "PHILADELPHIA "})]
    there = bought(timed, shipper={**SHIPPER, "address_line1": "1 Other St"})
    other = bought(timed, "ups")
    groups = end_of_day.list_open_groups(LocalGateway(timed))
    found = [(group.carrier_id, [one.id for one in group.shipments]) for group in groups]
    assert found == [("usps", [one.id for one in here]), ("usps", [there.id]), ("ups", [other.id])]
    assert [group.carrier_name for group in end_of_day.list_open_groups(LocalGateway(timed), "ups")] == [
        "ups"
    ]


def close_and_collect(app: App, group: end_of_day.ManifestGroup) -> end_of_day.DayLine:
    gateway = LocalGateway(app)
    return end_of_day.book_pickup(gateway, group, end_of_day.close_group(gateway, group), "14:00-17:00")


def test_closing_a_group_leaves_nothing_open(timed: App) -> None:
    bought(timed), bought(timed, "ups")
    lines = [
        end_of_day.close_group(LocalGateway(timed), group)
        for group in end_of_day.list_open_groups(LocalGateway(timed))
    ]
    assert [line.state for line in lines] == ["closed", "closed"]
    assert end_of_day.choose_exit_code(lines) == 0
    assert end_of_day.list_open_groups(LocalGateway(timed)) == []


def test_a_group_that_fails_does_not_stop_the_others(timed: App) -> None:
    refused, fine = bought(timed), bought(timed, "ups")
    timed.ledger.remove("usps", "label", str(refused.tracking_number))
    lines = [
        end_of_day.close_group(LocalGateway(timed), group)
        for group in end_of_day.list_open_groups(LocalGateway(timed))
    ]
    assert [line.state for line in lines] == ["failed", "closed"]
    assert "not a label of this account" in str(lines[0].detail)
    assert end_of_day.choose_exit_code(lines) == 9
    assert end_of_day.choose_exit_code(lines[:1]) == 7
    assert (fresh(timed, fine).meta or {})["manifest_id"] == lines[1].manifest_id


def test_a_group_whose_connection_is_gone_says_so(timed: App) -> None:
    bought(timed)
    connection_id = timed.store.select("connections", {"carrier_name": "usps", "test_mode": True})[0]["id"]
    connections.remove_connection(timed, connection_id)
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    assert end_of_day.close_group(LocalGateway(timed), group).state == "failed"


def test_pickups_are_booked_for_what_none_holds(timed: App) -> None:
    held, free = bought(timed), bought(timed)
    booked(timed, held)
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    line = end_of_day.book_pickup(
        LocalGateway(timed), group, end_of_day.close_group(LocalGateway(timed), group), "14:00-17:00"
    )
    assert [one.id for one in grouping.list_pickup_shipments(timed, str(line.pickup_id))] == [free.id]
    assert pickups.get_pickup(timed, str(line.pickup_id)).pickup_date == "2031-05-07"


def test_a_pickup_that_fails_leaves_the_group_closed(timed: App, clock: Clock) -> None:
    bought(timed)
    clock.advance(days=4)  # a Sunday
    (group,) = end_of_day.list_open_groups(LocalGateway(timed))
    line = end_of_day.book_pickup(
        LocalGateway(timed), group, end_of_day.close_group(LocalGateway(timed), group), "14:00-17:00"
    )
    assert (line.state, line.pickup_id) == ("closed", None)
    assert "Sunday" in str(line.detail)
    assert end_of_day.choose_exit_code([line]) == 9


def test_what_lacks_a_label_is_listed(timed: App) -> None:
    waiting = shipments.create_shipment(timed, draft(carrier_ids=["usps"], reference="SO-7"))
    lost = bought(timed)
    with timed.store.transaction() as tx:
        tx.put("shipment", {**(tx.get("shipment", lost.id) or {}), "label_url": None})
    found = {line.shipments[0]: line.detail for line in read_open_day(LocalGateway(timed)).shipments}
    assert found == {
        waiting.id: "shipment SO-7: draft, Ana Ruiz",
        lost.id: "shipment SO-1: bought, but the label file is missing, Ana Ruiz",
    }


def test_orders_without_a_label_come_first_and_their_draft_is_not_named_besides(timed: App) -> None:
    first, second = (ordered(timed, order_id=number, shipping_from=SHIPPER) for number in ("W1", "W2"))
    covering(timed, second)  # one of its two pieces
    shipments.create_shipment(timed, draft(metadata={MARK: first.id}))
    shipments.create_shipment(timed, draft(reference="SO-7"))
    day = read_open_day(LocalGateway(timed))
    assert [(line.orders, line.detail) for line in day.lacking] == [
        ((first.id,), "order W1: unfulfilled, Ana Ruiz, Phoenix"),
        ((second.id,), "order W2: partial, Ana Ruiz, Phoenix"),
        ((), "shipment SO-7: draft, Ana Ruiz"),
    ]
    orders.cancel_order(timed, first.id)
    assert [line.orders for line in read_open_day(LocalGateway(timed)).orders] == [(second.id,)]


def test_a_list_of_forms_shows_their_day_and_the_carriers_number() -> None:
    number = "9475711201080800000017"
    row = {"carrier_id": "usps", "meta": {"manifest_date": "2026-11-20", "manifestNumber": number}}
    shown = draw_list([row], VIEWS["manifest"], color=False, width=100)
    assert "DATE" in shown
    assert "2026-11-20" in shown
    assert number in shown

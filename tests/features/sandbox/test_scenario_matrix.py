"""Every scenario for every carrier that it is stated to hold for: one meaning for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal

import pytest

from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import ALIASES, find_number_scenario, list_scenarios
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.paper.label_requests import fetch_missing_label
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    ConnectionData,
    Invalid,
    OutcomeUnknown,
    Refused,
    ShipmentRateData,
    ShipmentUpdateData,
    TrackingData,
)
from shipcli.models.basics.errors import Throttled
from shipcli.models.tracker import TrackerDetails
from tests.features.sandbox.stage import (
    WEDNESDAY,
    body,
    buy,
    list_cells,
    live_numbers,
    open_stage,
    scenario,
    text_of,
)

LINES = {"residential": "Residential delivery", "remote": "Remote area delivery"}
TROUBLES = ("error", "unavailable", "rate_limited", "garbled", "closed")


@pytest.fixture(scope="module")
def stage() -> Iterator[App]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shipcli.carrier.sending.call_sender.BACKOFF_S", (0.0, 0.0))
        app = open_stage()
        yield app
        app.close()


def track(app: App, slug: str, number: str) -> TrackerDetails:
    """What a carrier says of a number; a hub is asked for the carrier behind it."""
    is_hub = not registry.get_facts(slug).trackable
    data = TrackingData(tracking_number=number, carrier_name="ups" if is_hub else slug)
    answer = proxy.get_tracking(app, data, hub=slug if is_hub else None).tracking
    assert answer
    return answer


# -- tracking numbers --------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "slug"), list_cells(kind="number"))
def test_a_magic_number_means_the_same_for_every_carrier(stage: App, name: str, slug: str) -> None:
    row = scenario(name)
    number = f"{row.magic}10000003"
    if row.answer == 200:
        answer = track(stage, slug, number)
        assert (answer.status, answer.delivered) == (row.status, row.status == "delivered")
        assert answer.events
    else:
        with pytest.raises((Refused, Throttled)) as caught:
            track(stage, slug, number)
        assert caught.value.status == row.answer


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("odd_data")])
def test_odd_histories_reach_the_caller_as_they_are(stage: App, slug: str) -> None:
    wrong = [(event.date, event.time) for event in track(stage, slug, "SC1720000000").events]
    twice = [event.model_dump_json() for event in track(stage, slug, "SC1820000000").events]
    lengths = [len(track(stage, slug, "SC1920000000").events) for _ in range(2)]
    odd = track(stage, slug, "SC9520000000").events
    assert wrong != sorted(wrong, reverse=True) or len(set(wrong)) == 1
    assert len(set(twice)) == len(twice) - 1
    assert lengths[1] < lengths[0]
    assert odd[0].description is None
    assert "<b>" in str(odd[1].description)
    assert str(odd[0].time).endswith(".1234567")


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("proof")])
def test_proofs_and_pieces_are_named(stage: App, slug: str) -> None:
    proved, first = track(stage, slug, "SC2120000000"), track(stage, slug, "SC2020000000")
    pieces = (first.meta or {})["tracking_numbers"]
    assert proved.images
    assert proved.images.signature_image
    assert proved.images.delivery_image
    assert proved.info
    assert proved.info.signed_by
    assert [track(stage, slug, piece).status for piece in pieces] == [
        "delivered",
        "delivered",
        "delivery_delayed",
    ]


def test_numbers_of_other_servers_have_a_meaning(stage: App) -> None:
    for alias in ALIASES:
        row = scenario(str(find_number_scenario(alias)))
        assert track(stage, "ups", alias).status == row.status


def test_a_journey_goes_on_with_time() -> None:
    """What follows the first answer, by the hours after it."""
    later = {"SC1000000009": (61, "delivered"), "SC1100000009": (24, "delivery_delayed"),
             "SC1200000009": (61, "delivery_failed"), "SC1300000009": (66, "ready_for_pickup"),
             "SC1400000009": (30, "on_hold"), "SC3000000009": (240, "unknown"),
             "SC9000000009": (1, "pending"), "SC1600000009": (999, "pending")}  # fmt: skip
    now = [WEDNESDAY]
    app = open_stage(lambda: now[0])
    try:
        for number in later:
            with suppress(Refused):  # a number that is not known yet
                track(app, "canpar", number)
        for number, (hours, status) in later.items():
            now[0] = WEDNESDAY + timedelta(hours=hours)
            assert (number, track(app, "canpar", number).status) == (number, status)
    finally:
        app.close()


# -- purchases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("declined")])
def test_a_declined_purchase_leaves_a_draft_and_nothing_sold(stage: App, slug: str) -> None:
    draft = shipments.create_shipment(stage, body(slug, services=["sandbox_declined"]))
    before = live_numbers(stage, slug)
    assert [rate.service for rate in draft.rates] == ["sandbox_declined"]
    with pytest.raises(Refused, match="declined") as caught:
        buy(stage, draft)
    assert (caught.value.status, caught.value.code) == (424, "carrier_refused")
    assert shipments.get_shipment(stage, draft.id).status == "draft"
    assert live_numbers(stage, slug) == before


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("repriced")])
def test_a_repriced_label_costs_more_than_its_rate(stage: App, slug: str) -> None:
    draft = shipments.create_shipment(stage, body(slug, services=["sandbox_repriced"]))
    bought = buy(stage, draft)
    assert bought.selected_rate
    quotient = bought.selected_rate.total_charge / draft.rates[0].total_charge
    assert abs(quotient - Decimal("1.12")) < Decimal("0.002")


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("expired_rate")])
def test_an_expired_rate_is_fetched_again(stage: App, slug: str) -> None:
    draft = shipments.create_shipment(stage, body(slug, services=["sandbox_expired_rate"]))
    for _ in range(2):
        with pytest.raises(Invalid) as caught:
            buy(stage, draft)
        assert (caught.value.status, caught.value.code) == (400, "rate_expired")
    fresh = shipments.fetch_rates(stage, draft.id, ShipmentRateData())
    assert buy(stage, fresh).status == "purchased"


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("partial")])
def test_a_purchase_that_fails_half_way_is_taken_back(stage: App, slug: str) -> None:
    draft = shipments.create_shipment(stage, body(slug, 3, services=["sandbox_partial"]))
    before = live_numbers(stage, slug)
    with pytest.raises(Refused, match="declined"):
        buy(stage, draft)
    assert live_numbers(stage, slug) == before
    assert shipments.get_shipment(stage, draft.id).status == "draft"


def test_a_parcel_that_nobody_can_take_back_needs_attention(stage: App) -> None:
    draft = shipments.create_shipment(stage, body("hermes", 3, services=["sandbox_partial"]))
    before = live_numbers(stage, "hermes")
    with pytest.raises(OutcomeUnknown):
        buy(stage, draft)
    assert len(live_numbers(stage, "hermes")) == len(before) + 1
    assert shipments.get_shipment(stage, draft.id).status == "needs_attention"


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("nodoc")])
def test_a_label_may_come_later(stage: App, slug: str) -> None:
    bought = shipments.create_shipment(stage, body(slug, service="sandbox_nodoc"))
    assert bought.status == "purchased"
    assert bought.tracking_number
    assert stage.store.file(bought.id, "label") is None
    for _ in range(2):
        with pytest.raises(Refused, match="not ready"):
            fetch_missing_label(stage, bought.id)
    assert fetch_missing_label(stage, bought.id)
    assert stage.store.file(bought.id, "label")


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("void_late")])
def test_a_label_on_a_manifest_is_not_voided(stage: App, slug: str) -> None:
    bought = shipments.create_shipment(stage, body(slug, service="sandbox_void_late"))
    with pytest.raises(Refused):
        shipments.cancel_shipment(stage, bought.id)
    assert shipments.get_shipment(stage, bought.id).status == "purchased"
    assert str(bought.tracking_number) in live_numbers(stage, slug)


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("own_number")])
def test_a_reference_is_the_number_of_a_parcel(stage: App, slug: str) -> None:
    draft = shipments.create_shipment(stage, body(slug, reference_number="SC0300000077"))
    assert buy(stage, draft).tracking_number == "SC0300000077"


# -- addresses, weights, connections -----------------------------------------------------------


@pytest.mark.parametrize(("name", "slug"), list_cells("residential", "remote"))
def test_a_surcharge_is_quoted_and_billed(stage: App, name: str, slug: str) -> None:
    plain = shipments.create_shipment(stage, body(slug)).rates[0]
    draft = shipments.create_shipment(stage, body(slug, line=scenario(name).magic))
    rate = draft.rates[0]
    lines = {charge.name: charge.amount for charge in rate.extra_charges}
    assert rate.total_charge == plain.total_charge + (lines[LINES[name]] or 0)
    paid = buy(stage, draft).selected_rate
    assert paid
    assert paid.total_charge == rate.total_charge


@pytest.mark.parametrize(("name", "slug"), list_cells("no_rates", "embargo", "mixed"))
def test_an_address_nobody_delivers_to_has_no_rate(stage: App, name: str, slug: str) -> None:
    with pytest.raises(Refused) as caught:
        shipments.create_shipment(stage, body(slug, line=scenario(name).magic))
    assert caught.value.status == 424
    assert caught.value.messages[0].carrier_id == slug


def test_one_carrier_refuses_and_the_others_quote(stage: App) -> None:
    for name, code in (("embargo", "embargo"), ("mixed", "timeout")):
        line = scenario(name).magic
        draft = shipments.create_shipment(stage, body("ups", line=line, carrier_ids=["ups", "fedex", "usps"]))
        assert {rate.carrier_id for rate in draft.rates} == {"ups", "usps"}
        assert (draft.messages[0].carrier_id, draft.messages[0].code) == ("fedex", code)


@pytest.mark.parametrize("slug", [slug for _, slug in list_cells("over_limit")])
def test_a_weight_is_too_much_for_every_carrier(stage: App, slug: str) -> None:
    with pytest.raises(Refused) as caught:
        shipments.create_shipment(stage, body(slug, weight=999))
    assert caught.value.status == 424


@pytest.mark.parametrize("name", TROUBLES)
def test_a_carrier_in_trouble_leaves_the_outcome_in_doubt_or_a_draft(stage: App, name: str) -> None:
    draft = shipments.create_shipment(stage, body("fedex"))
    metadata = {"sandbox_scenario": name}
    shipments.update_shipment(stage, draft.id, ShipmentUpdateData(metadata=metadata))
    with pytest.raises(Refused) as caught:
        buy(stage, shipments.get_shipment(stage, draft.id))
    assert isinstance(caught.value, OutcomeUnknown) == (name != "rate_limited")


def test_every_scenario_holds_for_a_carrier() -> None:
    carried = {name for name, _ in list_cells(*list_scenarios())}
    assert carried == set(list_scenarios())


def connect(app: App, slug: str, ending: str, **credentials: str) -> str:
    """Another connection of a carrier; its carrier_id."""
    sample = {**registry.get_facts(slug).sample_account, **credentials}
    name = f"{slug}-{ending}"
    data = ConnectionData(carrier_name=slug, carrier_id=name, credentials=sample)
    connections.add_connection(app, data)
    return name


@pytest.mark.parametrize(
    ("slug", "field", "word", "text"),
    [("canadapost", "password", "expired", "have expired"), ("canadapost", "password", "denied", ""),
     ("ups", "client_secret", "expired", "have expired"), ("ups", "client_secret", "denied", ""),
     ("generic", "account_number", "expired", "have expired"),
     ("generic", "account_number", "denied", "not known")],
)  # fmt: skip
def test_credentials_say_what_is_wrong_with_them(
    stage: App, slug: str, field: str, word: str, text: str
) -> None:
    name = connect(stage, slug, word, **{field: f"{word}-1"})
    with pytest.raises(Refused) as caught:
        shipments.create_shipment(stage, body(slug, carrier_ids=[name]))
    assert text in text_of(caught.value)
    assert ("have expired" in text_of(caught.value)) == (word == "expired")


def test_a_failing_connection_refuses_everything(stage: App) -> None:
    for slug in ("ups", "generic"):
        with pytest.raises(Refused, match="refuses everything"):
            shipments.create_shipment(stage, body(slug, carrier_ids=[connect(stage, slug, "fail")]))

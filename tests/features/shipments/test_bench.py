"""Shipping in one step: what is filled in, which rate is taken, what a refusal leaves behind."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli import config
from shipcli.bootstrap import open_app
from shipcli.features.book.addresses import create_address
from shipcli.features.core.app import App
from shipcli.features.core.dates import read_day
from shipcli.features.shipments import ship as bench
from shipcli.features.shipments import shorthand as bodies
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.defaults import find_default_shipper, read_defaults
from shipcli.features.shipments.rate_selection import find_arrival
from shipcli.features.shipments.service import create_shipment
from shipcli.features.shipments.ship import Prompter, RateCriteria
from shipcli.features.trackers.lookup import UnknownNumber, track
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    AddressData,
    Conflict,
    Invalid,
    LimitReached,
    NotFound,
    OutcomeUnknown,
    Rate,
    RateRequestData,
    Refused,
    Shipment,
    ShipmentData,
)
from shipcli.models.basics.errors import AlreadyBought
from shipcli.workflows import ship as ship_flow
from shipcli.workflows.find import find
from tests.factories import PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.conftest import live_labels

SATURDAY = date(2026, 11, 21)


class No(Exception):
    """The desk says no."""


def first(offered: Shipment) -> Rate:
    return offered.rates[0]


def yes(shipment: Shipment, rate: Rate) -> None:
    """The desk agrees to everything."""


def no(shipment: Shipment, rate: Rate) -> None:
    raise No()


AGREES, DECLINES = Prompter(first, yes), Prompter(first, no)
CHEAPEST = RateCriteria(rule="cheapest")


def ship(
    app: App,
    criteria: RateCriteria = CHEAPEST,
    prompter: Prompter = AGREES,
    key: str | None = None,
    **changes: Any,
) -> Shipment:
    return ship_flow.ship_new(LocalGateway(app), draft(**changes), criteria, prompter, key)


# -- bodies


def test_a_sandbox_ships_from_a_sample_warehouse(app: App) -> None:
    body = bodies.complete_body(
        read_defaults(app), {"recipient": {"postal_code": "02134"}}, [{"weight": 1, "weight_unit": "KG"}]
    )
    assert body["shipper"]["company_name"] == "Sample Goods"
    assert body["recipient"] == {"country_code": "US", "postal_code": "02134"}
    assert ship_flow.quote(LocalGateway(app), RateRequestData.model_validate(body)).rates


def test_outside_a_sandbox_a_shipper_must_be_named(tmp_path: Path) -> None:
    real = open_app(tmp_path / "real", environ={})
    with pytest.raises(Invalid, match="shipcli addresses default"):
        bodies.complete_body(read_defaults(real), {})
    real.close()


def test_the_default_shipper_ships(tmp_path: Path) -> None:
    home = tmp_path / "real"
    real = open_app(home, environ={})
    chosen = create_address(real, AddressData.model_validate(SHIPPER))
    config.write(home, "shipper", str(chosen.id))
    real.close()
    again = open_app(home, environ={})
    assert bodies.complete_body(read_defaults(again), {})["shipper"]["city"] == "Philadelphia"
    again.close()


def test_a_sandbox_keeps_its_own_default_shipper(app: App) -> None:
    chosen = create_address(app, AddressData.model_validate(RECIPIENT))
    config.write(app.home.parent, "shipper", "adr_of_the_real_store")
    config.write(app.home, "shipper", str(chosen.id))
    again = open_app(app.home.parent, sandbox=True, environ={})
    assert find_default_shipper(again)["city"] == "Phoenix"
    again.close()


def test_a_box_gives_its_sizes_unless_they_were_measured(app: App) -> None:
    body = {"recipient": RECIPIENT, "parcels": [PARCEL]}
    boxed = bodies.complete_body(read_defaults(app), body, [{"package_preset": "ups_small_express_box"}])
    made = bench.make_rated_draft(app, ShipmentData.model_validate(boxed))
    assert (made.parcels[0].length, made.parcels[0].weight) == (2, 5)


def test_an_unknown_box_names_the_nearest(app: App) -> None:
    with pytest.raises(Invalid, match="Did you mean ups_small_express_box"):
        bodies.complete_body(
            read_defaults(app), {"parcels": [PARCEL]}, [{"package_preset": "ups_smal_express_box"}]
        )


def test_one_weight_is_not_meant_for_two_parcels(app: App) -> None:
    with pytest.raises(Invalid, match="2 parcels"):
        bodies.complete_body(
            read_defaults(app), {"parcels": [PARCEL, PARCEL]}, [{"weight": 1, "weight_unit": "KG"}]
        )


# -- choosing


def test_the_cheapest_is_bought(app: App) -> None:
    bought = ship(app)
    assert bought.status == "purchased"
    assert bought.selected_rate
    assert bought.selected_rate.total_charge == min(rate.total_charge for rate in bought.rates)


def test_a_deadline_takes_the_cheapest_that_arrives_in_time(app: App) -> None:
    made = bench.make_rated_draft(app, draft())
    latest = min(day for rate in made.rates if (day := find_arrival(made, rate)))
    picked = bench.select_rate(read_defaults(app), made, RateCriteria(by=latest.isoformat()), first)
    assert find_arrival(made, picked) == latest
    assert picked.total_charge > made.rates[0].total_charge


def test_a_deadline_nobody_meets_names_the_earliest(app: App) -> None:
    with pytest.raises(Invalid, match=r"No rate arrives by .*; the earliest is "):
        ship(app, RateCriteria(by="today"))


def test_a_carrier_narrows_the_choice(app: App) -> None:
    assert ship(app, RateCriteria(rule="cheapest", carriers=("ups",))).carrier_name == "ups"


def test_a_service_that_is_not_offered_names_those_that_are(app: App) -> None:
    with pytest.raises(Invalid, match=r"not offered; offered: .*ups_ground"):
        ship(app, RateCriteria(service="ups_teleport"))


def test_who_thinks_it_over_while_another_bench_buys_gets_no_second_label(app: App) -> None:
    def think(shipment: Shipment, rate: Rate) -> None:
        ship(app, reference="SLOW-1")

    with pytest.raises(AlreadyBought, match="SLOW-1 has a label already"):
        ship(app, prompter=Prompter(AGREES.choose, think), reference="SLOW-1")
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_without_a_rule_the_desk_chooses(app: App) -> None:
    last = Prompter(lambda offered: offered.rates[-1], yes)
    assert ship(app, RateCriteria(), last).selected_rate_id


def test_a_rate_is_named_by_the_start_of_its_id(app: App) -> None:
    made = bench.make_rated_draft(app, draft())
    assert (
        bench.select_rate(read_defaults(app), made, RateCriteria(rate_id=made.rates[1].id), first)
        == made.rates[1]
    )
    with pytest.raises(Invalid, match="shipcli shipments rates"):
        bench.select_rate(read_defaults(app), made, RateCriteria(rate_id="rat_nope"), first)


# -- buying


def test_a_refusal_of_the_desk_leaves_nothing(app: App) -> None:
    with pytest.raises(No):
        ship(app, prompter=DECLINES, key="k")
    assert app.store.count("shipment") == 0
    assert live_labels(app) == {}
    assert ship(app, key="k").status == "purchased"


def test_a_refusal_of_the_carrier_leaves_nothing_and_costs_nothing(app: App) -> None:
    criteria = RateCriteria(rule="cheapest", budget=Budget(Decimal(100)), carriers=("ups",))
    with pytest.raises(Refused):
        ship(app, criteria, metadata={"sandbox_scenario": "rate_limited"})
    assert criteria.budget
    assert criteria.budget.spent == 0
    assert app.store.count("shipment") == 0


def test_an_unknown_outcome_stays_in_the_budget(app: App) -> None:
    criteria = RateCriteria(rule="cheapest", budget=Budget(Decimal(100)), carriers=("fedex",))
    with pytest.raises(OutcomeUnknown):
        ship(app, criteria, metadata={"sandbox_scenario": "garbled"})
    assert criteria.budget
    assert criteria.budget.spent > 0


def test_a_budget_stops_before_the_purchase(app: App) -> None:
    with pytest.raises(LimitReached):
        ship(app, RateCriteria(rule="cheapest", budget=Budget(Decimal(1))))
    assert live_labels(app) == {}


def test_the_same_request_with_an_automatic_key_buys_once(app: App) -> None:
    one, two = ship(app, key="auto"), ship(app, key="auto")
    other = ship(app, key="auto", reference="SO-2")
    assert one.id == two.id != other.id
    assert {len(numbers) for numbers in live_labels(app).values()} == {1}


def test_a_stored_draft_is_weighed_anew_and_priced_anew(app: App) -> None:
    made = create_shipment(app, draft())
    heavy = {"weight": Decimal(20), "weight_unit": "KG"}
    bought = ship_flow.ship_stored(LocalGateway(app), made.id, CHEAPEST, AGREES, parcel=heavy)
    assert bought.id == made.id
    assert bought.parcels[0].weight == 20
    assert bought.selected_rate
    assert bought.selected_rate.total_charge > made.rates[0].total_charge


def test_what_is_bought_is_not_bought_again(app: App) -> None:
    bought = ship(app)
    with pytest.raises(Conflict, match="only a draft"):
        ship_flow.ship_stored(LocalGateway(app), bought.id, CHEAPEST, AGREES)


def test_voiding_keeps_the_reason(app: App) -> None:
    voided = ship_flow.void_label(LocalGateway(app), ship(app).id, "wrong box")
    assert (voided.status, voided.metadata["void_reason"]) == ("cancelled", "wrong box")
    assert live_labels(app) == {}


def test_a_draft_has_no_label_to_void(app: App) -> None:
    with pytest.raises(Conflict, match="shipcli shipments cancel"):
        ship_flow.void_label(LocalGateway(app), create_shipment(app, draft()).id)


# -- days, finding, tracking


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", 21),
        ("tomorrow", 22),
        ("monday", 23),
        ("Fri", 27),
        ("saturday", 28),
        ("3d", 24),
        ("2026-11-30", 30),
    ],
)
def test_days_are_named_as_people_say_them(text: str, day: int) -> None:
    assert read_day(text, SATURDAY) == date(2026, 11, day)


@pytest.mark.parametrize("text", ["soon", "m", "2026-02-30", ""])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="not a day"):
        read_day(text, SATURDAY)


def test_every_word_must_be_somewhere(app: App) -> None:
    made = ship(app)
    create_address(app, AddressData.model_validate(RECIPIENT))
    here = LocalGateway(app)
    assert [row["kind"] for row in find(here, ["ruiz phoenix"])] == ["shipment", "address"]
    assert list(find(here, ["ruiz", "boston"])) == []
    assert [row["kind"] for row in find(here, [str(made.tracking_number)])] == [
        "shipment",
        "tracker",
    ]
    with pytest.raises(Invalid):
        find(here, [" "])


def test_a_shipment_is_tracked_by_number_id_and_reference(app: App) -> None:
    made = ship(app)
    found = {
        track(app, word)["id"] for word in (str(made.tracking_number), made.id, "SO-1", made.tracker_id or "")
    }
    assert found == {made.tracker_id}


def test_a_removed_tracker_is_added_again_with_the_carrier_of_its_shipment(app: App) -> None:
    from shipcli.features.trackers.service import remove_tracker

    made = ship(app, RateCriteria(rule="cheapest", carriers=("ups",)))
    remove_tracker(app, str(made.tracker_id))
    assert track(app, made.id)["carrier_name"] == "ups"


def test_an_unknown_number_needs_its_carrier(app: App) -> None:
    with pytest.raises(UnknownNumber, match="Nothing is known") as caught:
        track(app, "SC0300000001")
    assert "--carrier" in caught.value.hint
    assert track(app, "SC0300000001", carrier="ups")["status"] == "delivered"
    with pytest.raises(NotFound):
        track(app, "SC0")


def test_a_draft_has_no_number_to_track(app: App) -> None:
    with pytest.raises(Invalid, match="no number yet"):
        track(app, create_shipment(app, draft()).id)


def test_the_answer_of_a_purchase_says_that_a_postal_code_is_of_another_state(app: App) -> None:
    bought = ship(app, recipient={**RECIPIENT, "state_code": "MA", "postal_code": "90210"})
    assert [one.code for one in bought.messages] == ["postal_code_elsewhere"]
    with pytest.raises(Invalid, match="is not a state of the US"):
        ship(app, recipient={**RECIPIENT, "state_code": "ZZ"})

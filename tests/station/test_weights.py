"""Which weights of a scale count, and which are asked about."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.features.core.app import App
from shipcli.scales.readings import ScaleState
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.steps import FetchRates, ScaleSilent
from tests.features.conftest import live_labels
from tests.station.bench import Bench, make_order

BUY = StationCommand.BUY


@pytest.fixture
def scanned(weighing: Bench, app: App) -> Bench:
    """An order of one kilogram on the table."""
    make_order(app, "1042")
    weighing.scan("1042")
    assert weighing.load.phase is Phase.IDLE
    return weighing


def test_a_weight_counts_when_it_lay_still_twice(scanned: Bench) -> None:
    scanned.weigh(1100)
    assert scanned.load.weight is None
    scanned.weigh(1100)
    assert scanned.load.phase is Phase.PRICED
    assert scanned.load.draft
    assert scanned.load.draft.parcels[0].weight_in("KG") == Decimal("1.1")


@pytest.mark.parametrize(
    ("grams", "state"),
    [
        ((0, 0, 0), ScaleState.STABLE),
        ((-50, -50), ScaleState.STABLE),
        ((1100, 1100, 1100), ScaleState.UNSTABLE),
        ((30000, 30000), ScaleState.OVERLOAD),
        ((0, 0), ScaleState.UNDERLOAD),
        ((500, 700, 900, 1100), ScaleState.STABLE),
        ((2500, 2500, 2500), ScaleState.STABLE),
        ((), ScaleState.STABLE),
    ],
    ids=["zero", "negative", "unstable", "overloaded", "below zero", "growing", "more than twice", "silent"],
)
def test_what_is_no_weight_never_buys(
    scanned: Bench, app: App, grams: tuple[float, ...], state: ScaleState
) -> None:
    scanned.weigh(*grams, state=state)
    scanned.press(BUY)
    scanned.scan("1042")
    scanned.scan("CMD-BUY")
    assert scanned.load.weight is None
    assert scanned.count_done(FetchRates) == 0
    assert live_labels(app) == {}


def test_more_than_twice_the_expected_weight_is_asked_about_once_and_counts_when_agreed(
    scanned: Bench, app: App
) -> None:
    scanned.weigh(2500, 2500, 2500)
    assert scanned.station.question
    bad = scanned.station.sounds[1]
    scanned.weigh(2500, 2500)
    assert scanned.station.sounds[1] == bad
    scanned.scan("CMD-YES")
    assert scanned.load.phase is Phase.PRICED
    scanned.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_less_than_half_of_the_expected_weight_is_asked_about_without_a_sound(
    scanned: Bench, app: App
) -> None:
    bad = scanned.station.sounds[1]
    scanned.weigh(300, 300)
    assert scanned.station.question
    assert "less than half" in scanned.station.news
    assert scanned.station.sounds[1] == bad
    scanned.press(BUY)
    assert live_labels(app) == {}
    scanned.scan("CMD-YES")
    scanned.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_what_is_put_on_the_scale_piece_by_piece_is_asked_about_no_longer_than_it_lies_there(
    scanned: Bench,
) -> None:
    scanned.weigh(300, 300)
    scanned.weigh(450, state=ScaleState.UNSTABLE)
    assert scanned.station.question
    scanned.weigh(1000, 1000)
    assert (scanned.station.question, scanned.load.phase) == (None, Phase.PRICED)


def test_a_parcel_that_is_tilted_keeps_its_weight(scanned: Bench, app: App) -> None:
    scanned.weigh(1000, 1000)
    for _ in range(2):
        scanned.weigh(300, 300)
        assert scanned.station.question
        scanned.weigh(1000, 1000)
        assert scanned.station.question is None
    scanned.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_a_refused_weight_does_not_count(scanned: Bench) -> None:
    scanned.weigh(2500, 2500)
    scanned.press(StationCommand.CLEAR)
    assert scanned.load.weight is None
    scanned.weigh(0, 1000, 1000)
    assert scanned.load.phase is Phase.PRICED


def test_an_overload_takes_back_the_weight(scanned: Bench) -> None:
    scanned.weigh(1000, 1000)
    scanned.weigh(31000, state=ScaleState.OVERLOAD)
    assert (scanned.load.phase, scanned.load.weight) == (Phase.ATTENTION, None)
    scanned.weigh(0, 1000, 1000)
    assert scanned.load.phase is Phase.PRICED


def test_a_parcel_that_is_lifted_to_be_closed_keeps_its_weight(scanned: Bench, app: App) -> None:
    scanned.weigh(1000, 1000, 0, 0)
    scanned.weigh(-3, -3, state=ScaleState.UNDERLOAD)
    assert scanned.load.phase is Phase.PRICED
    scanned.weigh(0, 0)
    scanned.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_a_wavering_scale_stops_the_label(scanned: Bench, app: App) -> None:
    scanned.weigh(1000, 1000)
    scanned.weigh(1400, state=ScaleState.UNSTABLE)
    scanned.press(BUY)
    assert live_labels(app) == {}
    scanned.weigh(1000)
    scanned.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_a_heavier_parcel_is_rated_again_and_one_that_wavers_is_not(scanned: Bench) -> None:
    scanned.weigh(1000, 1000, 1003, 1003)
    assert scanned.count_done(FetchRates) == 1
    scanned.weigh(1500, 1500)
    assert scanned.count_done(FetchRates) == 2


def test_rates_for_a_weight_that_is_over_are_ignored(scanned: Bench) -> None:
    scanned.waits = lambda effect: isinstance(effect, FetchRates)
    scanned.weigh(1000, 1000, 1500, 1500)
    late = scanned.pending.pop(0)
    scanned.waits = lambda effect: False
    scanned.carry_out([late])
    assert scanned.load.phase is Phase.WEIGHED
    scanned.go_on()
    assert scanned.load.phase is Phase.PRICED
    assert scanned.load.facts
    assert scanned.load.facts["weight"] == 1500


def test_the_last_parcel_left_on_the_scale_is_not_weighed_for_the_next_order(
    scanned: Bench, app: App
) -> None:
    make_order(app, "1043")
    scanned.weigh(1000, 1000)
    scanned.press(BUY)
    scanned.scan("1043")
    scanned.weigh(1000, 1000, 1000)
    assert scanned.load.weight is None
    assert scanned.station.scale.wait == "take the last parcel off the scale"
    scanned.weigh(0, 1000, 1000)
    assert scanned.load.phase is Phase.PRICED


def test_a_parcel_put_on_the_scale_while_its_order_is_looked_up_is_weighed_for_it(
    scanned: Bench, app: App
) -> None:
    make_order(app, "1043")
    scanned.weigh(1000, 1000)
    scanned.is_slow = True
    scanned.scan("1043")
    scanned.weigh(0, 1500, 1500)
    scanned.go_on()
    scanned.weigh(1500)
    assert scanned.load.number == "1043"
    assert scanned.load.weight
    assert scanned.load.weight.describe() == "1500 g"


def test_what_was_on_hold_is_weighed_again(scanned: Bench, app: App) -> None:
    make_order(app, "1043")
    scanned.weigh(1000, 1000)
    scanned.scan("1043")
    scanned.weigh(0, 1500, 1500)
    scanned.scan("1042")
    assert scanned.load.weight is None
    scanned.weigh(0, 900, 900)
    assert scanned.load.facts
    assert scanned.load.facts["weight"] == 900


def test_a_typed_weight_wins_over_the_scale(scanned: Bench, app: App) -> None:
    scanned.happen(ScaleSilent("The scale says nothing"))
    scanned.type("2lb6oz")
    assert scanned.load.phase is Phase.ATTENTION or scanned.station.question is None
    scanned.weigh(700, 700)
    scanned.press(BUY)
    label = scanned.station.last
    assert label
    assert label.parcels[0].weight_in("LB") == Decimal("2.375")


def test_a_typed_weight_far_above_what_is_expected_is_asked_about(scanned: Bench) -> None:
    scanned.type("20lb")
    assert scanned.station.question
    scanned.type("y")
    assert scanned.load.phase is Phase.PRICED


def test_digits_alone_are_a_number_and_no_weight(scanned: Bench, app: App) -> None:
    make_order(app, "12")
    scanned.type("12")
    assert scanned.load.number == "12"


def test_an_order_that_needs_several_parcels_has_the_weights_of_its_lines(weighing: Bench, app: App) -> None:
    make_order(app, "1042", options={"single_item_per_parcel": True})
    weighing.scan("1042")
    weighing.weigh(9000, 9000)
    assert weighing.load.phase is Phase.PRICED, weighing.load.trouble
    assert weighing.load.draft
    assert len(weighing.load.draft.parcels) == 3


def test_an_order_of_unknown_weight_is_asked_about(bench: Bench, app: App) -> None:
    make_order(app, "1042", line_items=[{"title": "Cup", "quantity": 1, "weight": 0, "weight_unit": "KG"}])
    bench.scan("1042")
    assert "type it" in bench.station.news
    bench.press(BUY)
    assert live_labels(app) == {}
    bench.type("1.2kg")
    assert bench.load.phase is Phase.PRICED

"""Slips of people and scanners at the station: said in a way that helps, and without a consequence."""

from __future__ import annotations

import pytest

from shipcli.features.core.app import App
from shipcli.models.basics.errors import Unreachable
from shipcli.workflows.station.desk import describe
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.state import StationOptions
from shipcli.workflows.station.steps import BuyLabel, FetchRates, PrintLabel
from tests.features.conftest import live_labels
from tests.station.bench import TEA, Bench, make_order

BUY = StationCommand.BUY


def test_what_a_person_mistypes_is_no_article_in_the_box(checking: Bench) -> None:
    checking.type("MUG-12")
    assert checking.station.news == "Nothing is called MUG-12"
    assert not checking.load.goods.is_wrong


def test_a_command_barcode_of_another_station_is_no_article_in_the_box(checking: Bench) -> None:
    checking.scan("CMD-WRAP")
    assert checking.station.news == "CMD-WRAP is no command of this station"
    assert not checking.load.goods.is_wrong


@pytest.mark.parametrize("typed", ["0kg", "-3kg", "0 lb"])
def test_a_weight_that_no_parcel_has_is_no_number_of_an_article(checking: Bench, typed: str) -> None:
    checking.type(typed)
    assert checking.station.news == f"No parcel weighs {typed}"
    assert checking.load.weight is None


@pytest.mark.parametrize("way", ["key", "barcode", "weight"])
def test_what_is_pressed_before_an_order_is_found_is_not_meant_for_the_one_before(
    bench: Bench, app: App, way: str
) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
    bench.scan("1042")
    bench.is_slow = True
    bench.scan("1043")
    {
        "key": lambda: bench.press(BUY),
        "barcode": lambda: bench.scan("CMD-BUY"),
        "weight": lambda: bench.type("3lb"),
    }[way]()
    assert "1043 is still being looked up" in bench.station.news
    assert (bench.load.number, bench.load.weight) == ("1042", bench.load.job.expected)
    bench.go_on()
    assert bench.load.number == "1043"
    assert live_labels(app) == {}
    bench.press(BUY)
    assert list(live_labels(app)) == ["1043"]


@pytest.mark.parametrize("answer", ["y", "CMD-YES"])
def test_a_question_is_not_answered_while_another_order_is_looked_up(
    bench: Bench, app: App, answer: str
) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
    bench.scan("1042")
    bench.press(BUY)
    bench.press(StationCommand.VOID)
    bench.is_slow = True
    bench.scan("1043")
    bench.type(answer)
    assert "1043 is still being looked up" in bench.station.news
    bench.go_on()
    assert bench.station.question is None
    assert list(live_labels(app)) == ["1042"]


def test_what_is_not_found_is_no_longer_looked_up(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    for scanned in ("1042", "1O42"):
        bench.scan(scanned)
    bench.press(BUY)
    assert list(live_labels(app)) == ["1042"]


def test_no_answers_a_question(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    bench.press(StationCommand.VOID)
    bench.type("n")
    assert bench.station.question is None
    assert bench.station.news == "Not done"
    assert live_labels(app)


def test_after_yes_the_question_is_no_longer_on_the_screen(weighing: Bench, app: App) -> None:
    make_order(app, "1042")
    weighing.scan("1042")
    weighing.weigh(9000, 9000)
    weighing.press(BUY)
    assert "answer first" in weighing.station.news
    weighing.type("y")
    assert weighing.load.phase is Phase.PRICED
    assert not weighing.station.is_bad


def test_what_was_in_the_way_of_a_label_is_not_said_of_one_that_is_ready(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.waits = lambda effect: isinstance(effect, FetchRates)
    bench.scan("1042")
    bench.press(BUY)
    assert bench.station.news == "1042: its rates are being fetched"
    bench.go_on()
    assert bench.load.phase is Phase.PRICED
    assert bench.station.news == ""


def test_a_long_list_of_what_is_missing_is_cut(app: App) -> None:
    bench = Bench(app, StationOptions(checks_goods=True))
    make_order(app, "1042", line_items=[{**TEA, "sku": f"SKU-{number}"} for number in range(9)])
    bench.scan("1042")
    assert bench.load.goods.describe_problem().endswith("1 SKU-4 and 4 more")


@pytest.mark.parametrize("effect", [BuyLabel, PrintLabel])
@pytest.mark.parametrize("is_aside", [True, False])
def test_an_order_scanned_while_its_label_is_made_is_not_offered_for_another_print(
    bench: Bench, app: App, effect: type, is_aside: bool
) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
    bench.scan("1042")
    bench.waits = lambda asked: isinstance(asked, effect)
    bench.press(BUY)
    if is_aside:
        bench.scan("1043")
    if effect is BuyLabel:  # the label is bought, and the station has not heard of it
        list(bench.desk.carry_out(bench.pending[0]))
    bench.scan("1042")
    assert "F5" not in bench.station.news
    bench.go_on()
    assert bench.station.load is None or bench.load.number == "1043"
    assert bench.count_done(PrintLabel) == 1


def test_a_label_printed_while_it_is_in_hand_leaves_the_table(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.waits = lambda effect: isinstance(effect, PrintLabel)
    bench.press(BUY)
    after = Bench(app)
    after.open()
    after.waits = lambda effect: isinstance(effect, PrintLabel)
    after.press(StationCommand.REPRINT)
    after.scan("1042")
    assert after.station.load
    after.go_on()
    assert after.station.load is None
    assert "is printed" in after.station.news


def test_a_label_that_is_bought_is_said_once(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    bench.scan("1042")
    bench.press(BUY)
    assert bench.station.news.startswith("1042 has a label")


def test_a_sentence_and_its_hint_are_one() -> None:
    error = Unreachable("the server does not answer.")
    error.hint = "look at it"
    assert describe(error) == "the server does not answer; look at it"

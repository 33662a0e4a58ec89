"""What goes wrong at the station is said, never lost, and never makes a second label."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shipcli.clocks import SandboxClock
from shipcli.features.core.app import App
from shipcli.features.paper.printing.print_queue import list_jobs, list_waiting, resume
from shipcli.features.paper.printing.printers import Printer, add_printer
from shipcli.workflows.station.label_printing import start_of_day
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.steps import BuyLabel, PrintLabel
from tests.features.conftest import live_labels
from tests.features.losing import FirstSale, losing
from tests.station.bench import Bench, make_order

BUY, REPRINT, VOID = StationCommand.BUY, StationCommand.REPRINT, StationCommand.VOID
AWAY = "tcp://127.0.0.1:1"


def move_clock(app: App, by: timedelta) -> None:
    """Let time pass in the sandbox."""
    assert isinstance(app.clock, SandboxClock)
    app.clock.show(app.now() + by)


def count_printed(app: App) -> int:
    return sum(job.state == "printed" for job in list_jobs(app, states=()))


@pytest.fixture
def bought(bench: Bench, app: App) -> Bench:
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    return bench


# -- printers --------------------------------------------------------------------------------------


def test_a_printer_that_is_away_keeps_the_label_and_prints_it_once(
    bench: Bench, app: App, tmp_path: Path
) -> None:
    add_printer(app, Printer("zebra", AWAY, "ZPL"), replace=True)
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    assert bench.load.phase is Phase.ATTENTION
    assert "not printed" in bench.station.news
    bench.press(BUY)
    bench.scan("1042")
    assert sum(map(len, live_labels(app).values())) == 1
    add_printer(app, Printer("zebra", f"spool:{tmp_path / 'printed'}", "ZPL"), replace=True)
    bench.press(REPRINT)
    assert bench.station.load is None
    assert bench.station.table.unprinted == []
    assert count_printed(app) == 1


def test_work_goes_on_while_the_printer_is_away(bench: Bench, app: App, tmp_path: Path) -> None:
    add_printer(app, Printer("zebra", AWAY, "ZPL"), replace=True)
    for number in ("1042", "1043"):
        make_order(app, number)
        bench.scan(number)
        bench.press(BUY)
    assert sorted(live_labels(app)) == ["1042", "1043"]
    add_zebra_again(app, tmp_path)
    bench.press(StationCommand.CLEAR)
    bench.press(REPRINT)
    assert bench.station.table.unprinted == []
    assert count_printed(app) == 2


def add_zebra_again(app: App, folder: Path) -> None:
    add_printer(app, Printer("zebra", f"spool:{folder / 'printed'}", "ZPL"), replace=True)


def test_a_label_that_the_queue_printed_meanwhile_is_not_printed_again(
    bench: Bench, app: App, tmp_path: Path
) -> None:
    add_printer(app, Printer("zebra", AWAY, "ZPL"), replace=True)
    for number in ("1042", "1043"):
        make_order(app, number)
        bench.scan(number)
        bench.press(BUY)
    add_zebra_again(app, tmp_path)
    assert [job.state for job in resume(app, list_waiting(app))] == ["printed", "printed"]
    bench.scan("1042")
    bench.press(StationCommand.CLEAR)
    bench.press(REPRINT)
    assert count_printed(app) == 2
    assert bench.station.table.unprinted == []
    bench.press(REPRINT)
    assert count_printed(app) == 3


def test_a_copy_that_waits_after_an_unknown_print_is_offered(bench: Bench, app: App, tmp_path: Path) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.press(BUY)
    assert bench.station.last
    with app.store.transaction() as tx:  # as a printer that broke off leaves it
        tx.update("print_jobs", {"number": 1}, {"state": "unknown"})
        tx.mark("shipment", [bench.station.last.id], {"printed": False})
    add_printer(app, Printer("zebra", AWAY, "ZPL"), replace=True)
    bench.press(REPRINT)
    assert [job.state for job in list_jobs(app, states=())] == ["waiting", "replaced"]
    after = Bench(app)
    after.open()
    assert "not known to be printed: 1042" in after.station.news


def test_a_label_printed_long_ago_is_printed_again_on_request_only(bought: Bench, app: App) -> None:
    bought.scan("1042")
    assert "F5 prints another copy" in bought.station.news
    bought.press(BUY)
    bought.scan("1042")
    assert count_printed(app) == 1
    bought.press(REPRINT)
    assert count_printed(app) == 2
    assert sum(map(len, live_labels(app).values())) == 1


def test_the_last_label_is_printed_again_once_per_key(bought: Bench, app: App) -> None:
    for _ in range(4):
        bought.press(REPRINT, after=0.05)
    assert count_printed(app) == 2


def test_a_tracking_number_finds_its_label(bought: Bench) -> None:
    assert bought.station.last
    number = str(bought.station.last.tracking_number)
    bought.scan(f"]C1{number}")
    assert bought.load.shipment
    assert bought.load.shipment.tracking_number == number


# -- killed between --------------------------------------------------------------------------------


def test_what_was_bought_and_not_printed_is_offered_at_the_next_start(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.waits = lambda effect: isinstance(effect, PrintLabel)
    bench.press(BUY)
    after = Bench(app)
    after.open()
    assert "Bought here and not known to be printed: 1042" in after.station.news
    assert after.station.count == 1
    after.press(REPRINT)
    assert count_printed(app) == 1
    again = Bench(app)
    again.open()
    assert again.station.table.unprinted == []


def test_an_order_whose_label_was_not_printed_offers_it_when_it_is_scanned(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.waits = lambda effect: isinstance(effect, PrintLabel)
    bench.press(BUY)
    after = Bench(app)
    after.scan("1042")
    assert "bought and not known to be printed" in after.station.news
    after.press(BUY)
    after.press(REPRINT)
    assert count_printed(app) == 1
    assert sum(map(len, live_labels(app).values())) == 1


def test_what_was_not_printed_in_the_evening_is_offered_in_the_morning(bench: Bench, app: App) -> None:
    for number in ("1042", "1043"):
        make_order(app, number)
        bench.scan(number)
        bench.waits = lambda effect: isinstance(effect, PrintLabel) and effect.shipment.reference == "1043"
        bench.press(BUY)
    move_clock(app, timedelta(days=3))
    after = Bench(app)
    after.open()
    assert "not known to be printed: 1043" in after.station.news
    assert after.station.count == 0


# -- the count of the day --------------------------------------------------------------------------


def test_the_count_begins_anew_at_midnight(bought: Bench, app: App) -> None:
    assert bought.station.count == 1
    move_clock(app, timedelta(days=1))
    assert bought.station.count == 0
    make_order(app, "1043")
    bought.scan("1043")
    bought.press(BUY)
    assert bought.station.count == 1


def test_a_void_label_of_today_is_not_counted(bought: Bench, app: App) -> None:
    bought.press(VOID)
    bought.type("y")
    assert bought.station.count == 0


def test_a_void_label_of_another_day_or_bench_takes_nothing_off_the_count(bought: Bench, app: App) -> None:
    (number,) = live_labels(app)["1042"]
    move_clock(app, timedelta(days=1))
    make_order(app, "1043")
    bought.scan("1043")
    bought.press(BUY)
    bought.scan(number)
    bought.press(VOID)
    bought.type("y")
    assert list(live_labels(app)) == ["1043"]
    assert bought.station.count == 1


def test_midnight_is_that_of_the_place_also_on_the_day_when_the_clocks_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    noon = datetime(2026, 10, 25, 11, tzinfo=UTC)
    assert start_of_day(noon) == datetime(2026, 10, 24, 22, tzinfo=UTC)
    monkeypatch.undo()
    time.tzset()


# -- carriers --------------------------------------------------------------------------------------


def test_a_lost_answer_never_buys_twice(bench: Bench, app: App) -> None:
    make_order(app, "1042", options={"carrier_ids": ["fedex"]})
    bench.scan("1042")
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")):
        bench.press(BUY)
        assert bench.load.phase is Phase.ATTENTION
        assert bench.load.is_doubtful
    for _ in range(3):
        bench.press(BUY)
        bench.scan("1042")
    assert bench.load.is_doubtful
    assert sum(map(len, live_labels(app).values())) == 1


def test_an_answer_lost_on_the_way_from_the_purchase_is_found_by_its_key(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    bench.waits = lambda effect: isinstance(effect, BuyLabel)
    bench.press(BUY)
    (purchase,) = bench.pending
    list(bench.desk.carry_out(purchase))  # and nobody hears of it
    bench.go_on()
    assert bench.station.count == 1
    assert sum(map(len, live_labels(app).values())) == 1


def test_a_carrier_that_refuses_leaves_the_other_rates(bench: Bench, app: App) -> None:
    make_order(app, "1042")
    bench.scan("1042")
    assert bench.load.rate
    slug = bench.load.rate.carrier_name
    with losing(app, slug, before=lambda request: "ship" in request.path.casefold(), instead="rate_limited"):
        bench.press(BUY)
    assert bench.load.phase is Phase.ATTENTION, bench.station.news
    assert not bench.load.is_doubtful
    while bench.load.rate.carrier_name == slug:
        bench.press(StationCommand.NEXT)
        assert bench.load.rate
    bench.press(BUY)
    assert bench.station.last
    assert bench.station.last.carrier_name != slug


def test_a_carrier_that_is_away_is_asked_again_when_the_order_is_scanned_again(
    bench: Bench, app: App
) -> None:
    make_order(app, "1042", options={"carrier_ids": ["fedex"]})
    with losing(app, "fedex", before=lambda request: True):
        bench.scan("1042")
        assert bench.load.phase is Phase.ATTENTION
        assert bench.load.trouble
    bench.scan("1042")
    assert bench.load.phase is Phase.PRICED
    assert live_labels(app) == {}


def test_an_order_with_a_fault_is_said_with_what_to_do(bench: Bench, app: App) -> None:
    make_order(app, "1042", shipping_to={"person_name": "Nobody", "country_code": "US"})
    bench.scan("1042")
    assert bench.load.phase is Phase.ATTENTION
    assert bench.load.trouble in bench.station.news
    bench.press(BUY)
    assert live_labels(app) == {}


def test_a_label_bought_by_hand_for_the_same_order_is_no_reason_for_another(bench: Bench, app: App) -> None:
    from shipcli.features.shipments.service import create_shipment
    from shipcli.models import ShipmentData
    from tests.factories import body

    make_order(app, "1042")
    create_shipment(app, ShipmentData.model_validate(body(reference="1042", service="fedex_ground")))
    bench.scan("1042")
    bench.press(BUY)
    assert bench.load.phase is Phase.ATTENTION
    assert sum(map(len, live_labels(app).values())) == 1


# -- voids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [lambda bench: bench.scan("CMD-YES"), lambda bench: bench.type("y")],
    ids=["barcode", "typed"],
)
def test_a_label_is_voided_after_a_question(bought: Bench, app: App, answer: Callable[[Bench], None]) -> None:
    bought.press(VOID)
    assert bought.station.question
    assert live_labels(app)
    answer(bought)
    assert live_labels(app) == {}
    bought.scan("1042")
    assert bought.load.phase is Phase.PRICED


def test_the_question_about_a_void_is_no_longer_answered_once_another_order_is_scanned(
    bought: Bench, app: App
) -> None:
    make_order(app, "1043")
    bought.press(VOID)
    bought.scan("1043")
    bought.scan("CMD-YES")
    assert list(live_labels(app)) == ["1042"]

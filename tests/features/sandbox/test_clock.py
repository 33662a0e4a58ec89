"""The clock of a sandbox is moved, and all that happens in it goes by that clock."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.admin.retention import remove_old
from shipcli.features.core.app import App
from shipcli.features.sandbox import clock
from shipcli.models import Conflict, Invalid, OutcomeUnknown
from shipcli.models.sandbox_time import ClockAdvanceData, ClockFreezeData, ClockSetData, ClockSpeedData
from tests.features.sandbox.conftest import MONDAY, buy


def test_what_is_made_has_the_time_of_the_clock(app: App) -> None:
    assert buy(app).created_at == clock.read_instant(MONDAY, "at").isoformat(" ", "microseconds")


def test_the_clock_says_how_it_runs(app: App) -> None:
    assert (clock.show_clock(app).now, clock.show_clock(app).state) == (MONDAY, "frozen")
    assert clock.set_speed(app, ClockSpeedData(speed=1440)).state == "virtual"
    assert clock.follow_real_time(app).state == "real"
    assert clock.freeze_clock(app, ClockFreezeData()).state == "frozen"


def test_a_frozen_clock_shows_what_it_is_set_to(app: App) -> None:
    assert clock.set_clock(app, ClockSetData(at="2026-02-01")).now == "2026-02-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "hours"),
    [("61h", 61), ("3d", 72), ("1d12h", 36), ("90m", 1.5), ("1w", 168), ("7200", 2), ("1D 2H", 26)],
)  # fmt: skip
def test_a_span_is_read(text: str, hours: float) -> None:
    assert clock.read_span(text, "by") == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "h", "3x", "-1", "1h ago", "nan", "inf", "9" * 30 + "d"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="is not a span"):
        clock.read_span(text, "by")


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "1999-12-31", "9999-01-01"])
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        clock.read_instant(text, "at")


@pytest.mark.parametrize(
    "data", [{}, {"by": "1h", "to": MONDAY}, {"to": "2026-01-05T08:59Z"}, {"by": "20000w"}]
)
def test_the_clock_is_advanced_to_one_instant_ahead(app: App, data: dict[str, str]) -> None:
    with pytest.raises(Invalid):
        clock.find_end(app, ClockAdvanceData(**data))


def test_the_clock_of_a_real_store_can_not_be_moved(tmp_path: Path) -> None:
    app = open_app(tmp_path, environ={})
    with pytest.raises(Conflict, match="Only a sandbox"):
        clock.set_clock(app, ClockSetData(at=MONDAY))
    app.close()


def test_nothing_is_too_old_while_time_is_virtual(app: App) -> None:
    kept = open_app(app.home.parent, sandbox=True, environ={}, flags={"log_retention_days": 1})
    buy(kept)
    clock.set_clock(kept, ClockSetData(at="2030-01-01"))
    assert remove_old(kept) == {}
    kept.close()


def test_simulated_delays_take_no_time_while_time_is_virtual(app: App) -> None:
    slow = buy(app, options={"sandbox_scenario": "slow"})
    assert slow.status == "purchased"
    assert clock.show_clock(app).now == MONDAY, "nor do they move the clock"
    delays = [row["response"].get("delay_s") for row in app.store.select("traces")]
    assert 8.0 in delays


def test_a_carrier_that_never_answers_takes_no_time_while_time_is_virtual(app: App) -> None:
    with pytest.raises(OutcomeUnknown, match="no answer in time"):
        buy(app, "fedex", "fedex_ground", metadata={"sandbox_scenario": "timeout"})
    assert clock.show_clock(app).now == MONDAY

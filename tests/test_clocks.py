"""The clock of a sandbox, which all its processes share; and who keeps the real one."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import shipcli
from shipcli.bootstrap import open_app
from shipcli.clocks import CLOCK_FILE, SandboxClock, real_clock

MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
MARGIN = timedelta(seconds=30)
SOURCE = Path(shipcli.__file__).parent


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[SandboxClock]:
    made = SandboxClock(tmp_path / "sandbox" / CLOCK_FILE)
    yield made
    made.close()


def test_it_shows_the_real_time_until_it_is_moved(clock: SandboxClock) -> None:
    assert abs(clock() - real_clock()) < MARGIN
    assert (clock.read().speed, clock.is_virtual) == (1.0, False)


def test_a_frozen_clock_stands_still(clock: SandboxClock) -> None:
    clock.run(0)
    assert clock() == clock()
    assert abs(clock() - real_clock()) < MARGIN
    assert (clock.read().speed, clock.is_virtual) == (0.0, True)


def test_it_shows_the_instant_it_was_set_to_and_runs_on(clock: SandboxClock) -> None:
    clock.show(MONDAY)
    assert MONDAY <= clock() < MONDAY + MARGIN
    assert clock.read().speed == 1.0


def test_a_frozen_clock_that_is_set_stays_frozen(clock: SandboxClock) -> None:
    clock.run(0)
    clock.show(MONDAY)
    assert clock() == MONDAY


def test_time_runs_faster_at_a_higher_speed(clock: SandboxClock) -> None:
    clock.show(MONDAY, 86_400e6)
    assert clock() - MONDAY > timedelta(days=1)


def test_it_goes_back_to_real_time(clock: SandboxClock) -> None:
    clock.show(MONDAY, 0)
    clock.follow_real_time()
    assert abs(clock() - real_clock()) < MARGIN
    assert not clock.is_virtual


def test_a_writer_that_died_half_way_stops_no_reader(clock: SandboxClock, tmp_path: Path) -> None:
    clock.show(MONDAY, 0)
    with (tmp_path / "sandbox" / CLOCK_FILE).open("r+b") as file:
        file.write(b"\x03")  # an odd version
    assert clock() == MONDAY


def test_other_processes_read_the_same(clock: SandboxClock, tmp_path: Path) -> None:
    clock.show(MONDAY, 0)
    code = "import sys; from shipcli.clocks import *; print(SandboxClock(Path(sys.argv[1]))().isoformat())"
    words = [sys.executable, "-c", code, str(tmp_path / "sandbox" / CLOCK_FILE)]
    assert subprocess.check_output(words, text=True).strip() == MONDAY.isoformat()


def test_a_store_that_is_no_sandbox_has_the_real_clock(tmp_path: Path) -> None:
    app = open_app(tmp_path, environ={})
    assert app.clock is real_clock
    assert not (tmp_path / CLOCK_FILE).exists()
    app.close()


def list_readings_of_the_machine(file: Path) -> Iterator[str]:
    """Where a module reads the machine's clock by itself."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and f"{ast.unparse(node.value)}.{node.attr}" in (
            "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns",
        ):  # fmt: skip
            yield f"{file.relative_to(SOURCE)}:{node.lineno}"


def test_whoever_keeps_the_real_time_names_the_real_clock() -> None:
    readings = [place for file in SOURCE.rglob("*.py") for place in list_readings_of_the_machine(file)]
    assert [place for place in readings if not place.startswith("clocks.py")] == []

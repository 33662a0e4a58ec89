"""The clock of leases: nobody who sets the clock of the machine moves it, and all processes agree on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shipcli.clocks import read_real_seconds
from shipcli.features.core.processes import is_alive, name_process
from shipcli.store.jobs import Jobs
from shipcli.store.sqlite.session import SqliteSession
from shipcli.store.sqlite.steady_clock import open_steady_clock, read_boot_id
from shipcli.store.store import Store

HOUR_S = 3600.0
PLAY_S = 60.0  # for a machine that is busy with other things

pytestmark = pytest.mark.skipif(
    not read_boot_id(), reason="only Linux tells one start of a machine from another"
)


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock of the machine ahead, or back."""
    true = time.time

    def set_ahead(seconds: float) -> None:
        monkeypatch.setattr(time, "time", lambda: true() + seconds)

    return set_ahead


def opened(path: Path) -> Store:
    return Store.open(path, clock=lambda: datetime.now(UTC))


@pytest.mark.parametrize("jump", [HOUR_S, -HOUR_S])
def test_processes_that_start_before_and_after_the_clock_is_set_agree(
    path: Path, set_clock: Callable[[float], None], jump: float
) -> None:
    began = time.time()
    with opened(path) as before:
        set_clock(jump)
        with opened(path) as after:
            assert began - 1 < before.steady() <= after.steady() < before.steady() + PLAY_S


@pytest.mark.parametrize("jump", [HOUR_S, -HOUR_S])
def test_the_lease_of_a_living_worker_stands_whatever_the_clock_says(
    path: Path, set_clock: Callable[[float], None], jump: float
) -> None:
    with opened(path) as mine:
        jobs = Jobs(mine, mine.clock, name_process, is_alive)
        with mine.transaction() as tx:
            jobs.enqueue(tx, "q", "work", {})
        (job,) = jobs.claim({"q": 1})
        set_clock(jump)
        with opened(path) as other:
            assert Jobs(other, other.clock, name_process, is_alive).reclaim() == 0
        assert jobs.renew([job]) == {job.id}


def test_a_machine_that_was_started_anew_begins_by_its_clock(
    path: Path, set_clock: Callable[[float], None]
) -> None:
    with opened(path):
        set_clock(HOUR_S)
        session = SqliteSession(path)
        assert open_steady_clock(session, "another start")() == pytest.approx(time.time(), abs=PLAY_S)
        set_clock(0)
        again = open_steady_clock(session, "another start")
        assert again() == pytest.approx(time.time() + HOUR_S, abs=PLAY_S)
        session.close()


def test_a_system_that_names_no_start_has_the_clock_of_the_machine(path: Path) -> None:
    with opened(path):
        session = SqliteSession(path)
        assert open_steady_clock(session, "") is read_real_seconds
        session.close()

"""Locks by name: kept by renewal, taken over when their holder is gone, checked before money is spent."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from shipcli.features.connections.token_store import StoreCounters
from shipcli.features.core import renewal
from shipcli.features.core.app import App
from shipcli.features.core.locks import check_holds, hold_locks, is_locked
from shipcli.models import Conflict
from tests.features.core.neighbours import dead_neighbour

ELSEWHERE = f"{'0' * 36}.1/1/1/2"


def _put(app: App, owner: str, lasts_s: float) -> None:
    with app.store.transaction() as tx:
        tx.upsert("locks", {"name": "cron/a", "owner": owner, "until": app.store.steady() + lasts_s})


def test_a_lock_is_held_once_and_released(app: App) -> None:
    with hold_locks(app, ["cron/a", "cron/a", "cron/b"], "taken"):
        assert is_locked(app, "cron/b")
        with pytest.raises(Conflict, match="taken"), hold_locks(app, ["cron/b"], "taken"):
            pass
    assert app.store.select("locks") == []


def test_a_lock_of_a_dead_machine_blocks_for_minutes(app: App) -> None:
    with hold_locks(app, ["cron/a"], "taken"):
        (row,) = app.store.select("locks")
        assert 30 < row["until"] - app.store.steady() <= 120
    _put(app, ELSEWHERE, 60)
    with pytest.raises(Conflict), hold_locks(app, ["cron/a"], "taken"):
        pass
    _put(app, ELSEWHERE, -1)
    with hold_locks(app, ["cron/a"], "taken"):
        assert is_locked(app, "cron/a")


def test_a_lock_of_a_dead_process_is_free_at_once(app: App) -> None:
    _put(app, f"{dead_neighbour()}/1", 60)
    with hold_locks(app, ["cron/a"], "taken"):
        assert is_locked(app, "cron/a")


def test_a_lock_is_renewed_while_the_work_goes_on(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal, "EVERY_S", 0.001)
    with hold_locks(app, ["cron/a"], "taken"):
        (before,) = app.store.select("locks")
        while app.store.select("locks")[0]["until"] == before["until"]:
            pass
        assert app.store.select("locks")[0]["owner"] == before["owner"]
    assert not [thread for thread in threading.enumerate() if thread.name == "renewal"]


def test_a_holder_that_lost_its_lock_notices_before_it_acts(app: App) -> None:
    with hold_locks(app, ["cron/a"], "taken"):
        with app.store.transaction() as tx:
            check_holds(app, tx)
        _put(app, ELSEWHERE, 60)
        with (
            app.store.transaction() as tx,
            pytest.raises(Conflict, match="has begun the same"),
        ):
            check_holds(app, tx)
    assert app.store.select("locks")[0]["owner"] == ELSEWHERE, "the lock of another is not released"
    with app.store.transaction() as tx:
        check_holds(app, tx)


def test_numbers_are_reserved_once_and_locks_held_by_one_at_a_time(app: App) -> None:
    held: list[int] = []

    def work(number: int) -> list[int]:
        with suppress(Conflict), hold_locks(app, ["cron/a"], "taken"):
            held.append(number)
            assert held == [number], "two hold the lock"
            held.remove(number)
        return StoreCounters(app).reserve("labels", 2)

    with ThreadPoolExecutor(4) as pool:
        numbers = [number for some in pool.map(work, range(20)) for number in some]
    assert sorted(numbers) == list(range(1, 41))

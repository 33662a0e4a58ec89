"""Threads that write at the same time: each learns truly whether its own writes were kept."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.errors import StoreError
from shipcli.store.query import Filter, equal, flag
from shipcli.store.sqlite.session import SqliteSession
from shipcli.store.store import Store
from tests.processes import PATIENCE_S
from tests.store.batches import in_batch

WRITERS = 6


def write(store: Store, number: int, then: Callable[[Any], None], durable: bool) -> None:
    with store.transaction(durable=durable) as tx:
        tx.upsert("store_facts", {"name": f"k{number}", "value": number})
        then(tx)


def all_at_once(
    store: Store, then: Callable[[int, Any], None], *, durable: bool = True
) -> list[BaseException | None]:
    """What each of some writers ran into that queued up behind one long write."""
    with ThreadPoolExecutor(WRITERS) as pool:
        with store.transaction():
            done: list[Future[None]] = []
            for number in range(WRITERS):
                done.append(pool.submit(write, store, number, lambda tx, n=number: then(n, tx), durable))
                time.sleep(0.02)  # they come in order
        return [one.exception(timeout=PATIENCE_S) for one in done]


def kept(place: Path | str, clock: Any) -> set[int]:
    with Store.open(place, clock=clock) as other:
        rows = other.select("store_facts")
    return {row["value"] for row in rows if row["name"].startswith("k")}


@pytest.mark.parametrize("durable", [True, False])
def test_one_that_fails_leaves_the_others_alone(
    store: Store, place: Path | str, clock: Any, durable: bool
) -> None:
    def fail(number: int, tx: Any) -> None:
        if number in (0, 3):
            raise LookupError("mine alone")

    found = all_at_once(store, fail, durable=durable)
    assert [type(one) for one in found if one] == [LookupError, LookupError]
    assert kept(place, clock) == {1, 2, 4, 5}


def test_nobody_is_told_of_success_before_all_of_it_rests(
    store: Store, place: Path | str, clock: Any
) -> None:
    seen: list[set[int]] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        write(store, number, lambda tx: None, durable=True)
        held = kept(place, clock)
        with lock:
            seen.append({number} - held)

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(work, range(60)))
    assert seen == [set()] * 60


def test_counts_are_right_whoever_looked_and_failed_meanwhile(store: Store, shipment: Any) -> None:
    seen: dict[int, int] = {}

    def count(number: int) -> None:
        with store.transaction() as tx:
            if number % 2:
                seen[number] = tx.count("shipment")
            tx.put("shipment", shipment())
            if number % 3 == 2:
                seen[number] = tx.count("shipment")
                raise LookupError
            if number == 6:
                tx.delete("shipment", tx.page("shipment", limit=1).items[0].partition('"id":"')[2][:36])

    found = in_batch(store, *[partial(count, number) for number in range(9)])
    assert [number for number, error in enumerate(found) if error] == [2, 5, 8]
    assert seen == {1: 1, 2: 3, 3: 2, 5: 5, 7: 4, 8: 6}
    assert store.count("shipment") == 5
    assert store.check() == []


def test_an_open_transaction_counts_what_it_wrote_in_every_list(store: Store, shipment: Any) -> None:
    lists: list[list[Filter]] = [[flag("has_tracker", False)], [equal("status", "draft")], []]
    with store.transaction() as tx:
        for number in range(1, 4):
            tx.put("shipment", shipment(status="draft"), test_mode=True)
            assert [tx.count("shipment", where, True) for where in lists] == [number] * 3
            assert [tx.page("shipment", where, 1, 0, True).count for where in lists] == [number] * 3


def test_a_store_that_stays_locked_is_not_copied_over(tmp_path: Path) -> None:
    """As when a file was emptied while a program has it open: SQLite would wait for ever."""
    source, target = tmp_path / "source.db", tmp_path / "target.db"
    with closing(sqlite3.connect(source)) as made, closing(sqlite3.connect(target)) as holder:
        made.execute("create table things (name)")
        holder.execute("begin immediate")
        with (
            closing(SqliteSession(source)) as copied,
            closing(SqliteSession(target, patience_s=0.1)) as locked,
            pytest.raises(StoreError, match="is locked by another program"),
        ):
            locked.copy_from(copied)
        holder.rollback()
    with closing(SqliteSession(source)) as copied, closing(SqliteSession(target)) as free:
        free.copy_from(copied)
        assert free.rows("select name from sqlite_master") == [("things",)]

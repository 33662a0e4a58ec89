"""Counts are kept in slots, so that transactions which only add documents do not wait for each other."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.postgres import pool as postgres_pool
from shipcli.store.query import pair_key
from shipcli.store.schema import SLOTTED, TABLES, VERSION
from shipcli.store.sqlite.definitions import define_table
from shipcli.store.store import Store

Shipment = Callable[..., dict[str, Any]]
LONG_S = 60  # a transaction that waits for another one fails here


def add(store: Store, *shipments: dict[str, Any]) -> None:
    with store.transaction(locks=()) as tx:
        for shipment in shipments:
            tx.put("shipment", shipment)


@pytest.mark.postgres_only
def test_one_that_adds_does_not_wait_for_another(store: Store, shipment: Shipment) -> None:
    first, second = shipment(metadata={"shop": 1}), shipment(metadata={"shop": 2})
    with ThreadPoolExecutor(1) as other:
        with store.transaction(locks=()) as tx:
            tx.put("shipment", first)
            other.submit(add, store, second).result(LONG_S)
            assert tx.count("shipment") == 2
        assert store.count("shipment", [pair_key("metadata", "shop")], test_mode=True) == 2
        with store.transaction() as tx:
            assert tx.delete("shipment", first["id"])
            assert tx.delete("shipment", second["id"])
    assert (store.count("shipment", test_mode=True), store.check()) == (0, [])


@pytest.mark.postgres_only
def test_more_writers_than_slots_take_turns(
    store: Store, shipment: Shipment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that share a slot would wait for each other's rows, in either order."""
    monkeypatch.setattr(postgres_pool, "_SLOTS", 2)
    pairs = [(shipment(status="draft"), shipment(status="purchased")) for _ in range(6)]
    with ThreadPoolExecutor(6) as many:
        orders = [*pairs, *((shipment(status="purchased"), shipment(status="draft")) for _ in range(6))]
        list(many.map(lambda pair: add(store, *pair), orders))
    assert (store.count("shipment"), store.check()) == (24, [])


@pytest.mark.parametrize("table", SLOTTED)
def test_slots_are_added_up_in_the_first(store: Store, keep: Callable[..., str], table: str) -> None:
    keep(metadata={"shop": 1})
    names = ", ".join(name for name in TABLES[table].key if name != "slot")
    session = store._session()
    for slot, n in ((3, 5), (4, -5)):
        session.run(
            f"insert into {table} ({names}, n, slot) select {names}, {n}, {slot} from {table} where slot = 0"
        )
    assert store.check() == []
    store.fold_counts()
    assert session.rows(f"select n, slot from {table}") == [(1, 0)]
    assert store.check() == []


@pytest.mark.postgres_only
def test_counts_of_version_4_are_kept(store: Store, place: str, keep: Callable[..., str], clock: Any) -> None:
    keep(metadata={"shop": 1})
    session = store._session()
    for table in SLOTTED:
        names = ", ".join(name for name in TABLES[table].key if name != "slot")
        session.run(f"alter table {table} drop column slot")
        session.run(f"alter table {table} add primary key ({names})")
    session.run("delete from shipcli_steps where name = '0005_slots'")
    with Store.open(place, clock=clock) as migrated:
        assert (migrated.count("shipment"), migrated.check()) == (1, [])
        keep(metadata={"shop": 2})
        assert migrated.count("shipment", [pair_key("metadata", "shop")], test_mode=True) == 2
        assert migrated.check() == []


@pytest.mark.sqlite_only("changes its file")
def test_counts_of_a_file_of_version_4_are_kept(
    store: Store, path: Path, keep: Callable[..., str], clock: Any
) -> None:
    keep(metadata={"shop": 1})
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        for table in SLOTTED:
            columns = ", ".join(column.name for column in TABLES[table].list_columns(4))
            connection.execute(f"alter table {table} rename to newer")
            connection.execute(define_table(TABLES[table], 4)[0])
            connection.execute(f"insert into {table} select {columns} from newer")
            connection.execute("drop table newer")
        connection.execute("delete from _sqlite_migrations where name = '0005_slots'")
        connection.execute("pragma user_version = 4")
        connection.commit()
    with Store.open(path, clock=clock) as migrated:
        assert (migrated.info()["version"], migrated.check()) == (VERSION, [])
        assert migrated.count("shipment", [pair_key("metadata", "shop")], test_mode=True) == 1

"""Long JSON texts rest deflated, and come back on every way by which they are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from shipcli.models.basics.json import loads
from shipcli.store.errors import DamagedRow
from shipcli.store.query import equal
from shipcli.store.store import Store

Keep = Callable[..., str]
RATES = [{"id": f"rat_{n:032x}", "service": "ground", "total_charge": n, "meta": {}} for n in range(100)]


@pytest.fixture
def long_id(store: Store, keep: Keep) -> str:
    """The id of a draft with a hundred rates."""
    return keep(rates=RATES)


def read_column(store: Store, sql: str) -> Any:
    with closing(sqlite3.connect(store.place)) as file:
        return file.execute(sql).fetchone()[0]


@pytest.mark.sqlite_only("it does not deflate by itself")
def test_a_long_document_rests_in_a_quarter_of_its_length(store: Store, long_id: str) -> None:
    stored = read_column(store, "select json from shipments_json")
    assert len(stored) * 4 < len(store.raw("shipment", long_id) or "")


@pytest.mark.sqlite_only("it does not deflate by itself")
def test_a_short_document_rests_as_text(store: Store, keep: Keep) -> None:
    keep()
    assert isinstance(read_column(store, "select json from shipments_json"), str)


def test_a_long_document_comes_back_however_it_is_read(store: Store, long_id: str) -> None:
    document = store.get("shipment", long_id)
    assert document is not None
    assert document["rates"] == RATES
    assert list(store.each("shipment")) == [document]
    for where in ([], [equal("status", "draft")], [equal("reference", document.get("reference"))]):
        assert [loads(text) for text in store.page("shipment", where).items] == [document]


def test_a_long_document_is_changed_and_deleted(store: Store, long_id: str) -> None:
    with store.transaction() as tx:
        tx.put("shipment", {**(tx.get("shipment", long_id) or {}), "rates": RATES[:1]})
    assert (store.get("shipment", long_id) or {})["rates"] == RATES[:1]
    with store.transaction() as tx:
        assert tx.delete("shipment", long_id)
    assert store.check() == []


@pytest.mark.sqlite_only("it does not deflate by itself")
def test_a_damaged_long_document_is_named(store: Store, long_id: str) -> None:
    with closing(sqlite3.connect(store.place)) as file, file:
        file.execute("update shipments_json set json = substr(json, 1, 40)")
    skipped: list[DamagedRow] = []
    assert list(store.each("shipment", skip=skipped.append)) == []
    assert store.page("shipment", skip=skipped.append).items == []
    assert [long_id in str(damaged) for damaged in skipped] == [True, True]
    assert [long_id in line for line in store.check()] == [True]
    with pytest.raises(DamagedRow):
        store.get("shipment", long_id)


@pytest.mark.sqlite_only("it does not deflate by itself")
def test_a_long_exchange_comes_back_as_it_was(store: Store) -> None:
    row = {"id": "trace_1", "verb": "rate", "request": {"body": "a"}, "response": {"body": "price " * 999}}
    with store.transaction() as tx:
        tx.insert("traces", {**row, "started_at": datetime(2026, 1, 1, tzinfo=UTC)})
    assert {name: store.select("traces")[0][name] for name in row} == row
    assert len(read_column(store, "select response from traces")) < 100

"""Free rows and transactions: all or nothing, compare and set, numbers without gaps or repeats."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from shipcli.store.errors import Duplicate, StoreError, StoreFull
from shipcli.store.query import below, equal
from shipcli.store.store import Store
from tests.store.batches import in_batch

Keep = Callable[..., str]
Make = Callable[..., dict[str, Any]]


def test_a_row_comes_back_in_the_types_of_its_columns(store: Store, clock: Any) -> None:
    row = {
        "key": "k",
        "test_mode": True,
        "draft": {"n": Decimal("1.5")},
        "claimed_until": 2.5,
        "created_at": clock(),
    }
    with store.transaction() as tx:
        tx.insert("intents", row)
        tx.insert("secrets", {"id": "car_1", "name": "password", "sealed": b"\x00\x01"})
    found = store.select("intents", {"key": "k"})[0]
    assert {name: found[name] for name in row} == row
    assert store.select("secrets")[0]["sealed"] == b"\x00\x01"


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-03 11:22:33.000500+00:00",
        "2026-02-03T11:22:33.000500+00:00",
        "2026-02-03T13:22:33.000500+02:00",
        "2026-02-03T11:22:33.000500",
        "2026-02-03T11:22:33.0005Z",
        "2026-W06-2T11:22:33.000500+00:00",
        "20260203T112233.00050000+00:00",
    ],
)
def test_a_moment_rests_the_same_however_it_is_written(store: Store, text: str) -> None:
    with store.transaction() as tx:
        tx.insert("intents", {"key": "k", "created_at": text})
    assert store.columns("intents", ("created_at",), {"key": "k"}) == [("2026-02-03T11:22:33.000500Z",)]


@pytest.mark.parametrize(
    "text", ["2026-02-30 11:22:33.000500+00:00", "2026-02-03 25:22:33.000500+00:00", "x"]
)
def test_what_is_no_moment_is_refused(store: Store, text: str) -> None:
    with pytest.raises(ValueError), store.transaction() as tx:
        tx.insert("intents", {"key": "k", "created_at": text})
    assert store.select("intents") == []


def test_a_second_row_with_the_same_key_is_a_duplicate(store: Store) -> None:
    with store.transaction() as tx:
        tx.insert("store_facts", {"name": "a", "value": 1})
        assert not tx.add("store_facts", {"name": "a", "value": 2})
        assert tx.add("store_facts", {"name": "b", "value": 2})
    with pytest.raises(Duplicate, match="has this row already"), store.transaction() as tx:
        tx.insert("store_facts", {"name": "a", "value": 3})
    assert [row["value"] for row in store.select("store_facts", order="name")] == [1, 2]


def test_upsert_replaces_the_named_columns_only(store: Store) -> None:
    with store.transaction() as tx:
        tx.upsert("intents", {"key": "k", "state": "open", "detail": {"a": 1}})
        tx.upsert("intents", {"key": "k", "state": "sent"})
    row = store.select("intents")[0]
    assert (row["state"], row["detail"]) == ("sent", {"a": 1})


def test_a_change_counts_the_rows_it_found(store: Store) -> None:
    with store.transaction() as tx:
        tx.insert("intents", {"key": "k", "state": "open"})
        claimed = [
            tx.update("intents", {"key": "k", "state": "open"}, {"state": "sent", "claimed_by": who})
            for who in "ab"
        ]
    assert (claimed, store.select("intents")[0]["claimed_by"]) == ([1, 0], "a")


def test_rows_are_selected_in_order_up_to_a_limit(store: Store) -> None:
    with store.transaction() as tx:
        for seq in range(5):
            tx.insert("named", {"terminal": "t", "seq": seq, "kind": "shipment", "id": f"shp_{seq}"})
    assert [row["seq"] for row in store.select("named", {"terminal": "t"}, order="-seq", limit=2)] == [4, 3]


def test_removing_needs_a_condition(store: Store, clock: Any) -> None:
    with store.transaction() as tx:
        tx.insert("named", {"terminal": "t", "seq": 1, "id": "x", "at": clock()})
        with pytest.raises(ValueError, match="name the rows"):
            tx.remove("named", {})
        assert tx.remove("named", [below("at", clock() + timedelta(seconds=1)), equal("terminal", "t")]) == 1


@pytest.mark.parametrize("table", ["entries", "totals", "tallies", "shipments", "sqlite_master"])
def test_tables_the_store_keeps_itself_are_not_written_by_row(store: Store, table: str) -> None:
    with pytest.raises(LookupError, match="no free table"), store.transaction() as tx:
        tx.insert(table, {})


def test_nothing_of_a_failed_transaction_remains(store: Store, shipment: Make) -> None:
    document = shipment(metadata={"order": "1"}, reference="needle")

    def fail() -> None:
        with store.transaction() as tx:
            tx.put("shipment", document)
            tx.put_file(document["id"], "label", b"x", format="PDF", media_type="application/pdf")
            tx.insert("store_facts", {"name": "a", "value": 1})
            tx.next_number("labels")
            assert tx.get("shipment", document["id"]) == document
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert store.get("shipment", document["id"]) is None
    assert (store.select("files"), store.select("store_facts"), store.count("shipment")) == ([], [], 0)
    with store.transaction() as tx:
        assert tx.next_number("labels") == 1
    assert store.check() == []


def test_an_interrupt_rolls_back_too(store: Store) -> None:
    def interrupted() -> None:
        with store.transaction() as tx:
            tx.insert("store_facts", {"name": "a", "value": 1})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.select("store_facts") == []


def test_a_transaction_inside_a_transaction_is_refused(store: Store) -> None:
    with store.transaction() as tx:
        with pytest.raises(RuntimeError, match="hand it on"), store.transaction():
            raise AssertionError("not reached")
        tx.insert("store_facts", {"name": "a", "value": 1})
    assert len(store.select("store_facts")) == 1


def test_an_ended_transaction_is_of_no_use(store: Store) -> None:
    with store.transaction() as tx:
        tx.next_number("a")
    with pytest.raises(RuntimeError, match="has ended"):
        tx.next_number("a")


def test_another_thread_sees_nothing_before_the_end(store: Store, shipment: Make) -> None:
    seen: list[int] = []
    look = threading.Thread(target=lambda: seen.append(store.count("shipment")))
    with store.transaction(durable=True) as tx:
        tx.put("shipment", shipment())
        look.start()
        look.join()
    assert (seen, store.count("shipment")) == ([0], 1)


def test_numbers_are_given_once_to_many_threads(store: Store) -> None:
    numbers: list[int] = []

    def draw() -> None:
        for _ in range(50):
            with store.transaction() as tx:
                numbers.append(tx.next_number("labels"))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 201))


def test_pruning_removes_old_traces_and_logs_only(store: Store, clock: Any) -> None:
    with store.transaction() as tx:
        for number in range(4):
            at = clock() - timedelta(days=number)
            tx.insert("traces", {"id": f"trace_{number}", "started_at": at})
            tx.insert("logs", {"id": f"log_{number}", "started_at": at})
        tx.insert(
            "idempotency", {"caller": "c", "test_mode": True, "operation": "o", "key": "k", "expires_at": at}
        )
    assert store.prune(clock() - timedelta(days=1)) == {"traces": 2, "logs": 2}
    assert store.prune(clock(), tables=["idempotency"]) == {"idempotency": 1}
    assert [row["id"] for row in store.select("traces", order="id")] == ["trace_0", "trace_1"]
    with pytest.raises(LookupError, match="do not age"):
        store.prune(clock(), tables=["store_facts"])


@pytest.mark.sqlite_only("its transactions share a commit")
def test_transactions_of_a_batch_are_seen_by_others_at_its_end_only(store: Store) -> None:
    def look() -> int:
        with ThreadPoolExecutor(1) as elsewhere:
            return elsewhere.submit(store.count_rows, "counters").result()

    def write(name: str) -> int:
        with store.transaction() as tx:
            tx.next_number(name)
            assert tx.count_rows("counters") == ("first", "second").index(name) + 1
        assert store.count_rows("counters") == ("first", "second").index(name) + 1  # as it was its own work
        return look()

    assert in_batch(store, lambda: write("first"), look, lambda: write("second"), look) == [0, 0, 0, 0]
    assert look() == 2


def test_one_of_a_batch_fails_alone(store: Store) -> None:
    def write(*, durable: bool = False, fails: bool = False) -> None:
        with store.transaction(durable=durable) as tx:
            tx.next_number("lost" if fails else "kept")
            assert not fails, "mine alone"

    works = [
        write, partial(write, fails=True), partial(write, durable=True, fails=True),
        partial(write, durable=True), write,
    ]  # fmt: skip
    assert [bool(one) for one in in_batch(store, *works)] == [False, True, True, False, False]
    assert [(row["name"], row["value"]) for row in store.select("counters")] == [("kept", 3)]


@pytest.mark.sqlite_only("its transactions share a commit")
def test_a_durable_transaction_of_a_batch_is_kept_at_its_own_end_with_all_before_it(store: Store) -> None:
    def look() -> list[str]:
        with ThreadPoolExecutor(1) as elsewhere:
            rows = elsewhere.submit(store.select, "counters", order="name").result()
        return [row["name"] for row in rows]

    def write(name: str, *, durable: bool) -> list[str]:
        with store.transaction(durable=durable) as tx:
            tx.next_number(name)
        return look()

    works = [
        partial(write, "a", durable=False),
        partial(write, "b", durable=True),
        partial(write, "c", durable=False),
    ]
    assert in_batch(store, *works) == [[], ["a", "b"], ["a", "b"]]
    assert look() == ["a", "b", "c"]


@pytest.mark.sqlite_only("its transactions share a commit")
def test_a_batch_for_which_there_is_no_room_says_so_to_all_of_it(store: Store) -> None:
    with store._pool.transaction() as session:
        pages = session.rows("pragma page_count")[0][0]

    def write(size: int) -> None:
        with store.transaction() as tx:
            store._pool.session().run(f"pragma max_page_count = {pages}")
            tx.put_file("x", f"label {size}", b"x" * size, format="PDF", media_type="application/pdf")

    with pytest.raises(StoreFull):
        in_batch(store, lambda: write(10), lambda: write(3_000_000), lambda: write(10))
    assert store.select("files") == []


@pytest.mark.sqlite_only("its transactions share a commit")
def test_those_that_come_after_a_loss_hear_of_it_too(store: Store) -> None:
    with store.transaction() as tx:
        tx.next_number("before")

    def write(*, gives_up: bool) -> None:
        with store.transaction() as tx:
            tx.next_number("answered")
            if gives_up:  # as SQLite does by itself when the disk is full
                store._pool.session().run("rollback")
                raise LookupError("mine")

    heard: list[str] = []

    def later() -> None:
        with pytest.raises(StoreError) as told:
            write(gives_up=False)
        heard.append(told.value.message)

    with pytest.raises(StoreError, match="nothing was saved"):
        in_batch(store, partial(write, gives_up=False), partial(write, gives_up=True), later)
    assert "nothing was saved" in heard[0]
    assert [row["name"] for row in store.select("counters")] == ["before"]


def test_a_transaction_inside_another_is_refused_in_a_batch_as_well(store: Store) -> None:
    with store.batch(), store.transaction(), pytest.raises(RuntimeError, match="open in this thread"):
        store.transaction()

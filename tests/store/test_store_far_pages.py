"""Far pages of long lists: what they say, whoever writes meanwhile, and what they cost."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.models.basics.json import loads
from shipcli.store.query import Filter, equal, one_of
from shipcli.store.store import Store

LONG = 700
START = datetime(2026, 1, 1, tzinfo=UTC)
STATUSES = ("draft", "purchased", "cancelled")
LISTS: tuple[list[Filter], ...] = (
    [],
    [equal("status", "draft")],
    [one_of("status", ["draft", "purchased"])],
)
SPAWN = multiprocessing.get_context("spawn")

Document = dict[str, Any]


def _now() -> datetime:
    return START


def _document(number: int, minute: int, status: str, *, test_mode: bool = True) -> Document:
    at = (START + timedelta(minutes=minute)).isoformat()
    return {"id": f"shp_{number:032x}", "status": status, "test_mode": test_mode, "created_at": at}


def _write(store: Store, document: Document, *, goes: bool = False) -> None:
    with store.transaction() as tx:
        if goes:
            tx.delete("shipment", document["id"])
        else:
            tx.put("shipment", document)


def _serve(place: str, orders: Any) -> None:
    """Write what is ordered, in a process of its own, until there is no more."""
    with Store.open(place, clock=_now) as store:
        for document, goes in iter(orders.recv, None):
            _write(store, document, goes=goes)
            orders.send("done")


@pytest.fixture
def elsewhere(store: Store, place: Path | str) -> Iterator[Callable[[Document, bool], None]]:
    """Writes in another process."""
    ours, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_serve, args=(str(place), theirs))
    process.start()

    def write(document: Document, goes: bool) -> None:
        ours.send((document, goes))
        assert ours.poll(30)
        ours.recv()

    yield write
    ours.send(None)
    process.join(30)
    assert process.exitcode == 0


class Expected:
    """The shipments that should be there, by id, in the order in which they were first written."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.held = {document["id"]: document for document in documents}

    def list(self, where: Sequence[Filter], test_mode: bool) -> list[str]:
        wanted = {
            value for each in where for value in (each.value if each.test == "one_of" else [each.value])
        }
        fitting = [
            (document["created_at"], number, document["id"])
            for number, document in enumerate(self.held.values())
            if document["test_mode"] == test_mode and (not wanted or document["status"] in wanted)
        ]
        return [id for *_, id in sorted(fitting, reverse=True)]

    def change(self, document: Document, *, goes: bool) -> None:
        if goes:
            del self.held[document["id"]]
        else:
            self.held[document["id"]] = document


def _fill(store: Store, count: int = LONG) -> Expected:
    """Shipments a minute apart, newest last; every fifth of the same moment as the one before."""
    documents = [
        _document(number, number - (number % 5 == 4), STATUSES[number % 7 % 3], test_mode=number % 9 > 0)
        for number in range(count)
    ]
    with store.transaction() as tx:
        for document in documents:
            tx.put("shipment", document)
    return Expected(documents)


def _change(pick: random.Random, expected: Expected, number: int) -> tuple[Document, bool]:
    """Something that happens to a shipment: mostly it is new, or goes on to another status."""
    held = pick.choice(list(expected.held.values()))
    status = pick.choice(STATUSES)
    what = pick.choice(["new", "new", "new", "status", "status", "gone", "late", "moment", "mode"])
    if what == "new":
        return _document(10_000 + number, 10_000 + number // 2, status), False
    if what == "late":
        return _document(10_000 + number, pick.randrange(LONG), status), False
    if what == "moment":
        at = START + timedelta(minutes=pick.randrange(LONG), seconds=1)
        return held | {"created_at": at.isoformat()}, False
    changed = {"status": {"status": status}, "mode": {"test_mode": not held["test_mode"]}, "gone": {}}
    return held | changed[what], what == "gone"


def _undo_a_change(store: Store, id: str, where: Sequence[Filter], offset: int) -> None:
    """Delete in a transaction that reads far pages, and fails."""

    def fail() -> None:
        with store.transaction() as tx:
            tx.delete("shipment", id)
            inside = [reader.page("shipment", where, 20, offset, True) for reader in (store, tx)]
            assert inside[0] == inside[1]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()


def _assert_page(store: Store, expected: Expected, where: Sequence[Filter], offset: int, mode: bool) -> None:
    wanted = expected.list(where, mode)
    page = store.page("shipment", where, 20, offset, mode)
    found = [loads(text)["id"] for text in page.items]
    assert (page.count, found) == (len(wanted), wanted[offset : offset + 20])


@pytest.mark.parametrize("seed", range(3))
def test_far_pages_say_what_is_there_whoever_writes_meanwhile(
    store: Store, place: Path | str, elsewhere: Callable[[Document, bool], None], seed: int
) -> None:
    pick, expected = random.Random(seed), _fill(store)
    with Store.open(place, clock=_now) as other:
        writers = [
            lambda document, goes: _write(store, document, goes=goes),
            lambda document, goes: _write(other, document, goes=goes),
            elsewhere,
        ]
        for number in range(120):
            document, goes = _change(pick, expected, number)
            pick.choice(writers)(document, goes)
            expected.change(document, goes=goes)
            for where in LISTS:
                offset = pick.choice([200, 220, 240, 320, pick.randrange(LONG)])
                _undo_a_change(store, pick.choice(list(expected.held)), where, offset)
                for reader in (store, other):
                    _assert_page(reader, expected, where, offset, True)
        _assert_page(store, expected, [], 20, False)
        assert store.check() == []


@pytest.mark.parametrize("where", LISTS, ids=["all", "one status", "two statuses"])
@pytest.mark.parametrize("step", [20, -20], ids=["forward", "backward"])
def test_a_list_is_walked_either_way_while_new_shipments_come(
    store: Store, where: Sequence[Filter], step: int
) -> None:
    expected = _fill(store, 1500)
    offsets = range(0, 1500, 20)[:: 1 if step > 0 else -1]
    for number, offset in enumerate(offsets):
        _assert_page(store, expected, where, offset, True)
        if number % 3 == 0:
            document = _document(10_000 + number, 10_000 + number, "draft")
            _write(store, document)
            expected.change(document, goes=False)


def test_threads_read_one_state_each_while_another_process_writes(
    store: Store, elsewhere: Callable[[Document, bool], None]
) -> None:
    numbers = [f"shp_{number:032x}" for number in range(LONG + 150)]
    with store.transaction() as tx:
        for number in range(LONG):
            tx.put("shipment", _document(number, number, "draft"))
    wrong: list[tuple[int, int]] = []
    counts: set[int] = set()
    done = threading.Event()

    def read(seed: int) -> None:
        pick = random.Random(seed)
        while not done.is_set():
            offset = pick.randrange(LONG)
            page = store.page("shipment", [equal("status", "draft")], 10, offset, True)
            counts.add(page.count)
            wanted = numbers[: page.count][::-1][offset : offset + 10]
            if [loads(text)["id"] for text in page.items] != wanted:
                wrong.append((page.count, offset))

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for number in range(LONG, LONG + 150):
        elsewhere(_document(number, number, "draft"), False)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(counts) > 5


def test_what_was_undone_is_not_remembered(store: Store) -> None:
    """After it as many shipments have come as were seen in the transaction, but another one."""
    expected = _fill(store)

    def fail() -> None:
        with store.transaction() as tx:
            tx.put("shipment", _document(LONG, 1, "draft"))
            assert store.page("shipment", [], 20, 300, True) == tx.page("shipment", [], 20, 300, True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    document = _document(LONG, 650, "draft")
    _write(store, document)
    expected.change(document, goes=False)
    _assert_page(store, expected, [], 300, True)


def test_shipments_that_change_places_with_live_ones_are_noticed(store: Store) -> None:
    expected = _fill(store)
    _assert_page(store, expected, [], 300, True)
    leaving, coming = expected.list([], True)[5], expected.list([], False)[-5]
    for id, mode in ((leaving, False), (coming, True)):
        _write(store, expected.held[id] | {"test_mode": mode})
        expected.change(expected.held[id] | {"test_mode": mode}, goes=False)
    _assert_page(store, expected, [], 300, True)


@pytest.mark.sqlite_only("its backups are files")
def test_a_restored_store_is_not_taken_for_the_one_before(
    store: Store, place: Path | str, tmp_path: Path
) -> None:
    """After it the same numbers of shipments come and go as before, but other ones."""
    expected = _fill(store)
    store.backup(tmp_path / "kept.db")
    for number in range(LONG, LONG + 5):
        _write(store, _document(number, 1, "draft"))
    where = LISTS[1]
    before = store.page("shipment", where, 20, 110, True)
    with (
        closing(sqlite3.connect(tmp_path / "kept.db")) as kept,
        closing(sqlite3.connect(place)) as live,
    ):
        kept.backup(live)
    for number in range(LONG, LONG + 5):
        document = _document(number, 650, "draft")
        _write(store, document)
        expected.change(document, goes=False)
    _assert_page(store, expected, where, 110, True)
    after = store.page("shipment", where, 20, 110, True)
    assert after.count == before.count
    assert after.items != before.items


# -- what it costs -----------------------------------------------------------------------------


def _steps(store: Store, where: Sequence[Filter], offset: int) -> int:
    """How many steps SQLite's machine takes for a page, in hundreds."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    connection = store._session().connection
    connection.set_progress_handler(count, 100)
    store.page("shipment", where, 20, offset, True)
    connection.set_progress_handler(None, 0)
    return taken[0]


@pytest.mark.sqlite_only("counts the steps of its machine")
@pytest.mark.parametrize("where", LISTS, ids=["all", "one status", "two statuses"])
def test_a_far_page_is_found_in_the_index_alone(store: Store, where: Sequence[Filter]) -> None:
    """Each row before the page costs a step in the index, and no look at its document."""
    _fill(store, 4000)
    newest, middle = _steps(store, where, 0), store.count("shipment", where, True) // 2
    instructions = 100 * (_steps(store, where, middle) - newest)
    assert instructions <= 60 * middle


@pytest.mark.sqlite_only("counts the steps of its machine")
def test_the_last_page_is_read_from_the_end(store: Store) -> None:
    _fill(store, 4000)
    assert _steps(store, [], store.count("shipment", (), True) - 20) <= 3 * _steps(store, [], 0) + 10

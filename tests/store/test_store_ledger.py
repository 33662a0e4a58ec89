"""Both ledgers, one behaviour."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.errors import StoreError
from shipcli.store.ledger import LedgerFile
from shipcli.store.store import Store
from tests.memory_ledger import MemoryLedger

AnyLedger = LedgerFile | MemoryLedger
MAKERS: dict[str, Callable[[Path], AnyLedger]] = {
    "file": lambda folder: LedgerFile(folder / "carriers" / "ledger.db"),
    "memory": lambda folder: MemoryLedger(),
}


@pytest.fixture(params=MAKERS)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyLedger]:
    made = MAKERS[request.param](tmp_path)
    yield made
    made.close()


def test_numbers_count_per_carrier_and_series(ledger: AnyLedger) -> None:
    given = [ledger.next_number("ups"), ledger.next_number("ups"), ledger.next_number("ups", "pickup")]
    assert [*given, ledger.next_number("fedex")] == [1, 2, 1, 1]


def test_a_record_comes_back_as_it_was_put(ledger: AnyLedger) -> None:
    record = {"charge": Decimal("10.5"), "parcels": [{"n": 1}], "voided": False, "note": None}
    ledger.put("ups", "label", "1Z1", record)
    assert ledger.get("ups", "label", "1Z1") == record
    assert ledger.get("ups", "pickup", "1Z1") is ledger.get("fedex", "label", "1Z1") is None


def test_a_record_kept_is_not_changed_from_outside(ledger: AnyLedger) -> None:
    record: dict[str, Any] = {"state": "bought"}
    ledger.put("ups", "label", "1", record)
    record["state"] = "voided"
    got = ledger.get("ups", "label", "1") or {}
    got["state"] = "lost"
    assert ledger.get("ups", "label", "1") == {"state": "bought"}


def test_records_are_found_by_equal_members_oldest_first(ledger: AnyLedger) -> None:
    for number in (3, 1, 2):
        ledger.put(
            "ups", "label", str(number), {"n": number, "day": "mon" if number < 3 else "tue", "voided": False}
        )
    ledger.put("ups", "label", "3", {"n": 3, "day": "mon", "voided": False})
    ledger.put("fedex", "label", "9", {"n": 9, "day": "mon"})

    def found(**equal: Any) -> list[int]:
        return [record["n"] for record in ledger.find("ups", "label", **equal)]

    assert found() == found(day="mon", voided=False) == [3, 1, 2]
    assert (found(n=1), found(n=Decimal("1.0")), found(day="tue"), found(day="mon", n=2)) == (
        [1],
        [1],
        [],
        [2],
    )
    assert (found(absent=None), found(absent="x")) == ([3, 1, 2], [])


def test_a_record_is_found_by_the_identifier_it_has_now(ledger: AnyLedger) -> None:
    def found(**equal: Any) -> list[int]:
        return [record["n"] for record in ledger.find("ups", "label", **equal)]

    ledger.put("ups", "label", "1", {"n": 1, "identifier": "1", "key": "a"})
    ledger.put("ups", "label", "2", {"n": 2, "identifier": "1", "key": "b"})
    assert (found(identifier="1"), found(identifier="1", key="b")) == ([1, 2], [2])
    ledger.put("ups", "label", "1", {"n": 1, "identifier": "9", "key": "a"})
    assert (found(identifier="1"), found(identifier="9")) == ([2], [1])
    ledger.put("ups", "label", "2", {"n": 2, "identifier": None, "key": ["b"]})
    assert (found(identifier="1"), found(key="b"), found(key=["b"], n=2)) == ([], [], [2])


def test_records_are_found_by_members_that_are_lists(ledger: AnyLedger) -> None:
    ledger.put("ups", "label", "1", {"parcels": ["a"], "long": "x" * 500})
    assert len(ledger.find("ups", "label", parcels=["a"], long="x" * 500)) == 1
    assert ledger.find("ups", "label", parcels=["b"]) == []


def test_a_removed_record_is_found_no_more(ledger: AnyLedger) -> None:
    ledger.put("ups", "label", "1", {"n": 1})
    ledger.remove("ups", "label", "1")
    ledger.remove("ups", "label", "1")
    assert (ledger.get("ups", "label", "1"), ledger.find("ups", "label", n=1)) == (None, [])


def test_everything_is_given_in_the_order_of_creation(ledger: AnyLedger) -> None:
    places = [("ups", "label", "b"), ("fedex", "pickup", "a"), ("ups", "label", "a")]
    for place in places:
        ledger.put(*place, {"at": place[0]})
    assert [row[:3] for row in ledger.everything()] == places
    assert [row[2] for row in ledger.everything("label")] == ["b", "a"]


def test_a_failed_request_leaves_no_trace(ledger: AnyLedger) -> None:
    def answer() -> None:
        with ledger.transaction():
            ledger.next_number("ups")
            with ledger.transaction():
                ledger.put("ups", "label", "1", {"n": 1})
            assert ledger.find("ups", "label", n=1) == [{"n": 1}]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer()
    assert (list(ledger.everything()), ledger.next_number("ups")) == ([], 1)


def test_requests_of_many_threads_do_not_mix(ledger: AnyLedger) -> None:
    def buy() -> None:
        for _ in range(25):
            with ledger.transaction():
                ledger.put("ups", "label", str(ledger.next_number("ups")), {})

    threads = [threading.Thread(target=buy) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(row[2]) for row in ledger.everything()) == list(range(1, 101))


def test_a_request_is_alone_from_its_first_look_on(ledger: AnyLedger) -> None:
    def count() -> None:
        for _ in range(25):
            with ledger.transaction():
                known = ledger.get("ups", "sale", "1") or {"n": 0}
                ledger.put("ups", "sale", "1", {"n": known["n"] + 1})

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ledger.get("ups", "sale", "1") == {"n": 100}


def test_a_request_that_looks_for_nothing_waits_for_nobody(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / "ledger.db", patience_s=0.05)
    ledger.put("ups", "label", "1", {"n": 1})
    with closing(sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        with ledger.transaction():
            pass
        with pytest.raises(StoreError), ledger.transaction():
            ledger.get("ups", "label", "1")
    with ledger.transaction():
        assert ledger.get("ups", "label", "1") == {"n": 1}
    ledger.close()


def test_a_ledger_survives_its_process(tmp_path: Path) -> None:
    first = LedgerFile(tmp_path / "ledger.db")
    first.put("ups", "label", "1", {"n": 1})
    first.close()
    second = LedgerFile(tmp_path / "ledger.db")
    assert second.get("ups", "label", "1") == {"n": 1}
    second.close()


def test_a_ledger_that_marked_every_member_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    LedgerFile(path).next_number("ups")
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("drop table marks")
        file.execute(
            "create table marks (slug text not null, kind text not null, name text not null, "
            "value text not null, seq integer not null, primary key (slug, kind, name, value, seq))"
        )
        record = '{"number":"1","identifier":"1","key":"a","service":"ground"}'
        file.execute("insert into records values (1, 'ups', 'label', '1', ?)", (record,))
        marks = [("number", "1"), ("identifier", "1"), ("key", "a"), ("service", "ground")]
        file.executemany("insert into marks values ('ups', 'label', ?, ?, 1)", marks)
    ledger = LedgerFile(path)
    old = ledger.get("ups", "label", "1") or {}
    assert ledger.find("ups", "label", identifier="1") == ledger.find("ups", "label", key="a") == [old]
    ledger.put("ups", "label", "1", {**old, "identifier": "9", "service": "air"})
    ledger.put("ups", "label", "2", {"identifier": "1", "service": "ground"})
    assert [one["service"] for one in ledger.find("ups", "label", identifier="1")] == ["ground"]
    assert [one["service"] for one in ledger.find("ups", "label", identifier="9")] == ["air"]
    ledger.remove("ups", "label", "1")
    ledger.put("ups", "label", "3", {"identifier": "3", "service": "sea"})
    assert [one["service"] for one in ledger.find("ups", "label", service="ground")] == ["ground"]
    assert ledger.find("ups", "label", key="a") == []
    ledger.close()


def test_a_store_is_not_taken_for_a_ledger(tmp_path: Path, clock: Any) -> None:
    Store.open(tmp_path / "store.db", clock=clock).close()
    ledger = LedgerFile(tmp_path / "store.db")
    with pytest.raises(StoreError):
        ledger.next_number("ups")
    ledger.close()

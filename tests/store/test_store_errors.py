"""What goes wrong with files: one sentence with the file and the way out, never a bare database error."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from shipcli.store.errors import StoreError
from shipcli.store.sqlite.session import explain
from shipcli.store.store import Store

Keep = Callable[..., str]


@pytest.mark.sqlite_only("how its file fails")
def test_a_store_locked_by_another_program_is_said_to_be(store: Store, path: Path, clock: Any) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        with Store.open(path, clock=clock, patience_s=0.05) as hasty:
            other.execute("begin immediate")
            with (
                pytest.raises(StoreError, match="is locked by another program") as caught,
                hasty.transaction(),
            ):
                raise AssertionError("not reached")
        assert str(path) in str(caught.value)


def test_a_file_that_is_no_database_is_said_to_be(tmp_path: Path, clock: Any) -> None:
    path = tmp_path / "letter.db"
    path.write_text("Dear Sir, " * 200)
    with pytest.raises(StoreError, match="is not a store; name another file"):
        Store.open(path, clock=clock)


@pytest.mark.sqlite_only("how its file fails")
def test_a_damaged_file_is_said_to_be(store: Store, keep: Keep, path: Path, clock: Any) -> None:
    for _ in range(20):
        keep()
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xaa" * (len(content) - 4096))
    with pytest.raises(StoreError, match="is damaged"), Store.open(path, clock=clock) as damaged:
        damaged.page("shipment")


@pytest.mark.sqlite_only("how its file fails")
def test_a_full_disk_is_said_to_be_and_nothing_is_saved(store: Store) -> None:
    with store._pool.transaction() as session:
        session.run("pragma max_page_count = 1")
    with pytest.raises(StoreError, match="the disk is full"), store.transaction() as tx:
        tx.put_file("x", "label", b"x" * 3_000_000, format="PDF", media_type="application/pdf")
    session.run("pragma max_page_count = 1000000")
    assert store.select("files") == []
    with store.transaction() as tx:
        assert tx.next_number("still usable") == 1


@pytest.mark.sqlite_only("how its file fails")
def test_a_read_only_file_is_said_to_be(store: Store, path: Path) -> None:
    address = f"file:{path}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as reader, pytest.raises(sqlite3.Error) as caught:
        reader.execute("delete from files")
    assert "cannot be written; give yourself write permission" in str(explain(caught.value, path))


def test_a_place_that_cannot_be_is_said_to_be(tmp_path: Path, clock: Any) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "store.db", tmp_path):
        with pytest.raises(StoreError, match="cannot be"):
            Store.open(path, clock=clock)


def test_a_closed_store_is_said_to_be(store: Store) -> None:
    store.count("shipment")
    store.close()
    with pytest.raises(StoreError, match="was closed already"):
        store.count("shipment")


def test_a_missing_store_is_not_migrated(tmp_path: Path, clock: Any) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        Store.migrate(tmp_path / "none.db", clock=clock)


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        ("update totals set n = n + 1", "shipments: the kept totals"),
        ("delete from shipments_json", "shipments: 1 rows without a document"),
        ("insert into shipments_json values (99, '{}')", "shipments: 1 documents without a row"),
        (
            "insert into entries values ('shipment', 'meta', 'a', 1, 0, 99, 'b')",
            "shipments: 1 search values without",
        ),
        ("update entries set test_mode = 0", "shipments: 1 search values in the other mode"),
        ("update tallies set n = n + 1", "shipments: 1 kept counts of keys are wrong"),
        pytest.param(
            "delete from shipments_text_data where id > 10",
            "shipments: the text index is damaged",
            marks=pytest.mark.sqlite_only("the tables of its text index"),
        ),
    ],
)
def test_check_names_what_does_not_agree(store: Store, keep: Keep, damage: str, finding: str) -> None:
    keep(metadata={"order": 1})
    store._session().run(damage)
    assert any(sentence.startswith(finding) for sentence in store.check())


def test_info_says_what_the_store_holds(store: Store, keep: Keep, place: Path | str) -> None:
    id = keep()
    with store.transaction() as tx:
        tx.put_file(id, "label", b"1234", format="PDF", media_type="application/pdf")
    info = store.info()
    wanted = {"path": str(place), "objects": {"shipment": 1}, "files": 1, "file_bytes": 4}
    assert {name: info[name] for name in wanted} == wanted

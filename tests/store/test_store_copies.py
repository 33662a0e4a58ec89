"""Stores copied from one engine to the other, and back."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.store_url import add_schema
from shipcli.store import places
from shipcli.store.copies import copy_ledger, copy_store
from shipcli.store.errors import StoreError
from shipcli.store.ledger import LedgerFile
from shipcli.store.ports import MASTER_KEY
from shipcli.store.query import text
from shipcli.store.store import Store
from shipcli.store.transfer import list_store_tables, measure
from tests.cluster import find_programs

pytestmark = pytest.mark.sqlite_only("goes from a file to PostgreSQL and back")


@pytest.fixture
def url(server: str, request: pytest.FixtureRequest) -> str:
    """The URL of a schema that is not there yet."""
    return add_schema(server, f"c{abs(hash(request.node.name)) % 10**12}")


@pytest.fixture
def filled(store: Store, keep: Any) -> Store:
    """A store with documents short and long, files, secrets, jobs and the fact of its key."""
    for number in range(3):
        keep(reference=f"ÄB-{number}", metadata={"shop": "eu", "note": "long " * 3000 * (number == 1)})
    with store.transaction() as tx:
        tx.insert(
            "files", {"id": "f", "owner_id": "o", "name": "n", "content": b"\0\xff", "created_at": None}
        )
        tx.insert("jobs", {"id": "job_1", "args": {"a": "x" * 900}, "until": 7.5, "state": "running"})
        tx.upsert("store_facts", {"name": MASTER_KEY, "value": {"place": "file", "fingerprint": "aa11"}})
    return store


def _read_all(store: Store) -> list[Any]:
    session = store.pool.session()
    return [measure(session, table) for table in list_store_tables()]


def test_a_copy_there_and_back_holds_the_same(filled: Store, url: str, tmp_path: Path, clock: Any) -> None:
    contents = copy_store(filled.pool, url, clock)
    assert {each.table: each.rows for each in contents}["shipments"] == 3
    with Store.open(url, clock=clock) as there:
        assert _read_all(there) == _read_all(filled) == contents
        assert there.check() == []
        assert there.page("shipment", [text("äb-1")], test_mode=True).count == 1
        assert there.select("jobs")[0]["until"] == 0.0  # nobody has it there
        with there.transaction() as tx:
            tx.put("shipment", dict(next(iter(there.each("shipment", test_mode=True))), id="shp_new"))
        copy_store(there.pool, tmp_path / "back.db", clock)
        with Store.open(tmp_path / "back.db", clock=clock) as back:
            assert _read_all(back) == _read_all(there)
            assert back.check() == []


def test_nothing_is_seen_before_the_copy_is_complete_and_it_goes_on(
    filled: Store, url: str, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = places.choose_engine(url)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "publish_copy", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            copy_store(filled.pool, url, clock)
    assert not engine.has_tables(url)
    with filled.transaction() as tx:  # the source went on meanwhile: one row is new, one is other
        tx.upsert("store_facts", {"name": MASTER_KEY, "value": {"place": "file", "fingerprint": "bb22"}})
        tx.insert("jobs", {"id": "job_0", "state": "ready"})
    assert copy_store(filled.pool, url, clock) == _read_all(filled)
    assert not engine.has_tables(engine.name_copy(url))


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_copy_that_is_complete_is_told_again(filled: Store, url: str, tmp_path: Path, clock: Any) -> None:
    """Its command may have been stopped just then, or after the ledger, which goes first."""
    ledger = LedgerFile(tmp_path / "ledger.db")
    ledger.put("ups", "label", "1Z", {"number": "1Z", "state": "sold"})
    first = copy_ledger(ledger.pool, add_schema(url, "ledger"))
    assert copy_ledger(ledger.pool, add_schema(url, "ledger")) == first
    ledger.close()
    contents = copy_store(filled.pool, url, clock)
    again = copy_store(filled.pool, url, clock)
    assert again == [each for each in contents if each.table not in ("store_facts", "schedules")]


def test_a_place_with_other_data_or_another_key_is_refused(
    filled: Store, url: str, tmp_path: Path, clock: Any
) -> None:
    with Store.open(url, clock=clock) as other, other.transaction() as tx:
        tx.upsert("store_facts", {"name": MASTER_KEY, "value": {"place": "file", "fingerprint": "cc33"}})
    with pytest.raises(StoreError, match="is cc33, that of .* is aa11"):
        copy_store(filled.pool, url, clock)
    with Store.open(url, clock=clock) as other, other.transaction() as tx:
        tx.remove("store_facts", {"name": MASTER_KEY})
        tx.insert("boxes", {"name": "S", "box": {}})
    with pytest.raises(StoreError, match="holds other data .in boxes"):
        copy_store(filled.pool, url, clock)
    with pytest.raises(StoreError, match="is the store itself"):
        copy_store(filled.pool, filled.place, clock)
    (tmp_path / "letter.db").write_text("Dear Sir")
    with pytest.raises(StoreError):
        copy_store(filled.pool, tmp_path / "letter.db", clock)
    assert (tmp_path / "letter.db").read_text() == "Dear Sir"


@pytest.mark.parametrize("make", [lambda store: None, lambda store: store.check()])
def test_an_unused_store_gives_way(
    filled: Store, url: str, clock: Any, make: Callable[[Store], object]
) -> None:
    with Store.open(url, clock=clock) as unused:
        make(unused)
    assert copy_store(filled.pool, url, clock) == _read_all(filled)


def test_a_schema_of_another_program_is_left_alone(filled: Store, url: str, clock: Any) -> None:
    with Store.open(url, clock=clock) as store:
        session = store.pool.session()
        session.run("create table letters (words text)")
        session.run("drop table shipcli_steps")
        with pytest.raises(StoreError, match="another program .letters"):
            copy_store(filled.pool, url, clock)
        assert session.rows("select count(*) from letters") == [(0,)]


def test_a_ledger_is_copied_with_its_numbers(tmp_path: Path, url: str) -> None:
    ledger = LedgerFile(tmp_path / "ledger.db")
    for key in ("1Z1", "1Z2"):
        ledger.put("ups", "label", key, {"number": key, "state": "sold"})
    ledger.next_number("ups")
    contents = copy_ledger(ledger.pool, url)
    there = LedgerFile(url)
    assert [each.rows for each in contents] == [1, 2, len(ledger.pool.session().rows("select 1 from marks"))]
    assert there.next_number("ups") == 2
    there.put("ups", "label", "1Z3", {"number": "1Z3"})
    assert [row[2] for row in there.everything()] == ["1Z1", "1Z2", "1Z3"]
    there.close()
    ledger.close()


@pytest.fixture
def placed(filled: Store, url: str, clock: Any) -> Iterator[Store]:
    """The same store in PostgreSQL."""
    copy_store(filled.pool, url, clock)
    with Store.open(url, clock=clock) as store:
        yield store


@pytest.mark.parametrize(
    "sql",
    [
        "delete from shipments", "drop table boxes", "update shipments set test_mode = 0 returning id",
        "select 1; delete from shipments", "commit", "select setval('shipments_seq_seq', 1)",
        "copy shipments to '/tmp/x'", "with gone as (delete from jobs returning id) select * from gone",
        "explain analyze delete from shipments", "set transaction read write",
        "select set_config('transaction_read_only', 'off', false)",
    ],
)  # fmt: skip
def test_an_inspection_changes_nothing(placed: Store, url: str, sql: str) -> None:
    with pytest.raises(Invalid), places.choose_engine(url).open_inspection(url) as look:
        list(look.run_query(sql))
    assert placed.count("shipment") == 3


def test_an_inspection_reads_tables_and_rows(placed: Store, url: str) -> None:
    with places.choose_engine(url).open_inspection(url) as look:
        assert {row["table"]: row["rows"] for row in look.list_tables()}["shipments"] == 3
        columns, rows = look.read_table("files")
        assert next(rows)["content"] == "AP8="
        assert columns[0] == "id"
        asked = look.run_query("select id, seq from shipments where id = ? or seq = ?", ["none", "2"])
        assert [row["seq"] for row in asked] == [2]
        assert any("create table boxes" in row["sql"].lower() for row in look.read_schema("boxes"))


def test_pg_dump_makes_the_backup_and_is_named_where_it_is_missing(
    placed: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        with pytest.raises(StoreError, match="pg_dump --format=custom --schema="):
            placed.backup(tmp_path / "store.dump")
    programs = find_programs()
    if programs is None or not (programs / "pg_dump").exists():
        pytest.skip("no pg_dump")
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    for _ in range(2):
        placed.backup(tmp_path / "store.dump")
    assert (tmp_path / "store.dump.1").exists()
    command = [str(shutil.which("pg_restore")), "--list", str(tmp_path / "store.dump")]
    listed = subprocess.run(command, capture_output=True, text=True)
    assert "TABLE DATA" in listed.stdout
    (tmp_path / "letter").write_text("Dear Sir")
    with pytest.raises(StoreError, match="is no backup"):
        placed.backup(tmp_path / "letter")


def test_settings_that_may_lose_a_purchase_are_named(placed: Store, url: str, clock: Any) -> None:
    ((now,),) = placed.pool.session().rows("select clock_timestamp()")
    assert any("fsync is off" in risk.text for risk in placed.find_risks(now))  # that of tests is
    late = placed.find_risks(now - timedelta(minutes=2))
    assert any("ahead of that of this machine" in risk.text for risk in late)
    with Store.open(f"{url}&options=-c%20synchronous_commit%3Doff", clock=clock) as careless:
        risks = careless.find_risks(now)
    assert [risk.is_loss for risk in risks if "synchronous_commit is off" in risk.text] == [True]

"""Versions: new stores, old stores, newer stores, and other people's files."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.schema import STEPS as NAMES
from shipcli.store.schema import VERSION
from shipcli.store.sqlite.definitions import list_definitions
from shipcli.store.sqlite.migrations import STEPS, Step, migrate
from shipcli.store.store import Store


def _paint(database: Database) -> None:
    database.table("shipments").add_column("colour", str)


def _fail(database: Database) -> None:
    database.table("named").drop()
    raise ZeroDivisionError


PAINTED = (*STEPS, Step("0002_colour", _paint))
FAILING = (*PAINTED, Step("0003_fail", _fail))


def _read(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def _shape(path: Path) -> set[tuple[Any, ...]]:
    """Tables with their columns, indexes with theirs, in no order: a column added later stands last."""
    tables = _read(path, "select name, type from sqlite_master where name not like 'sqlite_autoindex%'")
    shape: set[tuple[Any, ...]] = set(tables)
    for name, kind in tables:
        facts, start = ("table_info", 1) if kind == "table" else ("index_info", 2)
        shape |= {(name, *row[start:]) for row in _read(path, f'pragma {facts}("{name}")')}
    return shape


def test_a_new_store_and_a_migrated_one_have_the_same_shape(tmp_path: Path, clock: Any) -> None:
    with Store.open(tmp_path / "new.db", clock=clock):
        (tmp_path / "steps.db").touch()
        assert migrate(tmp_path / "steps.db", clock()).after == VERSION
    assert _shape(tmp_path / "new.db") == _shape(tmp_path / "steps.db")
    names = "select migration_set, name from _sqlite_migrations"
    assert _read(tmp_path / "new.db", names) == _read(tmp_path / "steps.db", names)


def test_every_step_has_its_declared_name() -> None:
    assert tuple(step.name for step in STEPS) == NAMES


@pytest.mark.sqlite_only("migrates and copies its file")
def test_an_old_store_is_migrated_after_a_backup(store: Store, path: Path, keep: Any, clock: Any) -> None:
    id = keep()
    done = migrate(path, clock(), PAINTED)
    assert (done.before, done.after) == (VERSION, VERSION + 1)
    assert done.backup is not None
    assert done.backup.parent == path.parent
    assert stat.S_IMODE(done.backup.stat().st_mode) == 0o600
    assert _read(path, "select id, colour from shipments") == [(id, None)]
    with Store.open(done.backup, clock=clock) as before:
        assert before.get("shipment", id) is not None


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_second_migration_has_nothing_to_do(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    assert migrate(path, clock(), PAINTED).backup is None
    assert len(list(path.parent.glob("*.backup"))) == 1


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_failed_step_leaves_the_store_as_it_was(store: Store, path: Path, clock: Any) -> None:
    shape = _shape(path)
    with pytest.raises(ZeroDivisionError):
        migrate(path, clock(), FAILING)
    assert (_shape(path), _read(path, "pragma user_version")) == (shape, [(VERSION,)])
    assert store.check() == []


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_step_that_does_not_fit_is_a_store_error(store: Store, path: Path, clock: Any) -> None:
    with pytest.raises(StoreError, match="duplicate column name"):
        migrate(path, clock(), (*PAINTED, Step("0003_again", _paint)))


@pytest.mark.sqlite_only("migrates and copies its file")
def test_backups_of_the_same_second_do_not_meet(store: Store, path: Path, clock: Any) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            migrate(path, clock(), FAILING)
    assert len(list(path.parent.glob("*.backup"))) == 2


def _age(path: Path) -> None:
    """Make a store look as if a program without any step had left it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        sql = "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
        for (name,) in connection.execute(sql).fetchall():
            if "_text_" not in name:
                connection.execute(f'drop table "{name}"')
        connection.execute("pragma user_version = 0")
        connection.execute("create table left_over (id text)")


def test_an_outdated_store_is_refused_or_migrated_as_told(path: Path, clock: Any) -> None:
    Store.open(path, clock=clock).close()
    _age(path)
    with pytest.raises(StoreOutdated, match="shipcli db migrate"):
        Store.open(path, clock=clock, migrate="refuse")
    with Store.open(path, clock=clock) as store:
        assert store.info()["version"] == VERSION
    assert len(list(path.parent.glob("*.backup"))) == 1
    assert Store.migrate(path, clock=clock).before == VERSION


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_newer_store_is_refused(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    with pytest.raises(StoreTooNew, match="install the newer program"):
        Store.open(path, clock=clock)
    with pytest.raises(StoreTooNew):
        Store.migrate(path, clock=clock)


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_store_migrated_meanwhile_is_written_no_more(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    with pytest.raises(StoreTooNew), store.transaction() as tx:
        tx.insert("store_facts", {"name": "a", "value": 1})


def test_a_database_of_another_program_is_left_alone(tmp_path: Path, clock: Any) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table mine (id text)")
    before = path.read_bytes()
    for version in (0, VERSION):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"pragma user_version = {version}")
        with pytest.raises(StoreError, match="another program"):
            Store.open(path, clock=clock)
        with pytest.raises(StoreError, match="another program"):
            Store.migrate(path, clock=clock)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 0")
    assert len(path.read_bytes()) == len(before)


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_backup_is_a_whole_store(store: Store, keep: Any, tmp_path: Path, clock: Any) -> None:
    id = keep()
    target = tmp_path / "backups" / "today.db"
    store.backup(target)
    store.backup(target)
    assert sorted(entry.name for entry in target.parent.iterdir()) == ["today.db", "today.db.1"]
    shutil.move(target, tmp_path / "restored.db")
    with Store.open(tmp_path / "restored.db", clock=clock) as copy:
        assert copy.get("shipment", id) == store.get("shipment", id)
        assert _read(Path(copy.place), "pragma journal_mode") == [("wal",)]


@pytest.mark.sqlite_only("migrates and copies its file")
def test_a_backup_never_replaces_anything_else(store: Store, path: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir")
    for target in (letter, path):
        with pytest.raises(StoreError, match="no backup of a store"):
            store.backup(target)
    assert letter.read_text() == "Dear Sir"


def test_neither_sqlite_utils_nor_pandas_is_imported_for_everyday_work(tmp_path: Path) -> None:
    code = (
        "import sys; from datetime import UTC, datetime; from shipcli.store.store import Store; "
        f"Store.open({str(tmp_path / 's.db')!r}, clock=lambda: datetime.now(UTC)).close(); "
        "print([name for name in ('sqlite_utils', 'pandas', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_version_1_is_never_changes() -> None:
    """Stores of it are in use: a table that is added belongs to a later version, with its step."""
    text = "\n".join(list_definitions(1))
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "bfbbab0d2c46b4191f42840df57d4f7de330da3322ed34be48c6c8df7872049a"
    )


def test_a_migrated_store_has_the_tables_of_a_new_one() -> None:
    tables = "select name, sql from sqlite_master where sql is not null order by name"
    with closing(sqlite3.connect(":memory:")) as old, closing(sqlite3.connect(":memory:")) as new:
        for statement in list_definitions(1):
            old.execute(statement)
        for step in STEPS[1:]:
            step.change(Database(old))
        for statement in list_definitions(VERSION):
            new.execute(statement)
        assert old.execute(tables).fetchall() == new.execute(tables).fetchall()

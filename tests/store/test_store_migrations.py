"""Versions: new stores, old stores, newer stores, and other people's files."""

from __future__ import annotations

import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from shipcli.store.definitions import list_definitions
from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.migrations import STEPS, Step, migrate
from shipcli.store.query import any_of, flag, one_of, pair_key, pair_value
from shipcli.store.schema import STEPS as NAMES
from shipcli.store.schema import VERSION
from shipcli.store.store import Store

if TYPE_CHECKING:
    from sqlite_utils import Database


def _paint(database: Database) -> None:
    database.table("shipments").add_column("colour", str)


def _fail(database: Database) -> None:
    database.table("named").drop()
    raise ZeroDivisionError


PAINTED = (*STEPS, Step("0007_colour", _paint))
FAILING = (*PAINTED, Step("0008_fail", _fail))


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


def test_a_store_of_version_1_gets_what_came_later(tmp_path: Path, clock: Any) -> None:
    """With and without the tables that some stores of that version were made with."""
    with Store.open(tmp_path / "new.db", clock=clock):
        pass
    for name, kept in (("old.db", set[str]()), ("between.db", {"users", "attempts"})):
        old = tmp_path / name
        old.touch()
        assert migrate(old, clock(), STEPS[:1]).after == 1
        with closing(sqlite3.connect(old)) as connection:
            there = set(list_definitions(1))
            for statement in list_definitions(2):
                if statement not in there and kept & set(re.split(r"\W+", statement)):
                    connection.execute(statement)
            connection.commit()
        assert migrate(old, clock()).after == VERSION
        assert _shape(old) == _shape(tmp_path / "new.db")


def test_a_new_store_and_a_migrated_one_have_the_same_shape(tmp_path: Path, clock: Any) -> None:
    with Store.open(tmp_path / "new.db", clock=clock):
        (tmp_path / "steps.db").touch()
        assert migrate(tmp_path / "steps.db", clock()).after == VERSION
    assert _shape(tmp_path / "new.db") == _shape(tmp_path / "steps.db")
    names = "select migration_set, name from _sqlite_migrations"
    assert _read(tmp_path / "new.db", names) == _read(tmp_path / "steps.db", names)


def _as_version_2(new: Path, old: Path, clock: Any) -> None:
    """Write what a store holds as a store of version 2 held it."""
    old.touch()
    migrate(old, clock(), STEPS[:2])
    with closing(sqlite3.connect(old)) as connection:
        connection.execute("attach ? as new", (str(new),))
        for name in ("shipments", "shipments_json", "templates", "templates_json"):
            known = ", ".join(row[1] for row in connection.execute(f"pragma table_info({name})"))
            connection.execute(f"insert into {name} ({known}) select {known} from new.{name}")
        connection.execute("insert into totals select kind, test_mode, status, n from new.totals")
        columns = "kind, scope, key, value, seq"
        connection.execute(f"insert into pairs ({columns}) select {columns} from new.entries")
        connection.commit()


def test_a_store_of_version_2_gives_the_same_answers(
    store: Store, path: Path, keep: Any, tmp_path: Path, clock: Any
) -> None:
    for number in range(20):
        clock.advance(microseconds=number % 3, seconds=number % 2)
        keep(
            carrier_name=["ups", "hub"][number % 2],
            meta={"rate_provider": ["ups", "usps"][number % 2], "other": "ups"},
            metadata={"order": number, "lane": number % 4},
            options={"insured": True},
            tracker_id="trk_1" if number % 3 else None,
            extra={"created_at": f"19{60 + number}-01-01T00:00:59.999{number:03}Z"} if number % 2 else None,
            test_mode=number % 5 > 0,
        )
    with store.transaction() as tx:
        tx.put("template", {"id": store.new_id("doc_"), "slug": "a", "metadata": {"lane": 1}})
    old = tmp_path / "old.db"
    _as_version_2(path, old, clock)
    assert migrate(old, clock()).after == VERSION
    with Store.open(tmp_path / "new.db", clock=clock):
        assert _shape(old) == _shape(tmp_path / "new.db")
    for table in ("entries", "tallies"):
        rows = f"select * from {table} where n <> 0" if table == "tallies" else f"select * from {table}"
        assert sorted(_read(old, rows)) == sorted(_read(path, rows))
    with Store.open(old, clock=clock) as migrated:
        for where in (
            [pair_key("metadata", "lane")],
            [pair_value("meta", "ups")],
            [flag("has_tracker", False)],
            [any_of(one_of("carrier_name", ["ups"]), one_of("rate_provider", ["ups"]))],
        ):
            page = migrated.page("shipment", where, test_mode=True)
            assert page == store.page("shipment", where, test_mode=True)
            assert page.count > 1


def _with_defaults(folder: Path, clock: Any) -> Path:
    """A store as it was when it kept the default printer and the shipper of a sandbox itself."""
    folder.mkdir()
    old = folder / "old.db"
    old.touch()
    migrate(old, clock(), STEPS[:8])
    with closing(sqlite3.connect(old)) as connection:
        for name, is_default in (("desk", 0), ("dock", 1)):
            connection.execute("insert into printers (name, is_default) values (?, ?)", (name, is_default))
        connection.execute("insert into settings (key, value) values ('shipper', '\"adr_1\"')")
        connection.commit()
    return old


def test_defaults_that_a_store_kept_move_into_its_settings_file(tmp_path: Path, clock: Any) -> None:
    migrate(_with_defaults(tmp_path / "a", clock), clock())
    assert (tmp_path / "a/config.toml").read_text() == 'printer = "dock"\nshipper = "adr_1"\n'


def test_a_setting_that_won_over_the_default_of_the_store_stays(tmp_path: Path, clock: Any) -> None:
    old = _with_defaults(tmp_path / "a", clock)
    (tmp_path / "a/config.toml").write_text('printer = "tcp://192.0.2.7"\n')
    migrate(old, clock())
    written = (tmp_path / "a/config.toml").read_text()
    assert written == 'printer = "tcp://192.0.2.7"\nshipper = "adr_1"\n'


def test_what_was_asked_with_an_api_key_belongs_to_the_account_afterwards(tmp_path: Path, clock: Any) -> None:
    old = tmp_path / "old.db"
    old.touch()
    migrate(old, clock(), STEPS[:6])
    kept = [
        ("key:apk_1", "k1", '{"id":"shp_1"}'), ("key:apk_2", "k1", '{"id":"shp_2"}'),
        ("user:usr_1", "k1", "{}"), ("key:apk_1", "k2", '{"sealed":"AbC="}'), ("key:apk_1", "k3", None),
    ]  # fmt: skip
    with closing(sqlite3.connect(old)) as connection:
        columns = "caller, test_mode, operation, key, response"
        connection.executemany(f"insert into idempotency ({columns}) values (?, 1, 'POST', ?, ?)", kept)
        drafts = ['{"once":{"caller":"key:apk_1","key":"k3"}}', '{"once":null}', None]
        connection.executemany("insert into intents (key, draft) values (?, ?)", enumerate(drafts))
        connection.commit()
    migrate(old, clock())
    assert sorted(_read(old, "select caller, key from idempotency")) == [
        ("account", "k1"), ("account", "k3"), ("key:apk_1", "k2"), ("key:apk_2", "k1"), ("user:usr_1", "k1"),
    ]  # fmt: skip
    moved = '{"once":{"caller":"account","key":"k3"}}'
    assert _read(old, "select draft from intents order by key") == [(moved,), (drafts[1],), (None,)]


def test_every_step_has_its_declared_name() -> None:
    assert tuple(step.name for step in STEPS) == NAMES


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


def test_a_second_migration_has_nothing_to_do(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    assert migrate(path, clock(), PAINTED).backup is None
    assert len(list(path.parent.glob("*.backup"))) == 1


def test_a_failed_step_leaves_the_store_as_it_was(store: Store, path: Path, clock: Any) -> None:
    shape = _shape(path)
    with pytest.raises(ZeroDivisionError):
        migrate(path, clock(), FAILING)
    assert (_shape(path), _read(path, "pragma user_version")) == (shape, [(VERSION,)])
    assert store.check() == []


def test_a_step_that_does_not_fit_is_a_store_error(store: Store, path: Path, clock: Any) -> None:
    with pytest.raises(StoreError, match="duplicate column name"):
        migrate(path, clock(), (*PAINTED, Step("0006_again", _paint)))


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


def test_a_newer_store_is_refused(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    with pytest.raises(StoreTooNew, match="install the newer program"):
        Store.open(path, clock=clock)
    with pytest.raises(StoreTooNew):
        Store.migrate(path, clock=clock)


def test_a_store_migrated_meanwhile_is_written_no_more(store: Store, path: Path, clock: Any) -> None:
    migrate(path, clock(), PAINTED)
    with pytest.raises(StoreTooNew), store.transaction() as tx:
        tx.insert("settings", {"key": "a", "value": 1})


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


def test_a_backup_is_a_whole_store(store: Store, keep: Any, tmp_path: Path, clock: Any) -> None:
    id = keep()
    target = tmp_path / "backups" / "today.db"
    store.backup(target)
    store.backup(target)
    assert sorted(entry.name for entry in target.parent.iterdir()) == ["today.db", "today.db.1"]
    shutil.move(target, tmp_path / "restored.db")
    with Store.open(tmp_path / "restored.db", clock=clock) as copy:
        assert copy.get("shipment", id) == store.get("shipment", id)
        assert _read(copy.path, "pragma journal_mode") == [("wal",)]


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

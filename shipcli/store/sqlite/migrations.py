"""Steps from one version of a store to the next; sqlite-utils runs them.

New stores are created straight from the declarations, with every step recorded as done. A step changes an
existing store: it gets the database, in a transaction that also covers the other steps and the new version.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli.store.codecs import write_moment
from shipcli.store.errors import StoreError, StoreTooNew
from shipcli.store.ports import MigrationResult
from shipcli.store.schema import KINDS, SLOTTED, TABLES
from shipcli.store.schema import STEPS as NAMES
from shipcli.store.shared_sql import redefine_indexes
from shipcli.store.sqlite.definitions import define_table, list_definitions
from shipcli.store.sqlite.session import SqliteSession

if TYPE_CHECKING:
    from sqlite_utils import Database

SET_NAME = "shipcli"


@dataclass(frozen=True, slots=True)
class Step:
    """One named change of a store."""

    name: str
    change: Callable[[Database], None]


def create_first(database: Database) -> None:
    """Create everything that version 1 has."""
    for statement in list_definitions(1):
        database.execute(statement)


def add_rules(database: Database) -> None:
    """Create what version 2 has beside: rules, what shops were told, sales, and which processes run."""
    _add_tables(database, 2)


def add_mails(database: Database) -> None:
    """Create what version 4 has beside: what was mailed to customers."""
    _add_tables(database, 4)


def _add_tables(database: Database, version: int) -> None:
    """Create the tables that came with a version, unless they are there."""
    existing = set(database.table_names())
    added = (table for table in TABLES.values() if table.since == version)
    for table in (table for table in added if table.name not in existing):
        for statement in define_table(table, version):
            database.execute(statement)


def replace_index(database: Database) -> None:
    """Replace the index of labels sold by others: its condition is one that every engine understands."""
    for statement in redefine_indexes(KINDS["shipment"].table, 3):
        database.execute(statement)


def add_slots(database: Database) -> None:
    """Give each count several rows, which are added up; what was counted is in the first."""
    for name in SLOTTED:
        columns = ", ".join(column.name for column in TABLES[name].list_columns(4))
        database.execute(f"alter table {name} rename to {name}_before")
        for statement in define_table(TABLES[name], 5):
            database.execute(statement)
        database.execute(f"insert into {name} ({columns}, slot) select {columns}, 0 from {name}_before")
        database.execute(f"drop table {name}_before")


CHANGES = (create_first, add_rules, replace_index, add_mails, add_slots)
STEPS = tuple(Step(name, change) for name, change in zip(NAMES, CHANGES, strict=True))


def migrate(
    path: Path, now: datetime, steps: Sequence[Step] = STEPS, patience_s: float = 30.0
) -> MigrationResult:
    """Migrate a store to the newest version, locked, after a backup beside it; all steps or none.

    Errors: StoreTooNew if a newer program has used it, StoreError if the file is not a store or is in use.
    """
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    session, target = SqliteSession(path, patience_s), len(steps)
    try:
        _refuse(session, target)
        session.use_journal(patience_s)
        with session.transaction(durable=True, exclusive=True):
            _refuse(session, target)
            before = session.version()
            if before == target:
                return MigrationResult(before, target, None)
            backup = _write_backup(session, before, now)
            _apply(session, steps)
            session.set_version(target)
    finally:
        session.close()
    return MigrationResult(before, target, backup)


def _refuse(session: SqliteSession, target: int) -> None:
    if not session.is_ours() and not session.is_empty():
        raise StoreError(f"{session.path} is a database of another program; name another file")
    if session.version() > target:
        raise StoreTooNew(describe_newer_store(session.path, session.version(), target))


def describe_newer_store(path: Path, version: int, supported: int) -> str:
    """The error message for a store of a newer program."""
    versions = f"has version {version}, this program knows version {supported}"
    return f"the store {path} {versions}; install the newer program"


def _write_backup(session: SqliteSession, before: int, now: datetime) -> Path:
    stamp = write_moment(now).replace("-", "").replace(":", "")[:15]
    start = f"{session.path.name}.version-{before}-{stamp}"
    names = (f"{start}{ending}.backup" for ending in ("", *(f"-{number}" for number in range(2, 1000))))
    backup = next(path for path in map(session.path.with_name, names) if not path.exists())
    session.copy_to(backup)
    return backup


def _apply(session: SqliteSession, steps: Sequence[Step]) -> None:
    # It imports pandas if that is installed: no everyday command should pay for that.
    from sqlite_utils import Database, Migrations

    rows = Migrations(SET_NAME)
    for step in steps:
        rows(name=step.name)(step.change)
    # Its own transactions nest as savepoints in ours.
    with session.explained():
        rows.apply(Database(session.connection))


def record(session: SqliteSession, now: datetime, names: Sequence[str] = NAMES) -> None:
    """Record in a new store, in the form sqlite-utils reads, that all steps are done."""
    session.run(
        'CREATE TABLE "_sqlite_migrations" (\n   "id" INTEGER PRIMARY KEY,\n   "migration_set" TEXT,\n'
        '   "name" TEXT,\n   "applied_at" TEXT\n)'
    )
    session.run(
        'CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"\n'
        '    ON "_sqlite_migrations" ("migration_set", "name")'
    )
    session.run_many(
        "insert into _sqlite_migrations (migration_set, name, applied_at) values (?, ?, ?)",
        [(SET_NAME, name, str(now)) for name in names],
    )

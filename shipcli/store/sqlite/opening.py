"""Opens a store in a SQLite file, and makes a new one."""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from shipcli.clocks import Clock
from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.ports import PATIENCE_S, MigrationResult
from shipcli.store.schema import VERSION
from shipcli.store.sqlite import inspection, migrations
from shipcli.store.sqlite.definitions import define
from shipcli.store.sqlite.inspection import SqliteInspection
from shipcli.store.sqlite.ledger_file import open_ledger_file
from shipcli.store.sqlite.pool import SqlitePool
from shipcli.store.sqlite.session import SqliteSession, is_file_of_ours, make_private

# If one of these lies beside an empty file, that is a lost store rather than a new one.
_WITNESSES = ("master.key", "ledger.db")
_WITNESS_WAIT_S = 2.0


def open_pool(place: str | Path, clock: Clock, migrates: bool, patience_s: float = PATIENCE_S) -> SqlitePool:
    """The sessions of the store in this file, which is made if it is missing.

    Errors: StoreTooNew, StoreOutdated, StoreError if the file cannot be used.
    """
    pool = SqlitePool(Path(place), patience_s, _check_version)
    try:
        _make_ready(pool, clock, migrates, patience_s)
    except BaseException:
        pool.close()
        raise
    return pool


def open_ledger_pool(place: str | Path, patience_s: float = PATIENCE_S) -> SqlitePool:
    """The sessions of the ledger of simulated carriers in this file."""
    return open_ledger_file(Path(place), patience_s)


def migrate(place: str | Path, now: datetime) -> MigrationResult:
    """Migrate a store to the version of this program, after a backup beside it."""
    return migrations.migrate(Path(place), now)


def open_inspection(place: str | Path) -> AbstractContextManager[SqliteInspection]:
    """Open the file, of any version, only to look."""
    return inspection.open_inspection(Path(place))


def is_backup(file: Path) -> bool:
    """Whether a file is a store, as backups are."""
    return is_file_of_ours(file)


def has_tables(place: str | Path) -> bool:
    """Whether there is a file at this place that is not empty."""
    return Path(place).exists() and Path(place).stat().st_size > 0


def find_foreign_table(place: str | Path) -> str:
    """None: a file of another program can't be opened."""
    return ""


def name_copy(place: str | Path) -> Path:
    """The file beside this one in which a copy grows."""
    return Path(place).with_name(f"{Path(place).name}.copying")


def publish_copy(copy: str | Path, place: str | Path) -> None:
    """Move a complete copy to its name."""
    for ending in ("-wal", "-shm"):
        Path(f"{place}{ending}").unlink(missing_ok=True)
    os.replace(copy, place)


def _make_ready(pool: SqlitePool, clock: Clock, migrates: bool, patience_s: float) -> None:
    """Make sure that the file is a store of this version; costs only a few pragmas if it is."""
    if pool.path.exists():
        _refuse_emptied(pool.path)
    else:
        make_private(pool.path)
    session = pool.session()
    if session.version() == 0 and session.is_empty():
        define(session, VERSION, lambda session: migrations.record(session, clock()))
    if not session.is_ours():
        raise StoreError(f"{pool.path} is a database of another program; name another file")
    # A restored backup comes without a log.
    session.use_journal(patience_s)
    if session.version() < VERSION and migrates:
        migrations.migrate(pool.path, clock(), patience_s=patience_s)
    _check_version(session)


def _check_version(session: SqliteSession) -> None:
    version = session.version()
    if version > VERSION:
        raise StoreTooNew(migrations.describe_newer_store(session.path, version, VERSION))
    if version < VERSION:
        message = f"the store {session.path} has version {version}, this program needs {VERSION}"
        raise StoreOutdated(f"{message}; run `shipcli db migrate`")


def _refuse_emptied(path: Path) -> None:
    """Errors: StoreError for a file of 0 bytes if files beside it show that there was a store."""
    witnesses = [name for name in _WITNESSES if path.with_name(name).exists()]
    end = time.monotonic() + _WITNESS_WAIT_S
    while witnesses and path.stat().st_size == 0:
        if time.monotonic() > end:  # nobody is creating it at this moment
            message = (
                f"the store {path} is empty, and {' and '.join(witnesses)} beside it show that it was not"
            )
            way_out = "put a backup in its place: `shipcli db restore FILE`; or remove the file to start over"
            raise StoreError(f"{message}; {way_out}")
        time.sleep(0.05)

"""Opens a store in a SQLite file, and makes a new one."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from shipcli.clocks import Clock
from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.ports import PATIENCE_S, MigrationResult
from shipcli.store.schema import VERSION
from shipcli.store.sqlite import migrations
from shipcli.store.sqlite.definitions import define
from shipcli.store.sqlite.ledger_file import open_ledger_file
from shipcli.store.sqlite.pool import SqlitePool
from shipcli.store.sqlite.session import SqliteSession, make_private

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

"""Opens a store in a schema of PostgreSQL, and makes a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from shipcli.clocks import Clock, real_clock
from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.ports import PATIENCE_S, MigrationResult
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.definitions import (
    STEPS,
    list_added_tables,
    list_definitions,
    list_ledger_definitions,
)
from shipcli.store.postgres.pool import PostgresPool, compute_lock
from shipcli.store.postgres.session import PostgresSession
from shipcli.store.postgres.url import StoreUrl, read_url
from shipcli.store.schema import KINDS, VERSION
from shipcli.store.schema import STEPS as NAMES
from shipcli.store.shared_sql import redefine_indexes

_KEYRING = "shipcli"
# The statements of each step after the first, by its name.
CHANGES: dict[str, tuple[str, ...]] = {
    "0002_rules": list_added_tables(2),
    "0003_portable_index": tuple(redefine_indexes(KINDS["shipment"].table, 3)),
    "0004_mails": list_added_tables(4),
}


def open_pool(
    place: str | Path, clock: Clock, migrates: bool, patience_s: float = PATIENCE_S
) -> PostgresPool:
    """The sessions of the store in this schema, which is made if it is missing.

    Errors: StoreTooNew, StoreOutdated, StoreError if the place cannot be used.
    """
    url = read_url(str(place))
    pool = _make_pool(url, patience_s, partial(_check_version, url))
    try:
        session = pool.session()
        version = session.version()
        if version == 0:
            _define(session, url, NAMES, list_definitions, clock())
        elif version < VERSION and migrates:
            _migrate(session, url, clock())
        _check_version(url, session.version())
    except BaseException:
        pool.close()
        raise
    return pool


def open_ledger_pool(place: str | Path, patience_s: float = PATIENCE_S) -> PostgresPool:
    """The sessions of the ledger of simulated carriers in this schema."""
    url = read_url(str(place))
    pool = _make_pool(url, patience_s, lambda version: None)
    if pool.session().version() == 0:
        _define(pool.session(), url, ("ledger",), lambda _: list_ledger_definitions(), real_clock())
    return pool


def migrate(place: str | Path, now: datetime) -> MigrationResult:
    """Migrate a store to the version of this program."""
    url = read_url(str(place))
    pool = _make_pool(url, PATIENCE_S, lambda version: None)
    try:
        session = pool.session()
        before = session.version()
        if not before:
            raise StoreError(f"there is no store {url.shown}")
        _refuse_newer(url, before)
        _migrate(session, url, now)
        return MigrationResult(before, VERSION, None)
    finally:
        pool.close()


def _make_pool(url: StoreUrl, patience_s: float, check: Callable[[int], None]) -> PostgresPool:
    return PostgresPool(ConnectionPool(url, patience_s, partial(_find_password, url)), check)


def _find_password(url: StoreUrl) -> str | None:
    """The password in the keyring; PGPASSWORD and ~/.pgpass are read by PostgreSQL's own library."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_KEYRING, url.shown)
    except KeyringError:
        return None


def _define(
    session: PostgresSession,
    url: StoreUrl,
    names: Sequence[str],
    write: Callable[[str | None], list[str]],
    now: datetime,
) -> None:
    """Turn an empty schema into a store of the newest version, unless another process was quicker."""
    with session.transaction(_lock(url)):
        if session.version():
            return
        if not session.rows("select 1 from pg_namespace where nspname = ?", (url.schema,)):
            session.run(f"create schema {url.schema}")
        session.run_script(";\n".join(write(_find_trigrams(session))))
        _record(session, names, now)


def _find_trigrams(session: PostgresSession) -> str | None:
    """The schema of the extension for searching text, which is added if that is allowed."""
    held = (
        "select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace "
        "where e.extname = 'pg_trgm'"
    )
    rows = session.rows(held)
    if not rows and session.try_script("create extension if not exists pg_trgm with schema public"):
        rows = session.rows(held)
    return str(rows[0][0]) if rows else None


def _migrate(session: PostgresSession, url: StoreUrl, now: datetime) -> None:
    """Bring the schema to the newest version; processes wait for each other."""
    with session.transaction(_lock(url)):
        done = {name for (name,) in session.rows(f"select name from {STEPS}")}
        missing = [name for name in NAMES if name not in done]
        for name in missing:
            session.run_script(";\n".join(CHANGES[name]))
        _record(session, missing, now)


def _record(session: PostgresSession, names: Sequence[str], now: datetime) -> None:
    rows = [(name, str(now)) for name in names]
    session.run_many(f"insert into {STEPS} (name, applied_at) values (?, ?)", rows)


def _lock(url: StoreUrl) -> str:
    # One for all schemas: two that add the extension at once would collide.
    return f"select pg_advisory_xact_lock({compute_lock('', 'definitions')})"


def _check_version(url: StoreUrl, version: int) -> None:
    _refuse_newer(url, version)
    if version < VERSION:
        message = f"the store {url.shown} has version {version}, this program needs {VERSION}"
        raise StoreOutdated(f"{message}; run `shipcli db migrate`")


def _refuse_newer(url: StoreUrl, version: int) -> None:
    if version > VERSION:
        versions = f"has version {version}, this program knows version {VERSION}"
        raise StoreTooNew(f"the store {url.shown} {versions}; install the newer program")

"""Opens a store in a schema of PostgreSQL, and makes a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from datetime import datetime
from functools import partial
from pathlib import Path

from shipcli.clocks import Clock, real_clock
from shipcli.models.basics.store_url import add_schema
from shipcli.store.errors import StoreError, StoreOutdated, StoreTooNew
from shipcli.store.ports import PATIENCE_S, MigrationResult
from shipcli.store.postgres import backups, inspection
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.definitions import (
    STEPS,
    list_added_tables,
    list_definitions,
    list_ledger_definitions,
    list_slot_changes,
    list_table_names,
    list_text_indexes,
)
from shipcli.store.postgres.inspection import PostgresInspection
from shipcli.store.postgres.pool import PostgresPool, compute_lock
from shipcli.store.postgres.session import PostgresSession
from shipcli.store.postgres.url import StoreUrl, read_url
from shipcli.store.schema import KINDS, VERSION
from shipcli.store.schema import STEPS as NAMES
from shipcli.store.shared_sql import redefine_indexes

_KEYRING = "shipcli"
_HELD = (
    "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
    "where n.nspname = ? and c.relkind in ('r', 'p', 'v', 'm', 'f')"
)
# Tables before the functions that are named in them; a function is named with its arguments.
_LIST_PARTS = (
    "select quote_ident(c.relname), 'table' from pg_class c join pg_namespace n on n.oid = c.relnamespace "
    "where n.nspname = ? and c.relkind = 'r' union all "
    "select quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')', 'function' "
    "from pg_proc p join pg_namespace n on n.oid = p.pronamespace "
    "where n.nspname = ? and p.proname in ('unpacked', 'json_valid', 'folded') order by 2 desc"
)
# The statements of each step after the first, by its name.
CHANGES: dict[str, tuple[str, ...]] = {
    "0002_rules": list_added_tables(2),
    "0003_portable_index": tuple(redefine_indexes(KINDS["shipment"].table, 3)),
    "0004_mails": list_added_tables(4),
    "0005_slots": list_slot_changes(),
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
        _check_path(session, url)
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
        _index_texts(session, url)
        return MigrationResult(before, VERSION, None)
    finally:
        pool.close()


def open_inspection(place: str | Path) -> AbstractContextManager[PostgresInspection]:
    """Open the schema, of any version, only to look."""
    url = read_url(str(place))
    return inspection.open_inspection(ConnectionPool(url, PATIENCE_S, partial(_find_password, url)))


def is_backup(file: Path) -> bool:
    """Whether a file was written by pg_dump."""
    return backups.is_backup(file)


def has_tables(place: str | Path) -> bool:
    """Whether there is a table in this schema."""
    url = read_url(str(place))
    with closing(_make_pool(url, PATIENCE_S, lambda version: None)) as pool:
        return bool(pool.session().rows(_HELD, (url.schema,)))


def find_foreign_table(place: str | Path) -> str:
    """The name of a table in this schema that is not one of ours."""
    url = read_url(str(place))
    ours = {STEPS, *list_table_names()}
    with closing(_make_pool(url, PATIENCE_S, lambda version: None)) as pool:
        rows = pool.session().rows(_HELD, (url.schema,))
    return next((name for (name,) in rows if name not in ours), "")


def name_copy(place: str | Path) -> str:
    """The schema beside this one in which a copy grows."""
    return add_schema(str(place), "copying")


def publish_copy(copy: str | Path, place: str | Path) -> None:
    """Move the tables of a complete copy into this schema, in place of those of an unused store."""
    source, target = read_url(str(copy)).schema, read_url(str(place))
    with closing(_make_pool(target, PATIENCE_S, lambda version: None)) as pool:
        session = pool.session()
        with session.transaction(_lock(target)):
            for name, kind in session.rows(_LIST_PARTS, (target.schema, target.schema)):
                session.run(f"drop {kind} {target.schema}.{name}")
            if not session.rows("select 1 from pg_namespace where nspname = ?", (target.schema,)):
                session.run(f"create schema {target.schema}")
            for name, kind in session.rows(_LIST_PARTS, (source, source)):
                session.run(f"alter {kind} {source}.{name} set schema {target.schema}")
            session.run(f"drop schema {source}")
        for name, kind in session.rows(_LIST_PARTS, (target.schema, target.schema)):
            if kind == "table":
                session.run(f"analyze {name}")


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
        _check_path(session, url)
        session.run_script(";\n".join(write(_find_trigrams(session))))
        _record(session, names, now)


def _check_path(session: PostgresSession, url: StoreUrl) -> None:
    """Behind a pooler the search path is that of the user, which nobody but its owner can set.

    Errors: StoreError if tables are looked for in another schema.
    """
    if not url.pooler:
        return
    asked = "select current_schema(), to_regnamespace(?) is not null"
    [(found, is_there)] = session.rows(asked, (url.schema,))
    if is_there and found != url.schema:
        needed = f"give its user that schema: alter role ... set search_path = {url.schema}"
        raise StoreError(f"{url.shown} is behind a pooler, and tables are looked for in {found}; {needed}")


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


def _index_texts(session: PostgresSession, url: StoreUrl) -> None:
    """Index the searched texts, if the extension has been added since the store was made."""
    with session.transaction(_lock(url)):
        if statements := list_text_indexes(_find_trigrams(session)):
            session.run_script(";\n".join(statements))


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

"""The file in which the ledger of simulated carriers is kept."""

from __future__ import annotations

from pathlib import Path

from shipcli.store.errors import StoreError, StoreTooNew
from shipcli.store.sqlite.pool import SqlitePool
from shipcli.store.sqlite.session import SqliteSession, make_private

_VERSION = 1
_DEFINITIONS = (
    "create table numbers (slug text not null, series text not null, value integer not null, "
    "primary key (slug, series))",
    "create table records (seq integer primary key, slug text not null, kind text not null, "
    "key text not null, record text not null)",
    "create unique index records_key on records (slug, kind, key)",
    "create table marks (slug text not null, kind text not null, name text not null, value text not null, "
    "seq integer not null, primary key (slug, kind, name, value, seq)) without rowid",
)


def open_ledger_file(path: Path, patience_s: float) -> SqlitePool:
    """The sessions of the ledger in this file, which is made if it is missing.

    Errors: StoreTooNew, StoreError.
    """
    if not path.exists():
        make_private(path)
    pool = SqlitePool(path, patience_s)
    try:
        _make_ready(pool.session(), path)
    except BaseException:
        pool.close()
        raise
    return pool


def _make_ready(session: SqliteSession, path: Path) -> None:
    if session.version() == 0:
        _define(session)
    if not session.is_ours() or session.version() > _VERSION:
        raise StoreTooNew(
            f"the ledger {path} is not one this program knows; remove it or install the newer one"
        )


def _define(session: SqliteSession) -> None:
    session.use_journal()
    with session.transaction(exclusive=True):
        if session.version() == 0:
            if not session.is_empty():
                raise StoreError(f"{session.path} is a database of another program; name another file")
            for statement in _DEFINITIONS:
                session.run(statement)
            session.set_version(_VERSION)

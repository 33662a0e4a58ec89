"""Connections to a store in a SQLite file: pragmas, transactions, errors."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from shipcli.store import document_statements, query
from shipcli.store.changes import MakeChange
from shipcli.store.codecs import LongText, deflate, fold, unpack
from shipcli.store.errors import Duplicate, StoreError, StoreFull
from shipcli.store.ports import PATIENCE_S, Dialect
from shipcli.store.schema import Kind
from shipcli.store.sqlite import dialect

# Marks the file as ours ("SHIP"), so that a foreign database is never taken for a store.
APPLICATION_ID = 0x53484950
# A large import grows the log; afterwards it shrinks to this size.
_LARGEST_IDLE_LOG = 16 * 1024 * 1024
# Pages of the log before a checkpoint, 16 MB: pages that every write changes are then copied only once.
_LOGGED_PAGES = 4000

sqlite3.register_adapter(LongText, deflate)

_REASONS: dict[int, str] = {
    sqlite3.SQLITE_BUSY: "is locked by another program; wait until it is done or stop it, then try again",
    sqlite3.SQLITE_LOCKED: "is locked by another program; wait until it is done or stop it, then try again",
    sqlite3.SQLITE_READONLY: "cannot be written; give yourself write permission on the file and its folder",
    sqlite3.SQLITE_PERM: "cannot be used; give yourself permission on the file and its folder",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; free some space and try again, nothing was saved",
    sqlite3.SQLITE_IOERR: "cannot be read or written; check the disk, then run `shipcli db check`",
    sqlite3.SQLITE_CORRUPT: "is damaged; run `shipcli db check` or restore a backup: `shipcli db restore`",
    sqlite3.SQLITE_NOTADB: "is not a store; name another file or restore a backup: `shipcli db restore`",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and that you may write there",
}
_DUPLICATES = {
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
}


def explain(error: Exception, path: Path) -> StoreError:
    """Turn an error of SQLite or the file system into one that the person at the terminal understands."""
    code = getattr(error, "sqlite_errorcode", None)
    if code in _DUPLICATES:
        return Duplicate(f"the store {path} has this row already ({error})")
    reason = _REASONS.get(code & 0xFF) if code is not None else None
    if reason is None and "closed database" in str(error):
        reason = "was closed already; open it again"
    kind = StoreFull if code is not None and code & 0xFF == sqlite3.SQLITE_FULL else StoreError
    return kind(f"the store {path} {reason or f'failed: {error}'}")


class SqliteSession:
    """One connection, used by one thread; returns rows, and raises errors with a clear message."""

    dialect: Dialect = dialect
    slot = 0  # there is one writer

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        self._patience_s = patience_s
        self._process = os.getpid()
        with self.explained():
            self.connection = sqlite3.connect(
                path, timeout=patience_s, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            self.connection.create_function("folded", 1, _fold, deterministic=True)
            self.connection.create_function("unpacked", 1, unpack, deterministic=True)
            self.connection.execute("pragma synchronous = normal")
            # Savepoint journals stay in memory: otherwise SQLite would copy every changed page to a file.
            self.connection.execute("pragma temp_store = memory")
            self._waits_for_disk = False
            self.connection.execute(f"pragma journal_size_limit = {_LARGEST_IDLE_LOG:d}")
            self.connection.execute(f"pragma wal_autocheckpoint = {_LOGGED_PAGES:d}")
            # One for all statements: creating one takes as long as a short statement.
            self._cursor = self.connection.cursor()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. One inherited through fork belongs to the parent and is left alone."""
        if hasattr(self, "connection") and self.belongs_here():
            self.connection.close()

    def belongs_here(self) -> bool:
        """Whether this process opened the connection; SQLite forbids using one across fork."""
        return self._process == os.getpid()

    @property
    def busy(self) -> bool:
        """Whether a transaction is open."""
        return self.connection.in_transaction

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return all its rows."""
        try:
            return self._cursor.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Run a statement that gives at most one row; returns that row or None."""
        rows = self.rows(sql, values)
        return rows[0] if rows else None

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows it affected."""
        try:
            return self._cursor.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def insert(self, sql: str, values: Sequence[Any]) -> None:
        """Insert one row; Duplicate if its key is taken."""
        self.run(sql, values)

    def add(self, sql: str, values: Sequence[Any]) -> int:
        """Insert one row and return its seq. Using `returning` for that would double the work."""
        try:
            return int(self._cursor.execute(sql, values).lastrowid or 0)
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def next_number(self, counter: str, *, may_skip: bool) -> int:
        """The next number of a counter: none is skipped, as nobody waits for it here."""
        return int(self.rows(query.NEXT_NUMBER, (counter,))[0][0])

    def put_document(self, kind: Kind, id: str, make: MakeChange, *, may_be_new: bool) -> bool:
        """Save a document; whether it is new."""
        return document_statements.put_document(self, kind, id, make)

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows."""
        with self.explained():
            self._cursor.executemany(sql, rows)

    def ring(self) -> None:
        """Nothing: other processes look into the file by themselves."""

    @contextmanager
    def transaction(self, *, durable: bool = False, exclusive: bool = False) -> Iterator[None]:
        """Save all or nothing. A durable transaction is on the disk, not only in its cache, when it ends."""
        self.begin(durable=durable, exclusive=exclusive)
        try:
            yield
        except BaseException:
            self.give_up()
            raise
        self.commit()

    def begin(self, *, durable: bool = False, exclusive: bool = False) -> None:
        """Begin a transaction that `commit` or `give_up` ends."""
        self._wait_for_disk(durable)
        self.run("begin exclusive" if exclusive else "begin immediate")

    def commit(self) -> None:
        """Save what was written.

        Errors: StoreError if that failed; then nothing is saved.
        """
        try:
            self.run("commit")
        except BaseException:
            self.give_up()
            raise

    def give_up(self) -> None:
        """Roll back, unless SQLite has done so by itself, for example on a full disk."""
        if self.busy:
            self.run("rollback")

    @contextmanager
    def part(self) -> Iterator[None]:
        """Set a savepoint: an error undoes only this part of the open transaction, which goes on either way.

        Errors: StoreError if SQLite itself has rolled back the whole transaction.
        """
        self.run("savepoint part")
        try:
            yield
            self.run("release part")
        except BaseException:
            if self.busy:
                self.run("rollback to part")
                self.run("release part")
            raise

    def _wait_for_disk(self, waits: bool) -> None:
        """Set whether the next commits wait for the disk; SQLite is told only when this changes."""
        if waits != self._waits_for_disk:
            self.run(f"pragma synchronous = {'full' if waits else 'normal'}")
            self._waits_for_disk = waits

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several reads see the same state."""
        if self.busy:
            yield
            return
        self.run("begin")
        try:
            yield
        finally:
            if self.busy:
                self.run("rollback")  # nothing was written

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Turn the errors of SQLite into clear messages; each statement does so by itself, at less cost."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    # -- the file ------------------------------------------------------------------------------

    def version(self) -> int:
        """The version of the definitions in this file; 0 if there are none."""
        return int(self.rows("pragma user_version")[0][0])

    def set_version(self, version: int) -> None:
        """Record, as part of the transaction, the version of the definitions in this file."""
        self.run(f"pragma user_version = {version:d}")
        self.run(f"pragma application_id = {APPLICATION_ID:d}")

    def changes(self) -> int:
        """A number that changes with commits of other connections, but not with this connection's own."""
        return int(self.rows("pragma data_version")[0][0])

    def is_ours(self) -> bool:
        """Whether the file was created by this program."""
        return bool(self.rows("pragma application_id")[0][0] == APPLICATION_ID)

    def is_empty(self) -> bool:
        """Whether the file has no tables yet."""
        return not self.rows("select 1 from sqlite_master limit 1")

    def use_journal(self, deadline_s: float = PATIENCE_S) -> None:
        """Switch to the write-ahead log, so that readers never wait.

        If two processes do so together, SQLite refuses at once, whatever the time-out; hence the loop.
        """
        give_up = time.monotonic() + deadline_s
        while self.rows("pragma journal_mode")[0][0] != "wal":
            try:
                if self.rows("pragma journal_mode = wal")[0][0] != "wal":
                    raise StoreError(
                        f"the store {self.path} needs a local disk; this file system shares no memory"
                    )
            except StoreError as error:
                busy = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > give_up:
                    raise
                time.sleep(0.01)

    def copy_to(self, target: Path) -> None:
        """Copy everything that is committed into a single file, readable by its owner only.

        It reads through a separate connection: SQLite makes no copy through one that is writing.
        """
        make_private(target)
        with (
            closing(SqliteSession(self.path)) as source,
            closing(SqliteSession(target)) as copy,
            self.explained(),
        ):
            source.connection.backup(copy.connection)
            copy.connection.execute("pragma journal_mode = delete")

    def copy_from(self, source: SqliteSession) -> None:
        """Replace everything with the content of another store, in one transaction.

        Errors: StoreError if others keep this store locked for too long: SQLite itself would wait for ever.
        """
        give_up = time.monotonic() + self._patience_s

        def check_patience(status: int, remaining: int, total: int) -> None:
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
                raise StoreError(f"the store {self.path} {_REASONS[status]}")

        with self.explained():
            source.connection.backup(self.connection, progress=check_patience, sleep=0.05)

    def facts(self) -> dict[str, Any]:
        """The sizes in bytes and the engine of the file."""
        pages, size, free = (
            self.rows(f"pragma {name}")[0][0] for name in ("page_count", "page_size", "freelist_count")
        )
        log = self.path.with_name(self.path.name + "-wal")
        return {
            "path": str(self.path),
            "engine": f"SQLite {sqlite3.sqlite_version}",
            "bytes": pages * size,
            "free_bytes": free * size,
            "log_bytes": log.stat().st_size if log.exists() else 0,
        }


def _fold(value: Any) -> Any:
    return fold(value) if isinstance(value, str) else value


# -- files -------------------------------------------------------------------------------------


def make_private(path: Path) -> None:
    """Create the file and its missing folders, accessible to their owner only."""
    try:
        for folder in reversed(path.parent.parents):
            folder.mkdir(mode=0o700, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"the store {path} cannot be made: {error.strerror}; name another place") from error


def is_file_of_ours(path: Path) -> bool:
    """Whether a file is a database of this program; a missing or foreign file is not."""
    if not path.is_file():
        return False
    try:
        with closing(SqliteSession(path)) as session:
            return session.is_ours()
    except StoreError:
        return False

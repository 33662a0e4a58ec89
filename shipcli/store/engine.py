"""What only SQLite understands: connections, pragmas, transactions.

Another engine is another module with the same `Session`, another `dialect` and another `definitions`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from shipcli.store.codecs import fold
from shipcli.store.errors import Duplicate, StoreError, StoreFull

# Marks the file as ours ("SHIP"), so that a foreign database is never taken for a store.
APPLICATION_ID = 0x53484950
PATIENCE_S = 30.0
# A large import grows the log; afterwards it shrinks to this size.
_LARGEST_IDLE_LOG = 16 * 1024 * 1024
# So many pages of the log go into the file at once, 16 MB: those that all writes change, but once.
_LOGGED_PAGES = 4000

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
    """What an error of SQLite or the file system means to the person at the terminal."""
    code = getattr(error, "sqlite_errorcode", None)
    if code in _DUPLICATES:
        return Duplicate(f"the store {path} has this row already ({error})")
    reason = _REASONS.get(code & 0xFF) if code is not None else None
    if reason is None and "closed database" in str(error):
        reason = "was closed already; open it again"
    kind = StoreFull if code is not None and code & 0xFF == sqlite3.SQLITE_FULL else StoreError
    return kind(f"the store {path} {reason or f'failed: {error}'}")


class Session:
    """One connection, used by one thread; gives rows, and errors with a clear sentence."""

    def __init__(self, path: Path, patience_s: float = PATIENCE_S) -> None:
        self.path = path
        self._process = os.getpid()
        with self.explained():
            self.connection = sqlite3.connect(
                path, timeout=patience_s, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            self.connection.create_function("folded", 1, _fold, deterministic=True)
            self.connection.execute("pragma synchronous = normal")
            # What is undone when a part fails rests in memory: SQLite would copy every page of it to a file.
            self.connection.execute("pragma temp_store = memory")
            self._waits_for_disk = False
            self.connection.execute(f"pragma journal_size_limit = {_LARGEST_IDLE_LOG:d}")
            self.connection.execute(f"pragma wal_autocheckpoint = {_LOGGED_PAGES:d}")
            # One for all statements: to make one takes as long as a short statement.
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
        """All rows of a statement."""
        try:
            return self._cursor.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a statement that gives at most one."""
        found = self.rows(sql, values)
        return found[0] if found else None

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; the number of rows it touched."""
        try:
            return self._cursor.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def add(self, sql: str, values: Sequence[Any]) -> int:
        """Run an insert of one row; its seq. Asking SQLite to return it would double the work."""
        try:
            return int(self._cursor.execute(sql, values).lastrowid or 0)
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows."""
        try:
            self._cursor.executemany(sql, rows)
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    @contextmanager
    def transaction(self, *, durable: bool = False, exclusive: bool = False) -> Iterator[None]:
        """All or nothing. A durable transaction is on the disk, not only in its cache, when it ends."""
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
        """Keep what was written.

        Errors: StoreError when that failed: then nothing was.
        """
        try:
            self.run("commit")
        except BaseException:
            self.give_up()
            raise

    def give_up(self) -> None:
        """Keep nothing; SQLite may have rolled back by itself, for example on a full disk."""
        if self.busy:
            self.run("rollback")

    @contextmanager
    def part(self) -> Iterator[None]:
        """What an error undoes alone, inside an open transaction that goes on either way.

        Errors: StoreError when SQLite itself has given up the whole transaction.
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

    def _wait_for_disk(self, wanted: bool) -> None:
        """Whether the commits to come wait; said to SQLite only when it changes."""
        if wanted != self._waits_for_disk:
            self.run(f"pragma synchronous = {'full' if wanted else 'normal'}")
            self._waits_for_disk = wanted

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Several reads that see the same state."""
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
        """Turns the errors of SQLite into sentences."""
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error, self.path) from error

    # -- the file ------------------------------------------------------------------------------

    def version(self) -> int:
        """The version of the definitions in this file; 0 when there are none."""
        return int(self.rows("pragma user_version")[0][0])

    def set_version(self, version: int) -> None:
        """Say, as part of the transaction, which definitions the file has."""
        self.run(f"pragma user_version = {version:d}")
        self.run(f"pragma application_id = {APPLICATION_ID:d}")

    def changes(self) -> int:
        """A number that another connection's commits change; this connection's own do not."""
        return int(self.rows("pragma data_version")[0][0])

    def generation(self) -> int:
        """A number that grows when a backup takes the place of the content, or definitions change."""
        return int(self.rows("pragma schema_version")[0][0])

    def is_ours(self) -> bool:
        """Whether the file is one of this program."""
        return bool(self.rows("pragma application_id")[0][0] == APPLICATION_ID)

    def is_empty(self) -> bool:
        """Whether the file defines nothing yet."""
        return not self.rows("select 1 from sqlite_master limit 1")

    def use_journal(self, deadline_s: float = PATIENCE_S) -> None:
        """Switch to the write-ahead log, so that readers never wait.

        Two processes that meet here are refused at once, whatever the time-out says; hence the loop.
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
        """A copy of all that is committed, in one file of its own, readable by its owner only.

        It reads through a connection of its own: SQLite never copies what the asking connection is writing.
        """
        make_private(target)
        with closing(Session(self.path)) as source, closing(Session(target)) as copy, self.explained():
            source.connection.backup(copy.connection)
            copy.connection.execute("pragma journal_mode = delete")

    def facts(self) -> dict[str, Any]:
        """Size and kind of the file."""
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
    """The file and its missing folders, open to their owner only."""
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
        with closing(Session(path)) as session:
            return session.is_ours()
    except StoreError:
        return False

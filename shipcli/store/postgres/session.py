"""The statements of one thread on PostgreSQL, on a free connection or on that of its transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from shipcli.store import query
from shipcli.store.changes import MakeChange
from shipcli.store.codecs import clean_text
from shipcli.store.errors import Duplicate, StoreError
from shipcli.store.ports import Dialect
from shipcli.store.postgres import dialect, documents, outcomes
from shipcli.store.postgres.connections import Connection, ConnectionPool
from shipcli.store.postgres.definitions import STEPS
from shipcli.store.postgres.dialect import repeat_values, translate
from shipcli.store.postgres.errors import explain, is_lost
from shipcli.store.schema import Kind

# So many rows are written by one statement: sending it for each costs twice as much.
_FEW = 12
Work = Callable[[psycopg.Cursor[tuple[Any, ...]]], Any]


class PostgresSession:
    """Runs statements. Outside a transaction each is saved by itself, on whichever connection is free.

    A connection that turns out to be dead there is dropped, and the statement is run on another.
    """

    dialect: Dialect = dialect

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections
        self._held: Connection | None = None
        self._rings = False
        self.slot = 0
        self.place = connections.place

    @property
    def busy(self) -> bool:
        """Whether a transaction is open."""
        return self._held is not None

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return all its rows."""
        rows: list[tuple[Any, ...]] = self._do(sql, values, _fetch_all)
        return rows

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Run a statement that gives at most one row; returns that row or None."""
        rows = self.rows(sql, values)
        return rows[0] if rows else None

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows it affected."""
        return int(self._do(sql, values, _count))

    def insert(self, sql: str, values: Sequence[Any]) -> None:
        """Insert one row. The transaction goes on if its key is taken.

        Errors: Duplicate.
        """
        if self.run(f"{sql} on conflict do nothing", values) != 1:
            raise Duplicate(f"the store {self.place} has this row already")

    def add(self, sql: str, values: Sequence[Any]) -> int:
        """Insert one row and return its seq."""
        return int(self.rows(f"{sql} returning seq", values)[0][0])

    def next_number(self, counter: str, *, may_skip: bool) -> int:
        """The next number of a counter; one that may be skipped keeps nobody waiting until this commits."""
        if not may_skip or self._connections.url.pooler:
            return int(self.rows(query.NEXT_NUMBER, (counter,))[0][0])
        with self._connections.lend_beside() as connection:
            try:
                return self._take_number(connection, counter)
            except StoreError:
                if not connection.closed:
                    raise
        with self._connections.lend_beside() as connection:  # that one was dead, or to a standby by now
            return self._take_number(connection, counter)

    def _take_number(self, connection: Connection, counter: str) -> int:
        try:
            return int(_fetch_all(connection.execute(translate(query.NEXT_NUMBER), (counter,)))[0][0])
        except psycopg.Error as error:
            if is_lost(error):
                connection.close()
            raise explain(error, self.place) from error

    def put_document(self, kind: Kind, id: str, make: MakeChange, *, may_be_new: bool) -> bool:
        """Save a document; whether it is new. A new one takes one statement, a change two."""
        return documents.put_document(self, kind, id, make, may_be_new=may_be_new)

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows; a few rows in one round trip."""
        values = [*map(_clean, rows)]
        together = repeat_values(sql, len(values)) if len(values) <= _FEW else None
        if together is not None:
            self.run(together, [value for row in values for value in row])
            return
        with self._connection() as connection:
            try:
                connection.cursor().executemany(translate(sql), values)
            except psycopg.Error as error:
                raise explain(error, self.place) from error

    def ring(self) -> None:
        """Have those who listen hear of this transaction once it is committed."""
        self._rings = True

    def take_ring(self) -> bool:
        """Whether the last transaction was to ring, once."""
        rings, self._rings = self._rings, False
        return rings

    def _do(self, sql: str, values: Sequence[Any], work: Work) -> Any:
        if self._held is not None:
            return self._try(self._held, sql, values, work)
        return self._connections.run_anywhere(lambda connection: self._try(connection, sql, values, work))

    def _try(self, connection: Connection, sql: str, values: Sequence[Any], work: Work) -> Any:
        try:
            try:
                return work(connection.execute(translate(sql), values))
            except (psycopg.DataError, UnicodeEncodeError) as error:
                if getattr(error, "sqlstate", None):
                    raise  # the server's own
                return work(connection.execute(translate(sql), _clean(values)))
        except psycopg.Error as error:
            raise explain(error, self.place) from error

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        if self._held is not None:
            yield self._held
            return
        with self._connections.lend() as connection:
            yield connection

    @contextmanager
    def transaction(self, script: str = "", *, waits: bool = False) -> Iterator[Any]:
        """Save all or nothing. `script` is run with `begin`, in the same round trip: it takes the locks.
        The block gets the last row that it gives. If it `waits`, it does so for a server that is away.

        Errors: CommitUnknown if the connection broke during the commit, and it can't be found out what was
                saved; StoreError.
        """
        before = self._held
        begin = "; ".join(filter(None, ("begin", script, f"select {outcomes.MARK}")))
        with self._connections.lend_begun(begin, waits=waits) as (connection, rows):
            self._held = connection
            try:
                yield rows[0]
            except BaseException:
                self._held = before
                _roll_back(connection)
                raise
            self._held = before
            self._commit(connection, rows[-1][0])

    def _commit(self, connection: Connection, mark: str) -> None:
        try:
            status = connection.execute("commit").statusmessage
        except psycopg.Error as error:
            if is_lost(error):
                connection.close()
                outcomes.check_saved(self._connections, mark, error)
                return
            raise explain(error, self.place) from error
        if status == "ROLLBACK":  # an error inside was caught: nothing of it can be saved
            raise explain(psycopg.InternalError("a statement failed, nothing was saved"), self.place)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let several reads see the same state."""
        if self._held is not None:
            yield
            return
        with self._connections.lend_begun("begin isolation level repeatable read read only") as (
            connection,
            _,
        ):
            self._held = connection
            try:
                yield
            finally:
                self._held = None
                _roll_back(connection)

    def run_script(self, script: str) -> None:
        """Run several statements without values, within a transaction."""
        with self._connection() as connection:
            try:
                connection.execute(script)
            except psycopg.Error as error:
                raise explain(error, self.place) from error

    def try_script(self, script: str) -> bool:
        """Run statements that may be refused, within a transaction, which goes on; whether they ran."""
        with self._connection() as connection:
            connection.execute("savepoint part")
            try:
                connection.execute(script)
            except psycopg.Error:
                connection.execute("rollback to part")
                return False
            connection.execute("release part")
            return True

    # -- the schema ----------------------------------------------------------------------------

    def version(self) -> int:
        """The version of the definitions in this schema; 0 if there are none."""
        if not self.rows("select to_regclass(?)", (f"{self._connections.url.schema}.{STEPS}",))[0][0]:
            return 0
        return int(self.rows(f"select count(*) from {STEPS}")[0][0])

    def facts(self) -> dict[str, Any]:
        """The place, the engine and the size in bytes."""
        size = (
            "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c "
            "join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind = 'r'"
        )
        return {
            "path": self.place,
            "engine": f"PostgreSQL {self.rows('show server_version')[0][0]}",
            "bytes": self.rows(size, (self._connections.url.schema,))[0][0],
        }


def _fetch_all(cursor: psycopg.Cursor[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return cursor.fetchall() if cursor.description else []


def _count(cursor: psycopg.Cursor[tuple[Any, ...]]) -> int:
    return cursor.rowcount


def _clean(values: Sequence[Any]) -> list[Any]:
    return [_clean_value(value) for value in values]


def _clean_value(value: Any) -> Any:
    if isinstance(value, list):
        return _clean(value)
    return clean_text(value) if isinstance(value, str) else value


def _roll_back(connection: Connection) -> None:
    if not connection.closed:
        try:
            connection.execute("rollback")
        except psycopg.Error:
            connection.close()

"""The connections of a process: lent for a statement or a transaction, dropped when they turn out dead.

psycopg's own pool keeps threads to open connections ahead; a command that runs for half a second needs one.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import Conninfo, TransactionStatus
from psycopg.types.numeric import IntLoader

from shipcli.models.basics.store_url import has_password
from shipcli.store.errors import StoreBusy, StoreError
from shipcli.store.postgres.errors import explain, explain_closed, is_lost
from shipcli.store.postgres.url import StoreUrl

Connection = psycopg.Connection[tuple[Any, ...]]
ResultT = TypeVar("ResultT")
_CONNECT_S, _STATEMENT_MS, _IDLE_MS = 10, 300_000, 60_000
OLDEST = 150_000  # the version of the server
_PAUSE_S = 0.2  # between two tries to reach a server that is away
_KEEPALIVES = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
# Connections of a parent process: closing them here would end them there.
_INHERITED: list[Connection] = []


class ConnectionPool:
    """Connections that are open and free; none survives a fork."""

    def __init__(self, url: StoreUrl, patience_s: float, password: Callable[[], str | None]) -> None:
        self.url, self.place = url, url.shown
        self.patience_s = patience_s
        self._password = password
        self._settings = self._read_settings()
        self._is_closed = False
        self._begin_process()

    def _begin_process(self) -> None:
        self._process = os.getpid()
        self._free: list[Connection] = []
        self._places = threading.BoundedSemaphore(self.url.connections)
        self._lock = threading.Lock()
        self._beside: Connection | None = None
        self._beside_lock = threading.Lock()

    def _read_settings(self) -> dict[str, Any]:
        try:
            settings: dict[str, Any] = dict(conninfo_to_dict(self.url.address))
        except psycopg.Error:  # its message may repeat a part of the password
            raise StoreError(
                f"the URL of the store {self.place} can't be read: {self._find_fault()}"
            ) from None
        defaults = {"connect_timeout": _CONNECT_S, "application_name": "shipcli", **_KEEPALIVES}
        defaults["target_session_attrs"] = "read-write"
        if not self.url.pooler:
            patience_ms = int(self.patience_s * 1000)
            options = {
                "search_path": self.url.schema,
                "statement_timeout": _STATEMENT_MS, "lock_timeout": patience_ms,
                "idle_in_transaction_session_timeout": _IDLE_MS, "synchronous_commit": "on", "jit": "off",
                "client_min_messages": "warning",
            }  # fmt: skip
            ours = " ".join(f"-c {name}={value}" for name, value in options.items())
            settings["options"] = f"{ours} {settings.get('options', '')}".strip()
        return {**defaults, **settings}

    def _find_fault(self) -> str:
        """What of the URL can't be read; the rest of a password that was not quoted is not repeated."""
        known = {option.keyword.decode() for option in Conninfo.get_defaults()}
        unknown = sorted(name for name, value in self.url.options.items() if value and name not in known)
        if unknown and not has_password(self.url.address):
            return f"there is no option {unknown[0]}"
        return "quote its password"

    # -- lending -------------------------------------------------------------------------------

    @contextmanager
    def lend(self) -> Iterator[Connection]:
        """Lend a connection for the block; it is kept unless it broke.

        Errors: StoreBusy if none is free for too long, or the server can't be reached.
        """
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    @contextmanager
    def lend_begun(self, begin: str, *, waits: bool = False) -> Iterator[tuple[Connection, list[Any]]]:
        """Lend a connection on which a transaction has begun, with the rows that the statements gave.

        A dead connection is replaced before; if it `waits`, until a server that is away has come back.
        """
        connection = self._take(waits=waits)
        try:
            try:
                rows = _read_rows(connection.execute(begin))
            except psycopg.Error as error:
                if not is_lost(error):
                    raise explain(error, self.place) from error
                connection.close()
                self._drop_free()
                connection = self._open_patiently() if waits else self._open()
                rows = self._begin(connection, begin)
            yield connection, rows
        finally:
            self._give_back(connection)

    def _begin(self, connection: Connection, begin: str) -> list[Any]:
        try:
            return _read_rows(connection.execute(begin))
        except psycopg.Error as error:
            raise explain(error, self.place) from error

    def run_anywhere(self, work: Callable[[Connection], ResultT]) -> ResultT:
        """Run work that reads on a connection; again on a new one if the first is found dead."""
        with self.lend() as connection:
            try:
                return work(connection)
            except StoreBusy:
                if not connection.closed:
                    raise
        self._drop_free()
        with self.lend() as connection:
            return work(connection)

    def _take(self, *, waits: bool = False) -> Connection:
        if self._process != os.getpid():
            _INHERITED.extend([*self._free, *filter(None, [self._beside])])
            self._begin_process()
        if self._is_closed:
            raise StoreError(f"the store {self.place} was closed already; open it again")
        if not self._places.acquire(timeout=self.patience_s):
            raise StoreBusy(f"all connections to the store {self.place} are in use; try again")
        try:
            with self._lock:
                free = self._free.pop() if self._free else None
            return free or (self._open_patiently() if waits else self._open())
        except BaseException:
            self._places.release()
            raise

    def _give_back(self, connection: Connection) -> None:
        is_idle = connection.info.transaction_status == TransactionStatus.IDLE
        if is_idle and not self._is_closed:
            with self._lock:
                self._free.append(connection)
        else:
            connection.close()
        self._places.release()

    def _drop_free(self) -> None:
        """Drop the free connections: after a restart or a promotion they are all dead."""
        with self._lock:
            dropped, self._free = self._free, []
        for connection in dropped:
            connection.close()

    def close(self) -> None:
        """Close the free connections; those that are lent are closed when they come back."""
        self._is_closed = True
        if self._process == os.getpid():
            self._drop_free()
            if self._beside is not None:
                self._beside.close()

    def __del__(self) -> None:
        if hasattr(self, "_free"):
            self.close()

    def open_own(self) -> Connection:
        """A connection beside those that are lent; the caller closes it.

        Errors: StoreBusy if the server can't be reached.
        """
        return self._open()

    @contextmanager
    def lend_beside(self) -> Iterator[Connection]:
        """Lend the connection that is beside all those that are lent, to one thread at a time.

        It does not wait for the disk: what is committed after it and does, is on the disk with all before.
        Errors: StoreBusy if the server can't be reached.
        """
        with self._beside_lock:
            if self._beside is None or self._beside.closed:
                self._beside = self._open()
                self._beside.execute("set synchronous_commit = off")
            yield self._beside

    def write_address(self) -> tuple[str, str | None]:
        """The address for PostgreSQL's own programs, and the password, which no command line may show."""
        settings = {name: value for name, value in self._settings.items() if name != "password"}
        return make_conninfo(**settings), self._settings.get("password")

    # -- opening -------------------------------------------------------------------------------

    def _open_patiently(self) -> Connection:
        """A connection to a server that may be away for a while, as while it is restarted."""
        end = time.monotonic() + self.patience_s
        while True:
            try:
                return self._open()
            except StoreBusy:
                if time.monotonic() > end:
                    raise
            time.sleep(_PAUSE_S)

    def _open(self) -> Connection:
        try:
            return self._connect()
        except psycopg.OperationalError as error:
            password = self._password() if "no password supplied" in str(error) else None
            if password is None:
                raise explain_closed(error, self.place) from error
            self._settings["password"] = password
        try:
            return self._connect()
        except psycopg.OperationalError as error:
            raise explain_closed(error, self.place) from error

    def _connect(self) -> Connection:
        threshold = None if self.url.pooler else 5
        connection = psycopg.connect(**self._settings, autocommit=True, prepare_threshold=threshold)
        version = connection.info.server_version
        if version < OLDEST:
            connection.close()
            older = f"is on PostgreSQL {version // 10_000}, {OLDEST // 10_000} or newer is needed"
            raise StoreError(f"the store {self.place} {older}")
        connection.adapters.register_loader("numeric", IntLoader)  # sums of whole numbers
        return connection


def _read_rows(cursor: psycopg.Cursor[tuple[Any, ...]]) -> list[Any]:
    """The first rows that the last two of several statements gave; of one without a row, None."""
    rows = [None, _read_row(cursor)]
    while cursor.nextset():
        rows = [rows[-1], _read_row(cursor)]
    return rows


def _read_row(cursor: psycopg.Cursor[tuple[Any, ...]]) -> tuple[Any, ...] | None:
    return cursor.fetchone() if cursor.description else None

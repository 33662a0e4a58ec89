"""The doorbell between processes: whoever commits work rings it, and workers that wait look at once.

It is rung after the commit: as a part of transactions it would have PostgreSQL commit them one by one.
What is not heard is found all the same, as workers look by themselves too.
"""

from __future__ import annotations

import time
from contextlib import suppress
from hashlib import blake2b

import psycopg

from shipcli.store.errors import StoreError
from shipcli.store.postgres.connections import Connection, ConnectionPool
from shipcli.store.postgres.errors import explain

# A ring stands for those that follow so soon: who hears it looks twice.
RING_EVERY_S = 0.02


class Bell:
    """The bell of one store, rung by this process."""

    def __init__(self, connections: ConnectionPool) -> None:
        self._connections = connections
        self._channel = f"work_{blake2b(connections.url.schema.encode(), digest_size=8).hexdigest()}"
        self._rung_at = float("-inf")

    def ring(self) -> None:
        """Ring, unless it was rung a moment ago. What was committed stays so if that fails."""
        now = time.monotonic()
        if now - self._rung_at >= RING_EVERY_S:
            self._rung_at = now
            with suppress(StoreError):
                self._connections.run_anywhere(self._notify)

    def _notify(self, connection: Connection) -> None:
        """Notify without waiting for the disk."""
        try:
            connection.execute(f"begin; set local synchronous_commit = off; notify {self._channel}; commit")
        except psycopg.Error as error:
            raise explain(error, self._connections.place) from error

    def listen(self) -> JobListener:
        """Errors: StoreError if the server can't be reached."""
        connection = self._connections.open_own()
        try:
            connection.execute(f"listen {self._channel}")
        except psycopg.Error as error:
            connection.close()
            raise explain(error, self._connections.place) from error
        return JobListener(connection)


class JobListener:
    """A connection that hears the bell."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._socket = connection, connection.fileno()

    def fileno(self) -> int:
        """The socket of the connection, even after it was lost."""
        return self._socket

    def hear(self) -> bool:
        """Take in what has come; False if the connection is gone."""
        wire = self._connection.pgconn
        try:
            wire.consume_input()
        except psycopg.OperationalError:
            return False
        while wire.notifies():
            continue
        return True

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

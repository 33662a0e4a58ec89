"""What became of a transaction whose commit was never answered: the server is asked, never told again.

A transaction has a number, which means something only on the timeline of its server: a standby that was
promoted gives the same numbers to others.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import psycopg

from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.errors import is_lost

COMMITTED, ABORTED, IN_PROGRESS = "committed", "aborted", "in progress"
_TIMELINE = "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)"
# The number of this transaction and its timeline.
MARK = f"pg_current_xact_id()::text || '/' || {_TIMELINE}"
_PAUSE_S = 0.1


def check_saved(connections: ConnectionPool, mark: str, lost: psycopg.Error) -> None:
    """Return if the transaction was saved; wait for a server that is away or still at it.

    Errors: StoreBusy if nothing was saved; CommitUnknown if the server can't say, or does not come back.
    """
    end = time.monotonic() + connections.patience_s
    outcome = _ask(connections, mark)
    while outcome == IN_PROGRESS and time.monotonic() < end:
        time.sleep(_PAUSE_S)
        outcome = _ask(connections, mark)
    if outcome == ABORTED:
        text = f"the connection to the store {connections.place} broke and nothing was saved; try again"
        raise StoreBusy(text) from lost
    if outcome != COMMITTED:
        raise CommitUnknown(connections.place) from lost


def _ask(connections: ConnectionPool, mark: str) -> str | None:
    """What the server says of a transaction; None if it can't know. One that is away may be there soon."""
    try:
        with closing(connections.open_own()) as connection:
            return _read_outcome(connection, *mark.split("/"))
    except StoreBusy:
        return IN_PROGRESS
    except psycopg.Error as error:
        return IN_PROGRESS if is_lost(error) else None


def _read_outcome(connection: psycopg.Connection[tuple[Any, ...]], number: str, timeline: str) -> str | None:
    """The message is written so that the end waits for the standbys, as the lost commit may not have done."""
    with connection.transaction():
        rows = connection.execute(
            f"select pg_xact_status(%s::text::xid8) where {_TIMELINE} = %s", (number, timeline)
        ).fetchall()
        connection.execute("select pg_logical_emit_message(true, 'shipcli', '')")
    return str(rows[0][0]) if rows else None

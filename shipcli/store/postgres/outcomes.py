"""What became of a transaction whose commit was never answered: the server is asked, never told again.

A transaction has a number, which means something only until its server is restarted: one that was not saved
by then gives its number to another, as a standby does that was promoted.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import psycopg

from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.postgres.connections import ConnectionPool
from shipcli.store.postgres.errors import is_lost

COMMITTED, ABORTED, IN_PROGRESS, UNKNOWN = "committed", "aborted", "in progress", "unknown"
# Statistics begin anew with a server that has crashed, also if its first process has gone on.
_LIFE = "(select concat(pg_postmaster_start_time(), '|', stats_reset) from pg_stat_wal)"
# The number of this transaction, and in which life of its server it was given.
MARK = f"pg_current_xact_id()::text || '/' || {_LIFE}"
_FUTURE = "22023"  # the number was given to nobody yet
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


def _ask(connections: ConnectionPool, mark: str) -> str:
    """What the server says of a transaction. One that is away may be there soon."""
    try:
        with closing(connections.open_own()) as connection:
            return _read_outcome(connection, *mark.split("/", 1))
    except StoreBusy:
        return IN_PROGRESS
    except psycopg.Error as error:
        if error.sqlstate == _FUTURE:
            return ABORTED
        return IN_PROGRESS if is_lost(error) else UNKNOWN


def _read_outcome(connection: psycopg.Connection[tuple[Any, ...]], number: str, life: str) -> str:
    """The message is written so that the end waits for the standbys, as the lost commit may not have done."""
    with connection.transaction():
        row = connection.execute(
            f"select pg_xact_status(%s::text::xid8), {_LIFE} = %s", (number, life)
        ).fetchone()
        connection.execute("select pg_logical_emit_message(true, 'shipcli', '')")
    outcome, is_same = row or (None, False)
    return str(outcome) if is_same or outcome == ABORTED else UNKNOWN

"""What a piece of work costs the store, counted in steps of SQLite's machine: the same on every computer."""

from __future__ import annotations

from collections.abc import Callable

from shipcli.features.core.app import App

GRAIN = 10


def steps_of(app: App, work: Callable[[], object]) -> int:
    """How many steps SQLite takes for some work, in tens, over all connections of this process."""
    taken = [0]

    def count() -> int:
        taken[0] += 1
        return 0

    app.store._session()
    with app.store.transaction():
        connections = [session.connection for session in list(app.store._pool._all)]
    for connection in connections:
        connection.set_progress_handler(count, GRAIN)
    try:
        work()
    finally:
        for connection in connections:
            connection.set_progress_handler(None, 0)
    return taken[0]

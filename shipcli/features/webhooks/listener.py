"""Events as they happen, for a listener: in order, with a cursor that outlives the process."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from shipcli.features.core.checkpoints import TABLE as CURSORS
from shipcli.features.webhooks.service import SECRET, make_secret
from shipcli.models import Invalid
from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.models.basics.text import suggest_nearest
from shipcli.store.query import at_least, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App

AT_ONCE = 100


class Listener:
    """A named listener of a mode. It never gets an event again that was marked as passed.

    Errors: Invalid for a pattern that matches no event name.
    """

    def __init__(self, app: App, name: str, patterns: Sequence[str] = ()) -> None:
        self._app, self._patterns = app, tuple(patterns) or ("*",)
        self._key = f"listen/{'test' if app.test_mode else 'live'}/{name}"
        for pattern in patterns:
            _check_pattern(pattern)

    def begin(self, *, from_start: bool = False) -> None:
        """Continue after the last event passed; a new listener starts now, or at the first event."""
        if from_start:
            self.mark_passed(0)
        elif self._cursor() is None:
            newest = self._app.store.select("events", (), "-seq", 1)
            self.mark_passed(newest[0]["seq"] if newest else 0)

    def read_pending(self) -> tuple[list[tuple[int, dict[str, Any]]], int]:
        """The next matching events, oldest first, each with its position; and the position of the last one
        looked at, 0 if there is none.
        """
        events: list[tuple[int, dict[str, Any]]] = []
        after = at_least("seq", (self._cursor() or 0) + 1)
        where = [equal("test_mode", self._app.test_mode), after]
        rows = self._app.store.select("events", where, "seq", AT_ONCE)
        if rows:  # one with an earlier position may be saved later: alone, all of them are seen
            with self._app.store.transaction() as tx:
                rows = tx.select("events", where, "seq", AT_ONCE)
        for row in rows:
            event = self._app.store.get("event", row["id"]) if self._wants(row["type"]) else None
            if event is not None:
                events.append((row["seq"], event))
        return events, rows[-1]["seq"] if rows else 0

    def mark_passed(self, seq: int) -> None:
        """Store that all events up to this position are done."""
        with self._app.store.transaction(locks=()) as tx:
            tx.upsert(CURSORS, {"name": self._key, "position": seq})

    @property
    def secret(self) -> str:
        """The secret of this listener, created on first use."""
        rows = self._app.store.select("secrets", {"id": self._key, "name": SECRET})
        if rows:
            return self._app.vault.open(self._key, rows[0]["sealed"]).decode()
        sealed = self._app.vault.seal(self._key, make_secret(self._app).encode())
        with self._app.store.transaction(locks=()) as tx:
            tx.add("secrets", {"id": self._key, "name": SECRET, "sealed": sealed})
        return self.secret

    def _cursor(self) -> int | None:
        rows = self._app.store.select(CURSORS, {"name": self._key})
        return int(rows[0]["position"]) if rows else None

    def _wants(self, name: str) -> bool:
        return any(pattern == "all" or fnmatchcase(name, pattern) for pattern in self._patterns)


def _check_pattern(pattern: str) -> None:
    if not any(fnmatchcase(name, pattern) for name in EVENT_NAMES):
        hint = suggest_nearest(pattern, EVENT_NAMES)
        raise Invalid("events", f"There is no event {pattern!r}.{hint}")

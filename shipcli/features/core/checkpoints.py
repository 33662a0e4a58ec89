"""Named checkpoints: `--since @nightly` continues where the last run by that name stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.features.core.app import App

TABLE = "cursors"


def read_cursor(app: App, what: str, name: str) -> str | None:
    """Where the last run by this name stopped; None if this is the first."""
    rows = app.store.select(TABLE, {"name": _make_key(app, what, name)})
    return str(rows[0]["position"]) if rows else None


def write_cursor(app: App, what: str, name: str, cursor: str) -> None:
    """Store where this run stopped."""
    with app.store.transaction(locks=()) as tx:
        tx.upsert(TABLE, {"name": _make_key(app, what, name), "position": cursor})


def _make_key(app: App, what: str, name: str) -> str:
    return f"since/{'test' if app.test_mode else 'live'}/{what}/{name}"

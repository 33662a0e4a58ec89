"""Named checkpoints: `--since @nightly` continues where the last run by that name stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.core.app import read_setting

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def read_cursor(app: App, what: str, name: str) -> str | None:
    """Where the last run by this name stopped; None if this is the first."""
    cursor = read_setting(app.store, _make_key(app, what, name))
    return str(cursor) if cursor else None


def write_cursor(app: App, what: str, name: str, cursor: str) -> None:
    """Store where this run stopped."""
    with app.store.transaction() as tx:
        tx.upsert("settings", {"key": _make_key(app, what, name), "value": cursor})


def _make_key(app: App, what: str, name: str) -> str:
    return f"since/{'test' if app.test_mode else 'live'}/{what}/{name}"

"""Network printers that close the connection when they have taken everything: they did so once.

One of them that does not close is hung or jammed, however much of a label its network card has confirmed.
A test page forgets what was known, for a printer that was replaced by another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.core.app import read_setting

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KEY = "closes"  # with the target


def is_closing(app: App, target: str) -> bool:
    """Whether a printer is known to close the connection."""
    return bool(read_setting(app.store, f"{KEY} {target}"))


def note_closing(app: App, target: str, closed: bool | None) -> None:
    """Keep whether a printer closed the connection; None when there was none."""
    if closed is not None and closed != is_closing(app, target):
        with app.store.transaction() as tx:
            tx.upsert("settings", {"key": f"{KEY} {target}", "value": closed})

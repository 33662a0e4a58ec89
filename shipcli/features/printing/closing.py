"""Network printers that close the connection after the last byte: those that have done so before.

If one of them does not close, it hangs or is jammed, whatever its network card has confirmed.
A test page resets this, in case the printer was replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.core.app import read_setting

if TYPE_CHECKING:
    from shipcli.features.core.app import App

KEY = "closes"  # with the target


def is_closing(app: App, target: str) -> bool:
    """Return whether a printer is known to close the connection."""
    return bool(read_setting(app.store, f"{KEY} {target}"))


def note_closing(app: App, target: str, closed: bool | None) -> None:
    """Remember whether a printer closed the connection; None if there was no connection."""
    if closed is not None and closed != is_closing(app, target):
        with app.store.transaction() as tx:
            tx.upsert("settings", {"key": f"{KEY} {target}", "value": closed})

"""The only writer of shipments, orders, trackers and pickups.

Code that reacts to a write does so in the same transaction; `shipcli.bootstrap` lists these followers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.core.saved_document import Cause, SavedDocument

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import ShipcliError
    from shipcli.store.transaction import Transaction


def save(
    app: App,
    tx: Transaction,
    kind: str,
    document: Mapping[str, Any],
    cause: Cause,
    *,
    columns: Mapping[str, Any] | None = None,
    error: ShipcliError | None = None,
) -> None:
    """Write a document and run the followers; of what is "noted" they are told nothing.

    `columns` sets columns that are not part of the document.
    """
    fresh = tx.put(kind, document, extra=columns)
    if cause == "noted":
        return
    saved = SavedDocument(kind, document, cause, fresh, error)
    for follow in app.followers:
        follow(app, tx, saved)

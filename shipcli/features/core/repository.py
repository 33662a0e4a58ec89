"""The only writer of shipments, orders, trackers and pickups.

Code that reacts to a write does so in the same transaction; `shipcli.bootstrap` lists these followers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import ShipcliError
    from shipcli.store.transaction import Transaction

Cause = Literal["content", "outcome", "tracked", "noted"]


@dataclass(frozen=True)
class SavedDocument:
    """A document that was just written, and why.

    Shapes: `cause` is "content" if the contents may have changed, "outcome" if a purchase or a void ended,
            "tracked" if a carrier reported a status, "noted" for changes that no follower reacts to.
            `error` is why a purchase ended without a known outcome.
    """

    kind: str
    document: Mapping[str, Any]
    cause: Cause
    is_new: bool
    error: ShipcliError | None = None


Follower = Callable[["App", "Transaction", SavedDocument], None]


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
    """Write a document and run the followers; a "noted" change of an existing document runs none.

    `columns` sets columns that are not part of the document.
    """
    fresh = tx.put(kind, document, extra=columns)
    if not fresh and cause == "noted":
        return
    saved = SavedDocument(kind, document, cause, fresh, error)
    for follow in app.followers:
        follow(app, tx, saved)

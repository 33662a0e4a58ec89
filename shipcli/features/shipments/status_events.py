"""The events of a shipment that is bought, is cancelled or needs attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

EVENTS = {
    "purchased": "shipment_purchased",
    "needs_attention": "shipment_needs_attention",
    "cancelled": "shipment_cancelled",
}


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Emit the event of a completed purchase or void."""
    event = EVENTS.get(saved.document["status"]) if saved.cause == "outcome" else None
    if event and saved.kind == "shipment":
        from shipcli.events import emit

        emit(tx, app, event, saved.document)

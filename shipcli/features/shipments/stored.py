"""A shipment as it is stored, and its events; a command that only reads one loads nothing that buys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.models import NotFound, Shipment

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.queries import Reader
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


def get_shipment(app: App, shipment_id: str) -> Shipment:
    """Return a shipment.

    Errors: NotFound.
    """
    return read_shipment(app.store, shipment_id, app.test_mode)


def drop_rates(shipment: Shipment) -> Shipment:
    """Return the shipment without what carriers offered and said: most of its memory, where many are held."""
    return shipment.model_copy(update={"rates": [], "messages": []})


def read_shipment(reader: Reader, shipment_id: str, test_mode: bool) -> Shipment:
    """Return a stored shipment.

    Errors: NotFound.
    """
    document = reader.get("shipment", shipment_id, test_mode)
    if document is None:
        raise NotFound("shipment", shipment_id)
    return Shipment.model_validate(document)

"""The import rows that stand for a shipment: its state, and what was paid for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

PAID = ("purchased", "needs_attention")  # states in which money was spent, or may have been


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Record in the import rows of a shipment its state and what was, or may have been, paid."""
    if saved.kind != "shipment" or saved.cause != "outcome" or saved.is_new:
        return
    status = saved.document["status"]
    changes: dict[str, Any] = {"state": status, "updated_at": app.now()}
    if status in PAID:
        charge = saved.document["selected_rate"]
        changes["total_charge"] = str(charge["total_charge"]) if charge else None
        changes["currency"] = charge["currency"] if charge else None
    tx.update("import_rows", {"shipment_id": saved.document["id"]}, changes)

"""The states of intents, and whether a shipment has an open one.

Light on purpose: commands that only read and print import this, and not the carrier kit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.models.basics.errors import Conflict

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

OPEN, DONE, FAILED, ATTENTION = "open", "done", "failed", "attention"
RESOLVED = "resolved"  # a person entered the outcome; also in the meta of a shipment bought that way
DOUBTED_AT = "doubted_at"  # in the detail of an intent: since when its carrier is asked what became of it
PURCHASE, VOID = "purchase", "void"
UNDER_WAY = {"kind": PURCHASE, "state": OPEN}


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Refuse to change the contents of a shipment while its label is being bought.

    Errors: Conflict.
    """
    if saved.kind == "shipment" and saved.cause == "content" and not saved.is_new:
        check_not_being_bought(tx, saved.document["id"])


def check_not_being_bought(reader: Reader, shipment_id: str) -> None:
    """Errors: Conflict while a purchase of the shipment is in progress."""
    if is_being_bought(reader, shipment_id):
        raise Conflict("A purchase of this shipment is under way")


def is_being_bought(reader: Reader, shipment_id: str) -> bool:
    """Whether a purchase of the shipment is in progress, in this process or another."""
    return bool(reader.select("intents", {"shipment_id": shipment_id, **UNDER_WAY}))


def is_being_voided(reader: Reader, shipment_id: str) -> bool:
    """Whether the label may be void by now: a void was requested, and its outcome is not stored yet.

    That includes a void whose outcome a person must enter. The row of a void is removed when it ends.
    """
    return bool(reader.select("intents", {"shipment_id": shipment_id, "kind": VOID}))

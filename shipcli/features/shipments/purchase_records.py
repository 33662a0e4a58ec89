"""What became of a purchase is stored even if the store is away, or has lost the record of the purchase.

A store goes back to an earlier state when a standby is promoted that was behind, or a backup is restored.
What a carrier has sold stays sold: a label whose shipment is gone as well, or was bought again meanwhile, is
stored as a shipment of its own, an orphan, and voided. One that can't be voided waits for a person.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from shipcli.features.connections import intent_actions
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.connections.intent_states import DONE, VOID
from shipcli.features.connections.intents import Intent, RecordLost, announce_again
from shipcli.features.shipments import voids
from shipcli.models import OutcomeUnknown, Shipment
from shipcli.models.basics.errors import PurchaseUndone
from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.ports import PATIENCE_S

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

ResultT = TypeVar("ResultT")
PAUSE_S = 0.2  # between two tries to reach a store that is away


def keep_record(
    app: App, intent: Intent, account: Account | None, store: Callable[[Intent], ResultT]
) -> ResultT | None:
    """Store what became of a purchase, whose intent `store` gets; None if another process has by now.

    Errors: those of `store`; RecordLost without an account; StoreError if the store is away for too long.
    """
    end, in_trouble = time.monotonic() + PATIENCE_S, False
    while True:
        try:
            known = _recall(app, intent, account) if in_trouble else intent
            if known is None:
                return None
            intent = known
            return store(intent)
        except RecordLost:
            if account is None:
                raise
        except (StoreBusy, CommitUnknown):
            if time.monotonic() > end:
                raise
            time.sleep(PAUSE_S)
        in_trouble = True


def _recall(app: App, intent: Intent, account: Account | None) -> Intent | None:
    """The purchase as the store has it by now, announced again if its record is gone; None if it has ended.

    Errors: RecordLost without an account.
    """
    row = next(iter(app.store.select("intents", {"key": intent.key})), None)
    if row is None:
        if account is None:
            raise RecordLost()
        return announce_again(app, intent, account)
    if row["state"] == DONE:
        return None
    stored = Intent.of_row(row)
    return stored if stored.is_orphan else intent


def plan_orphan_void(app: App, orphan: Shipment, account: Account) -> CarrierAction:
    """The void of an orphan's label; if it is refused, a person decides what becomes of the label."""
    details = {voids.MUST_END: True}
    return CarrierAction(VOID, app.new_id(""), orphan.id, account.id, (orphan.id,), details)


def undo_orphan(app: App, orphan: Shipment, action: CarrierAction) -> PurchaseUndone:
    """Void the label of an orphan, and return the error that says so.

    What is not voided now is asked for again, or waits for a person if the carrier refuses.
    """
    number = orphan.tracking_number or orphan.shipment_identifier
    label = f"Its label, {number} of {orphan.carrier_id}, the shipment {orphan.id}"
    ending = f"{label}, was voided"
    try:
        intent_actions.settle_action(app, action, voids.carry_out)
    except OutcomeUnknown as error:
        ending = f"{label}, is not voided yet: {error.messages[0].message}"
    return PurchaseUndone(f"The store has lost the record of this purchase: send it again. {ending}")

"""Ask carriers again about purchases in doubt, with growing pauses, for some hours.

A look-up that fails says nothing about the purchase: the shipment needs attention, and a person may resolve
it at any time. Until one does, the worker asks the carrier again. Both claim the purchase first, so that
only one of them ends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.features.connections import accounts
from shipcli.features.connections.intent_states import ATTENTION, DOUBTED_AT, PURCHASE
from shipcli.features.connections.intents import Intent, free_claim, take_over
from shipcli.features.connections.pauses import is_over, is_time
from shipcli.features.shipments.purchase import finish, recover_label
from shipcli.features.shipments.resolution import make_draft, restore_draft
from shipcli.features.shipments.stored import read_shipment
from shipcli.models import BilledAbove, Label
from shipcli.models.basics.errors import PurchaseUndone

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def ask_again(app: App) -> list[str]:
    """Ask about the purchases in doubt whose time has come; the ids of the shipments that were settled."""
    rows = app.store.select("intents", {"kind": PURCHASE, "state": ATTENTION, "test_mode": app.test_mode})
    due = [row for row in rows if is_due(row, app.now())]
    return [row["shipment_id"] for row in due if take_over(app, row) and _ask(app, row)]


def is_due(row: Mapping[str, Any], now: datetime) -> bool:
    """Whether it is time to ask, and was not asked for too long."""
    doubted_at = (row["detail"] or {}).get(DOUBTED_AT)
    if doubted_at is None:  # its carrier can't be asked
        return False
    since, last = datetime.fromisoformat(doubted_at), row["updated_at"]
    return not is_over(since, last) and is_time(since, last, now)


def _ask(app: App, row: dict[str, Any]) -> bool:
    """Ask about a purchase that was claimed; whether that settled it."""
    intent, account = Intent.of_row(row), accounts.open_account(app, row["connection_id"])
    try:
        if account is None:
            return _postpone(app, intent)
        return _conclude(app, row, intent, account, recover_label(app, intent, account))
    finally:
        free_claim(app, intent.key)


def _conclude(
    app: App, row: dict[str, Any], intent: Intent, account: accounts.Account, outcome: FlowOutcome[Label]
) -> bool:
    shipment = read_shipment(app.store, intent.shipment.id, app.test_mode)
    if outcome.result is None and (outcome.failed or intent.bought):
        return _postpone(app, intent)
    if outcome.result is None:
        restore_draft(app, shipment, row)
        return True
    whole = replace(intent, shipment=make_draft(shipment, intent), bought=())
    with suppress(BilledAbove, PurchaseUndone):  # recorded in the shipment, and for a keyed request
        finish(app, whole, account, outcome.result, outcome.messages)
    return True


def _postpone(app: App, intent: Intent) -> bool:
    with app.store.transaction() as tx:
        tx.update("intents", {"key": intent.key, "state": ATTENTION}, {"updated_at": app.now()})
    return False

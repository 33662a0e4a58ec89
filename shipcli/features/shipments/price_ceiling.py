"""What becomes of a label that was billed above its ceiling (`budget`), or at another price than was quoted.

The ceiling is in the metadata of the shipment, or in the options of one that is not stored. A label that was
billed above it is voided: the void is committed with the purchase, so that a killed process leaves it to the
next one. Nobody is asked before that; the error says what was done.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import intent_actions
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.connections.intent_states import OPEN, VOID
from shipcli.features.connections.intents import take_over
from shipcli.features.core.repository import save
from shipcli.features.shipments import voids
from shipcli.features.shipments.budget import CEILING, exceeds_ceiling, read_ceiling
from shipcli.features.shipments.stored import read_shipment
from shipcli.models import (
    BilledAbove,
    Message,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shipcli.features.connections.accounts import Account
    from shipcli.features.connections.intents import Intent
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.price_ceiling")
PRICE_DIFFERS, NOT_UNDONE, NOT_HELD = "price_differs", "price_above_limit", "price_may_differ"


def list_warnings(shipment: Shipment, rate: Rate, *, can_void: bool) -> list[Message]:
    """Return the warning, before a purchase, that its ceiling may be passed as nothing is taken back."""
    if can_void or not read_ceiling(shipment).limit:
        return []
    text = f"{rate.carrier_id} takes no label back: its price may differ from the quote, and pass the limit"
    return [make_message(NOT_HELD, text, rate)]


def compare_prices(quoted: Rate, bought: Shipment, *, can_void: bool) -> list[Message]:
    """Return the messages of a label that was billed at another price than was quoted, or above its ceiling
    by a carrier that takes nothing back.
    """
    billed = bought.selected_rate
    if not billed or (quoted.total_charge, quoted.currency) == (billed.total_charge, billed.currency):
        return []
    text = f"The label was billed at {describe_price(billed)}; the quote was {describe_price(quoted)}"
    messages = [make_message(PRICE_DIFFERS, text, billed)]
    if exceeds_ceiling(bought) and not can_void:
        messages.append(explain_kept(bought, f"{bought.carrier_id} takes no label back"))
    return messages


def plan_void(app: App, bought: Shipment, account: Account) -> CarrierAction | None:
    """Return the void of a label that was billed above its ceiling, None if it may be kept."""
    if not exceeds_ceiling(bought) or not account.kind.can("void"):
        return None
    return CarrierAction(VOID, app.new_id(""), bought.id, account.id, (bought.id,))


def announce_void(tx: Transaction, intent: Intent, bought: Shipment, row: Mapping[str, Any]) -> None:
    """Commit the void of a label; the request that asked for it does not buy another when it is repeated."""
    tx.insert("intents", dict(row))
    if intent.once:
        error = explain_voided(bought)
        intent.once.remember(tx, error.body(), error.status)


def undo_over_ceiling(app: App, intent: Intent, bought: Shipment, action: CarrierAction) -> Shipment:
    """Void what was billed above its ceiling; a label that has to be kept is the answer of its request.

    Errors: as for `undo_purchase`.
    """
    shipment = undo_purchase(app, bought, action)
    if intent.once:
        with app.store.transaction(durable=True) as tx:
            intent.once.remember(tx, shipment.model_dump(), 201)
    return shipment


def undo_purchase(app: App, bought: Shipment, action: CarrierAction) -> Shipment:
    """Void a label that was billed above its ceiling; it is kept, with a message, if the carrier refuses.

    Errors: BilledAbove when it is voided; OutcomeUnknown, and then the void is asked for again.
    """
    try:
        intent_actions.settle_action(app, action, voids.carry_out)
    except OutcomeUnknown:
        raise
    except Refused as error:
        return voids.add_message(app, bought.id, explain_kept(bought, error.message))
    raise explain_voided(bought)


def take_back(app: App, shipment_id: str, *, most: str) -> Shipment:
    """Void a label that passes the budget of its run, of which others left it this much (`most`).

    It is kept, with a message, if its carrier takes no label back.
    Errors: as for `undo_purchase`.
    """
    with app.store.transaction(durable=True) as tx:
        shipment = read_shipment(tx, shipment_id, app.test_mode)
        bought = shipment.model_copy(update={"metadata": {**shipment.metadata, CEILING: most}})
        save(app, tx, "shipment", bought.model_dump(), "noted")
    account = voids.find_account(app, bought)
    if not account.kind.can("void"):
        reason = f"{bought.carrier_id} takes no label back"
        return voids.add_message(app, bought.id, explain_kept(bought, reason))
    action = CarrierAction(VOID, app.new_id(""), bought.id, account.id, (bought.id,))
    intent_actions.announce(app, action, account)
    return undo_purchase(app, bought, action)


def settle_voids(app: App) -> None:
    """Void what dead processes left to be voided; what can't be done now stays open."""
    for row in intent_actions.list_open_rows(app, app.store):
        if row["kind"] == VOID and row["state"] == OPEN and take_over(app, row):
            try:
                intent_actions.settle_taken(app, CarrierAction.of_row(row), voids.carry_out)
            except ShipcliError as error:
                log.warning("the void of %s: %s", row["object_id"], error.message)


def explain_voided(bought: Shipment) -> BilledAbove:
    return BilledAbove(f"{describe_excess(bought)}: the label was voided, nothing was bought")


def explain_kept(bought: Shipment, reason: str) -> Message:
    """Return the message of a label that was billed above its ceiling and can't be voided."""
    text = f"{describe_excess(bought)}, and the label could not be voided: {reason}"
    return make_message(NOT_UNDONE, text, bought.selected_rate)


def describe_excess(bought: Shipment) -> str:
    billed, most = describe_price(bought.selected_rate), read_ceiling(bought).limit
    number = bought.tracking_number or bought.shipment_identifier
    return f"{bought.carrier_id} billed {billed} for {number}, above {most}"


def describe_price(rate: Rate | None) -> str:
    return f"{rate.total_charge} {rate.currency}" if rate else "nothing"


def make_message(code: str, text: str, rate: Rate | None) -> Message:
    who = {"carrier_name": rate.carrier_name, "carrier_id": rate.carrier_id} if rate else {}
    return Message.model_validate({"code": code, "message": text, **who})

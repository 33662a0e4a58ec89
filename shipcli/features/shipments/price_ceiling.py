"""Hold a purchase to the most that it may cost: before it is made, and again when its carrier has billed it.

The ceiling is in the metadata of the shipment, so that it is on disk with the purchase, and reaches a server.
A label that was billed above it is voided: the void is committed in the transaction that stores the purchase,
so that a killed process leaves it to the next one.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from shipcli.features.intents import actions
from shipcli.features.intents.actions import CarrierAction
from shipcli.features.intents.service import take_over
from shipcli.features.intents.states import OPEN, VOID
from shipcli.features.shipments import voids
from shipcli.features.shipments.rate_selection import CEILING, Budget
from shipcli.models import LimitReached, Message, OutcomeUnknown, Rate, Refused, ShipcliError, Shipment

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

log = logging.getLogger("shipcli.price_ceiling")
PRICE_DIFFERS, NOT_UNDONE = "price_differs", "price_above_limit"


def check_ceiling(shipment: Shipment, rate: Rate) -> None:
    """Errors: LimitReached if a rate costs more than the shipment may; Invalid for a ceiling that is none."""
    read_ceiling(shipment).reserve(rate)


def read_ceiling(shipment: Shipment) -> Budget:
    """Errors: Invalid naming the metadata."""
    text = shipment.metadata.get(CEILING)
    return Budget.read(str(text), f"metadata.{CEILING}") if text else Budget()


def compare_prices(quoted: Rate, billed: Rate) -> list[Message]:
    """Return the message for a label that was billed at another price than was quoted."""
    if (quoted.total_charge, quoted.currency) == (billed.total_charge, billed.currency):
        return []
    text = f"The label was billed at {describe_price(billed)}; the quote was {describe_price(quoted)}"
    return [make_message(PRICE_DIFFERS, text, billed)]


def exceeds_ceiling(bought: Shipment) -> bool:
    """Whether a label was billed above what its shipment may cost."""
    if bought.selected_rate is None:
        return False
    try:
        check_ceiling(bought, bought.selected_rate)
    except LimitReached:
        return True
    return False


def plan_void(app: App, bought: Shipment, account: Account) -> CarrierAction | None:
    """Return the void of a label that was billed above its ceiling, None if it may be kept."""
    if not exceeds_ceiling(bought) or not account.kind.can("void"):
        return None
    return CarrierAction(VOID, app.new_id(""), bought.id, account.id, (bought.id,))


def undo_purchase(app: App, bought: Shipment, action: CarrierAction) -> Shipment:
    """Void a label that was billed above its ceiling; it is kept, with a message, if the carrier refuses.

    Errors: LimitReached when it is voided; OutcomeUnknown, and then the void is asked for again.
    """
    try:
        actions.settle_action(app, action, voids.carry_out)
    except OutcomeUnknown:
        raise
    except Refused as error:
        return voids.add_message(app, bought.id, explain_kept(bought, error.message))
    raise LimitReached(f"{describe_excess(bought)}: the label was voided, nothing was bought")


def settle_voids(app: App) -> None:
    """Void what dead processes left to be voided; what can't be done now stays open."""
    for row in actions.list_open_rows(app, app.store):
        if row["kind"] == VOID and row["state"] == OPEN and take_over(app, row):
            try:
                actions.settle_taken(app, CarrierAction.of_row(row), voids.carry_out)
            except ShipcliError as error:
                log.warning("the void of %s: %s", row["object_id"], error.message)


def explain_kept(bought: Shipment, reason: str) -> Message:
    """Return the message of a label that was billed above its ceiling and can't be voided."""
    text = f"{describe_excess(bought)}, and the label could not be voided: {reason}"
    return make_message(NOT_UNDONE, text, bought.selected_rate)


def describe_excess(bought: Shipment) -> str:
    billed, most = describe_price(bought.selected_rate), read_ceiling(bought).limit
    return f"{bought.carrier_id} billed {billed} for {bought.tracking_number}, above {most}"


def describe_price(rate: Rate | None) -> str:
    return f"{rate.total_charge} {rate.currency}" if rate else "nothing"


def make_message(code: str, text: str, rate: Rate | None) -> Message:
    who = {"carrier_name": rate.carrier_name, "carrier_id": rate.carrier_id} if rate else {}
    return Message.model_validate({"code": code, "message": text, **who})

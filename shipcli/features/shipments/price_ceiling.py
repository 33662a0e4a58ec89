"""Hold a purchase to the most that it may cost: before it is made, and again when its carrier has billed it.

The ceiling is in the metadata of the shipment, or in the options of one that is not stored, so that it is on
disk with the purchase, and reaches a server. A label that was billed above it is voided: the void is
committed with the purchase, so that a killed process leaves it to the next one. Nobody is
asked before that; the error says what was done.
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
from shipcli.models import (
    BilledAbove,
    LimitReached,
    Message,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
)

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

log = logging.getLogger("shipcli.price_ceiling")
PRICE_DIFFERS, NOT_UNDONE, NOT_HELD = "price_differs", "price_above_limit", "price_may_differ"


def check_ceiling(shipment: Shipment, rate: Rate) -> None:
    """Errors: LimitReached if a rate costs more than the shipment may; Invalid for a ceiling that is none."""
    read_ceiling(shipment).reserve(rate)


def read_ceiling(shipment: Shipment) -> Budget:
    """Errors: Invalid naming the metadata or the option."""
    for field, values in (("metadata", shipment.metadata), ("options", shipment.options)):
        if text := values.get(CEILING):
            return Budget.read(str(text), f"{field}.{CEILING}")
    return Budget()


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

    Errors: BilledAbove when it is voided; OutcomeUnknown, and then the void is asked for again.
    """
    try:
        actions.settle_action(app, action, voids.carry_out)
    except OutcomeUnknown:
        raise
    except Refused as error:
        return voids.add_message(app, bought.id, explain_kept(bought, error.message))
    raise explain_voided(bought)


def settle_voids(app: App) -> None:
    """Void what dead processes left to be voided; what can't be done now stays open."""
    for row in actions.list_open_rows(app, app.store):
        if row["kind"] == VOID and row["state"] == OPEN and take_over(app, row):
            try:
                actions.settle_taken(app, CarrierAction.of_row(row), voids.carry_out)
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

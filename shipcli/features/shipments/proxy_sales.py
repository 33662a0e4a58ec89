"""Buy labels without storing a shipment: each is bought once, and recovered if the answer is lost.

As with every purchase, the request is on disk before the carrier is called. A sale that a dead process left
open is looked up if the carrier supports that, and the result is remembered as the response to the request's
idempotency key; otherwise that response is that the outcome is unknown. Nothing else of the sale is kept.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shipcli.carrier.sending.messages import drop_lost_answers
from shipcli.carrier.wire.calls import Bought
from shipcli.features.connections import intent_actions
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import SALE, CarrierAction
from shipcli.features.connections.intents import Intent, list_bought
from shipcli.features.core.scenarios import find_scenario
from shipcli.features.paper.label_requests import make_tracking_url
from shipcli.features.shipments.budget import check_ceiling, exceeds_ceiling
from shipcli.features.shipments.price_ceiling import explain_kept, explain_voided, list_warnings
from shipcli.features.shipments.purchase import (
    ask_for_label,
    complete_shipment,
    find_paid,
    make_empty_label,
    recover_label,
)
from shipcli.features.shipments.voids import make_request
from shipcli.models import (
    Label,
    Message,
    NoConnection,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
    make_refusal,
)
from shipcli.models.shipment import Documents, ShippingResponse

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey

UNKNOWN = "The purchase was sent and its outcome is unknown: look it up with the carrier before buying again"
log = logging.getLogger("shipcli.proxy_sales")


def sell(
    app: App, shipment: Shipment, rate: Rate, account: Account, once: IdempotencyKey | None = None
) -> ShippingResponse:
    """Buy the label of a shipment that is not stored, at a rate.

    Errors: LimitReached if it costs more than its options allow; BilledAbove if it was billed at more, and
            voided; Refused if nothing was bought; OutcomeUnknown if the answer was lost and the carrier can't
            say whether the label was bought; StoreFull.
    """
    check_ceiling(shipment, rate)
    warnings = list_warnings(shipment, rate, can_void=account.kind.can("void"))
    shipment = shipment.model_copy(update={"messages": [*shipment.messages, *warnings]})
    details = {"shipment": shipment.model_dump(), "rate": rate.model_dump()}
    action = CarrierAction(SALE, app.new_id(""), shipment.id, account.id, details=details, once=once)
    app.store.check_room()  # the action may fit in a full store, and the label not
    intent_actions.announce(app, action, account)
    return intent_actions.settle_action(app, action, _ask)


def _ask(app: App, action: CarrierAction) -> ShippingResponse:
    intent, account = _read_intent(action), intent_actions.find_account(app, action)
    if account is None:
        raise NoConnection.of(intent.rate.carrier_id)
    try:
        outcome = ask_for_label(app, intent, account, find_scenario(app, intent.shipment, intent.rate))
    except ShipcliError:  # our own error: nothing was sent
        intent_actions.drop(app, action)
        raise
    if outcome.result is not None:
        return _finish(app, action, account, outcome.result, outcome.messages)
    response = None
    if outcome.unknown or outcome.bought:
        response = _look_up(app, action, outcome.bought, outcome.messages)
    else:
        intent_actions.drop(app, action)
    if response is None:
        raise make_refusal(outcome.messages)
    return response


def settle_sale(app: App, action: CarrierAction) -> ShippingResponse | None:
    """Settle a sale that a dead process left open and return its response; None if nothing was bought.

    Errors: OutcomeUnknown if the carrier cannot be asked (the sale is closed), or does not answer (it stays
            open).
    """
    if action.details.get("bought"):
        return _undo(app, action)
    response = _look_up(app, action, list_bought(app.store, action.key), ())
    if response and not action.once:
        log.warning("a label was bought and nobody can ask for it again: %s", response.tracking_number)
    return response


def _look_up(
    app: App, action: CarrierAction, bought: Sequence[Bought], messages: Sequence[Message]
) -> ShippingResponse | None:
    intent, account, whole = _read_intent(action), intent_actions.find_account(app, action), find_paid(bought)
    looked = recover_label(app, intent, account) if account and account.kind.can("recover") else None
    if account and looked and looked.result is not None:
        return _finish(app, action, account, looked.result, [*drop_lost_answers(messages), *looked.messages])
    if account and whole:
        return _finish(app, action, account, make_empty_label(whole), messages)
    if looked is None:
        raise _end_unknown(app, action, messages)
    if looked.failed:
        raise OutcomeUnknown([*messages, *looked.messages, _make_note(action)])
    intent_actions.drop(app, action)
    return None


def _finish(
    app: App, action: CarrierAction, account: Account, label: Label, messages: Sequence[Message]
) -> ShippingResponse:
    intent = _read_intent(action)
    shipment = complete_shipment(app, intent, account, label, messages)
    plain = {**shipment.model_dump(), "docs": Documents.model_validate(label.docs).model_dump()}
    plain["rates"] = [plain["selected_rate"]]
    plain["tracking_url"] = make_tracking_url(
        account, label.tracking_number, intent.rate, "/v1/proxy/tracking"
    )
    answer = ShippingResponse.model_validate(plain)
    if exceeds_ceiling(shipment) and account.kind.can("void"):
        return _undo(app, _announce_void(app, action, shipment, answer))
    return _keep(app, action, answer)


def _keep(app: App, action: CarrierAction, answer: ShippingResponse) -> ShippingResponse:
    with app.store.transaction(durable=True) as tx:
        intent_actions.finish(tx, action, answer.model_dump())
    return answer


# -- a label that was billed above its ceiling ---------------------------------------------------


def _announce_void(
    app: App, action: CarrierAction, bought: Shipment, answer: ShippingResponse
) -> CarrierAction:
    """Commit to disk that the label is to be voided, so that any process can do it."""
    details = {**action.details, "bought": bought.model_dump(), "answer": answer.model_dump()}
    voiding = replace(action, details=details)
    with app.store.transaction(durable=True) as tx:
        tx.update(
            intent_actions.TABLE, {"key": action.key}, {"draft": voiding.draft(), "updated_at": app.now()}
        )
    return voiding


def _undo(app: App, action: CarrierAction) -> ShippingResponse:
    """Void a label that was billed above its ceiling; it is kept, with a message, if the carrier refuses.

    Errors: BilledAbove when it is voided; OutcomeUnknown, and then it is voided later.
    """
    bought = Shipment.model_validate(action.details["bought"])
    try:
        account = intent_actions.require_account(app, action)
        ask_carrier(app, account, "void", make_request(bought), object_id=bought.id)
    except OutcomeUnknown:
        raise
    except (Refused, NoConnection) as error:
        answer = ShippingResponse.model_validate(action.details["answer"])
        note = explain_kept(bought, error.message)
        return _keep(app, action, answer.model_copy(update={"messages": [*answer.messages, note]}))
    voided = explain_voided(bought)
    with app.store.transaction(durable=True) as tx:
        intent_actions.finish(tx, action, voided.body(), voided.status)
    raise voided


# -- when the outcome is unknown -----------------------------------------------------------------


def give_up_sale(app: App, action: CarrierAction, messages: Sequence[Message]) -> None:
    """Close a sale whose carrier could not be asked for hours; a label that is to be voided stays open."""
    if not action.details.get("bought"):
        _end_unknown(app, action, [message for message in messages if message.code != OutcomeUnknown.code])


def _end_unknown(app: App, action: CarrierAction, messages: Sequence[Message]) -> OutcomeUnknown:
    """Close a sale whose outcome cannot be found out, and remember that as the response to its key."""
    unknown = OutcomeUnknown([*messages, _make_note(action)])
    with app.store.transaction(durable=True) as tx:
        intent_actions.finish(tx, action, unknown.body(), unknown.status)
    return unknown


def _make_note(action: CarrierAction) -> Message:
    rate = action.details["rate"]
    who = {"carrier_name": rate["carrier_name"], "carrier_id": rate["carrier_id"]}
    return Message.model_validate({"code": OutcomeUnknown.code, "message": UNKNOWN, **who})


def _read_intent(action: CarrierAction) -> Intent:
    shipment, rate = action.details["shipment"], action.details["rate"]
    return Intent(action.key, Shipment.model_validate(shipment), Rate.model_validate(rate))

"""One request to one carrier: its answer, or its refusal as an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.features.core.scenarios import read_scenario
from shipcli.models import Confirmation, Message, OutcomeUnknown, make_refusal

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.models import Model

IRREVERSIBLE = frozenset({"void", "schedule_pickup", "manifest"})
# Safe to repeat: the carrier answers that it was done before.
REPEATABLE = frozenset({"void", "update_pickup", "cancel_pickup", "manifest"})
ANSWERED = frozenset({"validate_address"})  # a success that is false is what was asked for
CONFIRMED = {"void": "Cancel Shipment", "cancel_pickup": "Cancel Pickup"}
IN_DOUBT = frozenset({"timeout", "unreadable_reply"})  # the driver's codes for a lost answer


def ask_carrier(
    app: App,
    account: Account,
    verb: str,
    request: Model,
    *,
    object_id: str | None = None,
    key: str | None = None,
) -> tuple[Any, list[Message]]:
    """Send a request to a carrier, and return its result and its messages.

    `key` is that of an action of which the carrier may be asked later what became of it.
    Voiding or cancelling again what was voided or cancelled before is a success.
    Errors: Refused with the carrier's messages, RefusedFields if all are about fields of the request;
            OutcomeUnknown if its answer was lost, so that it may have acted.
    """
    scenario = read_scenario(app, options=getattr(request, "options", {}))
    carrier = account.open(app, key=key, scenario=scenario)
    outcome = app.driver.run(CarrierJob.of(carrier, verb, request, object_id))
    if outcome.result is not None and (verb in ANSWERED or getattr(outcome.result, "success", True)):
        return outcome.result, outcome.messages
    lost = verb in IRREVERSIBLE and any(message.code in IN_DOUBT for message in outcome.messages)
    if outcome.unknown or lost:
        advice = "the same again finds out" if verb in REPEATABLE else "look with the carrier first"
        text = f"It is not known whether the {verb.replace('_', ' ')} took effect: {advice}"
        raise OutcomeUnknown([*outcome.messages, _make_message(account, OutcomeUnknown.code, text)])
    if verb in CONFIRMED and account.kind.says_done_before(verb, outcome.messages):
        return Confirmation(success=True, operation=CONFIRMED[verb]), outcome.messages
    text = f"The carrier did not {verb.replace('_', ' ')} and gave no reason"
    raise make_refusal(outcome.messages or [_make_message(account, "refused", text)])


def _make_message(account: Account, code: str, text: str) -> Message:
    return Message(code=code, message=text, carrier_name=account.slug, carrier_id=account.carrier_id)

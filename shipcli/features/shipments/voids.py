"""Void labels with the carrier, once each, and cancel their shipments.

A void whose answer was lost stays open and is requested again; until then its label is not printed. If the
carrier says that the label was voided before, the void has succeeded.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.connections.intent_states import VOID, check_not_being_bought
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import find_sold_service
from shipcli.features.core.shipment_lookup import HELD_BY, list_shipment_locks
from shipcli.features.shipments.stored import read_shipment
from shipcli.models import (
    CancelRequest,
    Conflict,
    Message,
    NoConnection,
    OutcomeUnknown,
    Refused,
    Shipment,
)

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.queries import Reader

UNDER_WAY = "The shipment is being cancelled right now"
MUST_END = "must_end"  # in the details of a void: a person decides if the carrier refuses it


def cancel_shipment(app: App, shipment_id: str, *, once: IdempotencyKey | None = None) -> Shipment:
    """Cancel a shipment, voiding its label with the carrier if it was bought.

    Errors: NotFound; Conflict unless it is a draft or purchased, if it is in a pickup, or while another
            process cancels it; Refused; OutcomeUnknown, in which case cancelling it again retries the void.
    """
    with hold_locks(app, [f"void/{shipment_id}"], UNDER_WAY):
        before = intent_actions.settle_actions_of(app, VOID, [shipment_id], carry_out)
        shipment = read_shipment(app.store, shipment_id, app.test_mode)
        if before and shipment.status == "cancelled":
            intent_actions.remember_answer(app, once, shipment.model_dump())
            return shipment
        check_cancellable(shipment)
        account = find_account(app, shipment) if shipment.status == "purchased" else None
        if account is None or not account.kind.can("void"):
            return store_cancelled(app, shipment, once=once)
        action = CarrierAction(VOID, app.new_id(""), shipment_id, account.id, (shipment_id,), once=once)
        intent_actions.announce(app, action, account)
        return intent_actions.settle_action(app, action, carry_out)


def check_cancellable(shipment: Shipment) -> None:
    """Errors: Conflict if it is neither a draft nor purchased, or is in a pickup."""
    if shipment.status not in ("draft", "purchased"):
        raise Conflict(f"The shipment {shipment.display_name} is {shipment.status} and cannot be cancelled")
    if (shipment.meta or {}).get(HELD_BY):
        pickup = (shipment.meta or {})[HELD_BY]
        raise Conflict(
            f"The shipment {shipment.display_name} is in a pickup: take it out, "
            f"shipcli pickups update {pickup} --drop {shipment.id}, "
            f"or cancel that first, shipcli pickups cancel {pickup}"
        )


def find_account(app: App, shipment: Shipment) -> Account:
    meta = (shipment.selected_rate.meta if shipment.selected_rate else None) or {}
    return accounts.find_named_account(
        app, meta.get("carrier_connection_id"), shipment.carrier_id, "shipping", shipment.carrier_name
    )


def carry_out(app: App, action: CarrierAction) -> Shipment:
    """Void the label with the carrier, on the first attempt or a retry, and store the result.

    Errors: Conflict if its connection is gone; Refused (the label is still valid); OutcomeUnknown, also if a
            person has to decide.
    """
    shipment = read_shipment(app.store, action.object_id, app.test_mode)
    if shipment.status != "purchased":
        intent_actions.drop(app, action)
        return shipment
    account = intent_actions.find_account(app, action) or _find_replacement(app, shipment)
    try:
        ask_carrier(app, account, "void", make_request(shipment), object_id=shipment.id)
    except OutcomeUnknown:
        raise
    except Refused as error:
        if action.details.get(MUST_END):
            raise intent_actions.mark_needs_attention(app, action, account, error.messages) from error
        intent_actions.drop(app, action)
        raise
    return store_cancelled(app, shipment, action)


def _find_replacement(app: App, shipment: Shipment) -> Account:
    """Return the account that replaced the removed connection of a label.

    Errors: Conflict if there is none.
    """
    try:
        return find_account(app, shipment)
    except NoConnection:
        raise Conflict(
            "The connection it was bought with is gone. Add it again; or look with the carrier, then run: "
            f"shipcli shipments resolve {shipment.word} --voided or --not-voided"
        ) from None


def resolve_void(app: App, shipment_id: str, *, is_void: bool) -> Shipment:
    """Record whether an open void took effect. Repeating the same answer changes nothing.

    Errors: NotFound; Conflict if there is nothing to resolve, or while a process is working on it.
    """
    shipment = read_shipment(app.store, shipment_id, app.test_mode)
    rows = intent_actions.list_object_rows(app, app.store, VOID, shipment_id)
    if not rows:
        if shipment.status == ("cancelled" if is_void else "purchased"):
            return shipment
        raise Conflict(f"The shipment is {shipment.status}: it has no void with an unknown outcome")
    action = intent_actions.claim_for_person(app, rows[0])
    if is_void:
        return store_cancelled(app, shipment, action)
    intent_actions.drop(app, action)
    return shipment


def make_request(shipment: Shipment) -> CancelRequest:
    """Return the request that voids a label."""
    return CancelRequest(
        shipment_identifier=str(shipment.shipment_identifier),
        service=find_sold_service(shipment.selected_rate) if shipment.selected_rate else shipment.service,
        carrier_id=shipment.carrier_id,
        options={
            **make_contact_option(shipment),
            **_make_postal_option(shipment),
            **shipment.options,
            **_make_pieces_option(shipment),
        },
    )


def make_contact_option(shipment: Shipment) -> dict[str, Any]:
    """Return the option with the email address for the confirmation of a refund."""
    return {"email": shipment.shipper.email} if shipment.shipper.email else {}


def _make_postal_option(shipment: Shipment) -> dict[str, Any]:
    """Return the recipient's postal code, for carriers that identify a shipment by number and postal code."""
    code = shipment.recipient.postal_code
    return {"postal_code": code} if code else {}


def _make_pieces_option(shipment: Shipment) -> dict[str, Any]:
    """Return the identifiers of a multi-piece shipment, for carriers that void each piece separately."""
    pieces = (shipment.meta or {}).get("shipment_identifiers")
    return {"shipment_identifiers": pieces} if pieces else {}


def store_cancelled(
    app: App, before: Shipment, action: CarrierAction | None = None, *, once: IdempotencyKey | None = None
) -> Shipment:
    """Store a shipment as cancelled.

    Errors: Conflict if it was read as a draft and has been bought since, or is being bought.
    """
    waiting = action.once if action else once
    with app.store.transaction(durable=True, locks=partial(_list_locks, id=before.id, once=waiting)) as tx:
        shipment = read_shipment(tx, before.id, app.test_mode)
        check_not_being_bought(tx, before.id)
        if before.status == "draft" != shipment.status:
            raise Conflict(f"The shipment is {shipment.status} and cannot be cancelled anymore")
        if shipment.tracker_id:
            tx.delete("tracker", shipment.tracker_id)
        cancelled = shipment.model_copy(update={"status": "cancelled", "tracker_id": None})
        plain = cancelled.model_dump()
        save(app, tx, "shipment", plain, "outcome")
        if action:
            intent_actions.finish(tx, action, plain)
        if once:
            once.remember(tx, plain, 200)
    return cancelled


def _list_locks(reader: Reader, id: str, once: IdempotencyKey | None) -> list[str]:
    """What cancelling a shipment reads: it goes with its tracker, and back to its orders."""
    document = reader.get("shipment", id)
    if document is None:
        return [f"shipment/{id}"]
    shipment = Shipment.model_validate(document)
    trackers = [f"tracker/{shipment.tracker_id}"] if shipment.tracker_id else []
    return [*trackers, *list_shipment_locks(reader, shipment, once)]


def add_message(app: App, shipment_id: str, message: Message) -> Shipment:
    """Add a message to a stored shipment."""
    with app.store.transaction(locks=[f"shipment/{shipment_id}"]) as tx:
        shipment = read_shipment(tx, shipment_id, app.test_mode)
        noted = shipment.model_copy(update={"messages": [*shipment.messages, message]})
        save(app, tx, "shipment", noted.model_dump(), "noted")
    return noted

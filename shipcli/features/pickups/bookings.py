"""Book, look up and cancel pickups with carriers, each once.

If the answer to a booking is lost, it is looked up if the carrier supports that, otherwise a person must
resolve it; it is never automatically booked again. A cancellation is simply requested again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.carrier.preparation.requests import prepare
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.features.book import nested
from shipcli.features.connections import intent_actions
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import PICKUP, CarrierAction
from shipcli.features.connections.intent_states import RESOLVED
from shipcli.features.core.idempotency_key import list_key_locks
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import HELD_BY, find_shipments, note_in_meta
from shipcli.features.pickups.grouping import list_pickup_shipments
from shipcli.models import (
    Conflict,
    Invalid,
    Message,
    NotFound,
    OutcomeUnknown,
    Pickup,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupResolveData,
    Refused,
    Shipment,
    json,
)

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

CANCELLED = "cancelled"
LOOKED_AT = 100  # newest pickups whose confirmation numbers are already known when looking up a lost one


def book(app: App, action: CarrierAction) -> Pickup:
    """Book the pickup with the carrier.

    Errors: Refused if nothing was booked; OutcomeUnknown.
    """
    account = intent_actions.require_account(app, action)
    request = _make_request(app, action)
    try:
        details, _ = ask_carrier(
            app, account, "schedule_pickup", request, object_id=action.object_id, key=action.key
        )
    except OutcomeUnknown as unknown:
        pickup = look_up(app, action, unknown.messages)
        if pickup is None:
            raise Refused([message for message in unknown.messages if message.code != unknown.code]) from None
        return pickup
    except Refused:
        intent_actions.drop(app, action)
        raise
    return _store(app, action, account, details)


def look_up(app: App, action: CarrierAction, messages: Sequence[Message] = ()) -> Pickup | None:
    """Look up a pickup with the carrier after its confirmation was lost; None if it was not booked.

    Errors: OutcomeUnknown if the carrier does not answer, or cannot be asked and a person must look.
    """
    account = intent_actions.find_account(app, action)
    if account is None or not account.kind.can("recover_pickup"):
        raise intent_actions.mark_needs_attention(app, action, account, messages)
    carrier = account.open(app, key=action.key)
    numbers = [str(json.loads(text)["confirmation_number"]) for text in _list_latest(app)]
    flow = carrier.recover_pickup(prepare(_make_request(app, action), carrier), numbers)
    outcome = app.driver.run(CarrierJob(carrier, "recover_pickup", flow, action.object_id))
    if outcome.failed:
        raise OutcomeUnknown([*messages, *outcome.messages])
    if outcome.result is None:
        intent_actions.drop(app, action)
        return None
    return _store(app, action, account, outcome.result)


def _make_request(app: App, action: CarrierAction) -> PickupRequest:
    shipments = _list_shipments(app, action)
    body = action.details["body"]
    parcels = [parcel for shipment in shipments for parcel in shipment.parcels]
    return PickupRequest.model_validate(
        {**body, "parcels": parcels, **make_identifier_fields(body["options"], shipments)}
    )


def _list_shipments(app: App, action: CarrierAction) -> list[Shipment]:
    return list(find_shipments(app, action.shipment_ids).values())


def _store(app: App, action: CarrierAction, account: Account, details: PickupDetails) -> Pickup:
    """Store a pickup that the carrier confirmed and mark its shipments as held by it."""
    shipments = _list_shipments(app, action)
    parcels = [parcel for shipment in shipments for parcel in shipment.parcels]
    body = {**action.details["body"], "id": action.object_id, "parcels": parcels}
    pickup = Pickup.model_validate(make_booked(app, account, body, details, connection_id=account.id))
    write_booked(app, action, pickup, shipments)
    return pickup


def write_booked(app: App, action: CarrierAction, pickup: Pickup, shipments: Sequence[Shipment]) -> None:
    """Write a pickup, and that its shipments are held by it; the action ends."""
    plain = pickup.model_dump()
    locks = [*list_pickup_locks(pickup.id, shipments), *list_key_locks(action.once)]
    with app.store.transaction(durable=True, locks=locks) as tx:
        save(app, tx, "pickup", plain, "noted")
        nested.leave_all(tx, pickup.id)
        nested.enter(tx, "pickup", plain)
        for shipment in shipments:
            note_in_meta(app, tx, shipment.id, HELD_BY, pickup.id)
        intent_actions.finish(tx, action, plain, 201)


def list_pickup_locks(pickup_id: str, shipments: Iterable[Shipment]) -> list[str]:
    """What a transaction declares that changes a pickup, and which shipments it holds."""
    return [f"pickup/{pickup_id}", *(f"shipment/{shipment.id}" for shipment in shipments)]


def make_booked(
    app: App, account: Account, body: Mapping[str, Any], details: PickupDetails, **meta: str
) -> dict[str, Any]:
    """Return the pickup of a body as its carrier confirmed it."""
    return {
        **body,
        "carrier_name": account.slug,
        "carrier_id": account.carrier_id,
        "meta": {**details.meta, "ext": account.slug, "carrier": account.shown_name, **meta},
        "test_mode": app.test_mode,
        **read_agreed(details),
    }


def _list_latest(app: App) -> list[str]:
    return [str(text) for text in app.store.page("pickup", (), LOOKED_AT, 0, app.test_mode).items]


def read_agreed(details: PickupDetails) -> dict[str, Any]:
    """Return the fields that the carrier confirmed; those it left out stay as requested."""
    names = ("confirmation_number", "pickup_date", "ready_time", "closing_time", "pickup_charge")
    return {name: value for name in names if (value := getattr(details, name)) is not None}


def make_identifier_fields(options: Mapping[str, Any], shipments: Sequence[Shipment]) -> dict[str, Any]:
    """Return the carrier's identifiers of the shipments, as a field and in the options."""
    identifiers = [str(shipment.shipment_identifier or shipment.tracking_number) for shipment in shipments]
    return {"shipment_identifiers": identifiers, "options": {**options, "shipment_identifiers": identifiers}}


# -- cancelling ------------------------------------------------------------------------------------


def cancel_with_carrier(app: App, action: CarrierAction) -> Pickup:
    """Cancel the pickup with the carrier, on the first attempt or a retry, and store it as cancelled.

    Errors: NoConnection if its connection is gone; Refused (the carrier will come); OutcomeUnknown.
    """
    pickup, account = read_stored_pickup(app, action.object_id), intent_actions.require_account(app, action)
    request = PickupCancelRequest(
        confirmation_number=pickup.confirmation_number,
        address=pickup.address,
        pickup_date=pickup.pickup_date,
        reason=action.details["reason"],
        options=make_identifier_fields(pickup.options, list_pickup_shipments(app, pickup.id))["options"],
        meta=pickup.meta or {},
    )
    try:
        if account.kind.can("cancel_pickup"):
            ask_carrier(app, account, "cancel_pickup", request, object_id=pickup.id)
    except OutcomeUnknown:
        raise
    except Refused:
        intent_actions.drop(app, action)
        raise
    shipments = list_pickup_shipments(app, pickup.id)
    meta = {**(pickup.meta or {}), "status": CANCELLED, "cancelled_at": app.stamp()}
    locks = [*list_pickup_locks(pickup.id, shipments), *list_key_locks(action.once)]
    with app.store.transaction(durable=True, locks=locks) as tx:
        if is_cancelled(tx.get("pickup", pickup.id, app.test_mode)):
            raise Conflict("The pickup was cancelled meanwhile")
        save(app, tx, "pickup", pickup.model_copy(update={"meta": meta}).model_dump(), "noted")
        _free_shipments(app, tx, pickup, shipments)
        intent_actions.finish(tx, action, pickup.model_dump())
    return pickup


def remove(app: App, pickup: Pickup) -> None:
    """Delete a pickup that was never booked.

    Errors: Conflict if it has already been deleted.
    """
    shipments = list_pickup_shipments(app, pickup.id)
    with app.store.transaction(durable=True, locks=list_pickup_locks(pickup.id, shipments)) as tx:
        if not tx.delete("pickup", pickup.id):
            raise Conflict("The pickup was cancelled meanwhile")
        _free_shipments(app, tx, pickup, shipments)


def _free_shipments(app: App, tx: Transaction, pickup: Pickup, shipments: Sequence[Shipment]) -> None:
    """Release a pickup's shipments and remove its nested objects from the members table."""
    nested.leave_all(tx, pickup.id)
    for shipment in shipments:
        note_in_meta(app, tx, shipment.id, HELD_BY, None)


def is_cancelled(document: Mapping[str, Any] | None) -> bool:
    """Return whether a stored pickup is missing or cancelled."""
    return document is None or (document.get("meta") or {}).get("status") == CANCELLED


def read_stored_pickup(app: App, pickup_id: str) -> Pickup:
    """Return a stored pickup that is not cancelled.

    Errors: NotFound.
    """
    document = app.store.get("pickup", pickup_id, app.test_mode)
    if document is None or is_cancelled(document):
        raise NotFound("pickup", pickup_id)
    return Pickup.model_validate(document)


# -- resolved by a person --------------------------------------------------------------------------


def resolve_pickup(app: App, pickup_id: str, data: PickupResolveData) -> dict[str, Any]:
    """Record whether a pickup with an unknown outcome was booked; calling it again corrects a wrong answer.

    Errors: NotFound if there is nothing to resolve; Invalid without a confirmation number; NoConnection.
    """
    rows = intent_actions.list_object_rows(app, app.store, PICKUP, pickup_id)
    document = app.store.get("pickup", pickup_id, app.test_mode)
    document = None if is_cancelled(document) else document
    existing = Pickup.model_validate(document) if document else None
    if not rows and not (existing and (existing.meta or {}).get(RESOLVED)):
        if not data.booked and intent_actions.was_recorded_without_effect(app, PICKUP, pickup_id):
            return _make_empty_result(pickup_id)
        raise NotFound("pickup", message=f"There is no pickup with an unknown outcome: {pickup_id}")
    if data.booked and not data.confirmation_number:
        raise Invalid("confirmation_number", "Say which confirmation number it was booked under.")
    if not existing:
        return _resolve(app, intent_actions.claim_for_person(app, rows[0]), data)
    return _correct(app, existing, data)


def _resolve(app: App, action: CarrierAction, data: PickupResolveData) -> dict[str, Any]:
    if not data.booked:
        intent_actions.record_no_effect(app, PICKUP, action.object_id)
        return _make_empty_result(action.object_id)
    details = PickupDetails(confirmation_number=str(data.confirmation_number), meta={RESOLVED: True})
    return _store(app, action, intent_actions.require_account(app, action), details).model_dump()


def _correct(app: App, pickup: Pickup, data: PickupResolveData) -> dict[str, Any]:
    if not data.booked:
        intent_actions.record_no_effect(app, PICKUP, pickup.id)  # first: an interrupted one can be repeated
        remove(app, pickup)
        return _make_empty_result(pickup.id)
    changed = pickup.model_copy(update={"confirmation_number": str(data.confirmation_number)})
    with app.store.transaction(durable=True, locks=[f"pickup/{pickup.id}"]) as tx:
        save(app, tx, "pickup", changed.model_dump(), "noted")
    return changed.model_dump()


def _make_empty_result(pickup_id: str) -> dict[str, Any]:
    return {"id": pickup_id, "object_type": "pickup", "booked": False}

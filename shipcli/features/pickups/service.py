"""Book, change and cancel pickups of stored shipments.

The pickup that a shipment is in is recorded only in the shipment's `meta.pickup_id`; a shipment in a pickup
cannot be voided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.features.book.addresses import get_address
from shipcli.features.book.drafts import expand_body, give_id
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.carrier_call import ask_carrier
from shipcli.features.connections.intent_actions import PICKUP, PICKUP_CANCEL, CarrierAction
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.core.locks import hold_locks
from shipcli.features.core.merge import drop_ids, merge_keys
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import HELD_BY, find_account, find_shipments, note_in_meta
from shipcli.features.pickups.bookings import (
    book,
    cancel_with_carrier,
    list_pickup_locks,
    look_up,
    make_identifier_fields,
    read_agreed,
    read_stored_pickup,
)
from shipcli.features.pickups.filters import BOOKED
from shipcli.features.pickups.grouping import list_collectable, list_held, list_pickup_shipments
from shipcli.models import (
    Address,
    AddressData,
    Invalid,
    Pickup,
    PickupCancelData,
    PickupData,
    PickupDropData,
    PickupUpdateData,
    PickupUpdateRequest,
    Shipment,
)
from shipcli.models.pickup import PickupSchedule

if TYPE_CHECKING:
    from shipcli.carrier.registry import AnyCarrier
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.features.core.filters import ListPage
    from shipcli.store.query import Filter

CLEARED_BY_NULL = ("instruction", "package_location")
UNDER_WAY = "A pickup of one of these shipments is being booked right now"
BEING_CHANGED = "The pickup, or one of these shipments, is being changed right now"
NOTHING_LEFT = "no parcel would be left in the pickup"


def schedule_pickup(
    app: App, carrier_name: str, data: PickupData, *, once: IdempotencyKey | None = None
) -> Pickup:
    """Book a pickup of stored shipments with their carrier.

    If booking the same pickup was interrupted before, it is looked up and completed, not booked again.
    Errors: NoConnection if no connection of the carrier books pickups; Invalid on `tracking_numbers` for
            shipments that are unknown, in another pickup, delivered, cancelled or another carrier's; Conflict
            while another process books them, or a person must resolve a booking; Refused; OutcomeUnknown.
    """
    able = accounts.choose(app, "pickup", carrier_name=carrier_name)
    shipments_by_id = {
        shipment.id: shipment for shipment in find_shipments(app, data.tracking_numbers).values()
    }
    with hold_locks(app, [f"pickup/{shipment_id}" for shipment_id in shipments_by_id], UNDER_WAY):
        body = expand_body(app, data)
        for booked, action in intent_actions.settle_actions_of(app, PICKUP, shipments_by_id, look_up):
            if set(action.shipment_ids) == set(shipments_by_id) and _is_same(action.details["body"], body):
                intent_actions.remember_answer(app, once, booked.model_dump(), 201)
                return booked
        shipments = list_collectable(app, able, data.tracking_numbers)
        account = find_account(shipments[0], able) or able[0]
        body["address"] = give_id(app, body["address"] or shipments[0].shipper.model_dump(), "adr_")
        ids = tuple(shipment.id for shipment in shipments)
        action = CarrierAction(
            PICKUP, app.new_id(""), app.new_id("pck_"), account.id, ids, {"body": body}, once
        )
        intent_actions.announce(app, action, account)
        return intent_actions.settle_action(app, action, book)


def _is_same(before: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Return whether two bodies request the same pickup; a body without an address matches any address."""
    same_place = not body["address"] or drop_ids(body["address"]) == drop_ids(before["address"])
    return same_place and all(before[name] == body[name] for name in PickupSchedule.model_fields)


def _list_claims(app: App, words: Sequence[str]) -> list[str]:
    return [f"pickup/{shipment.id}" for shipment in find_shipments(app, words).values()]


# -- stored pickups --------------------------------------------------------------------------------


def get_pickup(app: App, pickup_id: str) -> Pickup:
    """Return a booked pickup.

    Errors: NotFound.
    """
    return read_stored_pickup(app, pickup_id)


def list_pickups(app: App, where: Sequence[Filter], limit: int, offset: int) -> ListPage:
    """Return how many pickups match, and a page of them as JSON texts; without filters only booked ones."""
    page = app.store.page("pickup", where or [BOOKED], limit, offset, app.test_mode)
    return page.count, page.items


def update_pickup(app: App, pickup_id: str, data: PickupUpdateData) -> Pickup:
    """Change the given fields of a pickup, also with the carrier.

    Options and metadata are merged and tracking numbers are added. Only the given keys of the address change,
    unless it is the id of a stored one.

    Errors: NotFound; NoConnection; Invalid; Conflict while another process changes it; Refused;
            OutcomeUnknown.
    """
    names = [f"pickup/{pickup_id}", *_list_claims(app, data.tracking_numbers)]
    with hold_locks(app, names, BEING_CHANGED):
        pickup = get_pickup(app, pickup_id)
        account = _find_account(app, pickup)
        booked = list_pickup_shipments(app, pickup_id)
        collectable = list_collectable(app, [account], data.tracking_numbers, pickup_id=pickup_id)
        booked_ids = {shipment.id for shipment in booked}
        added = [shipment for shipment in collectable if shipment.id not in booked_ids]
        requested = pickup.model_copy(update=_merge_changes(app, pickup, data, added))
        check_change(account.kind, pickup, requested)
        number = data.confirmation_number or pickup.confirmation_number
        changed = _change_with_carrier(app, account, requested, [*booked, *added], number)
        with app.store.transaction(durable=True, locks=list_pickup_locks(pickup_id, added)) as tx:
            save(app, tx, "pickup", changed.model_dump(), "noted")
            for shipment in added:
                note_in_meta(app, tx, shipment.id, HELD_BY, pickup_id)
    return changed


def drop_shipments(app: App, pickup_id: str, data: PickupDropData) -> Pickup:
    """Take shipments out of a pickup, also with the carrier; those that are in no pickup stay so.

    Errors: NotFound; NoConnection; Invalid on `tracking_numbers` for shipments that are unknown or in another
            pickup, or when none would be left; Conflict while another process changes it; Refused;
            OutcomeUnknown.
    """
    with hold_locks(app, [f"pickup/{pickup_id}", *_list_claims(app, data.tracking_numbers)], BEING_CHANGED):
        pickup = get_pickup(app, pickup_id)
        leaving = list_held(app, data.tracking_numbers, pickup_id)
        if not leaving:
            return pickup
        left = {shipment.id for shipment in leaving}
        staying = [shipment for shipment in list_pickup_shipments(app, pickup_id) if shipment.id not in left]
        if not staying:
            raise Invalid("tracking_numbers", f"{NOTHING_LEFT}: shipcli pickups cancel {pickup_id}")
        parcels = {parcel.id for shipment in leaving for parcel in shipment.parcels}
        kept = [parcel for parcel in pickup.parcels if parcel.id not in parcels]
        requested = pickup.model_copy(update={"parcels": kept})
        account = _find_account(app, pickup)
        changed = _change_with_carrier(app, account, requested, staying, pickup.confirmation_number)
        with app.store.transaction(durable=True, locks=list_pickup_locks(pickup_id, leaving)) as tx:
            save(app, tx, "pickup", changed.model_dump(), "noted")
            for shipment in leaving:
                note_in_meta(app, tx, shipment.id, HELD_BY, None)
    return changed


def _change_with_carrier(
    app: App, account: Account, requested: Pickup, shipments: Sequence[Shipment], number: str
) -> Pickup:
    """Ask the carrier for a pickup of these shipments as it is requested; return it as the carrier agreed."""
    plain = requested.model_dump() | make_identifier_fields(requested.options, shipments)
    request = PickupUpdateRequest.model_validate({**plain, "confirmation_number": number})
    details, _ = ask_carrier(app, account, "update_pickup", request, object_id=requested.id)
    return Pickup.model_validate(requested.model_dump() | read_agreed(details))


def _find_account(app: App, pickup: Pickup) -> Account:
    connection_id = (pickup.meta or {}).get("connection_id")
    return accounts.find_named_account(app, connection_id, pickup.carrier_id, "pickup")


def _merge_changes(
    app: App, pickup: Pickup, data: PickupUpdateData, added: Sequence[Shipment]
) -> dict[str, Any]:
    changes = data.model_dump(exclude_unset=True)
    plain = {"pickup_date", "ready_time", "closing_time", *CLEARED_BY_NULL} & set(changes)
    values = {key: changes[key] for key in plain if changes[key] is not None or key in CLEARED_BY_NULL}
    values |= {
        key: merge_keys(getattr(pickup, key), changes[key])
        for key in ("options", "metadata")
        if key in changes
    }
    if changes.get("address"):
        values["address"] = _change_address(app, pickup.address, changes["address"])
    values["parcels"] = [*pickup.parcels, *(parcel for shipment in added for parcel in shipment.parcels)]
    return values


def check_change(kind: AnyCarrier, pickup: Pickup, requested: Pickup) -> None:
    """Errors: Invalid on a changed field that the carrier does not allow to change in a booked pickup."""
    for name in sorted(kind.fixed_in_pickups):
        if _make_comparable(pickup, name) != _make_comparable(requested, name):
            raise Invalid(name, f"{kind.name} cannot change it in a booked pickup: cancel that and book anew")


def _make_comparable(pickup: Pickup, name: str) -> Any:
    """Return the part of a field that matters for a change: for an address the place, not the person."""
    address = pickup.address
    where = (address.lines, address.city, address.state_code, address.postal_code, address.country_code)
    return where if name == "address" else getattr(pickup, name)


def _change_address(app: App, address: Address, requested: Mapping[str, Any]) -> Address:
    """Change the given keys of an address, or replace it with a stored one; it is validated and keeps its id.

    Errors: Invalid on `address`; NotFound if the stored address does not exist.
    """
    named = requested.get("id")
    changes = get_address(app, named).model_dump() if named and named != address.id else requested
    try:
        checked = AddressData.model_validate({**address.model_dump(), **changes})
    except ValidationError as error:
        raise Invalid.from_pydantic(error, "address") from None
    return address.model_copy(update={**dict(checked), "validation": None})


def cancel_pickup(
    app: App, pickup_id: str, data: PickupCancelData | None = None, *, once: IdempotencyKey | None = None
) -> Pickup:
    """Cancel a pickup with its carrier, release its shipments and return it as it was before.

    It stays in the store with `status` and `cancelled_at` in its meta, but is no longer listed as booked.

    If the carrier cannot cancel pickups, or has cancelled it before, this counts as success.
    Errors: NotFound; NoConnection; Conflict while another process changes it; Refused; OutcomeUnknown.
    """
    with hold_locks(app, [f"pickup/{pickup_id}"], "The pickup is being changed right now"):
        rows = intent_actions.list_object_rows(app, app.store, PICKUP_CANCEL, pickup_id)
        for cancelled in intent_actions.settle_left_open(app, rows, cancel_with_carrier):
            intent_actions.remember_answer(app, once, cancelled.model_dump())
            return cancelled
        pickup = get_pickup(app, pickup_id)
        account = _find_account(app, pickup)
        reason = data.reason if data else None
        action = CarrierAction(
            PICKUP_CANCEL, app.new_id(""), pickup_id, account.id, (), {"reason": reason}, once
        )
        intent_actions.announce(app, action, account)
        return intent_actions.settle_action(app, action, cancel_with_carrier)

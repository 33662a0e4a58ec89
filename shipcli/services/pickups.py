"""Pickups of stored shipments: booked with their carrier, changed, cancelled.

Which pickup holds a shipment is kept in one place, the shipment's `meta.pickup_id`; a held shipment can't
be voided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from shipcli.models import (
    Address,
    AddressData,
    Conflict,
    Invalid,
    NotFound,
    Pickup,
    PickupCancelData,
    PickupCancelRequest,
    PickupData,
    PickupDetails,
    PickupRequest,
    PickupUpdateData,
    PickupUpdateRequest,
    Shipment,
)
from shipcli.services import accounts, members
from shipcli.services.asking import asked
from shipcli.services.changes import merged
from shipcli.services.claims import claimed
from shipcli.services.drafts import identified, plain_body
from shipcli.services.selection import HELD_BY, account_of, named_shipments, note_in_meta, sellers

if TYPE_CHECKING:
    from shipcli.services.accounts import Account
    from shipcli.services.app import App
    from shipcli.store.reading import Page

OVER = ("cancelled", "delivered")
CLEARED_BY_NULL = ("instruction", "package_location")
UNDER_WAY = "A pickup of one of these shipments is being booked right now"


def schedule_pickup(app: App, carrier_name: str, data: PickupData) -> Pickup:
    """A collection of stored shipments, booked with their carrier.

    Errors: NoConnection when no connection of the carrier books pickups; Invalid on `tracking_numbers` for
            unknown shipments and those that are held, over or another carrier's; Conflict while another
            process books them; Refused; OutcomeUnknown.
    """
    able = accounts.choose(app, "pickup", carrier_name=carrier_name)
    with claimed(app, _claims(app, data.tracking_numbers), UNDER_WAY):
        shipments = collectable(app, able, data.tracking_numbers)
        account = account_of(shipments[0], able) or able[0]
        body = plain_body(app, data)
        place = body["address"] or shipments[0].shipper.plain()
        body["address"] = identified(app, place, "adr_")
        pickup = _booked(app, account, body, shipments)
        with app.store.transaction(durable=True) as tx:
            plain = pickup.plain()
            tx.put("pickup", plain, test_mode=app.test_mode)
            members.enter(tx, "pickup", plain)
            for shipment in shipments:
                note_in_meta(app, tx, shipment.id, HELD_BY, pickup.id)
    return pickup


def _booked(app: App, account: Account, body: Mapping[str, Any], shipments: Sequence[Shipment]) -> Pickup:
    parcels = [parcel for shipment in shipments for parcel in shipment.parcels]
    request = PickupRequest.model_validate(
        {**body, "parcels": parcels, **_identifiers(body["options"], shipments)}
    )
    pickup_id = app.new_id("pck_")
    details, _ = asked(app, account, "schedule_pickup", request, object_id=pickup_id)
    names = {"ext": account.slug, "carrier": account.shown_name, "connection_id": account.id}
    return Pickup.model_validate(
        {
            **body,
            "id": pickup_id,
            "carrier_name": account.slug,
            "carrier_id": account.carrier_id,
            "parcels": parcels,
            "meta": {**details.meta, **names},
            "test_mode": app.test_mode,
            **agreed(details),
        }
    )


def agreed(details: PickupDetails) -> dict[str, Any]:
    """What the carrier said about a collection; what it left out stays as asked."""
    names = ("confirmation_number", "pickup_date", "ready_time", "closing_time", "pickup_charge")
    return {name: value for name in names if (value := getattr(details, name)) is not None}


def _identifiers(options: Mapping[str, Any], shipments: Sequence[Shipment]) -> dict[str, Any]:
    """The carrier's own numbers of the shipments, as a field and among the options."""
    found = [str(shipment.shipment_identifier or shipment.tracking_number) for shipment in shipments]
    return {"shipment_identifiers": found, "options": {**options, "shipment_identifiers": found}}


def _claims(app: App, words: Sequence[str]) -> list[str]:
    return [f"pickup/{shipment.id}" for shipment in named_shipments(app, words).values()]


# -- which shipments -------------------------------------------------------------------------------


def collectable(
    app: App, able: Sequence[Account], words: Sequence[str], *, pickup_id: str | None = None
) -> list[Shipment]:
    """The shipments of these tracking numbers or ids, each once.

    Errors: Invalid on `tracking_numbers` naming every one that can't be collected, and why.
    """
    found = named_shipments(app, words)
    problems = [
        ("tracking_numbers", f"{word}: {reason}")
        for word in dict.fromkeys(words)
        if (reason := _obstacle(able, found.get(word), pickup_id))
    ]
    if problems:
        raise Invalid.many(problems)
    return list({shipment.id: shipment for shipment in found.values()}.values())


def _obstacle(able: Sequence[Account], shipment: Shipment | None, pickup_id: str | None) -> str | None:
    """Why a shipment can't be put in a pickup; None when it can."""
    if shipment is None:
        return "there is no such shipment"
    if not shipment.tracking_number:
        return "the shipment has no label yet"
    if shipment.status in OVER:
        return f"the shipment is {shipment.status}"
    holder = (shipment.meta or {}).get(HELD_BY)
    if holder and holder != pickup_id:
        return f"the pickup {holder} holds the shipment already"
    if not any(collects(account, shipment) for account in able):
        return f"the shipment was bought with {shipment.carrier_id or shipment.carrier_name}"
    return None


def collects(account: Account, shipment: Shipment) -> bool:
    """Whether an account's carrier fetches a shipment: its own, one a hub sold for it, one of its family."""
    names = sellers(shipment)
    return bool(names & {account.slug, account.shown_name}) or any(_related(account, name) for name in names)


def _related(account: Account, slug: str) -> bool:
    """Whether two carriers are one post: the class of one is built on that of the other."""
    from shipcli.carrier import registry

    if slug not in registry.slugs():
        return False
    try:
        other = registry.get(slug)
    except registry.BrokenCarrier:
        return False
    return issubclass(other, account.kind) or issubclass(account.kind, other)


# -- stored pickups --------------------------------------------------------------------------------


def get_pickup(app: App, pickup_id: str) -> Pickup:
    """Errors: NotFound."""
    document = app.store.get("pickup", pickup_id, app.test_mode)
    if document is None:
        raise NotFound("pickup", pickup_id)
    return Pickup.model_validate(document)


def list_pickups(app: App, *, limit: int = 20, offset: int = 0) -> Page:
    """One page of the pickups, newest first."""
    return app.store.page("pickup", (), limit, offset, app.test_mode)


def shipments_of(app: App, pickup_id: str) -> list[Shipment]:
    """The shipments a pickup holds, oldest first."""
    from shipcli.store.query import pair

    documents = app.store.each("shipment", [pair("meta", HELD_BY, pickup_id)], app.test_mode)
    return [Shipment.model_validate(document) for document in documents][::-1]


def update_pickup(app: App, pickup_id: str, data: PickupUpdateData) -> Pickup:
    """The pickup with the given fields changed, with the carrier too.

    Options and metadata are merged, of the address only the given keys change, tracking numbers are added.

    Errors: NotFound; NoConnection; Invalid; Conflict while another changes it; Refused; OutcomeUnknown.
    """
    names = [f"pickup/{pickup_id}", *_claims(app, data.tracking_numbers)]
    with claimed(app, names, "The pickup, or one of these shipments, is being changed right now"):
        pickup = get_pickup(app, pickup_id)
        account = accounts.named(app, (pickup.meta or {}).get("connection_id"), pickup.carrier_id, "pickup")
        held = shipments_of(app, pickup_id)
        given = collectable(app, [account], data.tracking_numbers, pickup_id=pickup_id)
        known = {shipment.id for shipment in held}
        added = [shipment for shipment in given if shipment.id not in known]
        wanted = pickup.changed(**_changes(pickup, data, added))
        plain = wanted.plain() | _identifiers(wanted.options, [*held, *added])
        number = data.confirmation_number or pickup.confirmation_number
        request = PickupUpdateRequest.model_validate({**plain, "confirmation_number": number})
        details, _ = asked(app, account, "update_pickup", request, object_id=pickup_id)
        changed = Pickup.model_validate(wanted.plain() | agreed(details))
        with app.store.transaction(durable=True) as tx:
            tx.put("pickup", changed.plain(), test_mode=app.test_mode)
            for shipment in added:
                note_in_meta(app, tx, shipment.id, HELD_BY, pickup_id)
    return changed


def _changes(pickup: Pickup, data: PickupUpdateData, added: Sequence[Shipment]) -> dict[str, Any]:
    given = data.given()
    plain = {"pickup_date", "ready_time", "closing_time", *CLEARED_BY_NULL} & set(given)
    values = {key: given[key] for key in plain if given[key] is not None or key in CLEARED_BY_NULL}
    values |= {
        key: merged(getattr(pickup, key), given[key]) for key in ("options", "metadata") if key in given
    }
    if given.get("address"):
        values["address"] = _changed_address(pickup.address, given["address"])
    values["parcels"] = [*pickup.parcels, *(parcel for shipment in added for parcel in shipment.parcels)]
    return values


def _changed_address(address: Address, given: Mapping[str, Any]) -> Address:
    """The address with the given keys changed, as the rules of its country want it; its id stays.

    Errors: Invalid on `address`.
    """
    try:
        checked = AddressData.model_validate({**address.plain(), **given})
    except ValidationError as error:
        raise Invalid.from_pydantic(error, "address") from None
    return address.changed(**dict(checked), validation=None)


def cancel_pickup(app: App, pickup_id: str, data: PickupCancelData | None = None) -> Pickup:
    """The pickup, cancelled with its carrier and removed; its shipments are free again.

    A carrier without such a call counts as having done it.
    Errors: NotFound; NoConnection; Conflict while another changes it; Refused; OutcomeUnknown.
    """
    with claimed(app, [f"pickup/{pickup_id}"], "The pickup is being changed right now"):
        pickup = get_pickup(app, pickup_id)
        account = accounts.named(app, (pickup.meta or {}).get("connection_id"), pickup.carrier_id, "pickup")
        if account.kind.can("cancel_pickup"):
            request = PickupCancelRequest(
                confirmation_number=pickup.confirmation_number,
                address=pickup.address,
                pickup_date=pickup.pickup_date,
                reason=data.reason if data else None,
                options=pickup.options,
            )
            asked(app, account, "cancel_pickup", request, object_id=pickup_id)
        _remove(app, pickup)
    return pickup


def _remove(app: App, pickup: Pickup) -> None:
    held = shipments_of(app, pickup.id)
    with app.store.transaction(durable=True) as tx:
        if not tx.delete("pickup", pickup.id):
            raise Conflict("The pickup was cancelled meanwhile")
        tx.remove("members", {"owner_id": pickup.id})
        for shipment in held:
            note_in_meta(app, tx, shipment.id, HELD_BY, None)


def still_needs(app: App, pickup: Mapping[str, Any], connection_id: str) -> bool:
    """Whether a pickup of a connection is still to come; a day of grace covers all time zones."""
    if (pickup.get("meta") or {}).get("connection_id") != connection_id:
        return False
    yesterday = (app.now() - timedelta(days=1)).date().isoformat()
    return str(pickup.get("pickup_date") or yesterday) >= yesterday

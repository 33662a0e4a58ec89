"""Trackers: created by a purchase or added by hand, refreshed by asking the carrier."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from shipcli.carrier import registry
from shipcli.features.connections import accounts
from shipcli.features.connections.accounts import Account
from shipcli.features.core import repository
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.trackers.carrier_answers import (
    ask_about_number,
    ask_account,
    explain_not_found,
    find_account,
    find_tracking,
    group_by_connection,
    link_shipment,
    update_shipment_status,
)
from shipcli.features.trackers.status_rules import (
    IMAGES,
    add_own_info,
    decode_images,
    make_waiting_event,
    merge_tracking,
)
from shipcli.models import (
    Invalid,
    Label,
    Message,
    NotFound,
    Rate,
    Shipment,
    Tracker,
    TrackerUpdateData,
    Tracking,
    TrackingData,
    TrackingEvent,
    TrackingInfo,
)
from shipcli.models.basics.errors import NoConnection
from shipcli.models.basics.text import suggest_nearest
from shipcli.store.query import one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.trackers")
FRESH = timedelta(minutes=1)
NO_NUMBER = "tracking_number_required"
WATCHED = ("events", "delivered", "status", "estimated_delivery", "meta", "info", "delivery_image_url",
           "signature_image_url")  # fmt: skip


# -- made with a purchase ----------------------------------------------------------------------


def make_label_tracker(
    app: App, shipment: Shipment, rate: Rate, account: Account, label: Label
) -> Tracker | None:
    """Build the tracker of a label just bought; None if the account cannot track."""
    if not (account.kind.can("track") and account.can("tracking")):
        return None
    now = app.now()
    created = TrackingEvent(
        date=f"{now:%Y-%m-%d}", time=f"{now:%H:%M}", code="CREATED", description="Label created"
    )
    # A hub gives the carrier that moves the parcel, and the tracker it created for the label.
    behind = (rate.meta or {}).get("rate_provider") if account.kind.hub else None
    hub_tracker = {"tracker_id": tracker_id} if (tracker_id := label.meta.get("tracker_id")) else {}
    return Tracker(
        id=app.new_id("trk_"),
        carrier_name=behind or account.slug,
        carrier_id=account.carrier_id,
        tracking_number=label.tracking_number,
        status="pending",
        info=make_info(app, shipment, rate, account, label),
        events=[created],
        meta={**make_meta(account), "shipment_id": shipment.id, **hub_tracker},
        test_mode=app.test_mode,
    )


def make_meta(account: Account) -> dict[str, Any]:
    return {"carrier": account.shown_name, "ext": account.slug, "connection_id": account.id}


def make_info(app: App, shipment: Shipment, rate: Rate, account: Account, label: Label) -> TrackingInfo:
    link = label.meta.get("carrier_tracking_link") or account.open(app).link(label.tracking_number)
    return TrackingInfo(
        carrier_tracking_link=link,
        customer_name=shipment.recipient.name,
        shipment_service=(rate.meta or {}).get("service_name"),
        shipment_package_count=str(len(shipment.parcels)),
        shipment_origin_country=shipment.shipper.country_code,
        shipment_origin_postal_code=shipment.shipper.postal_code,
        shipment_destination_country=shipment.recipient.country_code,
        shipment_destination_postal_code=shipment.recipient.postal_code,
        shipping_date=shipment.options.get("shipping_date"),
        source="api",
    )


def store_new(app: App, tx: Transaction, tracker: Tracker) -> Tracker:
    """Store a new tracker with its event and link it to the shipment with its number."""
    from shipcli.events import emit

    linked = link_shipment(app, tx, tracker)
    plain = linked.model_dump()
    repository.save(app, tx, "tracker", plain, "noted")
    emit(tx, app, "tracker_created", plain)
    if linked is not tracker:
        update_shipment_status(app, tx, linked)
    return linked


# -- added by hand -----------------------------------------------------------------------------


def check_trackable(data: TrackingData) -> None:
    """Errors: Invalid if there is no number, or the carrier is unknown or does not track."""
    if not data.tracking_number:
        raise Invalid("tracking_number", "is required", NO_NUMBER)
    carrier_name = data.carrier_name
    if carrier_name in registry.list_slugs() and registry.get_facts(carrier_name).trackable:
        return
    trackable = [facts.slug for facts in registry.list_facts() if facts.trackable]
    hint = suggest_nearest(carrier_name, trackable)
    raise Invalid("carrier_name", f"{carrier_name!r} is not a carrier with tracking.{hint}")


def add_tracker(
    app: App,
    data: TrackingData,
    *,
    hub: str | None = None,
    pending_pickup: bool = False,
    once: IdempotencyKey | None = None,
) -> Tracker:
    """Return the tracker for a number, refreshed if it is at least a minute old, or create one.

    Errors: Invalid if the carrier does not track; NoConnection; Refused (404) if the carrier does not know
            the number and `pending_pickup` is not set.
    """
    check_trackable(data)
    existing = find_newest(app, data.tracking_number)
    if existing is None:
        return _add_new(app, data, hub, pending_pickup, once)
    tracker = (
        existing if existing.delivered or not is_stale(app, existing, FRESH) else refresh(app, [existing])[0]
    )
    if once:
        with app.store.transaction(locks=list_key_locks(once)) as tx:
            once.remember_made(tx, tracker.model_dump())
    return tracker


def _add_new(
    app: App, data: TrackingData, hub: str | None, pending_pickup: bool, once: IdempotencyKey | None
) -> Tracker:
    account = accounts.choose(app, "tracking", carrier_name=hub or data.carrier_name)[0]
    outcome = ask_about_number(app, account, data, hub)
    answer = find_tracking(data.tracking_number, outcome)
    if answer is None and not pending_pickup:
        raise explain_not_found(app, data.tracking_number, outcome)
    tracker = make_tracker(app, data, account, answer, outcome.messages)
    with app.store.transaction() as tx:
        # Another request may have added it while the carrier was being asked.
        existing = _read_newest(tx, data.tracking_number, app.test_mode)
        if existing is None:
            tracker = store_new(app, tx, tracker)
            keep_images(tx, tracker, answer)
        if once:
            once.remember_made(tx, (existing or tracker).model_dump())
    return existing or tracker


def make_tracker(
    app: App, data: TrackingData, account: Account, answer: Tracking | None, messages: Sequence[Message]
) -> Tracker:
    """Build a tracker from what the carrier found, or a pending one that waits for the first scan."""
    details = {"reference": data.reference, "account_number": data.account_number}
    link = account.open(app).link(data.tracking_number)
    tracker = Tracker(
        id=app.new_id("trk_"),
        carrier_name=data.carrier_name,
        carrier_id=account.carrier_id,
        tracking_number=data.tracking_number,
        info=TrackingInfo(carrier_tracking_link=link, source="api"),
        metadata=data.metadata,
        messages=list(messages),
        meta=make_meta(account) | {key: value for key, value in details.items() if value},
        test_mode=app.test_mode,
    )
    info = {
        key: value
        for key, value in (data.info.model_dump() if data.info else {}).items()
        if value is not None
    }
    tracker = add_own_info(tracker, info)
    if answer:
        return merge_tracking(tracker, answer)
    return tracker.model_copy(update={"events": [make_waiting_event(app.now())], "status": "pending"})


# -- refreshing --------------------------------------------------------------------------------


def refresh(app: App, trackers: Sequence[Tracker]) -> list[Tracker]:
    """Refresh trackers from their carriers; if a carrier fails, its trackers are returned unchanged."""
    fresh = {
        tracker.id: tracker
        for group in group_by_connection(trackers)
        for tracker in _refresh_group(app, group)
    }
    return [fresh[tracker.id] for tracker in trackers]


def _refresh_group(app: App, group: Sequence[Tracker]) -> list[Tracker]:
    try:
        account = find_account(app, group[0])
    except NoConnection:
        return list(group)
    answers, _ = ask_account(app, account, group)
    return [
        save(app, tracker, answers[tracker.id]) if tracker.id in answers else tracker for tracker in group
    ]


def save(app: App, tracker: Tracker, answer: Tracking) -> Tracker:
    """Store a carrier's answer for a tracker, emit its event and update its shipment.

    Nothing is written if nothing changed or the tracker has been removed in the meantime.
    """
    with app.store.transaction(locks=lambda reader: list_tracker_locks(reader, [tracker])) as tx:
        return save_in(app, tx, tracker, answer) or tracker


def list_tracker_locks(reader: Reader, trackers: Sequence[Tracker]) -> list[str]:
    """What a transaction declares that stores answers for trackers: their shipments and orders as well."""
    shipment_ids = [(tracker.meta or {}).get("shipment_id") for tracker in trackers]
    rows = reader.select("order_shipments", [one_of("shipment_id", [id for id in shipment_ids if id])])
    return [
        *(f"tracker/{tracker.id}" for tracker in trackers),
        *(f"shipment/{id}" for id in shipment_ids if id),
        *(f"order/{row['order_id']}" for row in rows),
    ]


def save_in(app: App, tx: Transaction, tracker: Tracker, answer: Tracking) -> Tracker | None:
    """Like `save`, within a given transaction; None if nothing was written."""
    from shipcli.events import emit

    stored = tx.get("tracker", tracker.id)
    if stored is None:
        return None
    after = merge_tracking(Tracker.model_validate(stored), answer)
    new = after.model_dump()
    if all(stored.get(name) == new.get(name) for name in WATCHED):
        return None
    repository.save(app, tx, "tracker", new, "noted")
    keep_images(tx, after, answer)
    if stored["status"] != new["status"] or stored["events"] != new["events"]:
        emit(tx, app, "tracker_updated", new)
    update_shipment_status(app, tx, after)
    return after


def keep_images(tx: Transaction, tracker: Tracker, answer: Tracking | None) -> None:
    """Store the proof-of-delivery images as files of the tracker, logging any that cannot be decoded."""
    if answer is None:
        return
    images = decode_images(answer)
    for name, image in images.items():
        tx.put_file(tracker.id, name, format=image.format, media_type=image.media_type, content=image.content)
    for name in IMAGES:
        if (answer.images or {}).get(name) and name not in images:
            log.warning("the %s of %s is not base64 text and was left out", name, tracker.tracking_number)


def is_stale(app: App, tracker: Tracker, age: timedelta) -> bool:
    rows = app.store.select("trackers", {"id": tracker.id})
    return bool(rows) and rows[0]["updated_at"] <= app.now() - age


# -- reading and changing ----------------------------------------------------------------------


def find_newest(app: App, number: str) -> Tracker | None:
    """Return the newest tracker for a number in this mode, or None if there is none."""
    return _read_newest(app.store, number, app.test_mode)


def _read_newest(reader: Reader, number: str, test_mode: bool) -> Tracker | None:
    rows = reader.select("trackers", {"tracking_number": number, "test_mode": test_mode})
    if not rows:
        return None
    newest = max(rows, key=lambda row: str(row["id"]))
    return Tracker.model_validate(reader.get("tracker", newest["id"]))


def get_tracker(app: App, id_or_number: str) -> Tracker:
    """Return a tracker by id or tracking number; if several have the number, the newest.

    Errors: NotFound.
    """
    document = app.store.get("tracker", id_or_number, app.test_mode)
    tracker = Tracker.model_validate(document) if document else find_newest(app, id_or_number)
    if tracker is None:
        raise NotFound("tracker", id_or_number)
    return tracker


def update_tracker(app: App, id_or_number: str, data: TrackerUpdateData) -> Tracker:
    """Merge info and metadata into a tracker; null removes a key.

    Errors: NotFound.
    """
    tracker_id, changes = get_tracker(app, id_or_number).id, data.model_dump(exclude_unset=True)
    with app.store.transaction(locks=[f"tracker/{tracker_id}"]) as tx:
        changed = _read_tracker(tx.get("tracker", tracker_id), tracker_id)
        if data.info is not None and "info" in changes:
            changed = add_own_info(changed, data.info.model_dump(exclude_unset=True))
        if "metadata" in changes:
            changed = changed.model_copy(
                update={"metadata": merge_keys(changed.metadata, changes["metadata"])}
            )
        repository.save(app, tx, "tracker", changed.model_dump(), "noted")
    return changed


def _read_tracker(document: dict[str, Any] | None, tracker_id: str) -> Tracker:
    if document is None:
        raise NotFound("tracker", tracker_id)
    return Tracker.model_validate(document)


def remove_tracker(app: App, id_or_number: str) -> Tracker:
    """Delete a tracker and return it; its shipment is unlinked.

    Errors: NotFound.
    """
    tracker = get_tracker(app, id_or_number)
    with app.store.transaction() as tx:
        tx.delete("tracker", tracker.id)
        shipment = tx.get("shipment", (tracker.meta or {}).get("shipment_id") or "")
        if shipment and shipment.get("tracker_id") == tracker.id:
            repository.save(app, tx, "shipment", {**shipment, "tracker_id": None}, "noted")
    return tracker

"""Shipments: create drafts, fetch rates, buy labels, update, cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shipcli.features.book.drafts import PLACEHOLDER, change_dates, make_draft, number_parcels
from shipcli.features.connections.intent_states import check_not_being_bought, is_being_bought
from shipcli.features.connections.intents import explain_cancelled_order
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import find_rating_scenario, read_scenario
from shipcli.features.core.shipment_lookup import list_draft_locks
from shipcli.features.rules.application import apply_rules, apply_to_rates, list_changes
from shipcli.features.shipments.purchase import buy
from shipcli.features.shipments.rate_selection import SERVICE_UNAVAILABLE, list_offering
from shipcli.features.shipments.rating import make_rate_request, quote
from shipcli.features.shipments.stored import get_shipment as get_shipment
from shipcli.features.shipments.stored import read_shipment
from shipcli.features.shipments.voids import cancel_shipment as cancel_shipment
from shipcli.models import (
    Conflict,
    Invalid,
    Payment,
    Rate,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentPurchaseData,
    ShipmentRateData,
    ShipmentUpdateData,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction


def create_shipment(app: App, data: ShipmentData, *, once: IdempotencyKey | None = None) -> Shipment:
    """Create a draft with rates; if the body names a service, buy its label too.

    Errors: Invalid (`service_unavailable` if the service is not among the rates; also if a label is to be
            bought for a cancelled order), NotFound, NoConnection, Refused and OutcomeUnknown from the
            carriers. Nothing is stored if a carrier refuses.
    """
    draft = make_draft(app, data)
    if data.service and (reason := explain_cancelled_order(app.store, draft)):
        raise Invalid("parcels", reason)
    draft = rate_draft(app, draft, carrier_ids=data.carrier_ids)
    if data.service:
        rate = pick_offering(app, draft, data.service, data.carrier_ids)
        return buy(app, draft, rate, is_stored=False, once=once)
    return store_draft(app, draft, once)


def pick_offering(app: App, draft: Shipment, service: str, carrier_ids: Sequence[str] = ()) -> Rate:
    """Return the rate of a service; carriers asked for it alone are asked for all if they have none,
    so that the error says what they do offer.

    Errors: Invalid on `service`.
    """
    if not draft.rates and draft.services:
        with suppress(Refused):
            draft = rate_draft(app, draft.model_copy(update={"services": []}), carrier_ids=carrier_ids)
    return list_offering(draft, service)[0]


def store_draft(app: App, draft: Shipment, once: IdempotencyKey | None = None) -> Shipment:
    """Store a draft made by this request."""
    with app.store.transaction(locks=lambda reader: list_draft_locks(reader, draft, once)) as tx:
        draft = put_draft(app, tx, draft)
        if once:
            once.remember_made(tx, draft.model_dump())
    return draft


def put_draft(app: App, tx: Transaction, draft: Shipment) -> Shipment:
    """Store a new draft, or overwrite the one with its id."""
    draft = number_parcels(tx, draft)
    save(app, tx, "shipment", draft.model_dump(), "content")
    return draft


def renew_draft(app: App, tx: Transaction, draft: Shipment, existing: Mapping[str, Any]) -> None:
    """Replace a stored draft, keeping its id, unless it has been bought or is being bought."""
    if existing["status"] == "draft" and not is_being_bought(tx, existing["id"]):
        put_draft(
            app, tx, draft.model_copy(update={"id": existing["id"], "created_at": existing["created_at"]})
        )


def rate_draft(app: App, draft: Shipment, *, carrier_ids: Sequence[str] = ()) -> Shipment:
    """Return the draft, as the rules want it, with new rates and the messages of carriers, beside those about
    what it left out.
    """
    draft = apply_rules(app, draft)
    scenario = find_rating_scenario(app, draft)
    rates, messages = quote(
        app, make_rate_request(draft), carrier_ids=carrier_ids, object_id=draft.id, scenario=scenario
    )
    kept = [message for message in draft.messages if message.code == PLACEHOLDER]
    return apply_to_rates(draft.model_copy(update={"rates": rates, "messages": [*kept, *messages]}))


def update_shipment(app: App, shipment_id: str, data: ShipmentUpdateData) -> Shipment:
    """Change the given fields of a shipment; options and metadata are merged, null removes a key.

    Errors: NotFound; Conflict if it is being bought, or is not a draft and more than metadata is given.
    """
    changes = data.model_dump(exclude_unset=True)
    with app.store.transaction(locks=[f"shipment/{shipment_id}"]) as tx:
        shipment = read_shipment(tx, shipment_id, app.test_mode)
        if set(changes) - {"metadata"}:
            check_draft(shipment, "updated")
        check_not_being_bought(tx, shipment_id)
        changed = shipment.model_copy(update=merge_changes(app, shipment, changes))
        save(app, tx, "shipment", changed.model_dump(), "noted")
    return changed


def merge_changes(app: App, shipment: Shipment, requested: Mapping[str, Any]) -> dict[str, Any]:
    """Return the new field values: dictionaries are merged, the rest is as given.

    Errors: Invalid if the sandbox does not know the scenario.
    """
    read_scenario(app, options=requested.get("options"), metadata=requested.get("metadata"))
    values: dict[str, Any] = {
        key: requested[key]
        for key in ("label_type", "reference", "services", "carrier_ids")
        if key in requested
    }
    if requested.get("payment") is not None:
        values["payment"] = Payment.model_validate({**shipment.payment.model_dump(), **requested["payment"]})
    if "options" in requested:
        values["options"] = change_dates(
            app, shipment.options, requested["options"], shipment.shipper.model_dump()
        )
    if "metadata" in requested:
        values["metadata"] = merge_keys(shipment.metadata, requested["metadata"])
    return values


def fetch_rates(
    app: App, shipment_id: str, data: ShipmentRateData, *, once: IdempotencyKey | None = None
) -> Shipment:
    """Fetch the rates of a draft again, replacing the old ones.

    Errors: NotFound, Conflict if it is not a draft, NoConnection, Refused.
    """
    draft = get_shipment(app, shipment_id)
    check_draft(draft, "rated")
    values = merge_changes(app, draft, data.model_dump(exclude_unset=True))
    draft = rate_draft(
        app, draft.model_copy(update=values), carrier_ids=values.get("carrier_ids", draft.carrier_ids)
    )
    return store_rates(app, draft, values, once)


def store_rates(
    app: App, draft: Shipment, values: Mapping[str, Any] | None = None, once: IdempotencyKey | None = None
) -> Shipment:
    """Store a draft's new rates, and the values they were fetched with, in its current stored version.

    Errors: NotFound; Conflict if it has been bought in the meantime or is being bought.
    """
    with app.store.transaction(locks=[f"shipment/{draft.id}", *list_key_locks(once)]) as tx:
        stored = read_shipment(tx, draft.id, app.test_mode)
        check_draft(stored, "rated")
        check_not_being_bought(tx, draft.id)
        changes = {**(values or {}), **list_changes(draft), "rates": draft.rates, "messages": draft.messages}
        fresh = stored.model_copy(update=changes)
        save(app, tx, "shipment", fresh.model_dump(), "noted")
        if once:
            once.remember_made(tx, fresh.model_dump())
    return fresh


def purchase_shipment(
    app: App, shipment_id: str, data: ShipmentPurchaseData, *, once: IdempotencyKey | None = None
) -> Shipment:
    """Buy the label of a draft at one of its rates.

    Errors: NotFound, Conflict, Invalid (`service_unavailable` if the rate is unknown), Refused,
            OutcomeUnknown.
    """
    draft = get_shipment(app, shipment_id)
    check_draft(draft, "purchased")
    rate = next((rate for rate in draft.rates if rate.id == data.selected_rate_id), None)
    if rate is None:
        reason = "The selected rate is not one of this shipment's rates."
        raise Invalid("selected_rate_id", reason, SERVICE_UNAVAILABLE)
    changes = {key: value for key, value in data.model_dump(exclude_unset=True).items() if value is not None}
    return buy(app, draft.model_copy(update=merge_changes(app, draft, changes)), rate, once=once)


def check_draft(shipment: Shipment, what: str) -> None:
    """Errors: Conflict if it is not a draft."""
    if shipment.status != "draft":
        raise Conflict(f"The shipment is {shipment.status} and cannot be {what} anymore")

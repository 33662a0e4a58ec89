"""Shipments: draft, rate, buy, change, cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shipcli.features.core.merge import merge_keys
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import read_scenario
from shipcli.features.intents.states import check_not_being_bought, is_being_bought
from shipcli.features.parts.drafts import change_dates, draft_of, number_parcels
from shipcli.features.shipments.purchase import buy
from shipcli.features.shipments.rate_selection import SERVICE_UNAVAILABLE, list_offering
from shipcli.features.shipments.rating import quote, request_of
from shipcli.features.shipments.voids import cancel_shipment as cancel_shipment
from shipcli.features.shipments.voids import read_shipment
from shipcli.models import (
    Conflict,
    Invalid,
    Payment,
    Shipment,
    ShipmentData,
    ShipmentPurchaseData,
    ShipmentRateData,
    ShipmentUpdateData,
)

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency import IdempotencyKey
    from shipcli.store.transaction import Transaction


def create_shipment(app: App, data: ShipmentData, *, once: IdempotencyKey | None = None) -> Shipment:
    """A draft with its rates; its label bought as well when the body names a service.

    Errors: Invalid (`service_unavailable` when the service is not among the rates), NotFound, NoConnection,
            Refused and OutcomeUnknown from the carriers. Nothing is kept of a refusal.
    """
    draft = rate_draft(app, draft_of(app, data), carrier_ids=data.carrier_ids)
    if data.service:
        return buy(app, draft, list_offering(draft, data.service)[0], once=once)
    return store_draft(app, draft, once)


def store_draft(app: App, draft: Shipment, once: IdempotencyKey | None = None) -> Shipment:
    """Write a draft that this request made."""
    with app.store.transaction() as tx:
        draft = put_draft(app, tx, draft)
        if once:
            once.remember_made(tx, draft.plain())
    return draft


def put_draft(app: App, tx: Transaction, draft: Shipment) -> Shipment:
    """Write a draft, new or anew under the id it has."""
    draft = number_parcels(tx, draft)
    save(app, tx, "shipment", draft.plain(), "content")
    return draft


def renew_draft(app: App, tx: Transaction, draft: Shipment, known: Mapping[str, Any]) -> None:
    """Write a draft over the stored one, which keeps its id, unless that is bought or being bought."""
    if known["status"] == "draft" and not is_being_bought(tx, known["id"]):
        put_draft(app, tx, draft.changed(id=known["id"], created_at=known["created_at"]))


def rate_draft(app: App, draft: Shipment, *, carrier_ids: Sequence[str] = ()) -> Shipment:
    """The draft with fresh rates and what the carriers said."""
    rates, messages = quote(app, request_of(draft), carrier_ids=carrier_ids, object_id=draft.id)
    return draft.changed(rates=rates, messages=messages)


def get_shipment(app: App, shipment_id: str) -> Shipment:
    """Errors: NotFound."""
    return read_shipment(app.store, shipment_id, app.test_mode)


def update_shipment(app: App, shipment_id: str, data: ShipmentUpdateData) -> Shipment:
    """The shipment with the given fields changed; options and metadata are merged, null removes a key.

    Errors: NotFound; Conflict when it is not a draft and more than metadata is given.
    """
    given = data.given()
    with app.store.transaction() as tx:
        shipment = read_shipment(tx, shipment_id, app.test_mode)
        if set(given) - {"metadata"}:
            check_draft(shipment, "updated")
        check_not_being_bought(tx, shipment_id)
        changed = shipment.changed(**changes_of(app, shipment, given))
        save(app, tx, "shipment", changed.plain(), "noted")
    return changed


def changes_of(app: App, shipment: Shipment, given: Mapping[str, Any]) -> dict[str, Any]:
    """New field values: dictionaries merged, the rest as given.

    Errors: Invalid for a scenario that the sandbox does not know.
    """
    read_scenario(app, options=given.get("options"), metadata=given.get("metadata"))
    values: dict[str, Any] = {
        key: given[key] for key in ("label_type", "reference", "services", "carrier_ids") if key in given
    }
    if given.get("payment") is not None:
        values["payment"] = Payment.model_validate({**shipment.payment.plain(), **given["payment"]})
    if "options" in given:
        values["options"] = change_dates(app, shipment.options, given["options"], shipment.shipper.plain())
    if "metadata" in given:
        values["metadata"] = merge_keys(shipment.metadata, given["metadata"])
    return values


def fetch_rates(
    app: App, shipment_id: str, data: ShipmentRateData, *, once: IdempotencyKey | None = None
) -> Shipment:
    """A draft with rates fetched again; the old ones are gone.

    Errors: NotFound, Conflict when it is not a draft, NoConnection, Refused.
    """
    draft = get_shipment(app, shipment_id)
    check_draft(draft, "rated")
    values = changes_of(app, draft, data.given())
    draft = rate_draft(app, draft.changed(**values), carrier_ids=values.get("carrier_ids", draft.carrier_ids))
    return store_rates(app, draft, values, once)


def store_rates(
    app: App, draft: Shipment, values: Mapping[str, Any] | None = None, once: IdempotencyKey | None = None
) -> Shipment:
    """Keep a draft's new rates, and the values they were fetched with, on what is stored of it now.

    Errors: NotFound; Conflict when it was bought meanwhile or is being bought.
    """
    with app.store.transaction() as tx:
        stored = read_shipment(tx, draft.id, app.test_mode)
        check_draft(stored, "rated")
        check_not_being_bought(tx, draft.id)
        fresh = stored.changed(**(values or {}), rates=draft.rates, messages=draft.messages)
        save(app, tx, "shipment", fresh.plain(), "noted")
        if once:
            once.remember_made(tx, fresh.plain())
    return fresh


def purchase_shipment(
    app: App, shipment_id: str, data: ShipmentPurchaseData, *, once: IdempotencyKey | None = None
) -> Shipment:
    """The label of a draft, bought at one of its rates.

    Errors: NotFound, Conflict, Invalid (`service_unavailable` for an unknown rate), Refused, OutcomeUnknown.
    """
    draft = get_shipment(app, shipment_id)
    check_draft(draft, "purchased")
    rate = next((one for one in draft.rates if one.id == data.selected_rate_id), None)
    if rate is None:
        reason = "The selected rate is not one of this shipment's rates."
        raise Invalid("selected_rate_id", reason, SERVICE_UNAVAILABLE)
    given = {key: value for key, value in data.given().items() if value is not None}
    return buy(app, draft.changed(**changes_of(app, draft, given)), rate, once=once)


def check_draft(shipment: Shipment, what: str) -> None:
    """Errors: Conflict when it is not a draft."""
    if shipment.status != "draft":
        raise Conflict(f"The shipment is {shipment.status} and cannot be {what} anymore")

"""Requests for labels: to buy one, and to fetch one again whose file was missing at the purchase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.carrier.preparation.flows import fetch_flow
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.wire.calls import Bought
from shipcli.features.book.drafts import is_own_number
from shipcli.features.connections import accounts
from shipcli.features.connections.intents import Intent
from shipcli.features.core.repository import save
from shipcli.features.core.scenarios import find_sold_service
from shipcli.features.paper import purchase_invoice
from shipcli.features.paper.label_files import store_documents
from shipcli.features.trackers.service import make_label_tracker, store_new
from shipcli.models import Address, Label, Rate, Refused, Shipment, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction


def list_numbers(shipment: Shipment, account: Account, label: Label, rate: Rate) -> dict[str, Any]:
    """Return the fields of a shipment that hold the numbers of its label; None for one that is not known."""
    tracking_numbers = [label.tracking_number] if label.tracking_number else []
    numbers = [str(number) for number in label.meta.get("tracking_numbers") or tracking_numbers]
    parcels = [
        parcel.model_copy(
            update={"reference_number": numbers[index] if index < len(numbers) else parcel.reference_number}
        )
        for index, parcel in enumerate(shipment.parcels)
    ]
    url = make_tracking_url(account, label.tracking_number, rate) if label.tracking_number else None
    return {"tracking_number": label.tracking_number or None, "tracking_url": url, "parcels": parcels}


def add_numbers(app: App, tx: Transaction, shipment: Shipment, account: Account, label: Label) -> Shipment:
    """Return a shipment that had no number with those of its label, which is watched from now on."""
    rate = shipment.selected_rate
    if shipment.tracking_number or not label.tracking_number or rate is None:
        return shipment
    tracker = make_label_tracker(app, shipment, rate, account, label)
    if tracker:
        store_new(app, tx, tracker)
    changes = {"tracker_id": tracker.id} if tracker else {}
    return shipment.model_copy(update={**list_numbers(shipment, account, label, rate), **changes})


def make_tracking_url(account: Account, number: str, rate: Rate, prefix: str = "/v1/trackers") -> str:
    """Return the API path to track a label with its carrier, or with the carrier behind a hub via the hub."""
    if not account.kind.hub:
        return f"{prefix}/{account.slug}/{number}"
    carrier = (rate.meta or {}).get("rate_provider") or account.slug
    return f"{prefix}/{carrier}/{number}?hub={account.slug}"


LABEL_MISSING = "label_missing"  # in the meta of a shipment, and the code of the message that says so


def build_label_request(app: App, intent: Intent, account: Account) -> ShipmentRequest:
    """Return the request to buy a label for a shipment.

    The numbers we assign to parcels serve carriers without a network; others print the caller's own.
    """
    shipment = intent.shipment
    parcels = [
        parcel.model_copy(update={"reference_number": None})
        if account.kind.hosts and is_own_number(app, parcel.reference_number)
        else parcel
        for parcel in shipment.parcels
    ]
    return ShipmentRequest.model_construct(
        shipper=shipment.shipper,
        recipient=shipment.recipient,
        parcels=parcels,
        service=str(find_sold_service(intent.rate)),
        options={**shipment.options, **purchase_invoice.make_files_option(intent.invoice)},
        payment=shipment.payment,
        customs=shipment.customs,
        return_address=_make_address(shipment.return_address),
        billing_address=_make_address(shipment.billing_address),
        reference=shipment.reference,
        label_type=shipment.label_type,
        metadata=shipment.metadata,
        rate_meta=intent.rate.meta or {},
    )


def _make_address(value: Any) -> Address | None:
    return Address.model_construct(**dict(value)) if value is not None else None


def fetch_missing_label(app: App, shipment_id: str) -> bool:
    """Fetch and store the label of a bought shipment that lacks it; False if it lacks none.

    Errors: NoConnection; Refused with the carrier's messages if it is not available yet.
    """
    document = app.store.get("shipment", shipment_id, app.test_mode)
    if document is None or not (document.get("meta") or {}).get(LABEL_MISSING):
        return False
    shipment = Shipment.model_validate(document)
    _store(app, shipment_id, _fetch(app, shipment))
    return True


def _find_account(app: App, shipment: Shipment) -> tuple[Rate, Account]:
    rate = shipment.selected_rate or Rate(carrier_name="", carrier_id="")
    return rate, accounts.find_account_of_rate(app, rate, "shipping")


def _fetch(app: App, shipment: Shipment) -> Label:
    rate, account = _find_account(app, shipment)
    carrier = account.open(app)
    bought = Bought(shipment.tracking_number, shipment.shipment_identifier, meta=shipment.meta or {})
    request = build_label_request(app, Intent("", shipment, rate), account)
    job: CarrierJob[Label] = CarrierJob(
        carrier, "fetch_label", fetch_flow(carrier, bought, request), shipment.id, request=bought
    )
    outcome = app.driver.run(job)
    if outcome.result is None:
        raise Refused(outcome.messages)
    return outcome.result


def _store(app: App, shipment_id: str, label: Label) -> None:
    """Store the label with the shipment in its present state."""
    with app.store.transaction(durable=True) as tx:
        shipment = Shipment.model_validate(tx.get("shipment", shipment_id))
        meta = {**(shipment.meta or {}), **label.meta}
        meta.pop(LABEL_MISSING, None)
        messages = [message for message in shipment.messages if message.code != LABEL_MISSING]
        numbered = add_numbers(app, tx, shipment, _find_account(app, shipment)[1], label)
        changed = numbered.model_copy(update={"meta": meta, "messages": messages})
        save(app, tx, "shipment", changed.model_dump(), "noted")
        store_documents(app, tx, changed, label)

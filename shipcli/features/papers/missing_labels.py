"""Bought labels whose file could not be fetched yet: it is requested again when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.carrier.prepare import fetch_flow
from shipcli.carrier.sending.flow_runner import CarrierJob
from shipcli.carrier.wire.calls import Bought
from shipcli.features.connections import accounts
from shipcli.features.core.repository import save
from shipcli.features.intents.service import Intent
from shipcli.features.papers.label_request import build_label_request
from shipcli.models import Label, Rate, Refused, Shipment

if TYPE_CHECKING:
    from shipcli.features.core.app import App

LABEL_MISSING = "label_missing"  # in the meta of a shipment, and the code of the message that says so


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


def _fetch(app: App, shipment: Shipment) -> Label:
    rate = shipment.selected_rate or Rate(carrier_name="", carrier_id="")
    account = accounts.find_account_of_rate(app, rate, "shipping")
    carrier = account.open(app)
    bought = Bought(str(shipment.tracking_number), shipment.shipment_identifier, meta=shipment.meta or {})
    request = build_label_request(app, Intent("", shipment, rate), account)
    job = CarrierJob(carrier, "fetch_label", fetch_flow(carrier, bought, request), shipment.id)
    outcome = app.driver.run(job)
    if outcome.result is None:
        raise Refused(outcome.messages)
    label: Label = outcome.result
    return label


def _store(app: App, shipment_id: str, label: Label) -> None:
    """Store the label with the shipment in its present state."""
    from shipcli.features.papers.label_files import store_documents

    with app.store.transaction(durable=True) as tx:
        shipment = Shipment.model_validate(tx.get("shipment", shipment_id))
        meta = {**(shipment.meta or {}), **label.meta}
        meta.pop(LABEL_MISSING, None)
        kept = [message for message in shipment.messages if message.code != LABEL_MISSING]
        whole = shipment.changed(meta=meta, messages=kept)
        save(app, tx, "shipment", whole.plain(), "noted")
        store_documents(app, tx, whole, label)

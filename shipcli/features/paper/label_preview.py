"""A preview of a custom carrier's labels: one drawn for a sample shipment."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from shipcli.carrier.base import CarrierError
from shipcli.documents.samples import make_sample_shipment
from shipcli.features.connections.accounts import open_account
from shipcli.features.paper.label_files import decode_label
from shipcli.models import Invalid, NotFound, RateRequest, ShipmentRequest

if TYPE_CHECKING:
    from shipcli.carrier.sending.jobs import AnyCarrier
    from shipcli.carrier.wire.calls import Flow
    from shipcli.features.core.app import App
    from shipcli.models import Label

T = TypeVar("T")


def make_sample_label(app: App, connection_id: str, format: str) -> bytes:
    """Draw a label of a connection whose labels are drawn here, in this format, marked as a sample.

    Errors: NotFound for a connection that is not there or whose labels its carrier makes; Invalid if its
            settings, or its label template, give no label of this format.
    """
    stored = app.store.get("connection", connection_id) or {}
    account = open_account(app.in_mode(bool(stored.get("test_mode"))), connection_id)
    if account is None or account.kind.hosts or not account.kind.can("ship"):
        text = f"There is no connection {connection_id} whose labels are drawn here"
        raise NotFound("connection", message=text)
    opened = account.open(app, key=f"sample/{connection_id}")
    carrier = account.kind(account.credentials, account.config, replace(opened.context, sample=True))
    try:
        label = draw_sample(carrier, format)
    except CarrierError as error:
        raise Invalid("label", "; ".join(str(message.message) for message in error.messages)) from None
    if label.label_type != format:
        raise Invalid("format", f"The label template of {connection_id} can't be drawn as {format}")
    return decode_label(str(label.docs["label"]))


def draw_sample(carrier: AnyCarrier, format: str) -> Label:
    """Draw a label for the sample shipment.

    Errors: CarrierError.
    """
    shipment = make_sample_shipment()
    parcels = list(shipment.parcels)
    request = RateRequest(shipper=shipment.shipper, recipient=shipment.recipient, parcels=parcels)
    try:
        service = str(run_offline(carrier.rate(request))[0].service)
    except CarrierError:  # its prices are for other places
        service = str(shipment.service)
    return run_offline(
        carrier.ship(
            ShipmentRequest(
                shipper=shipment.shipper,
                recipient=shipment.recipient,
                parcels=parcels,
                service=service,
                reference=shipment.reference,
                label_type=format,
            )
        )
    )


def run_offline(flow: Flow[T]) -> T:
    """Run a flow that sends no requests, and return its result.

    Errors: CarrierError; RuntimeError for a flow that calls its carrier.
    """
    try:
        next(flow)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("a carrier without a network does not call anybody")

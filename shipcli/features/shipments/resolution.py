"""Resolve purchases whose outcome only a person can look up, and correct earlier resolutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.carrier.sending.messages import drop_lost_answers
from shipcli.carrier.simulation.tracking import is_magic_number
from shipcli.features.connections import accounts
from shipcli.features.connections.intent_states import ATTENTION, PURCHASE, RESOLVED
from shipcli.features.connections.intents import Intent, free_claim, take_over
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import HELD_BY, LISTED_IN
from shipcli.features.paper.label_files import LABEL, decode_label
from shipcli.features.shipments import voids
from shipcli.features.shipments.purchase import UNKNOWN, finish, forget_answer
from shipcli.features.shipments.stored import read_shipment
from shipcli.models import Conflict, Invalid, Label, Shipment, ShipmentResolveData
from shipcli.models.basics.barcodes import read_barcode

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

NO_RATE = ("carrier_name", "carrier_id", "selected_rate", "selected_rate_id", "service")


def resolve_shipment(app: App, shipment_id: str, data: ShipmentResolveData) -> Shipment:
    """Resolve a purchase or a void that a person has looked up with the carrier.

    Errors: Invalid unless exactly one of the two is given; as for `resolve_purchase` and `resolve_void`.
    """
    if (data.bought is None) == (data.voided is None):
        raise Invalid("bought", "Say whether it was bought, or whether it was voided.")
    if data.voided is not None:
        return voids.resolve_void(app, shipment_id, is_void=data.voided)
    return resolve_purchase(app, shipment_id, data)


def resolve_purchase(app: App, shipment_id: str, data: ShipmentResolveData) -> Shipment:
    """Resolve a purchase that a person has looked up; calling it again corrects the earlier resolution.

    Errors: NotFound; Conflict if the shipment needs no attention and was not resolved before, or has moved on
            since; Invalid if the number is not one of the carrier's, or the file is not a label.
    """
    shipment = read_shipment(app.store, shipment_id, app.test_mode)
    row = _find_row(app, shipment_id)
    check_resolvable(shipment, row)
    if row is None and data.bought:
        raise Conflict("The record of this purchase is gone: it can only be resolved as not bought")
    with claim(app, row):
        if row is None or not data.bought:
            return restore_draft(app, shipment, row)
        return _finish_purchase(app, shipment, row, data)


@contextmanager
def claim(app: App, row: dict[str, Any] | None) -> Iterator[None]:
    """Hold a purchase while its outcome is entered, so that no worker asks the carrier about it meanwhile.

    Errors: Conflict while somebody else has it.
    """
    if row is None:
        yield
        return
    if not take_over(app, row):
        raise Conflict("The carrier is being asked about this purchase right now: try again in a moment")
    try:
        yield
    finally:
        free_claim(app, row["key"])


def _find_row(app: App, shipment_id: str) -> dict[str, Any] | None:
    rows = app.store.select("intents", {"kind": PURCHASE, "shipment_id": shipment_id}, "created_at")
    return next((row for row in reversed(rows) if row["state"] in (ATTENTION, RESOLVED)), None)


def check_resolvable(shipment: Shipment, row: Mapping[str, Any] | None) -> None:
    """Errors: Conflict."""
    meta = shipment.meta or {}
    if shipment.status == "needs_attention" and not shipment.tracking_number:
        return
    was_resolved = row is not None and row["state"] == RESOLVED
    if not was_resolved or shipment.status not in ("draft", "purchased"):
        raise Conflict(f"The shipment is {shipment.status}: there is nothing to resolve")
    if shipment.status == "purchased" and not meta.get(RESOLVED):
        raise Conflict("The shipment has been bought meanwhile: there is nothing to resolve")
    if meta.get(HELD_BY) or meta.get(LISTED_IN):
        raise Conflict("The shipment is in a pickup or on a manifest: its outcome can no longer be changed")


def _finish_purchase(
    app: App, shipment: Shipment, row: dict[str, Any], data: ShipmentResolveData
) -> Shipment:
    intent, account = Intent.of_row(row), accounts.open_account(app, row["connection_id"])
    if account is None:
        raise Conflict("The connection it was bought with is gone: add it again first")
    number = _check_number(app, account, data.tracking_number)
    docs, kind = _check_label(data.label)
    label = Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=kind,
        docs=docs,
        meta={RESOLVED: True},
    )
    before = make_draft(shipment, intent)
    cleared = before.model_copy(update={"label_type": kind or before.label_type})
    return finish(app, replace(intent, shipment=cleared, bought=()), account, label, [])


def make_draft(shipment: Shipment, intent: Intent) -> Shipment:
    """Return a shipment as it was before its purchase, with what was noted on it since."""
    return intent.shipment.model_copy(
        update={"messages": drop_unknown(shipment), "metadata": shipment.metadata}
    )


def _check_number(app: App, account: Account, number: str | None) -> str:
    """Errors: Invalid."""
    text = read_barcode(number or "")
    if not text:
        raise Invalid("tracking_number", "Say which tracking number it was bought under.")
    if not account.kind.takes_number(text) and not (app.sandbox and is_magic_number(text)):
        forms = "; or ".join(form.name for form in account.kind.number_forms)
        reason = f"{text!r} is not a tracking number of {account.kind.name}: {forms}."
        raise Invalid("tracking_number", reason)
    return text


def _check_label(text: str | None) -> tuple[dict[str, str], str | None]:
    """Return the label file and its format; empty if none is given.

    Errors: Invalid if it is not a label.
    """
    from shipcli.drawing import find_label_kind

    if not text:
        return {}, None
    kind = find_label_kind(decode_label(text))
    if kind is None:
        raise Invalid("label", "The file is not a PDF, ZPL or PNG.")
    return {LABEL: text}, kind


def drop_unknown(shipment: Shipment) -> list[Any]:
    """Return its messages but for those that say that its outcome is unknown, and why."""
    known = [message for message in shipment.messages if message.code != UNKNOWN]
    return drop_lost_answers(known, shipment.carrier_id)


def restore_draft(app: App, shipment: Shipment, row: Mapping[str, Any] | None) -> Shipment:
    """Make a shipment that was not bought a draft again."""
    none: dict[str, Any] = dict.fromkeys(NO_RATE)
    before = shipment
    if shipment.tracking_number and row is not None:  # it had been resolved as bought: restore the draft
        before = Intent.of_row(dict(row)).shipment.model_copy(update={"metadata": shipment.metadata})
    draft = before.model_copy(update={"status": "draft", "messages": drop_unknown(shipment), **none})
    with app.store.transaction(durable=True) as tx:
        forget_answer(tx, shipment.id)
        save(app, tx, "shipment", draft.model_dump(), "outcome")
        if row is not None:
            tx.update("intents", {"key": row["key"]}, {"state": RESOLVED, "updated_at": app.now()})
            if once := Intent.of_row(dict(row)).once:
                once.forget(tx)  # nothing was bought: a retry with this key must run again
    return draft

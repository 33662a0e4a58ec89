"""Commercial invoices at a purchase: from a template, or the built-in one. No purchase fails for its
paper.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks
from shipcli.features.core.repository import save
from shipcli.features.paper.templates import find_template
from shipcli.models import Message, Rate, ShipcliError, Shipment

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App

TEMPLATE, PAPERLESS_TRADE, FILES = "invoice_template", "paperless_trade", "doc_files"
INVOICE, FAILED = "invoice", "invoice_failed"
FAILURES = (
    ShipcliError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError, OSError, ImportError,
)  # fmt: skip


def find_template_slug(shipment: Shipment) -> str | None:
    """Return the template that a shipment names for its invoice."""
    slug = shipment.options.get(TEMPLATE)
    return str(slug) if slug else None


def is_needed(shipment: Shipment) -> bool:
    """Return whether the goods cross a border and the declaration requests an invoice."""
    abroad = shipment.shipper.country_code != shipment.recipient.country_code
    return abroad and bool(shipment.customs and shipment.customs.commercial_invoice)


def make_before_purchase(app: App, shipment: Shipment, rate: Rate, account: Account) -> str:
    """Return the invoice for the carrier, sent with the purchase, as base64 text; empty if it gets none.

    One that can't be made is tried again after the purchase, which then says why.
    """
    slug = find_template_slug(shipment)
    if not (slug and shipment.options.get(PAPERLESS_TRADE) and account.can("paperless")):
        return ""
    sold = shipment.model_copy(
        update={
            "carrier_name": rate.carrier_name,
            "carrier_id": rate.carrier_id,
            "service": rate.service,
            "selected_rate": rate,
        }
    )
    try:
        return base64.b64encode(make_invoice(app, sold, slug)).decode()
    except FAILURES:
        return ""


def make_files_option(invoice: str) -> dict[str, Any]:
    """Return the option that sends an invoice to the carrier."""
    file = {
        "doc_file": invoice,
        "doc_name": "invoice.pdf",
        "doc_format": "PDF",
        "doc_type": "commercial_invoice",
    }
    return {FILES: [file]} if invoice else {}


def make_invoice(app: App, shipment: Shipment, slug: str | None) -> bytes:
    """Return the invoice of a shipment by its template, else the built-in one.

    Errors: NotFound for an unknown template; Invalid with the line of a broken one.
    """
    if slug:
        from shipcli.features.paper.documents import describe_shipment, list_shipment_orders, render_template

        context = describe_shipment(app, shipment, list_shipment_orders(app, shipment))
        return render_template(app, find_template(app, slug), {"shipments_context": [context]})
    from shipcli.features.paper.builtin import make_documents

    return make_documents(app, INVOICE, [shipment])


def add_invoice(app: App, shipment: Shipment, once: IdempotencyKey | None = None) -> Shipment:
    """Add the invoice that a bought shipment needs, and store it; unchanged if it needs none.

    A template that was named comes before the carrier's own invoice, the built-in one after it. The purchase
    is stored already: whatever fails here is a message of the shipment.
    """
    slug = find_template_slug(shipment)
    if not slug and (shipment.invoice_url or not is_needed(shipment)):
        return shipment
    try:
        return _store(app, shipment, make_invoice(app, shipment, slug), [], once) or shipment
    except FAILURES as error:
        try:
            return _store(app, shipment, None, [_make_note(shipment, error)], once) or shipment
        except FAILURES:
            return shipment


def _store(
    app: App, bought: Shipment, content: bytes | None, notes: list[Message], once: IdempotencyKey | None
) -> Shipment | None:
    with app.store.transaction(locks=[f"shipment/{bought.id}", *list_key_locks(once)]) as tx:
        document = tx.get("shipment", bought.id, app.test_mode)
        if document is None:
            return None
        shipment = Shipment.model_validate(document)
        url = f"/v1/shipments/{bought.id}/invoice.pdf" if content else shipment.invoice_url
        changed = shipment.model_copy(update={"invoice_url": url, "messages": [*shipment.messages, *notes]})
        save(app, tx, "shipment", changed.model_dump(), "noted")
        if content:
            tx.put_file(bought.id, INVOICE, content, format="PDF", media_type="application/pdf")
        if once:
            once.remember(tx, changed.model_dump(), 201)
    return changed


def _make_note(shipment: Shipment, error: Exception) -> Message:
    return Message(
        code=FAILED,
        message=f"The label was bought, but its invoice was not made: {error}",
        carrier_name=shipment.carrier_name,
        carrier_id=shipment.carrier_id,
    )

"""Queues a mail for each event of a shipment, written with what caused it.

Every write of a shipment comes here, so that this module loads nothing of what sends mail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.events.outbox import ATTEMPTS
from shipcli.features.core.app import read_fact
from shipcli.features.customers.addresses import is_address

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

MAIL = "mail"  # the settings of mail, among the facts of the store
TABLE, QUEUE, SEND = "mails", "mails", "send_mail"
WAITING, SENDING, SENT, KEPT, UNCLEAR, FAILED, SKIPPED = (
    "waiting", "sending", "sent", "kept", "unclear", "failed", "skipped",
)  # fmt: skip
TRACKED = {
    "out_for_delivery": "out_for_delivery",
    "needs_attention": "exception",
    "delivery_failed": "exception",
}


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Queue a mail when a label was bought, and when a parcel is about to arrive or held up."""
    event = find_event(saved)
    if event is None or event not in ((read_fact(tx, MAIL) or {}).get("events") or ()):
        return
    address = str(saved.document["recipient"].get("email") or "").strip()
    if address:
        add_mail(app, tx, str(saved.document["id"]), event, address)


def find_event(saved: SavedDocument) -> str | None:
    """What a customer is told of a change; None for returns, and for what is the shop's own affair."""
    if saved.kind != "shipment" or (saved.document.get("options") or {}).get("is_return"):
        return None
    status = saved.document["status"]
    if saved.cause == "outcome":
        return "purchased" if status == "purchased" else None
    return TRACKED.get(status) if saved.cause == "tracked" else None


def add_mail(app: App, tx: Transaction, shipment_id: str, event: str, address: str) -> None:
    """Write a mail down and queue it, unless it was before."""
    is_sendable = is_address(address)
    mail_id = app.new_id("mail_")
    row = {
        "shipment_id": shipment_id, "event": event, "id": mail_id, "test_mode": app.test_mode,
        "address": address, "state": WAITING if is_sendable else SKIPPED,
        "reason": None if is_sendable else "This is no address that mail can be sent to",
        "created_at": app.now(), "ended_at": None if is_sendable else app.now(),
    }  # fmt: skip
    if tx.add(TABLE, row) and is_sendable:
        enqueue(app, tx, mail_id)


def enqueue(app: App, tx: Transaction, mail_id: str) -> None:
    """Queue the job of a mail; there is one at most."""
    args = {"mail_id": mail_id, "test_mode": app.test_mode}
    app.jobs.enqueue(tx, QUEUE, SEND, args, unique=name_job(mail_id), max_attempts=ATTEMPTS)


def name_job(mail_id: str) -> str:
    return f"mail/{mail_id}"

"""Trying out mails: what one would say, and whether the mail server takes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shipcli.features.customers.addresses import is_address
from shipcli.features.customers.content import write_content
from shipcli.features.customers.delivery import deliver
from shipcli.features.customers.follower import KEPT, SENT, WAITING
from shipcli.features.customers.settings import read_settings
from shipcli.features.customers.templates import check_event
from shipcli.features.shipments.service import get_shipment
from shipcli.models import Invalid
from shipcli.models.customers import Mail

if TYPE_CHECKING:
    from shipcli.features.core.app import App

SAMPLE_ADDRESS = "customer@example.com"


def preview_mail(app: App, event: str, shipment_id: str = "") -> Mail:
    """What a customer is told of an event of a shipment; without one, of a parcel that serves as a sample.

    Errors: Invalid for an unknown event; NotFound.
    """
    shipment = get_shipment(app, shipment_id) if shipment_id else None
    content = write_content(app, event, shipment)
    address = (shipment.recipient.email or "") if shipment else SAMPLE_ADDRESS
    return Mail(
        id="", event=event, shipment_id=shipment_id, address=address, state=WAITING, subject=content.subject,
        text=content.text, html=content.html, test_mode=app.test_mode,
    )  # fmt: skip


def check_trial(address: str, event: str) -> None:
    """Errors: Invalid for what is no address, and for an unknown event."""
    if not is_address(address):
        raise Invalid("address", f"{address!r} is no address such as you@example.com")
    check_event(event)


def try_mail(app: App, address: str, event: str) -> Mail:
    """Send a sample to an address of one's own, at once; a sandbox only shows it.

    Errors: Invalid for what is no address; MailDelayed, MailRejected, MailUnclear.
    """
    check_trial(address, event)
    mail = preview_mail(app, event).model_copy(update={"address": address, "id": app.new_id("mail_")})
    if app.sandbox:
        return mail.model_copy(update={"state": KEPT})
    content = write_content(app, event, None)
    deliver(app, read_settings(app.store), mail.id, address, content)
    return mail.model_copy(update={"state": SENT})

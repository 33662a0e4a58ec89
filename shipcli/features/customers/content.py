"""What a mail says: the facts of a parcel in the shop's words, and the message with its headers."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

from shipcli.features.connections.catalog import find_moving_carrier, name_carrier
from shipcli.features.customers.addresses import write_line
from shipcli.features.customers.colours import choose_ink, read_colour
from shipcli.features.customers.headers import encode_domain, make_address, read_named_address
from shipcli.features.customers.links import make_link
from shipcli.features.customers.look import read_look
from shipcli.features.customers.templates import fill, read_template
from shipcli.features.orders.origins import list_order_numbers
from shipcli.models import Shipment, Tracker

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models.customers import MailSettings, MailTemplate

DEFAULT_COLOUR = "#1f4e79"
LONGEST_SUBJECT = 200
# Bodies are written in ASCII: not every server takes bytes beyond it.
PLAIN, BEYOND_ASCII = (each.clone(cte_type="7bit") for each in (policy.SMTP, policy.SMTPUTF8))
SAMPLE = {
    "customer_name": "Ada Brooks", "order_number": "1042", "tracking_number": "1Z999AA10123456784",
    "tracking_link": "https://parcels.example.com/track/sample", "carrier": "UPS", "service": "Ground",
    "estimated_delivery": "2026-11-30", "city": "Boston", "news": "Out for delivery",
}  # fmt: skip


@dataclass(frozen=True)
class MailContent:
    """What a mail says."""

    subject: str
    text: str
    html: str


def write_content(app: App, event: str, shipment: Shipment | None) -> MailContent:
    """What is said of an event of a shipment; without one, of a parcel that serves as a sample."""
    facts = list_facts(app, shipment) if shipment else SAMPLE
    return fill_template(read_template(app.store, event), {**describe_shop(app), **facts})


def fill_template(template: MailTemplate, values: Mapping[str, str]) -> MailContent:
    subject = write_line(fill(template.subject, values))[:LONGEST_SUBJECT]
    page = fill(template.html, values, html.escape)
    return MailContent(subject or "Your parcel", fill(template.text, values).strip() + "\n", page)


def describe_shop(app: App) -> dict[str, str]:
    look = read_look(app.store)
    ground = read_colour(look.color or DEFAULT_COLOUR)
    return {"shop_name": look.name, "color": str(ground), "ink": str(choose_ink(ground))}


def list_facts(app: App, shipment: Shipment) -> dict[str, str]:
    """The facts of a parcel by the names that templates use, each on one line."""
    tracker = find_tracker(app, shipment)
    slug = find_moving_carrier(shipment.carrier_name, shipment.meta)
    number = shipment.tracking_number or ""
    values = {
        "customer_name": shipment.recipient.person_name or shipment.recipient.company_name,
        "order_number": _name_order(app, shipment) or number,
        "tracking_number": number,
        "tracking_link": make_link(app, number) or find_carrier_link(shipment, tracker),
        "carrier": name_carrier(app, slug),
        "service": str((shipment.meta or {}).get("service_name") or shipment.service or ""),
        "estimated_delivery": tracker.estimated_delivery if tracker else None,
        "city": shipment.recipient.city,
        "news": tracker.events[0].description if tracker and tracker.events else None,
    }
    return {name: write_line(value or "") for name, value in values.items()}


def _name_order(app: App, shipment: Shipment) -> str:
    """The order as the customer knows it, whatever it became here; without one, what the shipment says."""
    numbers = list_order_numbers(app, shipment)
    return ", ".join(numbers) or str(shipment.metadata.get("order_id") or shipment.reference or "")


def find_tracker(app: App, shipment: Shipment) -> Tracker | None:
    document = app.store.get("tracker", shipment.tracker_id or "", app.test_mode)
    return Tracker.model_validate(document) if document else None


def find_carrier_link(shipment: Shipment | None, tracker: Tracker | None) -> str:
    """The carrier's own page of a parcel; empty for what is no address of the web."""
    meta: Mapping[str, Any] = (shipment.meta if shipment else None) or {}
    info = tracker.info if tracker else None
    link = str((info.carrier_tracking_link if info else None) or meta.get("carrier_tracking_link") or "")
    return link if link.startswith(("https://", "http://")) else ""


def make_message(
    app: App, settings: MailSettings, mail_id: str, address: str, content: MailContent
) -> EmailMessage:
    """The message with its headers; its id is that of the mail, so that servers see what comes twice."""
    sender, recipient = read_named_address(settings.sender, "from"), make_address(address)
    answers = read_named_address(settings.reply_to, "reply_to") if settings.reply_to else sender
    is_plain = all(each.addr_spec.isascii() for each in (sender, recipient, answers))
    message = EmailMessage(policy=PLAIN if is_plain else BEYOND_ASCII)
    message["From"] = sender
    message["To"] = recipient
    message["Subject"] = content.subject
    message["Date"] = format_datetime(app.now())
    message["Message-ID"] = f"<{mail_id}@{encode_domain(sender.domain)}>"
    message["Auto-Submitted"] = "auto-generated"
    if settings.reply_to:
        message["Reply-To"] = answers
    message.set_content(content.text)
    message.add_alternative(content.html, subtype="html")
    return message

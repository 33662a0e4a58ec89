"""What customers are told of their parcels, by mail and on a page, and how a shop looks there."""

from __future__ import annotations

from typing import Literal, get_args

from shipcli.models.base import NO_ITEMS, ListOrNull, Model, Record, Timestamp

MailEvent = Literal["purchased", "out_for_delivery", "exception"]
MailSecurity = Literal["starttls", "tls", "none"]
MailState = Literal["waiting", "sending", "sent", "kept", "unclear", "failed", "skipped"]

MAIL_EVENTS: tuple[str, ...] = get_args(MailEvent)
MAIL_SECURITIES: tuple[str, ...] = get_args(MailSecurity)
MAIL_STATES: tuple[str, ...] = get_args(MailState)


class MailSettings(Model):
    """Of which events customers get mail, and the server that takes it; the password is kept elsewhere."""

    events: ListOrNull[str] = NO_ITEMS
    host: str = ""
    port: int = 587
    security: str = "starttls"
    user: str = ""
    sender: str = ""
    reply_to: str = ""


class ShopLook(Model):
    """How a shop looks in mails and on the tracking page; the logo is a picture as a data URL."""

    name: str = ""
    color: str = ""
    url: str = ""
    logo: str = ""


class MailTemplate(Model):
    """The text of a mail, with placeholders in braces."""

    subject: str
    text: str
    html: str


class Mail(Record):
    """One mail about one event of one shipment; its content is kept where it was not sent."""

    object_type: str = "mail"
    event: str
    shipment_id: str
    address: str
    state: str
    reason: str | None = None
    subject: str | None = None
    text: str | None = None
    html: str | None = None
    test_mode: bool = False
    created_at: Timestamp = ""
    ended_at: Timestamp | None = None


class MailList(Model):
    """Mails, newest first."""

    mails: ListOrNull[Mail] = NO_ITEMS


class TrackingLink(Model):
    """Where a customer sees how far a parcel is."""

    tracking_number: str
    url: str

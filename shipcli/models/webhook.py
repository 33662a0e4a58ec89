"""Webhooks and the events they receive."""

import re
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Object, Record, Timestamp
from shipcli.models.basics.enums import EventName
from shipcli.models.basics.host_names import encode_host

_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_CODED = "xn--"
_LONGEST_HOST = 253


def check_web_address(value: str) -> str:
    """Return the address.

    Errors: ValueError for anything but the address of a host, by http or https.
    """
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and _is_host(parts.hostname or "") and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in value):
        raise ValueError("must be a web address starting with http:// or https://")
    return value


def _is_host(host: str) -> bool:
    """Whether it is an IP address or has the form of a name; names are not looked up.

    Errors: ValueError for letters that no name holds.
    """
    if ":" in host:
        return bool(ip_address(host))
    name = encode_host(host).removesuffix(".")
    labels = name.split(".")
    coded = [label.removeprefix(_CODED) for label in labels if label.startswith(_CODED)]
    return (
        len(name) <= _LONGEST_HOST
        and all(map(_LABEL.fullmatch, labels))
        and all(not text.encode().decode("punycode").isascii() for text in coded)
    )


WebAddress = Annotated[str, AfterValidator(check_web_address)]


class Webhook(Record):
    """A subscription as stored."""

    object_type: str = "webhook"
    url: str
    description: str | None = None
    enabled_events: ListOrNull[str] = NO_ITEMS
    disabled: bool | None = False
    last_event_at: Timestamp | None = None
    secret: str = Field(default="", repr=False)
    test_mode: bool = False


class WebhookPatch(Model):
    """Body that changes a subscription; `given()` tells which fields."""

    url: WebAddress = ""
    description: str | None = None
    enabled_events: list[EventName] = NO_ITEMS
    disabled: bool | None = None


class WebhookData(WebhookPatch):
    """Body that makes a subscription."""

    url: WebAddress
    enabled_events: list[EventName]


class WebhookTestData(Model):
    """Body of a test event for a subscriber."""

    payload: dict[str, Any]


class Event(Model):
    """Something that happened, as it is sent to subscribers."""

    id: str
    type: str
    data: Object = NO_KEYS
    test_mode: bool = False
    pending_webhooks: int = 0
    created_at: Timestamp = ""

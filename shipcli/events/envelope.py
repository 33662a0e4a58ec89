"""What subscribers receive: the body, and the headers that prove where it comes from.

Source: the Standard Webhooks specification, "Webhook headers" and "Signature scheme".
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any

from shipcli.models import json

PREFIX = "whsec_"
SECRET_HEADER = "X-Event-Id"  # carries the secret itself, for consumers that compare it
EVERY = "all"
SHOWN = ("id", "type", "data", "test_mode", "pending_webhooks", "created_at")


def write_envelope(event: Mapping[str, Any]) -> bytes:
    """The body of a delivery; `event` repeats the type for older consumers."""
    return json.dump_bytes({**{name: event.get(name) for name in SHOWN}, "event": event["type"]})


def make_headers(secret: str, message_id: str, body: bytes, at_s: int) -> dict[str, str]:
    """The headers of a delivery signed at an instant.

    Units: `at_s` seconds since 1970, by the real clock: receivers reject what is older than a few minutes.
    """
    return {
        "Content-Type": "application/json",
        "User-Agent": "shipcli-webhooks",
        SECRET_HEADER: secret,
        "webhook-id": message_id,
        "webhook-timestamp": str(at_s),
        "webhook-signature": make_signature(secret, message_id, body, at_s),
    }


def make_signature(secret: str, message_id: str, body: bytes, at_s: int) -> str:
    """The signature: a version, and the digest over id, time and body."""
    content = b".".join((message_id.encode(), str(at_s).encode(), body))
    digest = hmac.new(decode_key(secret), content, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def decode_key(secret: str) -> bytes:
    """The key bytes of a secret: what follows the prefix is base64, as 32 hex digits are as well."""
    return base64.b64decode(secret.removeprefix(PREFIX) + "==")


def is_wanted(names: Iterable[str], name: str) -> bool:
    """Whether a subscription to these names covers an event."""
    return any(subscribed in (name, EVERY) for subscribed in names)

"""Bodies and objects that tests of several resources make."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.api.conftest import Client, Reply, body
from tests.factories import ITEM, RECIPIENT, SHIPPER

ACCOUNT = {
    "carrier_name": "ups",
    "carrier_id": "mine",
    "credentials": {"client_id": "a", "client_secret": "b"},
}
WHEN = {"pickup_date": "2030-05-06", "ready_time": "09:00", "closing_time": "17:00"}
NUMBER = {"tracking_number": "SC0100000001", "carrier_name": "ups"}
ORDER = {"order_id": "M-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}


def sent(client: Client) -> dict[str, Any]:
    return client.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))


def picked_up(client: Client) -> dict[str, Any]:
    given = {**WHEN, "tracking_numbers": [sent(client)["tracking_number"]]}
    return client.made("/v1/pickups/usps/schedule", given)


def manifested(client: Client) -> dict[str, Any]:
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent(client)["id"]]}
    return client.made("/v1/manifests", given)


def wrong_in(reply: Reply) -> dict[str, Any]:
    """What is wrong with a refused body, by field."""
    assert (reply.status, reply.error["code"]) == (400, "validation"), reply.content
    return dict(reply.error["details"])


def refused(reply: Reply) -> set[str]:
    """The fields named by a refusal."""
    return set(wrong_in(reply))


PASSWORD = "correct horse battery"


def code_of(uri: str, at: datetime) -> str:
    """The code an app shows (RFC 4226 and 6238)."""
    secret = base64.b32decode(parse_qs(urlsplit(uri).query)["secret"][0])
    mark = hmac.new(secret, struct.pack(">Q", int(at.timestamp()) // 30), hashlib.sha1).digest()
    (number,) = struct.unpack_from(">I", mark, mark[-1] & 15)
    return f"{(number & 0x7FFFFFFF) % 1000000:06d}"

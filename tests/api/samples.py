"""Bodies and objects that tests of several resources make."""

from __future__ import annotations

from typing import Any

from tests.api.conftest import ITEM, RECIPIENT, SHIPPER, Client, Reply, body

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

"""Notes of the caller's own, on every object that takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.conftest import Client, body
from tests.api.samples import ACCOUNT, WHEN
from tests.factories import ITEM, PARCEL, RECIPIENT

NOTES = {
    "team": "red",
    "n": 10,
    "deep": {"list": [1, None, {"x": False}]},
    "none": None,
    "": "empty",
    "Ü": "ß",
}
Make = Callable[[Client, dict[str, Any]], dict[str, Any]]


def pickup(api: Client, metadata: dict[str, Any]) -> dict[str, Any]:
    sent = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    given = {**WHEN, "tracking_numbers": [sent["tracking_number"]], "metadata": metadata}
    return api.made("/v1/pickups/usps/schedule", given)


def order(api: Client, metadata: dict[str, Any]) -> dict[str, Any]:
    given = {"order_id": f"M-{id(metadata)}-{len(metadata)}", "shipping_to": RECIPIENT, "line_items": [ITEM]}
    return api.made("/v1/orders", {**given, "metadata": metadata})


def tracker(api: Client, metadata: dict[str, Any]) -> dict[str, Any]:
    number = f"SC01{len(str(metadata)):08d}"
    given = {"tracking_number": number, "carrier_name": "ups", "metadata": metadata}
    return api.made("/v1/trackers", given)


def template(api: Client, metadata: dict[str, Any]) -> dict[str, Any]:
    given = {"name": "Note", "slug": "notes", "template": "x", "metadata": metadata}
    return api.made("/v1/documents/templates", given)


MADE: dict[str, Make] = {
    "/v1/shipments": lambda api, metadata: api.made("/v1/shipments", body(metadata=metadata)),
    "/v1/orders": order,
    "/v1/trackers": tracker,
    "/v1/pickups": pickup,
    "/v1/connections": lambda api, metadata: api.made("/v1/connections", {**ACCOUNT, "metadata": metadata}),
    "/v1/documents/templates": template,
}


@pytest.mark.parametrize("path", MADE)
def test_metadata_comes_back_as_it_was_given(api: Client, path: str) -> None:
    made = MADE[path](api, NOTES)
    assert made["metadata"] == NOTES
    assert api.get(f"{path}/{made['id']}").json["metadata"] == NOTES


def test_metadata_of_an_item_comes_back_as_it_was_given(api: Client) -> None:
    noted = {**ITEM, "metadata": NOTES}
    made = api.made("/v1/parcels", {**PARCEL, "items": [noted]})
    assert api.get(f"/v1/parcels/{made['id']}").json["items"][0]["metadata"] == NOTES
    sent = api.made("/v1/shipments", body(customs={"commodities": [noted]}))
    assert sent["customs"]["commodities"][0]["metadata"] == NOTES


CHANGED = {"/v1/shipments": "PUT", "/v1/orders": "PUT", "/v1/trackers": "PUT", "/v1/pickups": "POST"}


@pytest.mark.parametrize("path", CHANGED)
def test_changed_metadata_is_merged_and_null_removes_a_key(api: Client, path: str) -> None:
    place = f"{path}/{MADE[path](api, {'keep': 1, 'drop': 2, 'turn': 3})['id']}"
    change = {"metadata": {"drop": None, "turn": 4, "new": "x"}}
    merged = {"keep": 1, "turn": 4, "new": "x"}
    assert api.ask(CHANGED[path], place, change).json["metadata"] == merged
    assert api.get(place).json["metadata"] == merged

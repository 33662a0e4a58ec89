"""The rules of addresses, parcels and items hold wherever one stands inside another object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.checking import check
from tests.api.conftest import Client, body
from tests.api.samples import WHEN, wrong_in
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

ORDER = {"order_id": "E-1", "shipping_to": RECIPIENT, "line_items": [ITEM]}
PICKUP = {**WHEN, "tracking_numbers": ["1Z"]}
BOOKED = {**WHEN, "address": SHIPPER, "parcels": [PARCEL]}
FORM = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": ["1Z"]}
UNSTORED = {"carrier_name": "usps", "address": SHIPPER, "shipment_identifiers": ["1Z"]}
CUSTOMS = {"commodities": [ITEM]}
BOUGHT = {**body(), "selected_rate_id": "rat_x",
          "rates": [{"carrier_name": "ups", "carrier_id": "ups"}]}  # fmt: skip

# Where an address stands: the path of the operation, its body, and the way to the address.
ADDRESSES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("/v1/orders", ORDER, ("shipping_to",)),
    ("/v1/orders", ORDER, ("shipping_from",)),
    ("/v1/orders", ORDER, ("billing_address",)),
    ("/v1/shipments", body(), ("shipper",)),
    ("/v1/shipments", body(), ("recipient",)),
    ("/v1/shipments", body(), ("return_address",)),
    ("/v1/shipments", body(), ("billing_address",)),
    ("/v1/shipments", body(customs=CUSTOMS), ("customs", "duty_billing_address")),
    ("/v1/shipments", body(customs={**CUSTOMS, "duty": {}}), ("customs", "duty", "duty_billing_address")),
    ("/v1/pickups/usps/schedule", PICKUP, ("address",)),
    ("/v1/manifests", FORM, ("address",)),
    ("/v1/proxy/rates", body(), ("recipient",)),
    ("/v1/proxy/shipping", BOUGHT, ("return_address",)),
    ("/v1/proxy/pickups/usps", BOOKED, ("address",)),
    ("/v1/proxy/manifest", UNSTORED, ("address",)),
]
ITEMS: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("/v1/orders", ORDER, ("line_items",)),
    ("/v1/parcels", PARCEL, ("items",)),
    ("/v1/shipments", body(customs=CUSTOMS), ("customs", "commodities")),
    ("/v1/proxy/shipping", {**BOUGHT, "customs": CUSTOMS}, ("customs", "commodities")),
]
WRONG_ADDRESSES: list[tuple[dict[str, Any], str]] = [
    ({"city": "Rome"}, "country_code"),
    ({"country_code": "XX"}, "country_code"),
    ({"country_code": "GB", "city": "x" * 31}, "city"),
    ({"country_code": "US", "postal_code": "1234"}, "postal_code"),
    ({"country_code": "CA", "phone_number": "call me"}, "phone_number"),
]
WRONG_ITEMS: list[tuple[dict[str, Any], str]] = [
    ({"title": "Cup"}, "weight"),
    ({**ITEM, "weight_unit": "ST"}, "weight_unit"),
    ({**ITEM, "sku": "x" * 36}, "sku"),
    ({**ITEM, "origin_country": "XX"}, "origin_country"),
]


def with_value(given: Mapping[str, Any], way: tuple[str, ...], value: Any) -> dict[str, Any]:
    """A body with another value at the end of a way."""
    name, *rest = way
    return {**given, name: with_value(given.get(name) or {}, tuple(rest), value) if rest else value}


def at(details: Any, way: tuple[str, ...]) -> Any:
    for name in way:
        details = details[name]
    return details


@pytest.mark.parametrize(("path", "given", "way"), ADDRESSES, ids=lambda value: str(value)[:40])
def test_an_address_is_checked_where_it_stands(
    api: Client, path: str, given: dict[str, Any], way: tuple[str, ...]
) -> None:
    for address, field in WRONG_ADDRESSES:
        details = wrong_in(api.post(path, with_value(given, way, address)))
        assert field in at(details, way), (path, address)


@pytest.mark.parametrize(("path", "given", "way"), ITEMS, ids=lambda value: str(value)[:40])
def test_an_item_is_checked_where_it_stands(
    api: Client, path: str, given: dict[str, Any], way: tuple[str, ...]
) -> None:
    for item, field in WRONG_ITEMS:
        details = wrong_in(api.post(path, with_value(given, way, [ITEM, item])))
        assert at(details, way)[0] == {}
        assert field in at(details, way)[1], (path, item)


def test_a_parcel_of_a_shipment_is_checked_where_it_stands(api: Client) -> None:
    light = {name: value for name, value in PARCEL.items() if name != "weight"}
    details = wrong_in(api.post("/v1/shipments", body(parcels=[light])))
    assert set(details["parcels"][0]) == {"weight"}


def test_an_address_of_a_booked_pickup_is_checked_when_it_is_changed(api: Client) -> None:
    sent = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    given = {**WHEN, "tracking_numbers": [sent["tracking_number"]]}
    path = f"/v1/pickups/{api.made('/v1/pickups/usps/schedule', given)['id']}"
    for field, value in (("city", "x" * 31), ("country_code", "XX"), ("postal_code", "1234")):
        assert set(wrong_in(api.post(path, {"address": {field: value}}))["address"]) == {field}


@pytest.mark.parametrize(
    ("name", "good", "wrong", "way"),
    [
        ("orders", ORDER, with_value(ORDER, ("shipping_to",), {"country_code": "XX"}), ("shipping_to",)),
        ("orders", ORDER, with_value(ORDER, ("line_items",), [{"title": "x"}]), ("line_items", 0)),
        ("shipments", body(), body(recipient={**RECIPIENT, "postal_code": "1"}), ("recipient",)),
        ("shipments", body(), body(parcels=[{**PARCEL, "weight_unit": "ST"}]), ("parcels", 0)),
    ],
)
def test_an_element_of_a_batch_is_checked_as_on_its_own(
    api: Client, name: str, good: Any, wrong: Any, way: Any
) -> None:
    reply = api.post(f"/v1/batches/{name}", {name: [good, wrong]})
    assert (reply.status, reply.error["index"]) == (400, 1)
    assert at(reply.error["details"], way)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("Shipping country", "XX"), ("Shipping postal code", "1"), ("Shipping city", "x" * 31),
        ("Item weight unit", "ST"), ("Item weight", ""),
    ],
)  # fmt: skip
def test_a_row_of_a_file_is_checked_like_a_body(
    http: TestClient, api: Client, column: str, value: str
) -> None:
    row = {"Order number": "F-1", "Shipping name": "Ana", "Shipping country": "US", "Item title": "Cup",
           "Item quantity": "1", "Item weight": "1", "Item weight unit": "KG"}  # fmt: skip
    rows = [row, {**row, "Order number": "F-2", column: value}]
    names = [*row, *({column} - set(row))]
    lines = [names, *([one.get(name, "") for name in names] for one in rows)]
    content = "\n".join(",".join(line) for line in lines).encode()
    got = http.post(
        "/v1/batches/data/import",
        data={"resource_type": "orders"},
        files={"data_file": ("orders.csv", content, "text/csv")},
        headers={"Authorization": str(api._authorization)},
    )
    check("POST", "/v1/batches/data/import", got.status_code, "application/json", got.content)
    (error,) = got.json()["errors"]
    assert (got.status_code, error["index"]) == (400, 1)
    assert column in str(error["details"])

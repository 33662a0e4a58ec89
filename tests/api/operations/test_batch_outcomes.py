"""What becomes of batches: queued over HTTP, done, and read again."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.files.batches import service as batches
from shipcli.models.basics.enums import BATCH_RESOURCE_TYPES
from shipcli.operations.document import make_openapi_document
from tests.api.conftest import Client, body
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

STANDARD = "standard_service"
ELEMENTS: dict[str, dict[str, Any]] = {
    "orders": {"order_id": "E-1", "shipping_to": RECIPIENT, "line_items": [ITEM]},
    "shipments": body(),
    "trackers": {"tracking_number": "SC0100000001", "carrier_name": "usps"},
}
WRONG: dict[str, dict[str, Any]] = {
    "orders": {"line_items": []},
    "shipments": {"recipient": {}},
    "trackers": {"tracking_number": None},
}


def queued(api: Client, kind: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return api.made(f"/v1/batches/{kind}", {kind: list(rows)})


def done(app: App, api: Client, kind: str, *rows: dict[str, Any]) -> dict[str, Any]:
    """A batch at its end."""
    batch = queued(api, kind, *rows)
    assert batches.run_here(app, batch["id"])
    return dict(api.get(f"/v1/batches/operations/{batch['id']}").json)


def order(number: str, **changes: Any) -> dict[str, Any]:
    return {**ELEMENTS["orders"], "order_id": number, **changes}


def counts(api: Client) -> list[int]:
    paths = ("/v1/batches/operations", "/v1/orders", "/v1/shipments", "/v1/trackers")
    return [api.get(path).json["count"] for path in paths]


@pytest.mark.parametrize("kind", ELEMENTS)
def test_a_batch_is_queued(api: Client, kind: str) -> None:
    reply = api.post(f"/v1/batches/{kind}", {kind: [ELEMENTS[kind]]})
    batch = reply.json
    assert (reply.status, batch["status"], batch["id"][:6]) == (200, "queued", "batch_")
    assert (batch["resource_type"], batch["resources"], batch["test_mode"]) == (kind, [], True)
    assert batch["created_at"].endswith("Z")
    assert batch["updated_at"] >= batch["created_at"]
    described = set(make_openapi_document()["components"]["schemas"]["BatchOperation"]["properties"])
    assert set(batch) == described - {"messages"}  # those are of files


def test_batches_are_of_four_kinds() -> None:
    schema = make_openapi_document()["components"]["schemas"]["BatchOperation"]["properties"]["resource_type"]
    assert set(schema["enum"]) == set(BATCH_RESOURCE_TYPES) == {*ELEMENTS, "billing"}


@pytest.mark.parametrize("kind", ELEMENTS)
def test_the_list_is_needed_and_not_empty(api: Client, kind: str) -> None:
    for given in ({}, {kind: []}, {kind: None}):
        reply = api.post(f"/v1/batches/{kind}", given)
        assert (reply.status, set(reply.error["details"])) == (400, {kind})


@pytest.mark.parametrize("kind", ELEMENTS)
def test_one_wrong_element_stops_all(api: Client, kind: str) -> None:
    before = counts(api)
    rows = [ELEMENTS[kind], {**ELEMENTS[kind], **WRONG[kind]}, ELEMENTS[kind]]
    reply = api.post(f"/v1/batches/{kind}", {kind: rows})
    assert (reply.status, [error["index"] for error in reply.json["errors"]]) == (400, [1])
    assert counts(api) == before


def test_a_failed_resource_says_why_and_the_others_are_done(app: App, api: Client) -> None:
    good, bad = body(service=STANDARD), body(service="nonsense")
    all_good, mixed, all_bad = (
        done(app, api, "shipments", *rows) for rows in ([good, good], [bad, good], [bad, bad])
    )
    assert [one["status"] for one in (all_good, mixed, all_bad)] == [
        "completed", "completed_with_errors", "failed",
    ]  # fmt: skip
    failed, fine = mixed["resources"]
    for one in (failed, fine):
        assert set(one) == {"id", "status", "errors"}
        assert one["id"].startswith("shp_")
    assert (failed["status"], failed["errors"]["errors"][0]["code"]) == ("failed", "service_unavailable")
    assert (fine["status"], fine["errors"]) == ("completed", None)


def test_those_that_name_a_service_are_bought_and_the_others_rated(app: App, api: Client) -> None:
    rows = [body(service=STANDARD), body(options={"preferred_service": STANDARD}), body()]
    resources = done(app, api, "shipments", *rows)["resources"]
    found = [api.get(f"/v1/shipments/{one['id']}").json for one in resources]
    assert [one["status"] for one in found] == ["purchased", "purchased", "draft"]
    assert all(one["rates"] for one in found)
    assert [one["service"] for one in found] == [STANDARD, STANDARD, None]


def test_an_element_with_an_id_is_the_known_shipment(app: App, api: Client) -> None:
    known = api.made("/v1/shipments", body())
    before = counts(api)
    row = body(id=known["id"], service=STANDARD, parcels=[{"id": known["parcels"][0]["id"]}])
    (one,) = done(app, api, "shipments", row)["resources"]
    assert one["id"] == known["id"]
    assert api.get(f"/v1/shipments/{known['id']}").json["status"] == "purchased"
    assert counts(api)[1:] == before[1:]
    unknown = api.post("/v1/batches/shipments", {"shipments": [body(), body(id="shp_nothing")]})
    assert (unknown.status, [error["index"] for error in unknown.json["errors"]]) == (400, [1])


def test_an_element_takes_every_field_of_a_shipment(app: App, api: Client) -> None:
    schemas = make_openapi_document()["components"]["schemas"]
    fields = set(schemas["ShipmentData"]["properties"])
    assert set(schemas["ShipmentDataReference"]["properties"]) == fields | {"id"}
    goods = {"commodities": [ITEM], "content_type": "merchandise"}
    row: dict[str, Any] = body(
        return_address=SHIPPER, billing_address=SHIPPER, options={"insurance": 5}, customs=goods,
        payment={"paid_by": "recipient", "currency": "USD", "account_number": "X"}, reference="R-1",
        label_type="ZPL", service=STANDARD, services=[STANDARD], metadata={"a": 1}, parcels=[PARCEL],
    )  # fmt: skip
    assert set(row) == fields
    (one,) = done(app, api, "shipments", row)["resources"]
    found = api.get(f"/v1/shipments/{one['id']}").json
    for name in ("payment", "reference", "label_type", "service", "services", "metadata", "carrier_ids"):
        assert found[name] == row[name]
    assert (found["options"]["insurance"], found["customs"]["content_type"]) == (5, "merchandise")
    assert found["return_address"]["city"] == found["billing_address"]["city"] == "Philadelphia"


def test_an_order_that_exists_is_used_as_it_is(app: App, api: Client) -> None:
    known = api.made("/v1/orders", order("B-1"))
    batch = done(app, api, "orders", order("B-1"), order("B-1", source="web"))
    first, second = (one["id"] for one in batch["resources"])
    assert (first == known["id"], second == known["id"]) == (True, False)
    assert api.get("/v1/orders?order_id=B-1").json["count"] == 2


def test_a_number_that_is_watched_is_used_as_it_is(app: App, api: Client) -> None:
    row = {"tracking_number": "SC0100000002", "carrier_name": "usps"}
    known = api.made("/v1/trackers", row)
    (one,) = done(app, api, "trackers", row)["resources"]
    assert one["id"] == known["id"]
    (account,) = api.get("/v1/connections?carrier_name=dhl_universal").json["results"]
    api.patch(f"/v1/connections/{account['id']}", {"active": False})
    orphan = {"tracking_number": "SC0100000003", "carrier_name": "dhl_universal"}
    reply = api.post("/v1/batches/trackers", {"trackers": [row, orphan]})
    found = [(error["index"], error["code"]) for error in reply.json["errors"]]
    assert (reply.status, found) == (400, [(1, "invalid_carrier")])


def test_batches_are_listed_and_read(api: Client) -> None:
    batch = queued(api, "orders", order("L-1"))
    page, one = api.get("/v1/batches/operations"), api.get(f"/v1/batches/operations/{batch['id']}")
    assert (page.status, page.json["results"][0]) == (200, batch)
    assert (one.status, one.json) == (200, batch)
    assert api.get("/v1/batches/operations/batch_nothing").status == 404

"""Batches and file imports over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.worker import Worker
from tests.api.checking import check
from tests.api.conftest import Client, body
from tests.factories import ITEM, RECIPIENT

TRACKERS = b"Tracking Number,Carrier\nSC1000000001,ups\n"


def test_a_batch_is_queued_and_then_done(fresh: Any) -> None:
    app, api = fresh
    orders = [{"order_id": f"B-{n}", "shipping_to": RECIPIENT, "line_items": [ITEM]} for n in range(3)]
    made = api.post("/v1/batches/orders", {"orders": orders})
    assert (made.status, made.json["status"], made.json["object_type"]) == (200, "queued", "batch")
    Worker(app).run_once()
    done = api.get(f"/v1/batches/operations/{made.json['id']}").json
    assert (done["status"], len(done["resources"])) == ("completed", 3)
    assert api.get("/v1/orders").json["count"] == 3
    assert api.get("/v1/batches/operations?status=completed&resource_type=orders").json["count"] == 1
    assert api.get("/v1/batches/operations?status=failed").json["count"] == 0
    assert api.get("/v1/batches/operations?resource_type=trackers").json["count"] == 0
    assert api.get("/v1/batches/operations?resource_type=trackers,orders").json["count"] == 1
    assert api.get("/v1/batches/operations?status=lost").status == 400


def test_every_wrong_element_is_named_and_nothing_is_stored(api: Client) -> None:
    wrong = [body(), body(recipient={}), body(parcels=[])]
    reply = api.post("/v1/batches/shipments", {"shipments": wrong})
    assert reply.status == 400
    assert [error["index"] for error in reply.json["errors"]] == [1, 2]
    assert "country_code" in reply.json["errors"][0]["details"]["recipient"]
    assert api.get("/v1/batches/operations").json["count"] == 0


@pytest.mark.parametrize("name", ["orders", "shipments", "trackers"])
def test_the_list_is_needed_and_not_empty(api: Client, name: str) -> None:
    for given in ({}, {name: []}, {name: "x"}):
        assert set(api.post(f"/v1/batches/{name}", given).error["details"]) == {name}


def test_shipments_and_trackers_are_batched(api: Client) -> None:
    assert api.post("/v1/batches/shipments", {"shipments": [body()]}).json["resource_type"] == "shipments"
    given = {"trackers": [{"tracking_number": "SC1000000002", "carrier_name": "ups"}]}
    assert api.post("/v1/batches/trackers", given).json["resource_type"] == "trackers"


def imported(
    http: TestClient, api: Client, data: dict[str, str], files: Any, query: str = ""
) -> tuple[int, Any]:
    path = f"/v1/batches/data/import{query}"
    headers = {"Authorization": str(api._authorization)}
    got = http.post(path, data=data, files=files, headers=headers)
    check("POST", "/v1/batches/data/import", got.status_code, "application/json", got.content)
    return got.status_code, got.json()


def test_a_file_is_imported_from_a_form(http: TestClient, api: Client) -> None:
    files = {"data_file": ("trackers.csv", TRACKERS, "text/csv")}
    for kind in ("trackers", "tracker"):
        status, made = imported(http, api, {"resource_type": kind}, files)
        assert (status, made["resource_type"], made["status"]) == (202, "trackers", "queued")


def test_the_parameters_may_stand_in_the_query(http: TestClient, api: Client) -> None:
    files = {"data_file": ("trackers.csv", TRACKERS, "text/csv")}
    assert imported(http, api, {}, files, "?resource_type=trackers")[0] == 202


def test_what_is_missing_or_wrong_in_a_form_is_named(http: TestClient, api: Client) -> None:
    files = {"data_file": ("trackers.csv", TRACKERS, "text/csv")}
    assert set(imported(http, api, {}, files)[1]["errors"][0]["details"]) == {"resource_type"}
    assert imported(http, api, {"resource_type": "shoes"}, files)[0] == 400
    status, said = imported(http, api, {"resource_type": "trackers"}, None)
    assert (status, set(said["errors"][0]["details"])) == (400, {"data_file"})
    broken = {"data_file": ("trackers.xlsx", b"PK no table", "application/zip")}
    status, said = imported(http, api, {"resource_type": "trackers"}, broken)
    assert (status, list(said["errors"][0]["details"])) == (400, ["data_file"])
    assert "trackers.xlsx" in said["errors"][0]["message"]
    lacking = {"data_file": ("trackers.csv", b"Carrier\nups\n", "text/csv")}
    (error,) = imported(http, api, {"resource_type": "trackers"}, lacking)[1]["errors"]
    assert (error["code"], list(error["details"])) == ("unknown_headers", ["data_file"])
    assert "Tracking Number" in error["message"]
    whose = {"data_file": ("trackers.csv", b"Tracking Number\nSC1\n", "text/csv")}
    (error,) = imported(http, api, {"resource_type": "trackers"}, whose)[1]["errors"]
    assert (error["code"], list(error["details"])) == ("invalid_row", ["Carrier"])


def test_a_json_body_is_no_form(api: Client) -> None:
    reply = api.post("/v1/batches/data/import", {"resource_type": "trackers"})
    assert (reply.status, reply.error["code"]) == (415, "unsupported_media_type")


def test_an_import_under_a_key_is_made_once(http: TestClient, api: Client) -> None:
    files = {"data_file": ("trackers.csv", TRACKERS, "text/csv")}
    headers = {"Authorization": str(api._authorization), "Idempotency-Key": "import-1"}
    asked = [
        http.post("/v1/batches/data/import", data={"resource_type": "trackers"}, files=files, headers=headers)
        for _ in range(2)
    ]
    assert asked[0].json()["id"] == asked[1].json()["id"]

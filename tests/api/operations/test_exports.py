"""Exports over HTTP: whose objects they hold, what a query asks for, and that imports read them back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.operations.files import TABLES
from shipcli.readers.headers import ORDERS, SHIPMENTS, TRACKERS
from shipcli.worker import Worker
from tests.api.conftest import BASE, Client, Reply, body, client_of
from tests.factories import ITEM, RECIPIENT

PATH = "/v1/batches/data/export"
HEADERS = {"orders": ORDERS, "shipments": SHIPMENTS, "trackers": TRACKERS}
Other = tuple[App, TestClient, Client]


@pytest.fixture(scope="module")
def stocked(api: Client) -> dict[str, Any]:
    """An order of two lines, a draft, a bought shipment and a tracker."""
    order = {"order_id": "007", "source": "web", "shipping_to": RECIPIENT, "options": {"currency": "USD"}}
    return {
        "order": api.made("/v1/orders", {**order, "line_items": [ITEM, {**ITEM, "title": "Ça, \"et\" là"}]}),
        "draft": api.made("/v1/shipments", body(options={"preferred_service": "ups_ground"},
                                                carrier_ids=["ups"], reference="R1")),
        "bought": api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground")),
        "tracker": api.made("/v1/trackers", {"tracking_number": "SC1000000009", "carrier_name": "usps"}),
    }  # fmt: skip


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Other]:
    """Another sandbox, empty."""
    opened = open_app(tmp_path / "home", sandbox=True, environ={})
    with TestClient(build(opened), base_url=BASE) as http:
        yield opened, http, client_of(opened, http)
    opened.close()


def table(reply: Reply) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(reply.content.decode())))


def brought(other: Other, what: str, form: str, reply: Reply) -> dict[str, Any]:
    """The batch that an export becomes in another place, when nothing of it is edited."""
    app, http, api = other
    files = {"data_file": (f"{what}.{form}", reply.content)}
    headers = {"Authorization": str(api._authorization)}
    got = http.post("/v1/batches/data/import", data={"resource_type": what}, files=files, headers=headers)
    assert got.status_code == 202, got.content
    Worker(app).run_once()
    return dict(api.get(f"/v1/batches/operations/{got.json()['id']}").json)


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("what", HEADERS)
def test_an_export_is_a_file_with_a_name(api: Client, stocked: Any, what: str, form: str) -> None:
    reply = api.get(f"{PATH}/{what}.{form}")
    assert (reply.status, reply.headers["content-type"]) == (200, TABLES[form])
    assert reply.headers["content-disposition"] == f'attachment; filename="{what}.{form}"'


@pytest.mark.parametrize("form", TABLES)
def test_exported_orders_are_imported_without_edits(
    api: Client, stocked: Any, other: Other, form: str
) -> None:
    done = brought(other, "orders", form, api.get(f"{PATH}/orders.{form}?status=all"))
    assert (done["status"], len(done["resources"])) == ("completed", 1)
    (there,) = other[2].get("/v1/orders").json["results"]
    here = stocked["order"]
    assert [one["title"] for one in there["line_items"]] == [one["title"] for one in here["line_items"]]
    for name in ("order_id", "source", "order_date", "options"):
        assert there[name] == here[name]
    assert there["shipping_to"]["address_line1"] == here["shipping_to"]["address_line1"]


@pytest.mark.parametrize("form", TABLES)
def test_exported_drafts_are_imported_without_edits(
    api: Client, stocked: Any, other: Other, form: str
) -> None:
    done = brought(other, "shipments", form, api.get(f"{PATH}/shipments.{form}?status=draft"))
    assert (done["status"], len(done["resources"])) == ("completed", 1)
    (there,) = other[2].get("/v1/shipments").json["results"]
    assert (there["reference"], there["options"]) == ("R1", stocked["draft"]["options"])
    assert there["parcels"][0]["weight"] == stocked["draft"]["parcels"][0]["weight"]


@pytest.mark.parametrize("form", TABLES)
def test_exported_trackers_are_imported_without_edits(
    api: Client, stocked: Any, other: Other, form: str
) -> None:
    done = brought(other, "trackers", form, api.get(f"{PATH}/trackers.{form}?carrier_name=usps"))
    assert (done["status"], len(done["resources"])) == ("completed", 1)
    assert other[2].get("/v1/trackers/SC1000000009").json["carrier_name"] == "usps"


def test_what_is_exported_has_moved_unless_a_status_is_named(api: Client, stocked: Any) -> None:
    assert table(api.get(f"{PATH}/orders.csv")) == []
    assert {row["Status"] for row in table(api.get(f"{PATH}/shipments.csv"))} == {"purchased"}
    assert [row["ID"] for row in table(api.get(f"{PATH}/shipments.csv?status=draft"))] == [
        stocked["draft"]["id"]
    ]
    statuses = {row["Status"] for row in table(api.get(f"{PATH}/shipments.csv?status=draft,purchased"))}
    assert statuses == {"draft", "purchased"}


def test_the_filters_of_the_list_hold(api: Client, stocked: Any) -> None:
    def ids(query: str) -> list[str]:
        return [row["ID"] for row in table(api.get(f"{PATH}/shipments.csv?status=all&{query}"))]

    draft, bought = stocked["draft"]["id"], stocked["bought"]["id"]
    assert ids("") == [bought, draft]
    assert ids("reference=r1") == [draft]
    assert ids(f"id={bought}") == [bought]
    assert ids("keyword=nobody-at-all") == []
    assert ids("created_after=2999-01-01") == []
    assert ids("limit=1&offset=1&shoes=red") == [bought, draft]


def test_fields_are_left_out(api: Client, stocked: Any) -> None:
    (row,) = table(api.get(f"{PATH}/trackers.csv?carrier_name=usps&exclude=id,status"))
    assert list(row) == ["Tracking Number", "Carrier", "Options"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("status=lost", "status"), ("created_after=soon", "created_after"),
        ("created_before=31/12", "created_before"), ("exclude=colour", "exclude"),
    ],
)  # fmt: skip
def test_a_filter_that_cannot_be_read_is_named(api: Client, query: str, named: str) -> None:
    reply = api.get(f"{PATH}/orders.csv?{query}")
    assert (reply.status, set(reply.error["details"])) == (400, {named})


def test_live_and_test_data_are_exported_apart(live: Client, stocked: Any) -> None:
    assert table(live.get(f"{PATH}/shipments.csv?status=all")) == []


def test_an_export_needs_credentials_on_this_machine_too(anybody: Client) -> None:
    assert anybody.get(f"{PATH}/orders.csv").error["code"] == "not_authenticated"


@pytest.mark.parametrize("name", ["orders.pdf", "orders", "manifests.csv", "orders.CSV"])
def test_another_resource_or_format_is_not_found(api: Client, name: str) -> None:
    reply = api.get(f"{PATH}/{name}")
    assert (reply.status, reply.error["code"]) == (404, "not_found")


def test_an_export_can_only_be_read(api: Client) -> None:
    assert api.post(f"{PATH}/orders.csv", {}).status == 405

"""Links to files on a server that other machines reach: signed, each for its own path, kept nowhere."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.features.core.app import App
from shipcli.models import json
from tests.api.conftest import BASE, Client, body, client_of
from tests.factories import ITEM, PARCEL, RECIPIENT, SHIPPER

PNG = b"\x89PNG.."


@pytest.fixture(scope="module")
def reached(app: App) -> Iterator[TestClient]:
    """The server as other machines reach it."""
    with TestClient(build(app, guarded=True), base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def inside(app: App, reached: TestClient) -> Client:
    """Somebody with a key."""
    return client_of(app, reached)


@pytest.fixture(scope="module")
def outside(reached: TestClient) -> Client:
    """Somebody without credentials."""
    return Client(reached)


@pytest.fixture(scope="module")
def sent(inside: Client) -> dict[str, Any]:
    """A bought shipment of an order."""
    order = inside.made("/v1/orders", {"order_id": "L1", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    items = [{**ITEM, "parent_id": order["line_items"][0]["id"]}]
    parcel = {**PARCEL, "items": items}
    return inside.made(
        "/v1/shipments", body(parcels=[parcel], carrier_ids=["usps"], service="usps_ground_advantage")
    )


def plain(url: str) -> str:
    path, _, token = url.partition("?token=")
    assert len(token) == 43
    return path


def test_the_label_of_an_answer_is_downloaded_without_credentials(
    sent: dict[str, Any], outside: Client
) -> None:
    path = plain(sent["label_url"])
    assert path == f"/v1/shipments/{sent['id']}/label.pdf"
    assert outside.get(path).error["code"] == "not_authenticated"
    assert outside.get(sent["label_url"]).content.startswith(b"%PDF")
    said = outside.get(f"{sent['label_url']}&download").headers["content-disposition"]
    assert said.startswith("attachment")


def test_credentials_do_without_a_signature(sent: dict[str, Any], inside: Client) -> None:
    assert inside.get(plain(sent["label_url"])).status == 200


def test_every_answer_that_holds_a_link_has_it_signed(sent: dict[str, Any], inside: Client) -> None:
    one = inside.get(f"/v1/shipments/{sent['id']}").json
    (listed,) = inside.get(f"/v1/shipments?id={sent['id']}").json["results"]
    (order,) = inside.get("/v1/orders?order_id=L1").json["results"]
    put = inside.put(f"/v1/shipments/{sent['id']}", {"metadata": {"a": 1}}).json
    urls = {found["label_url"] for found in (one, listed, order["shipments"][0], put)}
    assert urls == {sent["label_url"]}


def test_the_form_of_a_manifest_is_downloaded_by_its_link(
    sent: dict[str, Any], inside: Client, outside: Client
) -> None:
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [sent["id"]]}
    url = inside.made("/v1/manifests", given)["manifest_url"]
    assert outside.get(plain(url)).status == 401
    assert outside.get(url).content.startswith(b"%PDF")


def test_the_image_of_a_delivery_is_downloaded_by_its_link(
    app: App, sent: dict[str, Any], inside: Client, outside: Client
) -> None:
    tracker = app.store.get("tracker", sent["tracker_id"])
    assert tracker is not None
    names = ("delivery_image", "signature_image")
    urls = {f"{name}_url": f"/v1/trackers/{tracker['id']}/{name}" for name in names}
    with app.store.transaction() as tx:
        tx.put("tracker", tracker | urls)
        for name in names:
            tx.put_file(tracker["id"], name, PNG, format="PNG", media_type="image/png")
    found = inside.get(f"/v1/trackers/{tracker['id']}").json
    for name, path in urls.items():
        assert plain(found[name]) == path
        assert outside.get(path).status == 401
        assert outside.get(found[name]).content == PNG
    # A tracker may be read by anybody who knows its number; its images may not.
    assert outside.get(f"/v1/trackers/{tracker['tracking_number']}").json == found | urls


def test_a_token_opens_its_own_path_only(
    sent: dict[str, Any], inside: Client, outside: Client, api: Client
) -> None:
    path, _, token = sent["label_url"].partition("?")
    second = inside.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground"))
    wrong = token[:-2] + ("AA" if token[-2:] != "AA" else "BB")
    for other in (
        f"{plain(second['label_url'])}?{token}",
        f"{path.replace('.pdf', '.zpl')}?{token}",
        f"{path}?{wrong}",
        f"{path}?token=",
        f"{path}?token=%ff%00",
        f"/documents/shipments/label.pdf?shipments={sent['id']}&{token}",
        f"/v1/batches/data/export/orders.csv?{token}",
        f"/v1/shipments/{sent['id']}?{token}",
    ):
        assert outside.get(other).error["code"] == "not_authenticated", other


@pytest.mark.parametrize(
    "path",
    [
        "/v1/carriers/car_1/label.pdf", "/documents/templates/doc_1.slip",
        "/documents/orders/label.pdf?orders=x", "/documents/manifests/manifest.pdf?manifests=x",
        "/v1/batches/data/export/orders.csv",
    ],
)  # fmt: skip
def test_files_that_no_answer_links_to_need_credentials(outside: Client, path: str) -> None:
    assert outside.get(path).error["code"] == "not_authenticated"


def test_a_bad_credential_is_refused_beside_a_good_token(sent: dict[str, Any], reached: TestClient) -> None:
    assert Client(reached, "Token key_wrong").get(sent["label_url"]).status == 401


def test_on_this_machine_links_are_plain(sent: dict[str, Any], api: Client, anybody: Client) -> None:
    url = api.get(f"/v1/shipments/{sent['id']}").json["label_url"]
    assert url == plain(sent["label_url"])
    assert anybody.get(url).status == 200


def test_only_links_to_files_are_signed(inside: Client) -> None:
    notes = {"label_url": "/elsewhere/label.pdf", "text": '"label_url":"/v1/shipments/shp_1/label.pdf"'}
    made = inside.made("/v1/shipments", body(metadata=notes))
    assert made["metadata"] == notes
    assert made["label_url"] is None


def test_no_signature_is_kept(
    app: App, sent: dict[str, Any], outside: Client, caplog: pytest.LogCaptureFixture
) -> None:
    token = sent["label_url"].partition("=")[2]
    with caplog.at_level(logging.DEBUG):
        assert outside.get(sent["label_url"]).status == 200
        assert outside.get(sent["label_url"].replace("label", "invoice")).status == 401
        outside.post(f"/v1/shipments?token={token}", {})
    lines = [line.getMessage() for line in caplog.records if line.name.startswith(("shipcli", "uvicorn"))]
    kept = [app.store.select(table) for table in ("logs", "traces", "idempotency")]
    documents = [app.store.get("shipment", sent["id"]), *app.store.each("event")]
    assert any("label.pdf" in str(one) for one in kept[0])
    assert token not in json.dumps([lines, *(str(one) for one in kept), *documents])

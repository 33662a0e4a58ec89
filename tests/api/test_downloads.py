"""Files: labels, invoices, forms, images."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.services.app import App
from tests.api.conftest import BASE, SHIPPER, Client, body, client_of

STARTS = {"pdf": b"%PDF", "zpl": b"^XA", "png": b"\x89PNG"}
MEDIA = {"pdf": "application/pdf", "zpl": "application/octet-stream", "png": "image/png"}


@pytest.fixture(scope="module")
def sent(api: Client) -> dict[str, Any]:
    return api.made("/v1/shipments", body(carrier_ids=["ups"], service="ups_ground", label_type="ZPL"))


def test_a_label_is_downloaded_by_its_url_without_credentials(anybody: Client, sent: dict[str, Any]) -> None:
    assert sent["label_url"] == f"/v1/shipments/{sent['id']}/label.zpl"
    file = anybody.get(sent["label_url"])
    assert (file.status, file.headers["content-type"]) == (200, "application/octet-stream")
    assert file.content.startswith(b"^XA")
    assert file.headers["x-frame-options"] == "ALLOWALL"
    assert "content-disposition" not in file.headers


@pytest.mark.parametrize("form", STARTS)
def test_a_label_has_the_format_of_its_path(api: Client, form: str) -> None:
    made = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    file = api.get(f"/v1/shipments/{made['id']}/label.{form}")
    assert file.headers["content-type"] == MEDIA[form]
    assert file.content.lstrip().startswith(STARTS[form])


def test_a_download_has_a_name(anybody: Client, sent: dict[str, Any]) -> None:
    said = anybody.get(f"{sent['label_url']}?download").headers["content-disposition"]
    assert said == f'attachment; filename="label_{sent["tracking_number"]}.zpl"'


def test_a_preview_of_zpl_is_a_pdf(anybody: Client, sent: dict[str, Any]) -> None:
    file = anybody.get(f"{sent['label_url']}?preview")
    assert (file.status, file.headers["content-type"]) == (200, "application/pdf")
    assert file.content.startswith(b"%PDF")


def test_what_is_not_there_is_told_in_json(anybody: Client, api: Client) -> None:
    draft = api.made("/v1/shipments", body())
    for path in (
        f"/v1/shipments/{draft['id']}/label.pdf",
        f"/v1/shipments/{draft['id']}/invoice.pdf",
        "/v1/shipments/shp_no/label.pdf",
        "/v1/manifests/manf_no/manifest.pdf",
        "/v1/trackers/trk_no/delivery_image",
        "/v1/trackers/trk_no/signature_image",
        "/documents/shipments/label.pdf?shipments=shp_no",
        "/documents/manifests/manifest.pdf?manifests=x",
        "/documents/orders/label.pdf?orders=x",
    ):
        reply = anybody.get(path)
        assert (reply.status, reply.error["code"]) == (404, "not_found")


def test_labels_are_merged_in_the_order_asked_for(api: Client, anybody: Client) -> None:
    from shipcli.drawing import pages

    made = [
        api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
        for _ in range(2)
    ]
    names = ",".join(one["id"] for one in made)
    file = anybody.get(f"/documents/shipments/label.pdf?shipments={names}")
    assert file.headers["content-type"] == "application/pdf"
    assert pages(file.content) == 2
    assert anybody.get("/documents/shipments/label.pdf").status == 400
    assert anybody.get("/documents/shipments/label.pdf?shipments=").status == 400


def test_a_form_is_downloaded_without_credentials(api: Client, anybody: Client) -> None:
    made = api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
    given = {"carrier_name": "usps", "address": SHIPPER, "shipment_ids": [made["id"]]}
    url = api.made("/v1/manifests", given)["manifest_url"]
    file = anybody.get(url)
    assert (file.headers["content-type"], file.content[:4]) == ("application/pdf", b"%PDF")


def test_images_of_a_tracker_are_served(app: App, anybody: Client) -> None:
    with app.store.transaction() as tx:
        tx.put_file("trk_x", "delivery_image", b"\x89PNG..", format="PNG", media_type="image/png")
    file = anybody.get("/v1/trackers/trk_x/delivery_image")
    assert (file.headers["content-type"], file.content) == ("image/png", b"\x89PNG..")


def test_off_this_machine_files_need_credentials(app: App, sent: dict[str, Any]) -> None:
    with TestClient(build(app, guarded=True), base_url=BASE) as http:
        assert Client(http).get(sent["label_url"]).error["code"] == "not_authenticated"
        assert client_of(app, http).get(sent["label_url"]).status == 200

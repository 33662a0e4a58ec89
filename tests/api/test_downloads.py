"""Files: labels, invoices, forms, images."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from shipcli.api.app import build
from shipcli.features.core.app import App
from tests.api.conftest import BASE, Client, body, client_of
from tests.factories import ITEM, RECIPIENT, SHIPPER

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
    from shipcli.drawing import count_pages

    made = [
        api.made("/v1/shipments", body(carrier_ids=["usps"], service="usps_ground_advantage"))
        for _ in range(2)
    ]
    names = ",".join(one["id"] for one in made)
    file = anybody.get(f"/documents/shipments/label.pdf?shipments={names}")
    assert file.headers["content-type"] == "application/pdf"
    assert count_pages(file.content) == 2
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


@pytest.mark.parametrize("name", ["delivery_image", "signature_image"])
def test_the_path_of_an_image_starts_no_tracking(app: App, api: Client, name: str) -> None:
    before = app.store.count("tracker")
    assert api.get(f"/v1/trackers/trk_none/{name}").error["code"] == "not_found"
    assert app.store.count("tracker") == before


@pytest.fixture(scope="module")
def courier(api: Client) -> str:
    """The id of a custom carrier's connection."""
    account = {"display_name": "Bike & Co", "custom_carrier_name": "bike_co", "account_number": "77"}
    given = {"carrier_name": "generic", "carrier_id": "bike", "credentials": account}
    return str(api.made("/v1/connections", given)["id"])


@pytest.mark.parametrize("form", STARTS)
def test_the_labels_of_a_custom_carrier_are_shown(app: App, anybody: Client, courier: str, form: str) -> None:
    sold = len(list(app.ledger.find("generic", "label")))
    file = anybody.get(f"/v1/carriers/{courier}/label.{form}")
    assert (file.status, file.headers["content-type"]) == (200, MEDIA[form])
    assert file.content.lstrip().startswith(STARTS[form])
    assert len(list(app.ledger.find("generic", "label"))) == sold


def test_a_shown_label_says_that_it_is_a_sample(anybody: Client, courier: str) -> None:
    text = anybody.get(f"/v1/carriers/{courier}/label.zpl").content
    assert b"SAMPLE" in text
    assert b"Bike & Co" in text


def test_a_label_template_of_its_own_is_shown(api: Client, anybody: Client, courier: str) -> None:
    template = {"template_type": "ZPL", "template": "^XA^FO40,60^FDFor {{ recipient.city }}^FS^XZ"}
    changed = api.patch(f"/v1/connections/{courier}", {"credentials": {"label_template": template}})
    assert changed.status == 200, changed.content
    text = anybody.get(f"/v1/carriers/{courier}/label.zpl").content
    assert b"For Berlin" in text
    assert b"SAMPLE" in text
    api.patch(f"/v1/connections/{courier}", {"credentials": {"label_template": None}})


def test_only_custom_carriers_have_labels_to_show(api: Client, anybody: Client, courier: str) -> None:
    usps = api.get("/v1/connections?carrier_name=usps").json["results"][0]["id"]
    for path in (f"/v1/carriers/{usps}/label.pdf", "/v1/carriers/car_no/label.pdf"):
        assert anybody.get(path).error["code"] == "not_found"
    assert anybody.get(f"/v1/carriers/{courier}/label.gif").status == 404


def stored_template(api: Client, slug: str, template: str, related: str = "other") -> str:
    given = {"name": slug, "slug": slug, "template": template, "related_object": related}
    return f"/documents/templates/{api.made('/v1/documents/templates', given)['id']}.{slug}"


def text_of(pdf: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def test_a_template_is_rendered_with_the_query_as_data(api: Client, anybody: Client) -> None:
    path = stored_template(api, "hello", "<p>Dear {{ data.name }}</p>")
    file = anybody.get(f"{path}?name=Zo%C3%AB")
    assert (file.status, file.headers["content-type"]) == (200, "application/pdf")
    assert file.headers["x-frame-options"] == "ALLOWALL"
    assert "Dear Zoë" in text_of(file.content)
    said = anybody.get(f"{path}?download").headers["content-disposition"]
    assert said == 'attachment; filename="hello.pdf"'


def test_a_template_shows_the_shipments_it_is_given_of_either_mode(
    api: Client, live: Client, anybody: Client
) -> None:
    path = stored_template(api, "slip_of_mine", "<p>To {{ shipment.recipient.person_name }}</p>", "shipment")
    for client, name in ((api, "Testa"), (live, "Livia")):
        made = client.made("/v1/shipments", body(recipient={**RECIPIENT, "person_name": name}))
        assert f"To {name}" in text_of(anybody.get(f"{path}?shipments={made['id']}").content)
    assert "To Zoë" in text_of(anybody.get(f"{path}?shipments=sample").content)
    assert anybody.get(f"{path}?shipments=shp_no").status == 404


def test_a_template_that_cannot_be_rendered_says_where_it_stopped(api: Client, anybody: Client) -> None:
    path = stored_template(api, "broken", "<p>fine</p>\n{{ 1 / 0 }}")
    status, said = anybody.get(path)
    assert (status, said["line"]) == (409, 2)
    assert "zero" in said["error"]


def test_a_template_is_found_by_id_and_slug(api: Client, anybody: Client) -> None:
    path = stored_template(api, "named", "<p>x</p>")
    for wrong in (path.replace(".named", ".other"), path.removesuffix(".named"), "/documents/templates/x.y"):
        assert anybody.get(wrong).error["code"] == "not_found"


def test_the_labels_and_invoices_of_an_order_are_merged(api: Client, anybody: Client) -> None:
    from shipcli.drawing import count_pages

    order = api.made("/v1/orders", {"order_id": "M1", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    item = {**ITEM, "quantity": 1, "parent_id": order["line_items"][0]["id"]}
    for _ in range(2):
        parcel = {"weight": 2, "weight_unit": "LB", "items": [item]}
        options = {"invoice_template": "commercial_invoice"}
        api.made("/v1/shipments", body(parcels=[parcel], service="standard_service", options=options))
    for name, form in (("label", "pdf"), ("invoice", "pdf"), ("label", "zpl")):
        file = anybody.get(f"/documents/orders/{name}.{form}?orders={order['id']}")
        assert (file.status, file.headers["content-type"]) == (200, MEDIA[form]), file.content
        assert form == "zpl" or count_pages(file.content) == 2


def test_a_label_that_is_named_twice_or_is_of_two_orders_is_in_a_file_once(
    api: Client, anybody: Client
) -> None:
    from shipcli.drawing import count_pages

    orders = [
        api.made("/v1/orders", {"order_id": name, "shipping_to": RECIPIENT, "line_items": [ITEM]})
        for name in ("M2", "M3")
    ]
    items = [{**ITEM, "parent_id": order["line_items"][0]["id"]} for order in orders]
    parcel = {"weight": 4, "weight_unit": "LB", "items": items}
    shipment = api.made("/v1/shipments", body(parcels=[parcel], service="standard_service"))
    for query in (
        f"orders/label.pdf?orders={orders[0]['id']},{orders[1]['id']}",
        f"shipments/label.pdf?shipments={shipment['id']},{shipment['id']}",
        f"shipments/label.pdf?shipments={shipment['id']}&shipments={shipment['id']}",
    ):
        assert count_pages(anybody.get(f"/documents/{query}").content) == 1


def test_off_this_machine_files_need_credentials(app: App, sent: dict[str, Any]) -> None:
    with TestClient(build(app, guarded=True), base_url=BASE) as http:
        assert Client(http).get(sent["label_url"]).error["code"] == "not_authenticated"
        assert client_of(app, http).get(sent["label_url"]).status == 200

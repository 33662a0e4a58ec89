"""Documents over HTTP: templates kept and rendered, files handed to carriers, labels merged."""

from __future__ import annotations

import base64
from itertools import count
from typing import Any

import pytest

from shipcli.drawing import count_pages
from shipcli.features.core.app import App
from shipcli.models.document import LARGEST_FILE
from tests.api.conftest import Client, body
from tests.api.operations.samples import bought
from tests.documents.samples import codes, texts
from tests.factories import ITEM, PARCEL, RECIPIENT

TEMPLATES, GENERATE, UPLOADS = (f"/v1/documents/{name}" for name in ("templates", "generate", "uploads"))
FILE = {"doc_file": base64.b64encode(b"%PDF-1.4 invoice").decode(), "doc_name": "invoice.pdf"}
numbers = count(1)


def wanted(**changes: Any) -> dict[str, Any]:
    """The body of a template whose slug is free."""
    return {"name": "Note", "slug": f"note_{next(numbers)}", "template": "<p>{{ data.x }}</p>", **changes}


def generated(api: Client, **given: Any) -> list[str]:
    """The texts of the pages of a document."""
    return texts(file_of(api, **given))


def file_of(api: Client, **given: Any) -> bytes:
    return base64.b64decode(api.made(GENERATE, given)["doc_file"])


# -- templates ---------------------------------------------------------------------------------


def test_a_template_is_active_and_of_no_object(api: Client) -> None:
    reply = api.post(TEMPLATES, wanted())
    made = reply.json
    assert (reply.status, made["id"][:4], made["object_type"]) == (201, "doc_", "document-template")
    assert (made["active"], made["related_object"]) == (True, "other")


@pytest.mark.parametrize("field", ["name", "slug", "template"])
def test_name_slug_and_text_are_needed(api: Client, field: str) -> None:
    given = {name: value for name, value in wanted().items() if name != field}
    reply = api.post(TEMPLATES, given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize("slug", ["Note", "my-note", "my note", "né", "", "a.b"])
def test_a_slug_has_small_letters_digits_and_underscores(api: Client, slug: str) -> None:
    reply = api.post(TEMPLATES, wanted(slug=slug))
    assert (reply.status, set(reply.error["details"])) == (400, {"slug"})


def test_a_slug_is_taken_once(api: Client) -> None:
    slug = api.made(TEMPLATES, wanted())["slug"]
    reply = api.post(TEMPLATES, wanted(slug=slug))
    assert (reply.status, set(reply.error["details"])) == (400, {"slug"})


def test_templates_are_listed_read_changed_and_removed(api: Client) -> None:
    made = api.made(TEMPLATES, wanted(description="old", metadata={"a": 1}))
    path = f"{TEMPLATES}/{made['id']}"
    page, one = api.get(f"{TEMPLATES}?limit=1"), api.get(path)
    assert (page.status, page.json["results"], one.status, one.json) == (200, [made], 200, made)
    changed = api.patch(path, {"name": "New"})
    assert (changed.status, changed.json) == (200, {**made, "name": "New"})
    removed = api.delete(path)
    assert (removed.status, removed.json["id"]) == (200, made["id"])
    assert api.get(path).status == 404


# -- generated ---------------------------------------------------------------------------------


def test_a_text_and_data_make_a_pdf(api: Client) -> None:
    reply = api.post(GENERATE, {"template": "<p>Hello {{ data.name }}</p>", "data": {"name": "Ana"}})
    assert (reply.status, set(reply.json)) == (201, {"doc_file"})
    content = base64.b64decode(reply.json["doc_file"])
    assert content.startswith(b"%PDF")
    assert texts(content) == ["Hello Ana"]


def test_a_kept_template_is_used_with_its_metadata(api: Client) -> None:
    made = api.made(TEMPLATES, wanted(template="{{ metadata.shop }} {{ data.x }}", metadata={"shop": "N"}))
    assert generated(api, template_id=made["id"], data={"x": 1}) == ["N 1"]
    assert api.post(GENERATE, {"template_id": "doc_nothing"}).status == 404


def test_without_a_template_nothing_is_made(api: Client) -> None:
    for given in ({}, {"data": {"x": 1}}, {"template": None, "template_id": None}):
        assert api.post(GENERATE, given).status == 400


def test_name_and_format_come_back(api: Client) -> None:
    made = api.made(GENERATE, {"template": "x", "doc_name": "note.pdf", "doc_format": "pdf"})
    assert (made["doc_name"], made["doc_format"]) == ("note.pdf", "pdf")


@pytest.mark.parametrize("text", ["a\n{{ }", "a\n{% for %}", "a\n{{ 1 / 0 }}"])
def test_a_broken_template_is_told(api: Client, text: str) -> None:
    reply = api.post(GENERATE, {"template": text})
    assert (reply.status, "line 2: " in reply.error["message"]) == (400, True)


@pytest.mark.parametrize("related", ["other", "shipment", "order"])
def test_a_template_sees_data_metadata_units_and_utils(api: Client, related: str) -> None:
    text = "{{ data.x }} {{ metadata.y }} {{ units.countries.DE }} {{ utils.date_format('2031-05-07') }}"
    made = api.made(TEMPLATES, wanted(template=text, metadata={"y": "Y"}, related_object=related))
    assert generated(api, template_id=made["id"], data={"x": "X"}) == ["X Y Germany 2031-05-07"]


def test_a_template_of_shipments_and_one_of_orders_see_them(api: Client) -> None:
    order = api.made("/v1/orders", {"order_id": "D-1", "shipping_to": RECIPIENT, "line_items": [ITEM]})
    item = {**ITEM, "quantity": 1, "parent_id": order["line_items"][0]["id"]}
    sent = bought(api, parcels=[{**PARCEL, "items": [item]}])
    text = ("{{ shipment.tracking_number }} {{ carrier.carrier_id }} {{ line_items[0].ship_quantity }} of "
            "{{ line_items[0].quantity }} {{ orders[0].order_id }}")  # fmt: skip
    slip = api.made(TEMPLATES, wanted(template=text, related_object="shipment"))
    assert generated(api, template_id=slip["id"], data={"shipments": sent["id"]}) == [
        f"{sent['tracking_number']} generic 1 of 2 D-1"
    ]
    note = api.made(TEMPLATES, wanted(template="Order {{ order.order_id }}", related_object="order"))
    assert generated(api, template_id=note["id"], data={"orders": order["id"]}) == ["Order D-1"]


@pytest.mark.parametrize(
    "text",
    [
        "{{ ().__class__.__base__.__subclasses__() }}",
        "{{ open('/etc/passwd').read() }}",
        "{% include '/etc/passwd' %}",
        "{{ lipsum.__globals__.os.environ }}",
    ],
)
def test_a_template_that_reaches_out_is_refused(api: Client, text: str) -> None:
    assert api.post(GENERATE, {"template": text}).status == 400


def test_a_template_prints_codes(api: Client) -> None:
    image = '<img src="data:image/png;base64,{{ utils.generate_code("AB-%s", "%s") }}">'
    text = "".join(image % (kind, kind) for kind in ("code128", "qr"))
    assert codes(file_of(api, template=text)) == {"AB-code128": "]C0", "AB-qr": "]Q1"}


@pytest.mark.parametrize("slug", ["shipping_label", "commercial_invoice"])
def test_ready_made_templates_need_data_alone(app: App, api: Client, slug: str) -> None:
    before = app.store.count("shipment")
    data = {
        "shipper": {"company_name": "Harbour"}, "recipient": {"person_name": "Ana"}, "reference": "X-1",
        "tracking_number": "1Z999AA10123456784",
        "line_items": [{"title": "Mug", "quantity": 2, "value_amount": 4.5, "value_currency": "USD"}],
    }  # fmt: skip
    (text,) = generated(api, template_id=slug, data=data)
    assert [word for word in ("Harbour", "Ana", "X-1") if word not in text] == []
    assert slug != "commercial_invoice" or "9.00 USD" in text
    assert app.store.count("shipment") == before


# -- files handed over -------------------------------------------------------------------------


def test_files_of_a_shipment_are_one_record(api: Client) -> None:
    sent = bought(api, carrier_ids=["ups"])
    reply = api.post(UPLOADS, {"shipment_id": sent["id"], "document_files": [FILE], "reference": "R-1"})
    first = reply.json
    assert (reply.status, first["id"][:6], first["reference"]) == (201, "uprec_", "R-1")
    assert [set(one) for one in first["documents"]] == [{"doc_id", "file_name"}]
    second = api.made(UPLOADS, {"shipment_id": sent["id"], "document_files": [FILE]})
    assert (second["id"], second["reference"]) == (first["id"], "R-1")
    assert (second["documents"][:1], len(second["documents"])) == (first["documents"], 2)
    one, page = api.get(f"{UPLOADS}/{first['id']}"), api.get(UPLOADS)
    assert (one.status, one.json, page.status) == (200, second, 200)
    assert second in page.json["results"]
    assert api.get(f"{UPLOADS}/uprec_nothing").status == 404


@pytest.mark.parametrize("field", ["shipment_id", "document_files"])
def test_shipment_and_files_are_needed(api: Client, field: str) -> None:
    given = {"shipment_id": "shp_1", "document_files": [FILE]}
    del given[field]
    reply = api.post(UPLOADS, given)
    assert (reply.status, set(reply.error["details"])) == (400, {field})


@pytest.mark.parametrize(
    ("file", "field"),
    [
        ({"doc_name": "a.pdf"}, "doc_file"), ({"doc_file": FILE["doc_file"]}, "doc_name"),
        ({**FILE, "doc_file": "no base64!"}, "doc_file"),
        ({**FILE, "doc_file": base64.b64encode(bytes(LARGEST_FILE + 1)).decode()}, "doc_file"),
    ],
    ids=["no file", "no name", "no base64", "too large"],
)  # fmt: skip
def test_a_wrong_file_is_refused(api: Client, file: dict[str, str], field: str) -> None:
    reply = api.post(UPLOADS, {"shipment_id": "shp_1", "document_files": [file]})
    assert (reply.status, set(reply.error["details"]["document_files"][0])) == (400, {field})
    assert LARGEST_FILE == 5 * 1024 * 1024


def test_an_upload_that_can_not_be_is_told(app: App, api: Client) -> None:
    def tried(shipment: dict[str, Any]) -> Any:
        return api.post(UPLOADS, {"shipment_id": shipment["id"], "document_files": [FILE]})

    draft = api.made("/v1/shipments", body(carrier_ids=["ups"]))
    assert (tried(draft).status, tried(bought(api)).status) == (400, 406)
    sent = bought(api, carrier_ids=["ups"])
    with app.store.transaction() as tx:
        options = {**sent["options"], "sandbox_scenario": "rate_limited"}
        tx.put("shipment", {**sent, "options": options})
    refused = tried(sent)
    assert (refused.status, [one["carrier_id"] for one in refused.json["messages"]]) == (424, ["ups"])


# -- labels ------------------------------------------------------------------------------------


def test_labels_of_several_shipments_are_one_file(api: Client, anybody: Client) -> None:
    sent = [bought(api, label_type=kind) for kind in ("PDF", "ZPL")]
    ids = ",".join(one["id"] for one in sent)
    pdf, zpl = (anybody.get(f"/documents/shipments/label.{kind}?shipments={ids}") for kind in ("pdf", "zpl"))
    assert (pdf.status, pdf.headers["content-type"], count_pages(pdf.content)) == (200, "application/pdf", 2)
    assert (zpl.status, zpl.headers["content-type"]) == (200, "application/octet-stream")
    assert zpl.content.count(b"^XA") == 2

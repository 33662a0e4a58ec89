"""Files over HTTP: what an import reads, refuses and makes of its rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import openpyxl
import pytest
from starlette.testclient import TestClient

from shipcli.features.core.app import App
from shipcli.features.files import data_templates
from shipcli.features.files.batches import service as batches
from shipcli.models.data_template import DataTemplateData
from shipcli.readers.headers import BILLING, ORDERS, SHIPMENTS, TRACKERS
from tests.api.checking import check
from tests.api.conftest import Client, Reply
from tests.api.operations.samples import bought
from tests.features.files.batch_samples import shipment_row
from tests.features.files.rows import charge, line

PATH = "/v1/batches/data/import"
STANDARD = "standard_service"
BILLING_HEADERS = "Tracking number,Carrier,Invoice number,Invoice date,Description,Amount,Currency"
TRACKER_HEADERS = "ID,Tracking Number,Status,Carrier,Options"
ORDER_HEADERS = (
    "ID,Order number,Order date,Order source,Status,Total,Order Currency,Created at,Item title,"
    "Item Description,Item quantity,Item sku,HS tariff number,Item price,Item currency,Item weight,"
    "Item weight unit,Shipping name,Shipping company,Shipping address 1,Shipping address 2,Shipping city,"
    "Shipping state,Shipping postal code,Shipping country,Shipping residential,From name,From company,"
    "From address 1,From address 2,From city,From state,From postal code,From country,From residential,"
    "Billing name,Billing company,Billing address 1,Billing address 2,Billing city,Billing state,"
    "Billing postal code,Billing country,Item Metadata,Options"
)
SHIPMENT_HEADERS = (
    "ID,Created at,Tracking number,Status,Shipper ID,Shipper name,Shipper Company,Shipper phone,"
    "Shipper email,Shipper address 1,Shipper address 2,Shipper city,Shipper state,Shipper postal code,"
    "Shipper country,Shipper residential,Recipient ID,Recipient name,Recipient Company,Recipient phone,"
    "Recipient email,Recipient address 1,Recipient address 2,Recipient city,Recipient state,"
    "Recipient postal code,Recipient country,Recipient residential,Parcel width,Parcel height,Parcel length,"
    "Parcel dimension unit,Parcel weight,Parcel weight unit,Parcel package preset,Number of pieces,Service,"
    "Carrier,Rate,Currency,Payor,Reference,Options"
)
Rows = Sequence[Mapping[str, str]]


def columns(rows: Rows) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def as_csv(rows: Rows) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns(rows), restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_xlsx(rows: Rows) -> bytes:
    book, content = openpyxl.Workbook(), io.BytesIO()
    for values in (columns(rows), *([row.get(name, "") for name in columns(rows)] for row in rows)):
        book.active.append(values)
    book.save(content)
    return content.getvalue()


def as_xls(rows: Rows) -> bytes:
    xlwt = pytest.importorskip("xlwt", reason="xlwt writes the old format")
    book, content = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("rows")
    for place, values in enumerate([columns(rows), *(list(row.values()) for row in rows)]):
        for column, value in enumerate(values):
            sheet.write(place, column, value)
    book.save(content)
    return content.getvalue()


class Importer:
    """Sends files as somebody, and does what they ask for."""

    def __init__(self, app: App, http: TestClient, api: Client) -> None:
        self.app, self.api, self._http = app, api, http

    def send(self, query: str = "", form: Mapping[str, str] | None = None, **request: Any) -> Reply:
        headers = {"Authorization": str(self.api._authorization), **(form or {})}
        got = self._http.post(f"{PATH}{query}", headers=headers, **request)
        check("POST", PATH, got.status_code, "application/json", got.content)
        return Reply(got.status_code, got.headers, got.content)

    def file(self, kind: str, content: Rows | bytes, **fields: str) -> Reply:
        content = content if isinstance(content, bytes) else as_csv(content)
        files = {"data_file": ("rows.csv", content, "text/csv")}
        return self.send(data={"resource_type": kind, **fields}, files=files)

    def done(self, kind: str, content: Rows | bytes, **fields: str) -> dict[str, Any]:
        """The batch of a file at its end."""
        reply = self.file(kind, content, **fields)
        assert reply.status == 202, reply.content
        assert batches.run_here(self.app, reply.json["id"])
        return dict(self.api.get(f"/v1/batches/operations/{reply.json['id']}").json)

    def objects(self, kind: str, batch: dict[str, Any]) -> list[dict[str, Any]]:
        return [self.api.get(f"/v1/{kind}/{one['id']}").json for one in batch["resources"]]

    def stored(self) -> list[int]:
        return [self.app.store.count(kind) for kind in ("batch", "order", "shipment", "tracker")]


@pytest.fixture(scope="module")
def importer(app: App, http: TestClient, api: Client) -> Importer:
    return Importer(app, http, api)


def tracker_row(number: str, carrier: str = "usps") -> dict[str, str]:
    return {"Tracking Number": number, "Carrier": carrier}


ROWS: dict[str, Rows] = {
    "order": [line("I-1")], "shipment": [shipment_row("I-2")], "trackers": [tracker_row("SC0100000001")],
    "billing": [charge("1")],
}  # fmt: skip


# -- requests ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word", ["order", "orders", "shipment", "shipments", "tracker", "trackers", "billing"]
)
def test_a_file_of_each_kind_is_accepted(importer: Importer, word: str) -> None:
    kind = word if word == "billing" else f"{word.rstrip('s')}s"
    rows = next(rows for name, rows in ROWS.items() if name.rstrip("s") == word.rstrip("s"))
    reply = importer.file(word, rows)
    assert (reply.status, reply.json["status"], reply.json["object_type"]) == (202, "queued", "batch")
    assert reply.json["resource_type"] == kind


@pytest.mark.parametrize("word", ["pickups", "Orders", "addresses", ""])
def test_another_kind_is_refused(importer: Importer, word: str) -> None:
    reply = importer.file(word, ROWS["order"])
    assert (reply.status, set(reply.error["details"])) == (400, {"resource_type"})


@pytest.mark.parametrize("form", [as_csv, as_xlsx, as_xls])
def test_a_file_is_read_by_its_content(importer: Importer, form: Any) -> None:
    rows = [line(f"{form.__name__}-1"), line(f"{form.__name__}-2")]
    batch = importer.done("orders", form(rows))
    assert batch["status"] == "completed"
    assert [one["order_id"] for one in importer.objects("orders", batch)] == [
        row["Order number"] for row in rows
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04 no spreadsheet", b"\xd0\xcf\x11\xe0 no spreadsheet", b"\x00\xff\xfe\x01", b"\n\n"],
)
def test_a_file_that_can_not_be_read_is_refused(importer: Importer, content: bytes) -> None:
    before = importer.stored()
    assert importer.file("orders", content).status == 400
    assert importer.stored() == before


def test_a_spreadsheet_with_a_cell_far_away_is_refused_by_its_name(importer: Importer) -> None:
    book, content = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["XFD1048576"] = "Order number", " "
    book.save(content)
    before = importer.stored()
    reply = importer.file("orders", content.getvalue())
    assert reply.status == 400
    assert "The cell XFD1048576 lies outside the table" in reply.json["errors"][0]["message"]
    assert importer.stored() == before


@pytest.mark.parametrize("where", ["form", "query", "encoded form"])
def test_the_three_parameters_stand_in_the_form_or_in_the_query(importer: Importer, where: str) -> None:
    mapping = {"tracking_number": "Nr", "tracking_carrier": {"constant": "usps"}}
    slug = f"nr_{where.partition(' ')[0]}"
    told = {"slug": slug, "name": "Nr", "resource_type": "trackers", "fields_mapping": mapping}
    data_templates.create_template(importer.app, DataTemplateData.model_validate(told))
    text = b"Nr\nSC0100000002\n"
    fields = {"resource_type": "trackers", "data_template": slug}
    if where == "form":
        reply = importer.send(data=fields, files={"data_file": ("t.csv", text, "text/csv")})
    elif where == "query":
        reply = importer.send(f"?{urlencode({**fields, 'data_file': text})}")
    else:
        reply = importer.send(data={**fields, "data_file": text.decode()})
    assert (reply.status, reply.json["resource_type"]) == (202, "trackers")


def test_a_form_that_was_cut_is_refused_before_half_of_its_file_is_imported(importer: Importer) -> None:
    head = b'--B\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    kind = head % (b"resource_type", b"", b"trackers")
    rows = head % (b"data_file", b'; filename="t.csv"', b"Tracking Number,Carrier\nSC0100000003,usps\nSC01")
    before = importer.stored()
    form = {"Content-Type": "multipart/form-data; boundary=B"}
    reply = importer.send(content=kind + rows, form=form)
    assert (reply.status, reply.error["code"]) == (400, "parse_error")
    assert importer.stored() == before
    assert (
        importer.send(content=kind + rows.replace(b"\nSC01\r", b"\r") + b"--B--\r\n", form=form).status == 202
    )


def test_a_json_body_is_no_form(importer: Importer) -> None:
    reply = importer.send(json={"resource_type": "orders", "data_file": "x"})
    assert (reply.status, reply.error["code"]) == (415, "unsupported_media_type")


# -- columns -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "names", "count"),
    [
        (ORDERS, ORDER_HEADERS, 45),
        (SHIPMENTS, SHIPMENT_HEADERS, 43),
        (TRACKERS, TRACKER_HEADERS, 5),
        (BILLING, BILLING_HEADERS, 7),
    ],
    ids=["orders", "shipments", "trackers", "billing"],
)
def test_the_default_headers_are_these(headers: Mapping[str, str], names: str, count: int) -> None:
    assert list(headers.values()) == names.split(",")
    assert len(headers) == count


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("orders", [{"order_id": "1", "Lineitem name": "Lamp"}]),
        ("shipments", [{"recipient_name": "Ana", "weight": "1"}]),
        ("trackers", [{"Tracking number": "1Z1", "carrier": "ups"}]),
        ("billing", [{"Tracking Number": "1Z1", "amount": "1"}]),
    ],
)
def test_without_a_template_other_headers_are_refused(importer: Importer, kind: str, rows: Rows) -> None:
    reply = importer.file(kind, rows)
    assert (reply.status, reply.error["code"]) == (400, "unknown_headers")


def test_a_template_names_the_headers(importer: Importer) -> None:
    told = {"slug": "till", "name": "Till", "resource_type": "orders",
            "fields_mapping": {"order_id": "No", "weight": "Kg"}}  # fmt: skip
    data_templates.create_template(importer.app, DataTemplateData.model_validate(told))
    renamed = {"Order number": "No", "Item weight": "Kg"}
    row = {renamed.get(name, name): value for name, value in line("T-1").items()}
    (order,) = importer.objects("orders", importer.done("orders", [row], data_template="till"))
    assert order["order_id"] == "T-1"
    reply = importer.file("orders", [row], data_template="nothing")
    assert (reply.status, set(reply.error["details"])) == (400, {"data_template"})


def test_what_an_import_ignores_and_changes_is_in_the_messages_of_its_batch(importer: Importer) -> None:
    rows = [line("N-1", Colour="red", **{"Shipping phone": "n/a"})]
    texts = [message["message"] for message in importer.done("orders", rows)["messages"]]
    left_out = "row 2, Shipping phone: 'n/a' stands for nothing and is left out"
    assert texts == ["1 column ignored: Colour", left_out]


# -- rows --------------------------------------------------------------------------------------


def test_rows_of_one_number_and_source_are_one_order(importer: Importer) -> None:
    rows = [line("G-1"), line("G-2"), line("G-1", "Book"), line("G-1", "Pen", **{"Order source": "shop"})]
    found = importer.objects("orders", importer.done("orders", rows))
    assert [(one["order_id"], one["source"], len(one["line_items"])) for one in found] == [
        ("G-1", "web", 2), ("G-2", "web", 1), ("G-1", "shop", 1),
    ]  # fmt: skip


def test_empty_cells_give_no_sender_and_no_billing_address(importer: Importer) -> None:
    sides = [name for name in ORDER_HEADERS.split(",") if name.startswith(("From ", "Billing "))]
    row = {**line("S-1"), **dict.fromkeys(sides, "")}
    (order,) = importer.objects("orders", importer.done("orders", [row]))
    assert (order["shipping_from"], order["billing_address"]) == (None, None)


@pytest.mark.parametrize(
    ("kind", "good", "bad", "field"),
    [
        ("orders", line("X-1"), line("X-2", **{"Item weight": "heavy"}), "Item weight"),
        ("shipments", shipment_row("X"), shipment_row("Y", **{"Parcel weight": "-"}), "Parcel weight"),
        ("trackers", tracker_row("SC0100000004"), tracker_row("SC0100000005", "nobody"), "Carrier"),
        ("billing", charge("1"), charge("2", "much"), "Amount"),
    ],
)
def test_a_bad_cell_is_named_and_nothing_is_stored(
    importer: Importer, kind: str, good: dict[str, str], bad: dict[str, str], field: str
) -> None:
    before = importer.stored()
    reply = importer.file(kind, [good, bad, good])
    (error,) = [one for one in reply.json["errors"] if field in one["details"]]
    assert (reply.status, error["index"]) == (400, 1)
    assert importer.stored() == before


def test_a_shipment_row_is_a_draft_and_bought_when_it_names_a_service(importer: Importer) -> None:
    sizes = {"Parcel width": "10", "Parcel height": "20", "Parcel length": "30"}
    rows = [shipment_row("A-1", **sizes), shipment_row("A-2", Service=STANDARD, **sizes)]
    draft, sent = importer.objects("shipments", importer.done("shipments", rows))
    assert (draft["status"], sent["status"], sent["service"]) == ("draft", "purchased", STANDARD)
    for one in (draft, sent):
        (parcel,) = one["parcels"]
        assert (parcel["weight"], parcel["weight_unit"], parcel["dimension_unit"]) == (2, "KG", "CM")


@pytest.mark.parametrize("field", ["Tracking Number", "Carrier"])
def test_a_tracker_row_needs_number_and_carrier(importer: Importer, field: str) -> None:
    reply = importer.file("trackers", [{**tracker_row("SC0100000006"), field: ""}])
    assert (reply.status, reply.error["index"], set(reply.error["details"])) == (400, 0, {field})
    without = {name: value for name, value in tracker_row("SC0100000006").items() if name != field}
    assert importer.file("trackers", [without]).status == 400


def test_invoice_lines_are_noted_with_their_shipments(importer: Importer) -> None:
    sent = bought(importer.api)
    batch = importer.done("billing", [charge(sent["tracking_number"]), charge("unknown")])
    assert (batch["resource_type"], batch["status"]) == ("billing", "completed_with_errors")
    known, unknown = batch["resources"]
    assert (known["id"], known["status"], unknown["status"]) == (sent["id"], "completed", "failed")
    assert "unknown" in unknown["errors"]["errors"][0]["message"]
    noted = importer.api.get(f"/v1/shipments/{sent['id']}").json["meta"]["billing"]
    assert noted == [{"invoice_number": "I-1", "invoice_date": "2026-11-01", "description": "Freight",
                      "amount": 7.25, "currency": "USD"}]  # fmt: skip

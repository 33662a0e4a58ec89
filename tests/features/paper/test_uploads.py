"""Documents sent to carriers."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.core.app import App
from shipcli.features.core.filters import list_stored, read_filters
from shipcli.features.paper import uploads
from shipcli.features.paper.filters import UPLOADS
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Conflict,
    DocumentUploadData,
    DocumentUploadRecord,
    Invalid,
    NotFound,
    Refused,
    Shipment,
    json,
)
from shipcli.models.document import LARGEST_FILE
from tests.factories import draft
from tests.features.conftest import Clock
from tests.features.paper.samples import bought

FILE = {
    "doc_file": base64.b64encode(b"%PDF-1.4 invoice").decode(),
    "doc_name": "invoice.pdf",
    "doc_format": "PDF",
    "doc_type": "commercial_invoice",
}


def body(shipment: str, **changes: Any) -> DocumentUploadData:
    return DocumentUploadData.model_validate({"shipment_id": shipment, "document_files": [FILE], **changes})


def sent(app: App, shipment: Shipment, **changes: Any) -> DocumentUploadRecord:
    return uploads.upload(app, body(shipment.id, **changes))


def changed(app: App, shipment: Shipment, **values: Any) -> None:
    with app.store.transaction() as tx:
        stored = tx.get("shipment", shipment.id)
        assert stored
        tx.put("shipment", {**stored, **values})


def test_an_upload_is_kept_with_what_the_carrier_calls_it(app: App) -> None:
    one = bought(app)
    record = sent(app, one, reference="SO-7")
    assert record.id.startswith("uprec_")
    assert (record.carrier_name, record.carrier_id, record.reference) == ("ups", "ups", "SO-7")
    (document,) = record.documents
    assert document.doc_id
    assert document.file_name
    assert record.meta is not None
    assert uploads.get_upload(app, record.id) == record


@pytest.mark.parametrize("carrier", ["ups", "fedex"])
def test_a_file_without_a_name_is_named_by_its_place_before_a_carrier_is_asked(
    app: App, carrier: str
) -> None:
    one = shipments.create_shipment(app, draft(carrier_ids=[carrier], service=f"{carrier}_ground"))
    with pytest.raises(Invalid) as caught:
        sent(app, one, document_files=[FILE, {**FILE, "doc_name": " "}])
    assert caught.value.message == "document_files[1].doc_name: must not be empty"


def test_a_second_upload_adds_to_the_same_record(app: App) -> None:
    one = bought(app)
    first = sent(app, one, reference="SO-7")
    second = sent(app, one, document_files=[{**FILE, "doc_name": "packing.pdf"}])
    assert (second.id, second.reference) == (first.id, "SO-7")
    assert second.documents[:1] == first.documents
    assert len({file.doc_id for file in second.documents}) == 2
    assert app.store.count("upload") == 1


@pytest.mark.parametrize("changes", [
    {"document_files": []},
    {"document_files": [{"doc_name": "a.pdf"}]},
    {"document_files": [{"doc_file": FILE["doc_file"]}]},
    {"document_files": [{**FILE, "doc_file": "no base64!"}]},
    {"document_files": [{**FILE, "doc_file": ""}]},
    {"document_files": [{**FILE, "doc_file": base64.b64encode(bytes(LARGEST_FILE + 1)).decode()}]},
    {"document_files": [{**FILE, "doc_type": "x" * 51}]},
    {"reference": "x" * 51},
    {"shipment_id": None},
])  # fmt: skip
def test_a_wrong_upload_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        body("shp_1", **changes)


def test_a_file_of_the_largest_size_is_taken() -> None:
    text = base64.b64encode(bytes(LARGEST_FILE)).decode()
    assert body("shp_1", document_files=[{**FILE, "doc_file": text}]).document_files[0].doc_file == text


def test_a_shipment_that_is_unknown_or_not_bought_is_a_failure(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    for shipment_id in ("shp_nothing", made.id):
        with pytest.raises(Invalid) as caught:
            uploads.upload(app, body(shipment_id))
        assert (caught.value.code, caught.value.status) == ("failure", 400)


@pytest.mark.parametrize("status", ["cancelled", "delivered", "out_for_delivery", "needs_attention"])
def test_another_status_is_a_conflict(app: App, status: str) -> None:
    one = bought(app)
    changed(app, one, status=status)
    with pytest.raises(Conflict) as caught:
        sent(app, one)
    assert (caught.value.code, caught.value.status) == ("failure", 409)


@pytest.mark.parametrize("status", ["purchased", "shipped", "in_transit"])
def test_documents_are_taken_until_the_parcel_is_there(app: App, status: str) -> None:
    one = bought(app)
    changed(app, one, status=status)
    assert len(sent(app, one).documents) == 1


def test_a_carrier_without_paperless_is_not_acceptable(app: App) -> None:
    one = bought(app, "generic")
    with pytest.raises(uploads.NoPaperless) as caught:
        sent(app, one)
    assert (caught.value.code, caught.value.status) == ("failure", 406)


def test_a_refusal_of_the_carrier_is_passed_on_and_nothing_kept(app: App) -> None:
    one = bought(app)
    changed(app, one, options={**one.options, "sandbox_scenario": "rate_limited"})
    with pytest.raises(Refused) as caught:
        sent(app, one)
    assert caught.value.status == 424
    assert caught.value.body()["messages"]
    assert app.store.count("upload") == 0


def test_the_other_mode_does_not_know_the_shipment(app: App) -> None:
    one = bought(app)
    with pytest.raises(Invalid):
        uploads.upload(app.in_mode(False), body(one.id))


def test_uploads_are_listed_by_shipment_and_time(timed: App, clock: Clock) -> None:
    found = []
    for _ in range(3):
        one = bought(timed)
        found.append((one, sent(timed, one)))
        clock.advance(hours=1)

    def listed(**given: str) -> list[str]:
        _, page = list_stored("upload")(timed, read_filters(UPLOADS, given), 20, 0)
        return [json.loads(text)["id"] for text in page]

    ids = [record.id for _, record in found]
    assert listed() == ids[::-1]
    assert listed(shipment_id=found[1][0].id) == [ids[1]]
    middle = (clock.now - timedelta(hours=2)).isoformat()
    assert listed(created_after=middle) == ids[:0:-1]
    assert listed(created_before=middle) == ids[1::-1]


def test_an_unknown_record_is_not_found(app: App) -> None:
    with pytest.raises(NotFound):
        uploads.get_upload(app, "uprec_nothing")

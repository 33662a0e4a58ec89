"""Label files: as the carrier made them, converted when asked, merged in order."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from shipcli.drawing import count_pages, find_label_kind
from shipcli.features.core.app import App
from shipcli.features.paper import labels
from shipcli.features.paper.label_files import MEDIA_TYPES, decode_label
from shipcli.features.shipments import service as shipments
from shipcli.models import Invalid, NotFound, Shipment
from tests.factories import PARCEL, draft


def bought(app: App, **changes: Any) -> Shipment:
    defaults = {"service": "standard_service", "carrier_ids": ["generic"]}
    return shipments.create_shipment(app, draft(**{**defaults, **changes}))


@pytest.mark.parametrize(("wanted", "start"), [("PDF", b"%PDF"), ("ZPL", b"^XA"), ("PNG", b"\x89PNG")])
def test_a_label_is_kept_as_the_carrier_made_it(app: App, wanted: str, start: bytes) -> None:
    shipment = bought(app, label_type=wanted)
    stored = app.store.file(shipment.id, "label")
    assert stored
    assert stored["content"].startswith(start)
    assert (stored["format"], stored["media_type"]) == (wanted, MEDIA_TYPES[wanted])
    found = labels.get_label(app, shipment)
    assert (found.content, found.format) == (stored["content"], wanted)
    assert shipment.label_url == f"/v1/shipments/{shipment.id}/label.{wanted.lower()}"


@pytest.mark.parametrize("wanted", ["ZPL", "PNG"])
def test_a_label_is_converted_on_request_and_stays_as_it_is(app: App, wanted: str) -> None:
    shipment = bought(app)
    before = app.store.file(shipment.id, "label")
    assert find_label_kind(labels.get_label(app, shipment, wanted).content) == wanted
    assert app.store.file(shipment.id, "label") == before


def test_an_unknown_format_is_refused(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        labels.get_label(app, bought(app), "DOC")
    assert caught.value.problems[0].field == "format"


def test_a_draft_has_no_label(app: App) -> None:
    with pytest.raises(NotFound):
        labels.get_label(app, shipments.create_shipment(app, draft()))


def test_labels_are_merged_in_the_order_given(app: App) -> None:
    several = [bought(app, reference=f"SO-{number}", label_type="ZPL") for number in range(3)]
    order = [several[2], several[0], several[1]]
    text = labels.merge_labels(app, order, "ZPL").decode()
    places = [text.index(str(one.tracking_number)) for one in order]
    assert places == sorted(places)


def test_labels_of_other_formats_are_converted_for_the_merge(app: App) -> None:
    several = [bought(app, label_type=kind) for kind in ("PDF", "ZPL", "PNG")]
    merged = labels.merge_labels(app, several, "PDF")
    assert count_pages(merged) == 3


def test_every_parcel_has_its_page(app: App) -> None:
    assert count_pages(labels.get_label(app, bought(app, parcels=[PARCEL, PARCEL])).content) == 2


def test_a_missing_label_is_named_and_none_is_left_out(app: App) -> None:
    good, drafts = bought(app), [shipments.create_shipment(app, draft()) for _ in range(2)]
    with pytest.raises(NotFound) as caught:
        labels.merge_labels(app, [good, *drafts])
    assert all(one.id in caught.value.message for one in drafts)
    assert good.id not in caught.value.message


def test_nothing_can_not_be_merged(app: App) -> None:
    with pytest.raises(Invalid):
        labels.merge_labels(app, [])


def test_a_document_is_base64_or_text_as_it_is() -> None:
    assert decode_label(base64.b64encode(b"%PDF-1").decode()) == b"%PDF-1"
    assert decode_label(" " + base64.b64encode(b"%PDF-1").decode() + "\n") == b"%PDF-1"
    assert decode_label(base64.encodebytes(bytes(range(200))).decode()) == bytes(range(200))
    assert decode_label("^XA^FDhé^FS^XZ") == "^XA^FDhé^FS^XZ".encode()

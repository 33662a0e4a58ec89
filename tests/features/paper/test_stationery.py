"""Which paper a document is written on, and the logo it bears."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from shipcli.config import Config, Value
from shipcli.drawing.paper import PAPERS
from shipcli.features.core.app import App
from shipcli.features.paper import builtin
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.print_requests import Paper
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.printouts import print_all
from shipcli.features.paper.printing.rendering import find_printer_paper
from shipcli.features.paper.stationery import choose_paper, read_logo
from shipcli.features.pickups import manifests
from shipcli.models import Invalid, ManifestData
from tests.documents.samples import codes, pictures, texts
from tests.factories import SHIPPER
from tests.features.paper.samples import abroad, bought

LETTER, A4, LABEL = (612, 792), (595, 842), (288, 432)


def sizes(pdf: bytes) -> list[tuple[int, int]]:
    """The sides of the pages, in points."""
    with pypdfium2.PdfDocument(pdf) as book:
        found = [book.get_page_size(at) for at in range(len(book))]
    return [(round(wide), round(high)) for wide, high in found]


def with_settings(app: App, **values: Any) -> App:
    given = {key: Value(value, "test") for key, value in values.items()}
    return replace(app, config=Config(app.config.home, {**app.config.values, **given}))


@pytest.mark.parametrize(("kind", "country", "name"), [
    ("slip", "US", "letter"), ("invoice", "CA", "letter"), ("slip", "DE", "a4"), ("picklist", None, "a4"),
    ("cn22", "DE", "4x6"), ("gs1", "US", "4x6"), ("cn23", "DE", "a4"),
])  # fmt: skip
def test_without_a_word_the_country_says_which_paper_it_is(
    app: App, kind: str, country: str | None, name: str
) -> None:
    assert choose_paper(app.config, kind, country).name == name
    set_to = with_settings(app, paper="a4").config
    assert choose_paper(set_to, kind, country).name == "a4"


@pytest.mark.parametrize(("name", "size"), [("letter", LETTER), ("a4", A4), ("4x6", LABEL)])
@pytest.mark.parametrize("kind", builtin.KINDS)
def test_a_paper_that_is_named_counts_for_every_document(
    app: App, kind: str, name: str, size: tuple[int, int]
) -> None:
    one = abroad(app)
    made = builtin.make_documents(app, kind, [one], "1234567", PAPERS[name])
    assert set(sizes(made)) == {size}


def a_picture(
    path: Path, size: tuple[int, int] = (300, 100), format: str = "PNG", mode: str = "RGBA"
) -> Path:
    image = Image.new(mode, size, (200, 30, 30) if mode == "RGB" else (200, 30, 30, 128))
    out = BytesIO()
    image.save(out, format)
    path.write_bytes(out.getvalue())
    return path


@pytest.mark.parametrize(("format", "mode"), [("PNG", "RGBA"), ("PNG", "RGB"), ("JPEG", "RGB")])
def test_documents_bear_the_logo_of_the_settings(app: App, tmp_path: Path, format: str, mode: str) -> None:
    path = a_picture(tmp_path / "logo", (4000, 300), format, mode)
    branded, one = with_settings(app, logo=str(path)), abroad(app)
    for kind, count in {"invoice": 1, "slip": 1, "return": 1, "cn23": 0, "gs1": 0}.items():
        made = builtin.make_documents(branded, kind, [one], "1234567")
        assert pictures(made) == count, kind
    assert read_logo(path).pixels[0] == 850


def test_a_document_does_not_fail_for_a_logo_that_is_gone(app: App, tmp_path: Path) -> None:
    branded = with_settings(app, logo=str(tmp_path / "gone.png"))
    assert pictures(builtin.make_documents(branded, "slip", [bought(app)])) == 0


@pytest.mark.parametrize(("content", "said"), [
    (b"GIF89a", "is not a PNG or JPEG file"), (b"\x89PNG\r\n\x1a\n junk", "cannot be read"),
    (b"\x89PNG\r\n\x1a\n" + bytes(5_000_001), "at most 5,000,000"),
])  # fmt: skip
def test_a_logo_that_is_none_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    with pytest.raises(Invalid, match=said):
        read_logo(path)
    with pytest.raises(Invalid, match="No such file"):
        read_logo(tmp_path / "nothing.png")


def zebra(app: App, tmp_path: Path, format: str = "PDF", size: str = "4x6") -> Path:
    """A label printer that is a folder."""
    folder = tmp_path / "spool"
    folder.mkdir()
    printers.add_printer(app, Printer("zebra", f"spool:{folder}", format, size=size))
    return folder


def printed(app: App, folder: Path, kind: str, object_id: str) -> bytes:
    (_,) = print_all(app, [Paper(kind, object_id, "zebra")])
    (path,) = [one for one in folder.iterdir() if one.is_file()]
    return path.read_bytes()


def test_a_slip_for_a_label_printer_is_a_label_whose_bars_scan(app: App, tmp_path: Path) -> None:
    one = bought(app)
    content = printed(app, zebra(app, tmp_path), "slip", one.id)
    assert sizes(content) == [LABEL]
    assert one.tracking_number in codes(content, scale=203 / 72)


def test_a_zpl_printer_without_a_size_gets_slips_of_a_labels_size(app: App, tmp_path: Path) -> None:
    folder = zebra(app, tmp_path, "ZPL", "")
    assert find_printer_paper(printers.get_printer(app, "zebra")) == PAPERS["4x6"]
    assert b"^PW812^LL1218" in printed(app, folder, "slip", bought(app).id)


def test_an_invoice_drawn_here_is_drawn_again_for_a_label_printer(app: App, tmp_path: Path) -> None:
    customs = {"content_type": "merchandise", "commercial_invoice": True, "signer": "Ann",
               "commodities": [{"title": "Mug", "weight": 1, "weight_unit": "LB"}]}  # fmt: skip
    one = abroad(app, customs=customs)
    content = printed(app, zebra(app, tmp_path), "invoice", one.id)
    assert set(sizes(content)) == {LABEL}
    assert "Commercial invoice" in texts(content)[0]


def test_a_form_drawn_here_is_drawn_again_for_a_label_printer(app: App, tmp_path: Path) -> None:
    one = bought(app, "generic", reference="R-1")
    data = {"carrier_name": "generic", "address": SHIPPER, "shipment_ids": [one.id], "reference": "DAY"}
    made = manifests.create_manifest(app, ManifestData.model_validate(data))
    kept = manifests.merge_forms(app, [made.id])
    content = printed(app, zebra(app, tmp_path), "manifest", made.id)
    assert (sizes(kept), sizes(content)) == ([LETTER], [LABEL])
    (before,), (after,) = texts(kept), texts(content)
    for words in ("End-of-day form", "Reference DAY", str(one.tracking_number)):
        assert words in before
        assert words in after

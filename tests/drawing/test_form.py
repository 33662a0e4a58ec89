"""The form: its parts, its pages, its refusals."""

from __future__ import annotations

import pypdfium2
import pytest
import zxingcpp

from shipcli.drawing import LETTER, Block, count_pages, draw_form
from shipcli.drawing.formats import raster
from shipcli.drawing.paper import A4, PaperSize

ADDRESS = Block("SHIPPER", ("Harbour Goods", "2600 Benjamin Franklin Pkwy", "Philadelphia"))
COLUMNS = ("Tracking number", "Recipient", "Weight")


def _rows(count: int) -> list[tuple[str, str, str]]:
    return [(f"1Z{at:08}", f"Recipient {at}", f"{at} kg") for at in range(count)]


def _texts(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def test_a_form_shows_title_address_details_rows_and_signature() -> None:
    form = draw_form(
        "Manifest", _rows(2), columns=COLUMNS, address=ADDRESS, details=[("Date", "2024-11-21")], sample=True
    )
    (text,) = _texts(form)
    for part in (
        "Manifest SAMPLE",
        "Harbour Goods",
        "2024-11-21",
        "1Z00000001",
        "Recipient",
        "Signature",
        "1 / 1",
    ):
        assert part in text


@pytest.mark.parametrize("count", [0, 1, 30, 45, 46, 47, 48, 49, 100, 500])
def test_no_row_is_lost_over_several_pages(count: int) -> None:
    texts = _texts(draw_form("Manifest", _rows(count), columns=COLUMNS, address=ADDRESS))
    together = "".join(texts)
    assert all(number in together for number, _, _ in _rows(count))
    assert all(
        f"{at} / {len(texts)}" in text and "Tracking number" in text for at, text in enumerate(texts, 1)
    )
    assert [("Signature" in text) for text in texts] == [False] * (len(texts) - 1) + [True]


@pytest.mark.parametrize(("sheet", "sides"), [(A4, (595.3, 841.9)), (LETTER, (612, 792))])
def test_a_form_is_as_large_as_its_sheet(sheet: PaperSize, sides: tuple[float, float]) -> None:
    document = pypdfium2.PdfDocument(draw_form("Manifest", _rows(90), columns=COLUMNS, sheet=sheet))
    assert len(document) == 3
    for page in document:
        assert page.get_size() == pytest.approx(sides, abs=0.5)
        boxes = [mark.get_bounds() for mark in page.get_objects()]
        assert all(left >= 0 and right <= sides[0] and bottom >= 0 for left, bottom, right, _ in boxes)
    document.close()


def test_a_form_takes_names_in_any_script() -> None:
    (text,) = _texts(draw_form("Manifest", [("1", "田中 太郎", "محمد علي")], columns=COLUMNS))
    assert all(word in text for word in ("田中 太郎", "محمد", "علي"))


def test_a_form_shows_a_question_mark_for_a_character_that_no_font_has() -> None:
    (text,) = _texts(draw_form("Manifest", [("1", "Zoë \U00012000", "2")], columns=COLUMNS))
    assert "Zoë ?" in text


def test_equal_forms_are_equal_bytes() -> None:
    assert draw_form("M", _rows(60), columns=COLUMNS) == draw_form("M", _rows(60), columns=COLUMNS)


def test_a_row_with_another_number_of_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="3 cells"):
        draw_form("Manifest", [("1", "2")], columns=COLUMNS)


def test_a_long_table_has_several_pages() -> None:
    assert count_pages(draw_form("Manifest", _rows(200), columns=COLUMNS)) == 5


@pytest.mark.parametrize("number", ["9475711201080800000017", "A1"])
def test_the_number_of_a_form_is_a_barcode(number: str) -> None:
    form = draw_form("SCAN form", _rows(40), columns=COLUMNS, address=ADDRESS, barcode=number, sheet=LETTER)
    with raster.open_pdf(form) as document:
        image = raster.render_page(document[0], 203)
    assert [code.text for code in zxingcpp.read_barcodes(image)] == [number]
    assert image.crop((image.width - 105, 0, image.width, 600)).getextrema() == (255, 255)

"""Our own ZPL for printers of another resolution: bars of whole dots, two of them at least."""

from __future__ import annotations

from io import BytesIO

import pytest
import zxingcpp
from PIL import Image, ImageChops

from shipcli.drawing import Unconvertible, convert, draw_label
from shipcli.drawing.elements import DPI, Bars, Matrix
from shipcli.drawing.formats.zpl_reader import read_zpl
from shipcli.drawing.layout import draw_label_page
from shipcli.drawing.resolutions import scale_page, scale_zpl
from tests.drawing.samples import NAMES, NUMBER, label

LONG = "JJD0141234567890123456"


@pytest.mark.parametrize("dpi", [300, 600])
@pytest.mark.parametrize("number", [NUMBER, "ABCdef0123456789-abcDEF01234567"])
def test_bars_keep_whole_dots_of_the_printer(dpi: int, number: str) -> None:
    zpl = draw_label(label(tracking_number=number, postal_barcode=LONG, code2d=None), "ZPL")
    (page,) = read_zpl(scaled := scale_zpl(zpl, DPI, dpi), dpi)
    assert (page.width, page.height) == (4 * dpi, 6 * dpi)
    before = [bars.module for bars in read_zpl(zpl, DPI)[0].elements if isinstance(bars, Bars)]
    after = [bars.module for bars in page.elements if isinstance(bars, Bars)]
    assert after == [round(module * dpi / DPI) for module in before]
    image = Image.open(BytesIO(convert(scaled, "PNG", dpi=dpi)))
    assert {number, LONG} <= {code.text for code in zxingcpp.read_barcodes(image)}


@pytest.mark.parametrize("name", ["latin", "arabic", "japanese"])
def test_pictures_of_letters_and_codes_grow_with_the_label(name: str) -> None:
    zpl = draw_label(label(service=NAMES[name], code2d=("aztec", NUMBER)), "ZPL")
    small, large = (
        Image.open(BytesIO(convert(data, "PNG", dpi=dpi))).convert("L")
        for data, dpi in ((zpl, DPI), (scale_zpl(zpl, DPI, 300), 300))
    )
    assert [code.text for code in zxingcpp.read_barcodes(large)] == [NUMBER] * 2
    head = (0, 0, small.width, 650)  # above the bars, which are a little wider
    differing = ImageChops.difference(large.resize(small.size).crop(head), small.crop(head))
    assert sum(differing.histogram()[160:]) < small.width * 650 / 50


def test_a_label_that_would_get_bars_of_less_than_two_dots_is_refused() -> None:
    page = scale_page(draw_label_page(label(code2d=None)), 300)
    fine = [bars._replace(module=2, content="x" * 35) for bars in page.elements if isinstance(bars, Bars)]
    fine_page = scale_page(draw_label_page(label()), 300)
    with pytest.raises(Unconvertible, match="less than 2 dots wide"):
        scale_page(type(fine_page)(1200, 1800, tuple(fine), 300), 203)


@pytest.mark.parametrize("code", ["420191061234", LONG, "%0ABC123401234567890123"])
def test_the_sorting_code_has_bars_of_two_dots(code: str) -> None:
    marks = draw_label_page(label(postal_barcode=code, tracking_number="A" * 30, code2d=None)).elements
    assert {bars.module for bars in marks if isinstance(bars, Bars)} == {2}


def test_a_sorting_code_that_is_too_long_for_two_dots_is_refused() -> None:
    with pytest.raises(ValueError, match="sorting code .* too long"):
        draw_label_page(label(postal_barcode="aB" * 17))


def test_every_code_of_a_label_has_cells_of_two_dots() -> None:
    for symbology in ("qr", "datamatrix", "pdf417", "aztec"):
        marks = draw_label_page(label(code2d=(symbology, "x" * 60))).elements
        assert all(code.module >= 2 for code in marks if isinstance(code, Matrix))

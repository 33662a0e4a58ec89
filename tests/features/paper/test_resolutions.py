"""Labels of a resolution go to printers of that resolution as they are, and to no other."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from shipcli.drawing import convert, draw_label
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.rendering import ZPL, fit_to_printer, read_zpl_dpi
from tests.drawing.samples import label as make_label


def make_printer(dpi: int) -> Printer:
    return Printer("bench", "file:/dev/null", ZPL, dpi=dpi)


@pytest.mark.parametrize(("start", "dpi"), [
    (b"^XA^PW812^LL1218", 203), (b"^XA^PW1200^LL1800", 300), (b"^XA\n^LL2400\n^PW2400", 600),
    (b"^XA^PW1218^LL812", 203), (b"^XA^FO50,50^FDhello^FS^XZ", 203),
])  # fmt: skip
def test_the_resolution_of_a_label_is_read_from_its_width(start: bytes, dpi: int) -> None:
    assert read_zpl_dpi(start) == dpi


@pytest.mark.parametrize("dpi", [203, 300])
def test_a_label_goes_as_it_is_to_a_printer_of_its_resolution_alone(dpi: int) -> None:
    content = f"^XA^PW{4 * dpi}^FO9,9^FDfrom elsewhere^FS^XZ".encode()
    assert fit_to_printer(content, ZPL, ZPL, make_printer(dpi)) == content
    redrawn = fit_to_printer(content, ZPL, ZPL, make_printer(503 - dpi))
    assert read_zpl_dpi(redrawn) == 503 - dpi


def test_a_label_on_a_sheet_is_cut_out_for_a_label_printer_alone() -> None:
    sheet = make_sheet()
    for target in ("ZPL", "PDF", "PNG"):
        printer = Printer("dock", "file:/dev/null", target, size="4x6")
        made = fit_to_printer(sheet, "PDF", target, printer, is_label=True)
        assert measure_width(made) > 0.9, target
        assert measure_width(fit_to_printer(sheet, "PDF", target, printer)) < 0.75, target
    office = Printer("office", "file:/dev/null", "PDF", size="8.5x11")
    assert fit_to_printer(sheet, "PDF", "PDF", office, is_label=True) == sheet


def test_a_label_whose_bars_the_paper_makes_too_fine_is_refused_with_what_helps() -> None:
    label = draw_label(make_label())
    with pytest.raises(ValueError, match="larger paper, or a finer printer"):
        fit_to_printer(
            label, "PDF", ZPL, Printer("tiny", "file:/dev/null", ZPL, size="1.6x2.4"), is_label=True
        )


def make_sheet() -> bytes:
    """A letter page with a label in its upper half."""
    sheet, out = Image.new("L", (round(8.5 * 203), 11 * 203), 255), BytesIO()
    sheet.paste(Image.open(BytesIO(draw_label(make_label(), "PNG"))).rotate(90, expand=True), (200, 100))
    ImageDraw.Draw(sheet).text((200, 1800), "Fold here", 0, font_size=60)
    sheet.save(out, "PDF", resolution=203)
    return out.getvalue()


def measure_width(content: bytes) -> float:
    """How much of the width of the paper the ink takes."""
    image = Image.open(BytesIO(convert(content, "PNG", size_in=None))).convert("L")
    left, _, right, _ = image.point(lambda value: 255 * (value < 128)).getbbox() or (0, 0, 0, 0)
    return (right - left) / image.width

"""Labels that a carrier laid on their side, or put on a sheet of office paper, fit a label printer."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pypdfium2
import pytest
import zxingcpp
from PIL import Image, ImageDraw

from shipcli.drawing import Unconvertible, convert, draw_label
from shipcli.drawing.media import fit_pdf
from shipcli.drawing.sheets import cut_label, refuse_lost_codes
from tests.drawing.samples import NUMBER, label

DPI = 203
LETTER, A4, LABEL = (8.5, 11.0), (8.27, 11.69), (4.0, 6.0)
WORDS = "Fold here. Place this label in a pouch, or tape it to your parcel."


def draw_png() -> Image.Image:
    return Image.open(BytesIO(convert(draw_label(label()), "PNG", dpi=DPI))).convert("L")


def make_sheet(size: tuple[float, float], place: tuple[float, float], turn: int, scale: float = 1) -> bytes:
    """A PDF page with a label somewhere, and instructions two inches above its lower edge."""
    sheet = Image.new("L", (round(size[0] * DPI), round(size[1] * DPI)), 255)
    drawn = draw_png()
    drawn = drawn.resize((round(drawn.width * scale), round(drawn.height * scale)), Image.Resampling.NEAREST)
    sheet.paste(drawn.rotate(turn, expand=True), (round(place[0] * DPI), round(place[1] * DPI)))
    for line in range(5):
        ImageDraw.Draw(sheet).text((200, sheet.height - 400 + 40 * line), WORDS, 0, font_size=28)
    return save_pdf([sheet])


def save_pdf(pages: Sequence[Image.Image]) -> bytes:
    out = BytesIO()
    pages[0].save(out, "PDF", resolution=DPI, save_all=True, append_images=pages[1:])
    return out.getvalue()


def render(pdf: bytes, dpi: int = DPI) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    image = document[0].render(scale=dpi / 72).to_pil().convert("L")
    document.close()
    return image


def measure_ink(image: Image.Image) -> tuple[float, float]:
    """How much of the paper the ink takes, across and down."""
    left, top, right, bottom = image.point(lambda value: 255 * (value < 128)).getbbox() or (0, 0, 0, 0)
    return (right - left) / image.width, (bottom - top) / image.height


def read_codes(image: Image.Image) -> set[str]:
    return {code.text for code in zxingcpp.read_barcodes(image)}


@pytest.mark.parametrize("size", [LETTER, A4])
@pytest.mark.parametrize(("place", "turn"), [((0.5, 0.5), 0), ((1.0, 0.5), 90), ((1.0, 1.0), 270)])
def test_a_label_on_a_sheet_is_cut_out_turned_and_as_large_as_its_paper(
    size: tuple[float, float], place: tuple[float, float], turn: int
) -> None:
    printed = render(fit_pdf(cut_label(make_sheet(size, place, turn), LABEL), LABEL))
    assert printed.size == (812, 1218)
    assert min(measure_ink(printed)) > 0.9
    assert NUMBER in read_codes(printed)


def test_a_sheet_whose_page_is_turned_is_cut_where_it_is_seen() -> None:
    document, out = pypdfium2.PdfDocument(make_sheet(LETTER, (1.0, 0.5), 90)), BytesIO()
    for turn in (90, 180, 270):
        page = document[0]
        page.set_rotation(turn)
        page.close()
        out.seek(0)
        document.save(out)
        printed = render(fit_pdf(cut_label(out.getvalue(), LABEL), LABEL))
        assert min(measure_ink(printed)) > 0.9, turn
        assert NUMBER in read_codes(printed), turn
    document.close()


def test_a_sheet_full_of_writing_is_made_smaller_and_loses_nothing() -> None:
    sheet = Image.new("L", (round(8.5 * DPI), 11 * DPI), 255)
    sheet.paste(draw_png(), (400, 100))
    for line in range(60):
        ImageDraw.Draw(sheet).text((100, 60 + 36 * line), WORDS + WORDS, 0, font_size=24)
    pdf = save_pdf([sheet])
    assert measure_ink(render(cut_label(pdf, LABEL))) > (0.9, 0.9)
    assert abs(render(cut_label(pdf, LABEL)).height - sheet.height) < 200


def test_a_sheet_without_a_barcode_is_cut_of_its_white_margins_only() -> None:
    sheet = Image.new("L", (round(8.5 * DPI), 11 * DPI), 255)
    for y in (300, 1900):
        ImageDraw.Draw(sheet).rectangle((300, y, 1400, y + 60), fill=0)
    printed = render(cut_label(save_pdf([sheet]), LABEL))
    assert printed.height >= 1660 - 2 * DPI // 10


def test_labels_of_label_size_are_left_alone() -> None:
    pdf = draw_label(label())
    assert cut_label(pdf, LABEL) is pdf
    assert cut_label(sheet := make_sheet(LETTER, (0.5, 0.5), 0), LETTER) is sheet


def test_a_landscape_page_is_turned_only_where_it_does_not_fit() -> None:
    lying = save_pdf([draw_png().rotate(90, expand=True)])
    printed = render(fit_pdf(lying, LABEL))
    assert min(measure_ink(printed)) > 0.9
    assert NUMBER in read_codes(printed)
    small = save_pdf([Image.new("L", (3 * DPI, DPI), 0)])
    across, down = measure_ink(render(fit_pdf(small, LABEL)))
    assert across > 0.95 > 0.3 > down


@pytest.mark.parametrize("to", ["ZPL", "PNG", "PDF"])
def test_a_picture_on_its_side_is_turned(to: str) -> None:
    out = BytesIO()
    draw_png().rotate(90, expand=True).save(out, "GIF")
    made = convert(out.getvalue(), to, dpi=DPI)
    shown = Image.open(BytesIO(made)).convert("L") if to == "PNG" else render(convert(made, "PDF"))
    assert min(measure_ink(shown)) > 0.9
    assert NUMBER in read_codes(shown)


def test_a_label_that_its_paper_makes_unreadable_is_refused() -> None:
    pdf = draw_label(label())
    with pytest.raises(Unconvertible, match="less than two dots wide: it needs larger paper"):
        refuse_lost_codes(pdf, fit_pdf(pdf, (1.6, 2.4)), DPI)
    refuse_lost_codes(pdf, fit_pdf(pdf, (3.9, 5.9)), DPI)

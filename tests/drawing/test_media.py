"""Pages fitted to paper, and the page a printer is tried with."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pypdfium2
import pytest
import zxingcpp
from PIL import Image

from shipcli.drawing import convert, draw_label, merge
from shipcli.drawing.media import draw_trial_page, fit_pdf
from shipcli.drawing.stamp import stamp
from tests.drawing.samples import NUMBER, label


def shown(data: bytes, at: int = 0) -> tuple[tuple[float, float], Image.Image]:
    document = pypdfium2.PdfDocument(data)
    size, image = document.get_page_size(at), document[at].render(scale=4).to_pil().convert("L")
    document.close()
    return size, image


def changed(data: bytes, turn: int = 0, box: tuple[float, float, float, float] | None = None) -> bytes:
    """The file with its page turned, or beginning elsewhere."""
    document, out = pypdfium2.PdfDocument(data), BytesIO()
    page = document[0]
    page.set_rotation(turn)
    if box:
        page.set_mediabox(*box)
    page.close()
    document.save(out)
    document.close()
    return out.getvalue()


def test_a_page_of_the_right_size_is_left_alone() -> None:
    pdf = draw_label(label())
    assert fit_pdf(pdf, (4, 6)) is pdf


def test_a_page_stands_in_the_middle_as_large_as_the_paper_allows() -> None:
    size, image = shown(fit_pdf(draw_label(label()), (8, 6)))
    assert size == pytest.approx((576, 432))
    left, _, right, _ = image.point(lambda value: 255 * (value < 128)).getbbox()
    assert left >= 4 * 144 - 1
    assert right <= 4 * 432 + 1
    assert NUMBER in {one.text for one in zxingcpp.read_barcodes(image)}


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_is_fitted_as_it_is_seen(turn: int) -> None:
    turned = changed(draw_label(label()), turn)
    seen_size, seen = shown(turned)
    paper = (seen_size[0] / 36, seen_size[1] / 36)  # twice as wide and high
    size, image = shown(fit_pdf(turned, paper))
    assert size == pytest.approx((2 * seen_size[0], 2 * seen_size[1]))
    small = image.resize(seen.size)
    apart = sum(abs(one - two) > 128 for one, two in zip(small.tobytes(), seen.tobytes(), strict=True))
    assert apart < 0.01 * len(seen.tobytes())


def test_a_page_that_begins_elsewhere_is_fitted_from_there() -> None:
    part = changed(draw_label(label()), box=(72, 72, 216, 288))
    _, seen = shown(part)
    _, image = shown(fit_pdf(part, (4, 6)))
    small = image.resize(seen.size)
    apart = sum(abs(one - two) > 128 for one, two in zip(small.tobytes(), seen.tobytes(), strict=True))
    assert apart < 0.02 * len(seen.tobytes())


MADE: dict[str, Callable[[bytes], bytes]] = {
    "fitted": lambda pdf: fit_pdf(pdf, (3, 5)),
    "merged": lambda pdf: merge([pdf, pdf]),
    "stamped": lambda pdf: stamp(merge([pdf, pdf]), "VOID", [0]),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_what_is_made_of_a_file_is_the_same_at_any_time(make: Callable[[bytes], bytes]) -> None:
    made = make(draw_label(label()))
    assert made == make(draw_label(label()))
    assert (b"Date" in made, shown(made)[0] > (0, 0)) == (False, True)


@pytest.mark.parametrize(
    ("size", "dpi"),
    [((4.0, 6.0), 203), ((4.0, 6.0), 300), ((4.0, 6.0), 600), ((2.0, 1.0), 203), ((8.27, 11.69), 203)],
)
def test_a_trial_page_can_be_read_at_every_size(size: tuple[float, float], dpi: int) -> None:
    zpl = convert(draw_trial_page(("dock2", "tcp://h", "ZPL"), size, dpi), "ZPL", dpi=dpi, size_in=size)
    png = convert(convert(zpl, "PDF", dpi=dpi, size_in=None), "PNG", dpi=dpi, size_in=None)
    assert "TEST 123" in {one.text for one in zxingcpp.read_barcodes(Image.open(BytesIO(png)))}

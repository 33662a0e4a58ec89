"""Pages painted dot by dot look like the same pages drawn by PDFium, and scan."""

from __future__ import annotations

from io import BytesIO

import pytest
import zxingcpp
from PIL import Image, ImageFilter

from shipcli.drawing import LabelSpec, Unconvertible
from shipcli.drawing.elements import ColourImage, Page
from shipcli.drawing.formats.pdf import write_pdf
from shipcli.drawing.formats.raster import render_pages
from shipcli.drawing.formats.rotated_image import write_rotated_gif
from shipcli.drawing.layout import draw_label_page

from .samples import NAMES, image, label, to


def upright(spec: LabelSpec) -> Image.Image:
    return image(write_rotated_gif(draw_label_page(spec))).convert("L").rotate(-90, expand=True)


def by_pdfium(spec: LabelSpec) -> Image.Image:
    (drawn,) = render_pages(
        write_pdf([draw_label_page(spec)]), 203, None, True, lambda image: image.crop((0, 0, 812, 1218))
    )
    return drawn


def ink(picture: Image.Image) -> Image.Image:
    """Where the picture is dark, spread by two dots: letters may stand a dot apart."""
    return picture.filter(ImageFilter.MinFilter(5)).point([255] * 128 + [0] * 128)


def share_outside(one: Image.Image, other: Image.Image) -> float:
    """How much of the dark of one is nowhere near the dark of the other."""
    dark = one.point([255] * 128 + [0] * 128)
    lost = Image.composite(Image.new("L", dark.size, 0), dark, ink(other))
    return lost.histogram()[255] / max(1, dark.histogram()[255])


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"code2d": ("maxicode", "MaxiCode content 12345")},
        {"code2d": ("datamatrix", "420627011Z12345E0205271688"), "sample": True, "routing": "62701"},
        {"tracking_number": "A" * 30},
        {"recipient": to("D. O'Neil-Ångström", "1 Main Street; Unit #4", "Springfield IL 62701")},
    ],
    ids=["plain", "maxicode", "datamatrix", "barcode down the side", "accents"],
)
def test_a_page_looks_as_pdfium_draws_it(changes: dict[str, object]) -> None:
    ours, theirs = upright(label(**changes)), by_pdfium(label(**changes))
    assert ours.size == theirs.size == (812, 1218)
    assert share_outside(ours, theirs) < 0.002
    assert share_outside(theirs, ours) < 0.002


@pytest.mark.parametrize("script", ["arabic", "thai", "devanagari", "japanese", "cyrillic"])
def test_other_scripts_are_painted_as_well(script: str) -> None:
    spec = label(recipient=to(NAMES[script], "1 Main Street"))
    assert share_outside(by_pdfium(spec), upright(spec)) < 0.01


def test_the_barcode_of_a_painted_page_scans() -> None:
    found = zxingcpp.read_barcodes(upright(label(tracking_number="1Z12345E0205271688")))
    assert "1Z12345E0205271688" in [code.text for code in found]


def test_the_page_lies_on_its_left_side_in_black_and_white() -> None:
    drawn = image(write_rotated_gif(draw_label_page(label())))
    assert (drawn.size, drawn.mode) == ((1218, 812), "L")
    assert drawn.getpixel((40, 400)) == 0  # the headline bar stands at the left


def test_equal_pages_are_equal_bytes() -> None:
    assert write_rotated_gif(draw_label_page(label())) == write_rotated_gif(draw_label_page(label()))


def test_a_photo_is_not_painted() -> None:
    photo = ColourImage(0, 0, 8, 8, (8, 8), "DeviceGray", 8, "FlateDecode", BytesIO().getvalue())
    with pytest.raises(Unconvertible, match="photo"):
        write_rotated_gif(Page(8, 8, (photo,)))

"""A word across a label that must not be used."""

from __future__ import annotations

import zxingcpp

from shipcli.drawing import draw_label, merge, stamp
from shipcli.drawing.formats import raster
from tests.drawing.samples import label, scanned


def test_a_label_that_says_void_does_not_scan() -> None:
    good = draw_label(label(banner="USPS TRACKING #"), "PDF")
    assert "Code128" in scanned(good)
    assert "Code128" not in scanned(stamp(good, "VOID", [0]))


def test_other_pages_stay_as_they_are() -> None:
    both = merge([draw_label(label(), "PDF")] * 2)
    with raster.open_pdf(stamp(both, "VOID", [1])) as book:
        found = [zxingcpp.read_barcodes(page.render(scale=3).to_pil()) for page in book]
    assert ["Code128" in {code.format.name for code in codes} for codes in found] == [True, False]

"""Labels on larger sheets: what a carrier put on A4 or letter paper is found and cut out.

Nothing is cut off unless it is white, or has no barcode and stands behind a wide white gap: instructions, a
receipt.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from .convert import make_repeatable
from .errors import Unconvertible
from .formats import raster

if TYPE_CHECKING:
    from PIL import Image

Size = tuple[float, float]
Box = tuple[int, int, int, int]  # left, top, right, bottom

DPI = 150  # at which sheets are looked at: barcodes of carriers can be read at it
SHARP_DPI = 300  # at which no barcode of a file is too fine to be read
INK = 200  # what is darker is no paper
SHEET_SHORT_SIDE_IN = 7.5  # A4, letter and larger; labels are smaller
LEAST_GAP_IN = 0.25
MARGIN_IN = 0.08  # left around what is cut out
CLOSE = 0.95  # of its size: bars stay as wide as they were
FITS = 0.68  # half a sheet on a label of 4x6 inches


def is_sheet(size_in: Size, paper_in: Size) -> bool:
    """Whether a page is a sheet of office paper while the printer's paper is a label."""
    return min(size_in) >= SHEET_SHORT_SIDE_IN > min(paper_in)


def measure_scale(size: Size, paper: Size) -> float:
    """How large something is on a paper, lying or standing."""
    return max(min(paper[0] / wide, paper[1] / high) for wide, high in (size, size[::-1]))


def cut_label(data: bytes, paper_in: Size) -> bytes:
    """A PDF whose sheets of A4 or letter are cut down to their labels; unchanged where none is a sheet.

    Errors: Unconvertible when it cannot be read.
    """
    with raster.open_pdf(data) as document:
        cut = False
        for at in range(len(document)):
            wide, high = document.get_page_size(at)
            if is_sheet((wide / 72, high / 72), paper_in):
                page = document[at]
                cut = _cut_page(page, paper_in) or cut
                page.close()
        if not cut:
            return data
        out = BytesIO()
        document.save(out)
    return make_repeatable(out.getvalue())


def _cut_page(page: Any, paper_in: Size) -> bool:
    """Whether the page was cut down to its label."""
    box = find_label(raster.render_page(page, DPI), DPI, paper_in)
    if box is None:
        return False
    page.set_mediabox(*(part := _find_part(page, box)))
    page.set_cropbox(*part)
    return True


def _find_part(page: Any, box: Box) -> tuple[float, float, float, float]:
    """The part of a page that a box of its picture shows, in the page's own measures.

    Shapes: left, bottom, right, top.
    """
    left, bottom, right, top = page.get_cropbox()
    wide, high = right - left, top - bottom
    across, down = page.get_size()
    x0, y0, x1, y1 = (value * 72 / DPI for value in box)
    corners = {
        0: (x0, down - y1, x1, down - y0),
        90: (y0, x0, y1, x1),
        180: (across - x1, y0, across - x0, y1),
        270: (down - y1, across - x1, down - y0, across - x0),
    }[page.get_rotation()]
    x0, y0, x1, y1 = corners
    return left + max(x0, 0), bottom + max(y0, 0), left + min(x1, wide), bottom + min(y1, high)


def refuse_lost_codes(original: bytes, pages: bytes, dpi: int) -> None:
    """Errors: Unconvertible if a barcode that can be read in a file can't in the one made smaller of it."""
    with raster.open_pdf(original) as large, raster.open_pdf(pages) as small:
        sizes = [(large.get_page_size(at), small.get_page_size(at)) for at in range(len(large))]
    if all(measure_scale(size, paper) > CLOSE for size, paper in sizes):
        return
    before, after = (_read_codes(data, at) for data, at in ((original, SHARP_DPI), (pages, dpi)))
    if lost := sorted(before - after):
        raise Unconvertible(
            f"The bars of {lost[0]!r} would be less than two dots wide: "
            "it needs larger paper, or a finer printer."
        )


def _read_codes(data: bytes, dpi: int) -> set[str]:
    """What the barcodes of a file say when it is printed in black and white."""
    import zxingcpp

    def read(image: Image.Image) -> set[str]:
        black = image.point([0] * 128 + [255] * 128)
        return {code.text for code in zxingcpp.read_barcodes(black)}

    return set().union(*raster.render_pages(data, dpi, None, True, read))


def find_label(sheet: Image.Image, dpi: int, paper_in: Size) -> Box | None:
    """Where the label is on the picture of a sheet; None for an empty one."""
    ink = sheet.convert("L").point([255] * INK + [0] * (256 - INK))
    whole = ink.getbbox()
    if whole is None:
        return None
    paper = paper_in[0] * dpi, paper_in[1] * dpi
    box = whole
    if measure_scale(_measure(whole), paper) < FITS:
        codes = _find_codes(sheet)
        box = _narrow(ink, whole, codes, round(LEAST_GAP_IN * dpi), paper) if codes else whole
    margin = round(MARGIN_IN * dpi)
    left, top, right, bottom = box
    return (
        max(left - margin, 0),
        max(top - margin, 0),
        min(right + margin, sheet.width),
        min(bottom + margin, sheet.height),
    )


def _measure(box: Box) -> Size:
    return box[2] - box[0], box[3] - box[1]


def _find_codes(sheet: Image.Image) -> list[Box]:
    """The boxes around the barcodes of a sheet."""
    import zxingcpp

    boxes = []
    for code in zxingcpp.read_barcodes(sheet.convert("L")):
        place = code.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        across, down = [corner.x for corner in corners], [corner.y for corner in corners]
        boxes.append((min(across), min(down), max(across), max(down)))
    return boxes


def _narrow(ink: Image.Image, whole: Box, codes: Sequence[Box], least_gap: int, paper: Size) -> Box:
    """The part with all barcodes, cut at its widest gaps until it fits; all of it where none would."""
    box = whole
    while measure_scale(_measure(box), paper) < FITS:
        parts = [part for part in _split(ink, box, least_gap) if all(_holds(part, code) for code in codes)]
        if not parts:
            return whole
        box = min(parts, key=lambda part: _measure(part)[0] * _measure(part)[1])
    return box


def _holds(box: Box, code: Box) -> bool:
    """Whether the middle of a barcode is in a box."""
    x, y = (code[0] + code[2]) / 2, (code[1] + code[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _split(ink: Image.Image, box: Box, least_gap: int) -> list[Box]:
    """The two parts of a box beside its widest white gap, across or down; none without such a gap."""
    left, top, right, bottom = box
    across, down = ink.crop(box).getprojection()
    gaps = [(*_find_gap(down), True), (*_find_gap(across), False)]
    start, end, is_across = max(gaps, key=lambda gap: gap[1] - gap[0])
    if end - start < least_gap:
        return []
    if is_across:
        parts = [(left, top, right, top + start), (left, top + end, right, bottom)]
    else:
        parts = [(left, top, left + start, bottom), (left + end, top, right, bottom)]
    return [_trim(ink, part) for part in parts]


def _find_gap(line: Sequence[int]) -> tuple[int, int]:
    """Where the widest gap of a projection begins and ends."""
    best, start = (0, 0), 0
    for at, has_ink in enumerate(line):
        if has_ink:
            if at - start > best[1] - best[0]:
                best = (start, at)
            start = at + 1
    return best


def _trim(ink: Image.Image, box: Box) -> Box:
    """A box without the white around its ink."""
    inner = ink.crop(box).getbbox() or (0, 0, box[2] - box[0], box[3] - box[1])
    return box[0] + inner[0], box[1] + inner[1], box[0] + inner[2], box[1] + inner[3]

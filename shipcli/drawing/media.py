"""Files made for the paper a printer holds, and a page to try a printer with."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from .convert import choose_turn, make_repeatable
from .elements import Bars, Element, Page, Rule, Text
from .formats import raster
from .formats.pdf import write_pdf

# A page this much off is the paper asked for: carriers round millimetres and inches.
_TOLERANCE_PT = 2.0


def fit_pdf(data: bytes, size_in: tuple[float, float]) -> bytes:
    """A PDF whose pages have this size, theirs in the middle, as large as it allows; unchanged where they do.

    A page that is too wide for the paper as it lies is turned, clockwise, where it comes out larger.

    Errors: Unconvertible when it cannot be read.
    """
    import pypdfium2

    wide, high = size_in[0] * 72, size_in[1] * 72
    with raster.open_pdf(data) as document:
        sizes = [document.get_page_size(at) for at in range(len(document))]
        if all(abs(w - wide) <= _TOLERANCE_PT and abs(h - high) <= _TOLERANCE_PT for w, h in sizes):
            return data
        book = pypdfium2.PdfDocument.new()
        for at, size in enumerate(sizes):
            _draw_page(document.page_as_xobject(at, book), book, size, (wide, high))
        out = BytesIO()
        book.save(out)
        book.close()
    return make_repeatable(out.getvalue())


def _draw_page(form: Any, book: Any, size: tuple[float, float], paper: tuple[float, float]) -> None:
    """A page of one file, as it is seen there, drawn on a new page of the other."""
    import pypdfium2

    matrix, (wide, high) = pypdfium2.PdfMatrix(), size
    if is_turned(size, paper):
        matrix, (wide, high) = matrix.rotate(90).translate(0, wide), (high, wide)
    scale = min(paper[0] / wide, paper[1] / high)
    x, y = (paper[0] - wide * scale) / 2, (paper[1] - high * scale) / 2
    drawn = form.as_pageobject()
    drawn.set_matrix(matrix.scale(scale, scale).translate(x, y))
    page = book.new_page(*paper)
    page.insert_obj(drawn)
    page.gen_content()
    page.close()
    form.close()


def is_turned(size: tuple[float, float], paper: tuple[float, float]) -> bool:
    """Whether a page is turned by a quarter: it doesn't fit as it lies, and comes out larger when turned."""
    fits = all(side <= room + _TOLERANCE_PT for side, room in zip(size, paper, strict=True))
    return not fits and bool(choose_turn(size, paper))


def draw_trial_page(lines: tuple[str, ...], size_in: tuple[float, float], dpi: int) -> bytes:
    """A PDF page with a frame at its edges, a barcode, and what the printer was said to be."""
    wide, high = round(size_in[0] * dpi), round(size_in[1] * dpi)
    unit = min(wide, high) // 40
    module = max(1, dpi // 100)
    edges = ((unit, unit, wide - 2 * unit, 2), (unit, high - unit - 2, wide - 2 * unit, 2),
             (unit, unit, 2, high - 2 * unit), (wide - unit - 2, unit, 2, high - 2 * unit))  # fmt: skip
    marks: list[Element] = [Rule(*edge) for edge in edges]
    marks += [
        Text(3 * unit, 3 * unit + at * 3 * unit, 2 * unit, line, bold=at == 0)
        for at, line in enumerate(lines)
    ]
    below = 4 * unit + len(lines) * 3 * unit
    quiet = unit + 12 * module  # white that a scanner needs before the bars
    marks.append(Bars(quiet, below, module, max(unit, min(8 * unit, high - below - 3 * unit)), "TEST 123"))
    return write_pdf([Page(wide, high, tuple(marks), dpi)])

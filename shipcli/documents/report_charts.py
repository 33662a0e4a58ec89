"""The pictures of a report, drawn by reportlab: columns along time, bars by name."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor

from shipcli.documents.report_text import list_runs, measure

if TYPE_CHECKING:
    from shipcli.models.report import ReportChart

Bar = tuple[str, Decimal, str]
FILL, INK, AXIS = HexColor("#2E75B6"), HexColor("#333333"), HexColor("#BFBFBF")
SIZE, TITLE_SIZE = 8.0, 10.0
MOST_BARS, MOST_COLUMNS = 15, 53
BAR_HIGH, GAP, CHART_HIGH = 12.0, 6.0, 170.0
LONGEST_NAME = 28


def draw_chart(chart: ReportChart, bars: Sequence[Bar], width: float) -> Drawing:
    """The picture of a section, as wide as the page."""
    return _draw_columns(chart, bars, width) if chart.over_time else _draw_bars(chart, bars, width)


def _draw_bars(chart: ReportChart, bars: Sequence[Bar], width: float) -> Drawing:
    """A bar per name, longest first; what does not fit is in the table."""
    shown = sorted(bars, key=lambda bar: -bar[1])[:MOST_BARS]
    high = len(shown) * (BAR_HIGH + GAP) + 30
    drawing = Drawing(width, high)
    _write(drawing, chart.title, 0, high - 12, TITLE_SIZE)
    left = max(measure(_shorten(name), SIZE) for name, _, _ in shown) + 8
    right = max(measure(text, SIZE) for _, _, text in shown) + 8
    most = max(length for _, length, _ in shown) or Decimal(1)
    for place, (name, length, text) in enumerate(shown):
        y = high - 30 - place * (BAR_HIGH + GAP)
        wide = max(float(length / most) * (width - left - right), 0.5)
        _write(drawing, _shorten(name), left - 6, y + 3, anchor="end")
        drawing.add(Rect(left, y, wide, BAR_HIGH, fillColor=FILL, strokeColor=None))
        _write(drawing, text, left + wide + 5, y + 3)
    return drawing


def _draw_columns(chart: ReportChart, bars: Sequence[Bar], width: float) -> Drawing:
    """A column per week or day, the newest at the right; labels are thinned out where they would touch."""
    shown = bars[-MOST_COLUMNS:]
    drawing = Drawing(width, CHART_HIGH)
    _write(drawing, chart.title, 0, CHART_HIGH - 12, TITLE_SIZE)
    most, step = max(length for _, length, _ in shown) or Decimal(1), width / len(shown)
    wide = min(step * 0.7, 60.0)
    every_name = _thin([name for name, _, _ in shown], step)
    every_text = _thin([text for _, _, text in shown], step)
    drawing.add(Line(0, 18, width, 18, strokeColor=AXIS))
    for place, (name, length, text) in enumerate(shown):
        x, high = place * step + step / 2, max(float(length / most) * (CHART_HIGH - 60), 0.5)
        drawing.add(Rect(x - wide / 2, 18, wide, high, fillColor=FILL, strokeColor=None))
        if place % every_name == 0:
            _write(drawing, name, x, 6, anchor="middle")
        if place % every_text == 0:
            _write(drawing, text, x, high + 22, anchor="middle")
    return drawing


def _thin(texts: Sequence[str], step: float) -> int:
    """Of how many texts beside each other one has room."""
    widest = max(measure(text, SIZE) for text in texts) + 6
    return max(1, int(widest // step) + 1)


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _write(
    drawing: Drawing, text: str, x: float, y: float, size: float = SIZE, anchor: str = "start"
) -> None:
    """Write a text to the right of a point, to its left (end), or around it (middle)."""
    x -= measure(text, size) * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    for font, part in list_runs(text):
        drawing.add(String(x, y, part, fontName=font, fontSize=size, fillColor=INK))
        x += measure(part, size)

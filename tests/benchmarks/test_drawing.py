"""What drawing costs, as ratios inside one run: machines differ, and one machine from minute to minute."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from shipcli.drawing import draw_label
from tests.benchmarks.yardstick import SLACK
from tests.drawing.samples import RECIPIENT, SENDER, label, to

pytestmark = pytest.mark.benchmark


def _cost(draw: Callable[[int], Any], count: int) -> float:
    """CPU seconds for one of `count` drawings."""
    start = time.process_time()
    for at in range(count):
        draw(at)
    return (time.process_time() - start) / count


def _ratio(ours: Callable[[int], Any], theirs: Callable[[int], Any], count: int, rounds: int = 5) -> float:
    """Our cost against theirs: the middle one of several rounds taken in turns."""
    ours(0), theirs(0)
    pairs = [_cost(ours, count) / _cost(theirs, count) for _ in range(rounds)]
    return sorted(pairs)[rounds // 2]


def _ours(form: str) -> Callable[[int], bytes]:
    return lambda at: draw_label(
        label(
            tracking_number=f"1Z12345E02052{at:05}",
            code2d=("qr", f"1Z12345E02052{at:05}|62701|US"),
            references=(f"Ref: SO-{at}", "Weight: 1.2 kg", "1 of 2", f"Invoice {at}"),
        ),
        form,
    )


def _with_reportlab(at: int) -> bytes:
    """The same visible elements straight through reportlab, its own Code 128, not even embedding a font."""
    from reportlab.graphics.barcode.code128 import Code128
    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    canvas = Canvas(out, pagesize=(288, 432), invariant=1, pageCompression=1)
    _lines(canvas, "Helvetica-Bold", 14, 400, ["Carrier Express   Ground"])
    _lines(canvas, "Helvetica", 8, 380, SENDER.lines)
    _lines(canvas, "Helvetica-Bold", 14, 300, RECIPIENT.lines)
    _lines(canvas, "Helvetica", 8, 210, [f"Ref: SO-{at}", "Weight: 1.2 kg", "1 of 2", f"Invoice {at}"])
    for y in (410, 320, 230):
        canvas.line(8, y, 280, y)
    _matrix(canvas, f"1Z12345E02052{at:05}|62701|US")
    bars = Code128(f"1Z12345E02052{at:05}", barWidth=0.7, barHeight=60, humanReadable=True)
    bars.drawOn(canvas, 20, 30)
    canvas.save()
    return out.getvalue()


def _lines(canvas: Any, font: str, size: int, top: int, lines: Any) -> None:
    canvas.setFont(font, size)
    for at, line in enumerate(lines):
        canvas.drawString(12, top - at * (size + 2), line)


def _matrix(canvas: Any, content: str) -> None:
    """A run of black modules at a time, the cheap way."""
    from shipcli.drawing.symbols import encode_rows, list_black_runs

    path = canvas.beginPath()
    for x, y, width, height in list_black_runs(encode_rows("qr", content)):
        path.rect(200 + 2 * x, 200 - 2 * (y + height), 2 * width, 2 * height)
    canvas.drawPath(path, stroke=0, fill=1)


def test_a_pdf_label_costs_at_most_a_quarter_more_than_raw_reportlab() -> None:
    ratio = _ratio(_ours("PDF"), _with_reportlab, 40)
    print(f"PDF label / raw reportlab: {ratio:.2f}")
    assert ratio <= 1.25 * SLACK


def test_a_zpl_label_costs_next_to_nothing_beside_raw_reportlab() -> None:
    ratio = _ratio(_ours("ZPL"), _with_reportlab, 40)
    print(f"ZPL label / raw reportlab: {ratio:.4f}")
    assert ratio <= 1 / 20 * SLACK


def test_a_label_to_another_script_costs_at_most_a_few_plain_ones() -> None:
    other = label(recipient=to("田中 太郎", "東京国立博物館", "台東区 110-8712"))
    ratio = _ratio(lambda at: draw_label(other), _ours("PDF"), 40)
    print(f"Japanese / Latin PDF label: {ratio:.2f}")
    assert ratio <= 4 * SLACK

"""What documents cost: the commercial invoice of two pages, and templates beside it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from shipcli.documents import invoice
from shipcli.documents.ready_made import READY_MADE
from shipcli.documents.rendering import Renderer, RenderJob
from shipcli.drawing.formats.pdf import write_pdf
from tests.benchmarks.yardstick import cost, middle
from tests.documents.samples import shipment, texts

pytestmark = pytest.mark.benchmark
LINES, TARGET_MS = 24, 6.0


@pytest.fixture
def renderer() -> Iterator[Renderer]:
    made = Renderer()
    yield made
    made.close()


def test_an_invoice_of_two_pages_costs_at_most_six_milliseconds() -> None:
    one = shipment(LINES)
    assert len(texts(write_pdf(invoice.draw_invoice(one)))) == 2
    spent = 1000 * middle([cost(lambda: write_pdf(invoice.draw_invoice(one)), 10) for _ in range(5)])
    print(f"invoice of two pages: {spent:.1f} ms")
    assert spent <= TARGET_MS


def test_a_template_renders_in_a_warm_process_in_a_moment(renderer: Renderer) -> None:
    job = RenderJob(READY_MADE["commercial_invoice"].template, [{"data": shipment(3).model_dump()}])
    start = time.perf_counter()
    renderer.render(job)
    first = time.perf_counter() - start
    times = []
    for _ in range(5):
        start = time.perf_counter()
        renderer.render(job)
        times.append(time.perf_counter() - start)
    print(f"first template {first:.2f} s, then {1000 * middle(times):.0f} ms")
    assert middle(times) < first

"""What Asendia Sync may answer beside its recordings."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pypdfium2
import pytest
from shipcli.carriers.asendia import Asendia

from shipcli.carrier import Reply
from tests.carriers.bench import Bench, lane, parcel, said
from tests.carriers.promises import void
from tests.carriers.tap import Tap


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Asendia, lane(Asendia))
    yield bench
    bench.close()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"success": false, "message": "It is on a manifest"}', ["It is on a manifest"]),
        (b'{"success": true, "message": "Parcel successfully deleted"}', []),
        (b"", []),
    ],
)
def test_a_cancellation_that_was_not_done_is_a_refusal(bench: Bench, body: bytes, words: list[str]) -> None:
    tap = Tap(bench)
    tap.instead = lambda request: Reply(200, body) if request.method == "DELETE" else None
    outcome = void(bench, "3fa85f64")
    assert [message.message for message in outcome.messages] == words
    assert bool(outcome.result) is not bool(words)


def test_the_label_for_the_way_back_is_printed_behind_that_of_its_parcel(bench: Bench) -> None:
    boxes = [parcel("0.5"), parcel("0.6", options={"asendia_return_label": True})]
    bought = bench.ask("ship", bench.request(*boxes, service="asendia_epaq_standard", label_type="PDF"))
    assert bought.result, said(bought)
    labels = pypdfium2.PdfDocument(base64.b64decode(bought.result.docs["label"]))
    assert len(labels) == 3


def test_a_label_for_the_way_back_that_is_not_there_costs_no_other_label(bench: Bench) -> None:
    missing = Reply(404, b'{"title": "Not Found", "status": 404, "detail": "There is no label"}')
    Tap(bench, instead=lambda request: missing if request.url.endswith("/return-label") else None)
    order = bench.request(service="asendia_epaq_standard", options={"asendia_return_label": True})
    bought = bench.ask("ship", order)
    assert bought.result, said(bought)
    assert bought.result.docs["label"]
    assert "There is no label" in said(bought)

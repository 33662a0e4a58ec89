"""What Asendia Sync may answer beside its recordings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shipcli.carriers.asendia import Asendia

from shipcli.carrier import Reply
from tests.carriers.bench import Bench, lane
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

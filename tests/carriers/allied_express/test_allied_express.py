"""Allied Express: what neither cases nor the contract show."""

from __future__ import annotations

import pytest
from shipcli.carriers.allied_express import AlliedExpress

from shipcli.carrier import Reply
from tests.carriers.bench import Bench
from tests.carriers.tap import Tap


@pytest.mark.parametrize(
    ("body", "doubtful"), [(b'{"Message": "An error has occurred."}', True), (b'SCHEMA: {"job": 1}', False)]
)
def test_a_fault_of_the_facade_leaves_a_purchase_in_doubt(body: bytes, doubtful: bool) -> None:
    bench = Bench(AlliedExpress, ("AU", "AU"))
    request = bench.request()
    Tap(bench, after=lambda asked, reply: Reply(200, body))
    outcome = bench.ask("ship", request)
    bench.close()
    assert (outcome.failed, outcome.unknown) == (True, doubtful)

"""Sendle: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

from shipcli.carriers.sendle import Sendle

from tests.carriers.bench import Bench, lane, parcel
from tests.carriers.errands import KEY, run_errand
from tests.carriers.tap import Tap


def test_an_order_asked_for_again_has_the_same_key_and_no_two_have_one() -> None:
    bench = Bench(Sendle, lane(Sendle))
    request, tap = bench.request(parcel(), parcel()), Tap(bench)
    for _ in range(2):
        run_errand(bench, "ship", request)
    bench.close()
    keys = [one.header("idempotency-key") for one in tap.sent if one.method == "POST"]
    assert (keys[0], len(set(keys)), sorted(keys[:2])) == (KEY, 2, sorted(keys[2:]))

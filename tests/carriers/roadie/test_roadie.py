"""Roadie: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

from shipcli.carriers.roadie import Roadie

from tests.carriers.bench import Bench, address, said
from tests.carriers.tap import Tap


def test_a_way_that_leaves_the_us_is_refused_before_anything_is_sent() -> None:
    bench = Bench(Roadie)
    request, tap = bench.request(recipient=address("CA", "Bo")), Tap(bench)
    outcome = bench.ask("ship", request)
    bench.close()
    assert said(outcome).endswith("Roadie drives in the US only, not in CA")
    assert (tap.sent, outcome.unknown) == ([], False)


def test_a_time_that_is_none_is_refused_by_its_name() -> None:
    bench = Bench(Roadie)
    outcome = bench.buy(service="roadie_local_delivery", options={"deliver_end": "tonight"})
    bench.close()
    assert said(outcome) == "validation: options.deliver_end: 'tonight' is no date and time"

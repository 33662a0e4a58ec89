"""Threads of the station: what ends in a fault is said, so that no load waits for ever."""

from __future__ import annotations

from queue import SimpleQueue

import pytest

from shipcli.cli.station.crew import Crew
from shipcli.features.core.app import App
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.steps import BuyLabel, Event, FetchRates
from tests.processes import PATIENCE_S
from tests.station.bench import Bench, make_order


@pytest.mark.parametrize("kind", [FetchRates, BuyLabel])
def test_a_fault_in_a_thread_is_said_and_the_load_can_go_on(bench: Bench, app: App, kind: type) -> None:
    make_order(app, "1042")
    bench.waits = lambda effect: isinstance(effect, kind)
    bench.scan("1042")
    if kind is BuyLabel:
        bench.press(StationCommand.BUY)
    told: SimpleQueue[Event] = SimpleQueue()

    def fail() -> None:
        raise RuntimeError("out of order")

    crew = Crew(fail, told.put)  # type: ignore[arg-type]  # it never makes a desk
    crew.carry_out(bench.pending.pop())
    bench.happen(told.get(timeout=PATIENCE_S))
    crew.close()
    assert bench.load.phase is Phase.ATTENTION
    assert "RuntimeError" in bench.load.trouble
    bench.waits = lambda effect: False
    bench.press(StationCommand.BUY)
    bench.press(StationCommand.BUY)
    assert bench.station.count == 1

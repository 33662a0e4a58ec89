"""Threads of the station: what ends in a fault is said, so that no load waits for ever."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest

from shipcli.cli.station.crew import Crew, ScaleWatch
from shipcli.features.core.app import App
from shipcli.scales.opening import ScaleLine, open_scale
from shipcli.scales.targets import parse_target
from shipcli.workflows.station.loads import Phase
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.steps import BuyLabel, Event, FetchRates, ScaleSilent, Weighed
from tests.processes import PATIENCE_S, wait_for
from tests.scales.lines import play_scale
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


def test_a_scale_that_is_plugged_in_again_is_read_on(tmp_path: Path) -> None:
    target = parse_target(f"serial:{tmp_path / 'tty'}")
    told: SimpleQueue[Event] = SimpleQueue()
    watch = ScaleWatch(lambda: open_scale(target, str), told.put)
    watch.begin()
    for _ in range(2):
        with play_scale(b"S S      1.250 kg\r\n", b"SI\r\n") as played:
            (tmp_path / "tty").symlink_to(played.place)
            wait_for(lambda: isinstance(told.get(timeout=PATIENCE_S), Weighed))
        (tmp_path / "tty").unlink()
        wait_for(lambda: isinstance(told.get(timeout=PATIENCE_S), ScaleSilent))
    watch.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_the_watch_is_said() -> None:
    told: SimpleQueue[Event] = SimpleQueue()

    def fail() -> ScaleLine:
        raise RuntimeError("out of order")

    watch = ScaleWatch(fail, told.put)
    watch.begin()
    event = told.get(timeout=PATIENCE_S)
    watch.close()
    assert isinstance(event, ScaleSilent)
    assert "read no more" in event.reason

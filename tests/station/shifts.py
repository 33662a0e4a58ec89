"""A shift at the station: orders are scanned, checked, weighed and bought, in one of several ways."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from shipcli.features.core.app import App
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.state import StationOptions
from tests.station.bench import Bench, make_order


def pack_shift(
    app: App, count: int, options: StationOptions, after: Callable[[int], None] = lambda number: None
) -> Bench:
    """Pack so many orders; `after` is called after each. The station that did."""
    bench = Bench(app, options)
    ways = cycle([
        lambda number: bench.press(StationCommand.BUY),
        lambda number: bench.scan("CMD-BUY"),
        lambda number: bench.scan(f"SO-{number}"),
    ])  # fmt: skip
    for number, buy in zip(range(count), ways, strict=False):
        make_order(app, f"SO-{number}")
        for scanned in (f"SO-{number}", "MUG-11", "MUG-11", "TEA-5"):
            bench.scan(scanned)
        bench.weigh(0, 1000 + number, 1000 + number)
        buy(number)
        bench.done.clear()
        after(number)
    return bench

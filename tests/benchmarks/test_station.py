"""A shift of 500 orders at the packing station: what a parcel costs, and that memory stays flat."""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.workflows.station.state import StationOptions
from tests.benchmarks.yardstick import SLACK
from tests.station.bench import add_zebra
from tests.station.shifts import pack_shift

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

ORDERS, WARM = 500, 100
MOST_GROWTH_MB = 30  # of the peak, from the 100th parcel to the last
MOST_CPU_S = 0.15  # a parcel: its order is made, two carriers are simulated here, and its label is drawn


def measure_peak() -> float:
    """The most memory that this process had so far, in MB."""
    unit = 1024 if sys.platform != "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def test_a_shift_of_500_orders_is_packed_in_flat_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_app(tmp_path / "home", sandbox=True, environ={}, carriers="fedex,ups")
    add_zebra(app, tmp_path)
    peaks: dict[int, float] = {}
    start = time.process_time()
    options = StationOptions(has_scale=True, checks_goods=True)
    bench = pack_shift(app, ORDERS, options, lambda number: peaks.update({number: measure_peak()}))
    spent = (time.process_time() - start) / ORDERS
    app.close()
    growth = peaks[ORDERS - 1] - peaks[WARM]
    with capsys.disabled():
        print(f"\n{spent * 1000:.0f} ms CPU a parcel; the peak grew by {growth:.1f} MB", end="")
    assert bench.station.count == ORDERS
    assert growth <= MOST_GROWTH_MB
    assert spent <= MOST_CPU_S * SLACK

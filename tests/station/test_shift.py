"""A shift: order after order, each with one label, on paper once, and nothing left on the table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from shipcli.features.core.app import App
from shipcli.workflows.station.state import StationOptions
from tests.features.conftest import live_labels
from tests.station.shifts import pack_shift

ORDERS = 12


def test_every_order_of_a_shift_gets_one_label(app: App, tmp_path: Path) -> None:
    bench = pack_shift(app, ORDERS, StationOptions(has_scale=True, checks_goods=True, packer="Ada"))
    labels = Counter({number: len(numbers) for number, numbers in live_labels(app).items()})
    assert labels == {f"SO-{number}": 1 for number in range(ORDERS)}
    assert len(list((tmp_path / "printed").iterdir())) == ORDERS
    assert bench.station.count == ORDERS
    assert bench.station.load is None
    assert (bench.station.table.held, bench.station.table.away, bench.station.table.unprinted) == ([], [], [])

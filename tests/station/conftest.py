"""A sandbox with two carriers and a label printer, and a station on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.workflows.station.state import StationOptions
from tests.station.bench import Bench, add_zebra, make_order

CARRIERS = "fedex,ups"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(tmp_path / "home", sandbox=True, environ={}, carriers=CARRIERS)
    add_zebra(opened, tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def bench(app: App) -> Bench:
    """A station without a scale: weights are those of the lines."""
    return Bench(app)


@pytest.fixture
def weighing(app: App) -> Bench:
    """A station with a scale."""
    return Bench(app, StationOptions(has_scale=True))


@pytest.fixture
def checking(app: App) -> Bench:
    """A station with the packing check, and an order on its table."""
    bench = Bench(app, StationOptions(checks_goods=True))
    make_order(app, "1042")
    bench.scan("1042")
    return bench

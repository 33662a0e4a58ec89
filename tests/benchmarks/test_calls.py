"""Python calls of a price and of purchases, and the room that a shipment takes: the same on every machine.

Each limit is a quarter above what was measured. Calls are those of the asking thread: carriers are asked in
another.
"""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import registry
from shipcli.features.core.app import App
from shipcli.features.shipments.service import create_shipment
from shipcli.models import Shipment, ShipmentData
from tests.factories import RECIPIENT, SHIPPER

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

PARCEL = {
    "weight": "2.31", "weight_unit": "LB", "width": 8, "height": 4, "length": 10, "dimension_unit": "IN",
}  # fmt: skip
PURCHASES = [
    ("generic", "standard_service", 7_900),
    ("usps", "usps_ground_advantage", 11_000),  # it is asked for days as well
    ("ups", "ups_ground", 10_800),
]
DRAFT_OF_A_CARRIER = 745  # of those that are asked for prices
COUNT, MOST_KB = 20, 61


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    opened = open_app(tmp_path_factory.mktemp("home"), sandbox=True, environ={})
    yield opened
    opened.close()


def buy(app: App, **choice: object) -> Shipment:
    body = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "reference": "SO-1", **choice}
    return create_shipment(app, ShipmentData.model_validate(body))


def count_calls(work: Callable[[], object]) -> int:
    """The calls of the third time, when everything is loaded and cached."""
    work(), work()
    profile = cProfile.Profile()
    profile.runcall(work)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # it is not in the stubs


@pytest.mark.parametrize(("slug", "service", "most"), PURCHASES, ids=[row[0] for row in PURCHASES])
def test_calls_of_a_purchase(
    app: App, capsys: pytest.CaptureFixture[str], slug: str, service: str, most: int
) -> None:
    calls = count_calls(partial(buy, app, carrier_ids=[slug], service=service))
    with capsys.disabled():
        print(f"\n{slug}: {calls} calls a purchase", end="")
    assert calls <= most


def test_calls_of_a_draft_that_all_carriers_price(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    calls = count_calls(partial(buy, app))
    with capsys.disabled():
        print(f"\nall: {calls} calls a draft", end="")
    priced = [facts for facts in registry.list_facts() if "rate" in facts.operations]
    assert calls <= DRAFT_OF_A_CARRIER * len(priced)


def test_the_room_of_a_shipment_that_all_carriers_price(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    buy(app, service="usps_ground_advantage")
    before = app.store.info()["bytes"]
    for _ in range(COUNT):
        buy(app, service="usps_ground_advantage")
    size = (app.store.info()["bytes"] - before) / COUNT / 1024
    with capsys.disabled():
        print(f"\nall: {size:.0f} KB a shipment", end="")
    assert size <= MOST_KB

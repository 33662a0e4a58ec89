"""What a batch of simulated purchases costs beside the same purchases in a loop.

The aim is a quarter more at most, from the body to the end of the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.files.batches.service import create_shipments, get_batch, run_here
from shipcli.features.shipments.service import create_shipment
from shipcli.models import BatchShipmentData, ShipmentData
from tests.benchmarks.yardstick import SLACK, against
from tests.factories import RECIPIENT, SHIPPER

pytestmark = [pytest.mark.slow, pytest.mark.benchmark]

ROWS, ROUNDS, MOST = 60, 5, 1.25
PARCEL = {
    "weight": "2.31", "weight_unit": "LB", "width": 8, "height": 4, "length": 10, "dimension_unit": "IN",
}  # fmt: skip
PURCHASES = [("generic", "standard_service"), ("usps", "usps_ground_advantage")]


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    opened = open_app(tmp_path_factory.mktemp("home"), sandbox=True, environ={})
    yield opened
    opened.close()


def rows(slug: str, service: str) -> list[dict[str, Any]]:
    common = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "service": service}
    return [{**common, "carrier_ids": [slug], "reference": f"SO-{number}"} for number in range(ROWS)]


@pytest.mark.parametrize(("slug", "service"), PURCHASES, ids=[row[0] for row in PURCHASES])
def test_a_batch_adds_a_quarter_at_most(
    app: App, capsys: pytest.CaptureFixture[str], slug: str, service: str
) -> None:
    wanted = rows(slug, service)

    def in_a_batch() -> None:
        batch = create_shipments(app, BatchShipmentData.model_validate({"shipments": wanted}))
        assert run_here(app, batch.id)
        assert get_batch(app, batch.id).status == "completed"

    def in_a_loop() -> None:
        for row in wanted:
            assert create_shipment(app, ShipmentData.model_validate(row)).status == "purchased"

    seconds, ratio = against(in_a_batch, in_a_loop, count=1, rounds=ROUNDS)
    with capsys.disabled():
        each_ms = seconds / ROWS * 1000
        print(f"\n{slug:8}{each_ms:7.2f} ms CPU a purchase in a batch, {ratio:5.2f} times a loop", end="")
    assert ratio <= MOST * SLACK

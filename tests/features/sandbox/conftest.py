"""A sandbox whose clock stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.sandbox.clock import freeze_clock
from shipcli.features.shipments.service import create_shipment
from shipcli.models import Shipment, ShipmentData
from shipcli.models.sandbox_time import ClockFreezeData
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.homes import copy_sandbox

MONDAY = "2026-01-05T09:00:00+00:00"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    opened = open_app(copy_sandbox(tmp_path / "home"), sandbox=True, environ={})
    freeze_clock(opened, ClockFreezeData(at=MONDAY))
    yield opened
    opened.close()


def buy(app: App, carrier: str = "ups", service: str = "ups_ground", **changes: Any) -> Shipment:
    """Buy a label."""
    body = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], **changes}
    return create_shipment(
        app, ShipmentData.model_validate({**body, "carrier_ids": [carrier], "service": service})
    )

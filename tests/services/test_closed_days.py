"""What was closed long ago costs the end of a day, and a pickup, nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.workflows.end_of_day import group_shipments, open_groups, without_label
from shipcli.workflows.lookup import list_purchased
from shipcli.workflows.pickups import list_waiting
from tests.services.conftest import draft
from tests.services.growth import steps_of

OPEN, CLOSED = 5, 400


def bought(app: App) -> dict[str, Any]:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"], service="usps_ground_advantage"))
    return made.plain()


def fill(app: App, one: dict[str, Any], count: int, **meta: str) -> None:
    """More shipments like one; with a manifest, a pickup, both or none in their meta."""
    with app.store.transaction() as tx:
        for _ in range(count):
            document = {**one, "id": app.new_id("shp_"), "meta": {**one["meta"], **meta}}
            extra = {"has_manifest": "manifest_id" in meta}
            tx.put("shipment", document, test_mode=app.test_mode, extra=extra)


READINGS: list[Callable[[App], object]] = [
    lambda app: open_groups(LocalGateway(app)),
    lambda app: list(without_label(LocalGateway(app))),
    lambda app: list_waiting(LocalGateway(app), "usps"),
]


@pytest.mark.parametrize("read", READINGS, ids=["eod", "without label", "pickup"])
def test_shipments_that_were_closed_long_ago_are_not_read(app: App, read: Callable[[App], object]) -> None:
    one = bought(app)
    fill(app, one, OPEN)
    read(app)
    before = steps_of(app, lambda: read(app))
    fill(app, one, CLOSED, manifest_id="manf_1", pickup_id="pck_1")
    assert steps_of(app, lambda: read(app)) < before * 1.3 + 20


def test_what_is_open_is_found_beside_what_is_closed(app: App) -> None:
    one = bought(app)
    fill(app, one, 3, manifest_id="manf_1")
    fill(app, one, 2, pickup_id="pck_1")
    assert [len(group.shipments) for group in open_groups(LocalGateway(app))] == [1 + 2]
    assert len(list_waiting(LocalGateway(app), "usps")) == 1 + 3


def test_many_shipments_of_one_place_are_one_group_in_their_order(app: App) -> None:
    one = bought(app)
    fill(app, one, 50)
    every = list_purchased(LocalGateway(app))
    (group,) = group_shipments(LocalGateway(app), every)
    assert list(group.shipments) == every

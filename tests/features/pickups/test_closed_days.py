"""What was closed long ago costs the end of a day, and a pickup, nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.workflows.end_of_day import group_shipments, list_open_groups
from shipcli.workflows.lookup import list_purchased
from shipcli.workflows.open_day import read_open_day
from shipcli.workflows.pickups import list_waiting
from tests.factories import draft
from tests.features.growth import steps_of

OPEN, CLOSED = 5, 400


def bought(app: App) -> dict[str, Any]:
    made = shipments.create_shipment(app, draft(carrier_ids=["usps"], service="usps_ground_advantage"))
    return made.model_dump()


def fill(app: App, one: dict[str, Any], count: int, **meta: str) -> None:
    """More shipments like one; with a manifest, a pickup, both or none in their meta."""
    with app.store.transaction() as tx:
        for _ in range(count):
            document = {**one, "id": app.new_id("shp_"), "meta": {**one["meta"], **meta}}
            extra = {"has_manifest": "manifest_id" in meta}
            tx.put("shipment", document, test_mode=app.test_mode, extra=extra)


def fill_orders(app: App, count: int) -> None:
    """More orders that are fulfilled."""
    with app.store.transaction() as tx:
        for number in range(count):
            order = {"id": app.new_id("ord_"), "order_id": f"W{number}", "status": "fulfilled",
                     "source": "API", "line_items": [], "created_at": app.stamp()}  # fmt: skip
            tx.put("order", order, test_mode=app.test_mode)


READINGS: list[Callable[[App], object]] = [
    lambda app: list_open_groups(LocalGateway(app)),
    lambda app: read_open_day(LocalGateway(app)),
    lambda app: list_waiting(LocalGateway(app), "usps"),
]


@pytest.mark.sqlite_only("counts the steps of its machine")
@pytest.mark.parametrize("read", READINGS, ids=["eod", "check", "pickup"])
def test_what_was_closed_long_ago_is_not_read(app: App, read: Callable[[App], object]) -> None:
    one = bought(app)
    fill(app, one, OPEN)
    read(app)
    before = steps_of(app, lambda: read(app))
    fill(app, one, CLOSED, manifest_id="manf_1", pickup_id="pck_1")
    fill_orders(app, CLOSED)
    assert steps_of(app, lambda: read(app)) < before * 1.3 + 20


def test_what_is_open_is_found_beside_what_is_closed(app: App) -> None:
    one = bought(app)
    fill(app, one, 3, manifest_id="manf_1")
    fill(app, one, 2, pickup_id="pck_1")
    assert [len(group.shipments) for group in list_open_groups(LocalGateway(app))] == [1 + 2]
    assert len(list_waiting(LocalGateway(app), "usps")) == 1 + 3


@pytest.mark.sqlite_only("counts the steps of its machine")
def test_a_check_reads_what_is_open_once(app: App) -> None:
    one = bought(app)
    fill(app, one, 100)
    groups = steps_of(app, lambda: list_open_groups(LocalGateway(app)))
    assert steps_of(app, lambda: read_open_day(LocalGateway(app))) < groups * 1.3 + 20


def test_many_shipments_of_one_place_are_one_group_in_their_order(app: App) -> None:
    one = bought(app)
    fill(app, one, 50)
    every = list_purchased(LocalGateway(app))
    (group,) = group_shipments(LocalGateway(app), every)
    assert list(group.shipments) == every

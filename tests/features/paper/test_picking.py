"""What is to be fetched: bought and unprinted, or not bought yet."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.orders import service as orders
from shipcli.features.paper import labels, picking
from shipcli.features.paper.picking import PickPlan
from shipcli.features.shipments import service as shipments
from shipcli.gateway.local import LocalGateway
from shipcli.models import Invalid, Order
from shipcli.workflows.fulfil import FulfilmentRun, fulfil
from shipcli.workflows.order_proposals import FulfilPlan
from tests.documents.samples import texts
from tests.factories import PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.paper.samples import GOODS, covering, ordered


def make_order(app: App, number: str, **changes: Any) -> Order:
    return ordered(app, order_id=number, shipping_to=RECIPIENT, shipping_from=SHIPPER, **changes)


def buy(app: App, *found: Order) -> None:
    """What `orders fulfil` does."""
    run = FulfilmentRun()
    done = fulfil(LocalGateway(app), FulfilPlan(), [one.id for one in found], run)
    assert [row.status for row in done] == ["purchased" for _ in found]


def mark_printed(app: App, order: Order) -> None:
    ids = [one.id for one in orders.get_order(app, order.id).shipments]
    with app.store.transaction() as tx:
        tx.mark("shipment", ids, {"printed": True})


def plan(app: App, *found: Order) -> PickPlan:
    now = [orders.get_order(app, one.id) for one in found]
    bought = [one.id for order in now for one in order.shipments]
    return picking.plan_orders(now, labels.list_printed(app, bought))


def counts(found: PickPlan) -> dict[str, int]:
    return {name: sum(item.quantity for item in items) for name, items in found.wanted}


def test_an_order_that_was_bought_is_on_the_list_until_its_label_is_printed(app: App) -> None:
    first, second = make_order(app, "W00001"), make_order(app, "W00002")
    buy(app, first, second)
    assert counts(plan(app, first, second)) == {"W00001": 2, "W00002": 2}
    mark_printed(app, first)
    found = plan(app, first, second)
    assert counts(found) == {"W00002": 2}
    assert found.left_out == (("W00001", "its label is printed"),)


def test_what_is_bought_and_what_is_left_of_an_order_are_fetched_together(app: App) -> None:
    order = make_order(app, "W00001")
    one = covering(app, order)
    assert counts(plan(app, order)) == {"W00001": 2}
    with app.store.transaction() as tx:
        tx.mark("shipment", [one.id], {"printed": True})
    assert counts(plan(app, order)) == {"W00001": 1}


def test_a_cancelled_order_is_left_out(app: App) -> None:
    order = make_order(app, "W00001")
    orders.cancel_order(app, order.id)
    assert plan(app, order) == PickPlan((), (("W00001", "cancelled"),))


def test_a_voided_label_frees_what_was_in_its_parcel(app: App) -> None:
    order = make_order(app, "W00001")
    buy(app, order)
    shipments.cancel_shipment(app, orders.get_order(app, order.id).shipments[0].id)
    assert counts(plan(app, order)) == {"W00001": 2}


def test_shipments_go_by_the_number_of_their_order(app: App) -> None:
    full = {"parcels": [{**PARCEL, "items": [GOODS]}]}
    made = [
        shipments.create_shipment(app, draft(reference="A", **full)),
        shipments.create_shipment(app, draft(reference="B", metadata={"order_id": "W-2"}, **full)),
        shipments.create_shipment(app, draft(reference="C")),
    ]
    found = picking.plan_shipments(made)
    assert (counts(found), found.left_out) == ({"A": 2, "W-2": 2}, (("C", "nobody said what is in it"),))
    (text,) = texts(picking.make_pick_list(app, found))
    assert "MUG Mug 4 A (2), W-2 (2)" in text


def test_orders_of_two_shops_with_one_number_stay_apart(app: App) -> None:
    found = [make_order(app, "1001", source=source) for source in ("ebay", "etsy")]
    other = make_order(app, "1002")
    listed = plan(app, *found, other)
    assert counts(listed) == {"1001 ebay": 2, "1001 etsy": 2, "1002": 2}
    (text,) = texts(picking.make_pick_list(app, listed))
    assert "1001 ebay (2), 1001 etsy (2), 1002 (2)" in text
    buy(app, *found)
    parcels = [one for order in found for one in orders.get_order(app, order.id).shipments]
    assert counts(picking.plan_shipments(parcels)) == {"1001 ebay": 2, "1001 etsy": 2}


def test_nothing_to_be_fetched_makes_no_list(app: App) -> None:
    with pytest.raises(Invalid, match="Nothing is to be fetched"):
        picking.make_pick_list(app, PickPlan((), ()))

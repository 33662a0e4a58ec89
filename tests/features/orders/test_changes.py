"""Orders that are corrected, split and combined, also after a label was voided."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.orders import changes
from shipcli.features.orders import service as orders
from shipcli.features.orders.fulfilment import Proposal, buy_proposed
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.ship import RateCriteria
from shipcli.features.shipments.voids import cancel_shipment
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    Conflict,
    Invalid,
    NotFound,
    Order,
    OrderCombineData,
    OrderData,
    OrderEditData,
    OrderSplitData,
)
from shipcli.workflows import order_proposals
from tests.factories import RECIPIENT, SHIPPER
from tests.features.orders.samples import bought, covering, events, made, now, order_body


def edited(app: App, order: Order, **fields: Any) -> Order:
    return changes.edit_order(app, order.id, OrderEditData.model_validate(fields))


def split(app: App, order: Order, *parts: dict[str, Any], **more: Any) -> Order:
    data = OrderSplitData.model_validate({"line_items": parts, **more})
    return changes.split_order(app, order.id, data)


def combined(app: App, host: Order, *others: Order) -> Order:
    return changes.combine_orders(app, host.id, OrderCombineData(orders=[order.id for order in others]))


def voided(app: App, order: Order) -> None:
    shipment = bought(app, covering(app, order, 2, 1))
    cancel_shipment(app, shipment.id)


def lines_of(order: Order) -> list[tuple[str | None, int, int]]:
    return [(line.sku, line.quantity, line.unfulfilled_quantity) for line in order.line_items]


def test_address_and_weights_are_corrected(app: App) -> None:
    order = made(app)
    lamp = order.line_items[0]
    after = edited(
        app, order, shipping_to={"address_line1": "9 Fixed St"},
        line_items=[{"id": lamp.id, "weight": 12, "weight_unit": "OZ", "quantity": 3}],
    )  # fmt: skip
    assert (after.id, after.shipping_to.address_line1) == (order.id, "9 Fixed St")
    assert after.shipping_to.city == order.shipping_to.city
    assert (after.line_items[0].weight, after.line_items[0].weight_unit) == (12, "OZ")
    assert lines_of(after) == [("L-1", 3, 3), ("B-1", 1, 1)]
    assert after.line_items[0].id == lamp.id
    assert now(app, order) == after
    assert events(app) == ["order_created", "order_updated"]


def test_an_order_is_corrected_after_its_label_was_voided(app: App) -> None:
    order = made(app)
    voided(app, order)
    after = edited(app, order, shipping_to={"address_line1": "9 Fixed St"})
    assert (after.status, after.shipping_to.address_line1) == ("unfulfilled", "9 Fixed St")
    assert [shipment.status for shipment in after.shipments] == ["cancelled"]


def test_an_order_with_a_live_label_is_not_corrected(app: App) -> None:
    order = made(app)
    bought(app, covering(app, order, 2, 1))
    with pytest.raises(Conflict, match="fulfilled.*void its label"):
        edited(app, order, shipping_to={"address_line1": "9 Fixed St"})


def test_the_rest_of_an_order_goes_to_the_new_address_and_what_is_sent_stays(app: App) -> None:
    order = made(app)
    bought(app, covering(app, order, 1, 1))
    after = edited(app, order, shipping_to={"address_line1": "9 Fixed St"})
    assert (after.status, lines_of(after)) == ("partial", [("L-1", 2, 1), ("B-1", 1, 0)])
    with pytest.raises(Conflict, match="B-1: 1 of it are sent"):
        edited(app, order, line_items=[{"id": order.line_items[1].id, "quantity": 0}])


@pytest.mark.parametrize(
    ("fields", "named"),
    [({"shipping_to": {"country_code": "XX"}}, "shipping_to.country_code"),
     ({"shipping_to": {"postal_code": "ABCDEF"}}, "shipping_to.postal_code")],
)  # fmt: skip
def test_a_wrong_field_is_named_and_nothing_changes(app: App, fields: Any, named: str) -> None:
    order = made(app)
    with pytest.raises(Invalid) as refused:
        edited(app, order, **fields)
    assert named in [problem.field for problem in refused.value.problems]
    assert now(app, order) == order


def test_an_unknown_line_is_named(app: App) -> None:
    with pytest.raises(NotFound, match="cdt_none"):
        edited(app, made(app), line_items=[{"id": "cdt_none", "weight": 1}])


# -- splitting -------------------------------------------------------------------------------------


def test_pieces_move_to_an_order_of_their_own(app: App) -> None:
    order = made(app)
    lamp, book = order.line_items
    part = split(app, order, {"id": lamp.id, "quantity": 1})
    assert (part.order_id, part.status, lines_of(part)) == ("1001-2", "unfulfilled", [("L-1", 1, 1)])
    assert part.shipping_to.model_copy(update={"id": ""}) == order.shipping_to.model_copy(update={"id": ""})
    assert lines_of(now(app, order)) == [("L-1", 1, 1), ("B-1", 1, 1)]
    third = split(app, order, {"id": book.id})
    assert (third.order_id, third.line_items[0].id) == ("1001-3", book.id)
    assert lines_of(now(app, order)) == [("L-1", 1, 1)]


def test_a_label_of_a_moved_line_covers_the_new_order(app: App) -> None:
    order = made(app)
    part = split(app, order, {"id": order.line_items[1].id})
    bought(app, covering(app, now(app, order), 2))
    assert (now(app, order).status, now(app, part).status) == ("fulfilled", "unfulfilled")
    bought(app, covering(app, part, 1))
    assert now(app, part).status == "fulfilled"


def test_more_than_is_left_or_all_of_it_is_not_moved(app: App) -> None:
    order = made(app)
    lamp, book = order.line_items
    with pytest.raises(Conflict, match="L-1: 2 of it are left"):
        split(app, order, {"id": lamp.id, "quantity": 3})
    with pytest.raises(Conflict, match="Nothing would be left"):
        split(app, order, {"id": lamp.id}, {"id": book.id})
    with pytest.raises(Conflict, match="exists already"):
        split(app, order, {"id": lamp.id}, order_id="1001")
    assert now(app, order) == order


# -- combining -------------------------------------------------------------------------------------


def test_orders_to_one_place_become_one(app: App) -> None:
    first, second = made(app), made(app, order_id="1002")
    host = combined(app, first, second)
    assert lines_of(host) == [("L-1", 2, 2), ("B-1", 1, 1)] * 2
    assert now(app, second).status == "cancelled"
    bought(app, covering(app, host, 2, 1, 2, 1))
    assert now(app, host).status == "fulfilled"


def test_orders_that_go_elsewhere_are_not_combined(app: App) -> None:
    first = made(app)
    other = made(app, order_id="1002", shipping_to={**RECIPIENT, "address_line1": "1 Other St"})
    namesake = made(app, order_id="1003", shipping_to={**RECIPIENT, "person_name": "Someone Else"})
    for order in (other, namesake):
        with pytest.raises(Conflict, match=f"{order.order_id} goes elsewhere"):
            combined(app, first, order)
    with pytest.raises(Conflict, match="named twice"):
        combined(app, first, first)


def test_a_combined_order_is_not_made_anew(app: App) -> None:
    first, second = made(app), made(app, order_id="1002")
    combined(app, first, second)
    with pytest.raises(Conflict, match="exists already"):
        orders.create_order(app, OrderData.model_validate(order_body(order_id="1002")))


def test_a_voided_label_that_is_alive_covers_the_order_that_has_its_lines_now(app: App) -> None:
    first, second = made(app), made(app, order_id="1002")
    shipment = bought(app, covering(app, second, 2, 1))
    cancel_shipment(app, shipment.id)
    host = combined(app, first, second)
    assert [sent.id for sent in host.shipments] == [shipment.id]
    assert shipments.get_shipment(app, shipment.id).status == "cancelled"


def test_what_was_proposed_to_the_old_address_is_not_sold(app: App) -> None:
    order = made(app, shipping_from=SHIPPER)
    plan = order_proposals.FulfilPlan(RateCriteria(carriers=("generic",)))
    proposal = order_proposals.propose(LocalGateway(app), plan, order.id)
    assert isinstance(proposal, Proposal)
    edited(app, order, shipping_to={"address_line1": "9 Fixed St"})
    with pytest.raises(Conflict, match="changed meanwhile"):
        buy_proposed(app, proposal)

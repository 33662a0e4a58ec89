"""Orders: made once, changed a little, cancelled; shipments decide their status."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.book import nested, parcels
from shipcli.features.core.app import App
from shipcli.features.core.dates import find_local_day
from shipcli.features.core.filters import read_filters
from shipcli.features.core.repository import save
from shipcli.features.orders import service as orders
from shipcli.features.orders.filters import ORDERS
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.features.trackers import service as trackers
from shipcli.models import (
    Conflict,
    Invalid,
    NotFound,
    Order,
    OrderData,
    OrderUpdateData,
    Shipment,
    ShipmentData,
    Tracking,
)
from shipcli.models.parts.parcel import ParcelPatch
from tests.factories import PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.conftest import Clock, perform_keyed, resolve
from tests.features.orders.samples import ITEM, bought, covering, events, made, now, order_body, pack
from tests.features.shipments.purchases import Killed, buy_cheapest, dead, killed


def buy_at_once(app: App, order: Order) -> Shipment:
    """A shipment of the whole order, made and bought by one request."""
    return shipments.create_shipment(app, read_shipment_data(order, service="standard_service"))


def read_shipment_data(order: Order, **changes: Any) -> ShipmentData:
    return draft(parcels=[pack(order, 2, 1)], carrier_ids=["generic"], **changes)


def left(order: Order) -> list[int]:
    return [line.unfulfilled_quantity for line in order.line_items]


# -- making ----------------------------------------------------------------------------------------


def test_a_new_order_is_unfulfilled_and_filled_in(app: App) -> None:
    order = made(app)
    assert order.id.startswith("ord_")
    assert (order.status, order.source) == ("unfulfilled", "API")
    assert order.order_date == find_local_day(app.now()).isoformat()
    assert left(order) == [2, 1]
    assert all(line.id and line.id.startswith("cdt_") for line in order.line_items)
    assert order.model_dump() == now(app, order).model_dump()


def test_an_empty_date_counts_as_none(app: App) -> None:
    assert made(app, order_date="").order_date == find_local_day(app.now()).isoformat()


def test_an_order_without_a_date_is_of_the_day_at_its_sender(timed: App, clock: Clock) -> None:
    clock.advance(hours=5)  # 19:30 UTC is 04:30 of the next day in Tokyo
    sender = {
        **RECIPIENT,
        "country_code": "JP",
        "postal_code": "100-0001",
        "city": "Tokyo",
        "state_code": None,
    }
    assert made(timed, shipping_from=sender).order_date == "2031-05-08"


@pytest.mark.parametrize(
    "wrong", [{"line_items": []}, {"order_date": "01/02/2024"}, {"order_id": None}, {"shipping_to": None}]
)
def test_a_wrong_order_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OrderData.model_validate(order_body(**wrong))


def test_the_same_number_and_source_again_is_a_conflict(app: App) -> None:
    first = made(app)
    with pytest.raises(Conflict) as caught:
        made(app)
    assert (caught.value.code, caught.value.status) == ("failure", 409)
    assert first.id in caught.value.message
    assert made(app, source="web").source == "web"


def test_the_other_mode_may_use_the_same_number(app: App) -> None:
    made(app)
    assert made(app.in_mode(False)).test_mode is False


def test_a_cancelled_order_frees_its_number(app: App) -> None:
    orders.cancel_order(app, made(app).id)
    assert made(app).status == "unfulfilled"


def test_a_billing_address_is_plain_data(app: App) -> None:
    plain = made(app, billing_address=SHIPPER).model_dump()
    assert plain["billing_address"]["city"] == "Philadelphia"
    assert "id" not in plain["billing_address"]


def test_the_addresses_and_lines_of_an_order_are_found_by_id(app: App) -> None:
    order = made(app, shipping_from=SHIPPER)
    assert order.shipping_from is not None
    for kind, id in (
        ("address", order.shipping_to.id),
        ("address", order.shipping_from.id),
        ("commodity", order.line_items[0].id),
    ):
        assert nested.find(app, kind, str(id))


def test_an_unknown_order_is_not_found(app: App) -> None:
    with pytest.raises(NotFound):
        orders.get_order(app, "ord_0")
    with pytest.raises(NotFound):
        orders.get_order(app.in_mode(False), made(app).id)


def test_orders_are_listed_newest_first_with_filters(app: App) -> None:
    made(app, order_id="A", options={"rush": "yes"})
    made(app, order_id="B", source="web", metadata={"team": "blue"})

    def found(**given: Any) -> list[str]:
        count, page = orders.list_orders(app, read_filters(ORDERS, given))
        assert count == len(page)
        return [order["order_id"] for order in page]

    assert found() == ["B", "A"]
    assert found(order_id="A,B", source=["web"]) == ["B"]
    assert found(keyword="phoenix") == ["B", "A"]
    assert found(option_key="rush") == ["A"]
    assert found(option_key="rush,other") == []
    assert found(metadata_value="blue") == ["B"]
    assert found(status="fulfilled,cancelled") == []


# -- changing --------------------------------------------------------------------------------------


def test_options_and_metadata_are_merged_and_null_removes(app: App) -> None:
    order = made(app, options={"currency": "USD", "rush": True}, metadata={"a": 1})
    patch = OrderUpdateData.model_validate({
        "options": {"rush": None, "paid_by": "sender"}, "metadata": {"b": 2}, "order_id": "9",
        "status": "delivered", "line_items": [],
    })  # fmt: skip
    changed = orders.update_order(app, order.id, patch)
    assert changed.options == {"currency": "USD", "paid_by": "sender"}
    assert changed.metadata == {"a": 1, "b": 2}
    assert (changed.order_id, changed.status, left(changed)) == ("1001", "unfulfilled", [2, 1])
    assert events(app) == ["order_created", "order_updated"]


def test_a_fulfilled_order_takes_metadata_only(app: App) -> None:
    order = made(app)
    bought(app, covering(app, order, 2, 1))
    with pytest.raises(Conflict):
        orders.update_order(app, order.id, OrderUpdateData.model_validate({"options": {"a": 1}}))
    changed = orders.update_order(app, order.id, OrderUpdateData.model_validate({"metadata": {"a": 1}}))
    assert (changed.metadata, changed.status) == ({"a": 1}, "fulfilled")


def test_a_change_leaves_a_cancelled_order_cancelled(app: App) -> None:
    order = orders.cancel_order(app, made(app).id)
    changed = orders.update_order(app, order.id, OrderUpdateData.model_validate({"options": {"a": 1}}))
    assert (changed.status, now(app, order).status) == ("cancelled", "cancelled")


def test_an_unfulfilled_order_is_cancelled_once(app: App) -> None:
    order = made(app)
    assert orders.cancel_order(app, order.id).status == "cancelled"
    with pytest.raises(Conflict, match="can not be cancelled"):
        orders.cancel_order(app, order.id)
    assert events(app) == ["order_created", "order_cancelled"]


def test_dismissing_is_cancelling(app: App) -> None:
    assert orders.dismiss_order(app, made(app).id).status == "cancelled"


@pytest.mark.parametrize("quantities", [(1, 0), (2, 1)])
def test_an_order_that_is_being_shipped_is_not_cancelled(app: App, quantities: tuple[int, int]) -> None:
    order = made(app)
    bought(app, covering(app, order, *quantities))
    with pytest.raises(Conflict, match="cancel all related shipments before"):
        orders.cancel_order(app, order.id)


def test_an_order_is_not_cancelled_while_a_label_is_bought_for_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:

    order = made(app)
    shipment = covering(app, order, 2, 1)
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            bought(app, shipment)
    with pytest.raises(Conflict, match="being bought"):
        orders.cancel_order(app, order.id)


def test_an_order_is_not_cancelled_while_a_shipment_is_made_and_bought_for_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:

    order = made(app)
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            buy_at_once(app, order)
    with pytest.raises(Conflict, match="being bought"):
        orders.cancel_order(app, order.id)


# -- what shipments make of an order ---------------------------------------------------------------


def test_a_draft_is_linked_and_covers_nothing(app: App) -> None:
    order = made(app)
    shipment = covering(app, order, 1)
    found = now(app, order)
    assert [one.id for one in found.shipments] == [shipment.id]
    assert (found.status, left(found)) == ("unfulfilled", [2, 1])


def test_part_then_all_across_two_shipments(app: App) -> None:
    order = made(app)
    first = bought(app, covering(app, order, 1))
    assert (now(app, order).status, left(now(app, order))) == ("partial", [1, 1])
    second = bought(app, covering(app, order, 1, 1))
    found = now(app, order)
    assert (found.status, left(found)) == ("fulfilled", [0, 0])
    assert [one.id for one in found.shipments] == [second.id, first.id]
    assert first.meta is not None
    assert first.meta["orders"] == order.id
    assert events(app) == ["order_created", "order_fulfilled"]


def test_a_label_names_the_orders_that_its_shipment_covers(app: App) -> None:
    first, second = made(app), made(app, order_id="SO-2")
    goods = [
        {"title": "Cup", "quantity": 1, "weight": 1, "weight_unit": "KG", "parent_id": one.line_items[0].id}
        for one in (first, second)
    ]
    parcel = {"weight": 2, "weight_unit": "KG", "items": goods}
    sold = bought(app, shipments.create_shipment(app, draft(parcels=[parcel])))
    assert (sold.meta or {})["orders"] == ",".join(sorted([first.id, second.id]))


def test_too_much_leaves_nothing_and_no_less(app: App) -> None:
    order = made(app)
    bought(app, covering(app, order, 5, 1))
    assert left(now(app, order)) == [0, 0]


def test_items_of_customs_cover_nothing(app: App) -> None:
    order = made(app, line_items=[ITEM])
    goods = [{**ITEM, "parent_id": order.line_items[0].id}]
    made_one = shipments.create_shipment(app, draft(customs={"commodities": goods}, carrier_ids=["generic"]))
    bought(app, made_one)
    assert now(app, order).status == "unfulfilled"


def test_cancelling_the_shipment_gives_the_quantity_back(app: App) -> None:
    order = made(app)
    shipment = bought(app, covering(app, order, 2, 1))
    shipments.cancel_shipment(app, shipment.id)
    found = now(app, order)
    assert (found.status, left(found)) == ("unfulfilled", [2, 1])
    assert [one.status for one in found.shipments] == ["cancelled"]


def test_fulfilment_is_told_once_each_time_it_comes_about(app: App) -> None:
    order = made(app)
    for _ in range(2):
        shipments.cancel_shipment(app, bought(app, covering(app, order, 2, 1)).id)
    assert events(app) == ["order_created", "order_fulfilled", "order_fulfilled"]


def carried_on(app: App, shipment: Shipment, status: str) -> None:
    """As if the shipment's tracker had got a status."""
    tracker = trackers.get_tracker(app, str(shipment.tracker_id))
    found = Tracking(tracking_number="1", status=status, delivered=status == "delivered",
                     events=[{"date": "2026-11-22", "code": "X", "description": "X"}])  # fmt: skip
    trackers.save(app, tracker, found)


def with_tracker(app: App, order: Order, *quantities: int) -> Shipment:
    shipment = covering(app, order, *quantities)
    again = shipments.rate_draft(app, shipment, carrier_ids=["usps"])
    return purchase.buy(app, again, again.rates[0])


def test_an_order_is_delivered_with_its_last_shipment(app: App) -> None:
    order = made(app)
    covering(app, order, 1)  # a leftover draft
    shipments.cancel_shipment(app, bought(app, covering(app, order, 2)).id)
    first, second = with_tracker(app, order, 2), with_tracker(app, order, 0, 1)
    carried_on(app, first, "delivered")
    assert now(app, order).status == "fulfilled"
    carried_on(app, second, "in_transit")
    carried_on(app, second, "delivered")
    assert now(app, order).status == "delivered"
    assert events(app) == ["order_created", "order_fulfilled", "order_delivered"]


def test_an_event_of_an_order_holds_its_shipments(app: App) -> None:
    order = made(app)
    shipment = bought(app, covering(app, order, 2, 1))
    event = next(one for one in app.store.each("event") if one["type"] == "order_fulfilled")
    assert [one["id"] for one in event["data"]["shipments"]] == [shipment.id]
    assert event["data"] == now(app, order).model_dump()


def test_a_cancelled_order_is_left_alone_by_its_shipments(app: App) -> None:
    order = made(app)
    shipment = covering(app, order, 2, 1)
    orders.cancel_order(app, order.id)
    with app.store.transaction() as tx:  # as one that was bought elsewhere, for a store of before
        save(app, tx, "shipment", shipment.model_copy(update={"status": "purchased"}).model_dump(), "outcome")
    assert now(app, order).status == "cancelled"
    assert events(app) == ["order_created", "order_cancelled"]


def test_no_label_is_bought_for_a_cancelled_order(app: App) -> None:
    order = made(app)
    shipment = covering(app, order, 2, 1)
    orders.cancel_order(app, order.id)
    with pytest.raises(Conflict, match="The order 1001 is cancelled"):
        bought(app, shipment)
    with pytest.raises(Invalid, match="The order 1001 is cancelled"):
        buy_at_once(app, order)
    data = read_shipment_data(order, service=None)
    with pytest.raises(Conflict, match="The order 1001 is cancelled"):
        buy_cheapest(app, Budget(), data=data)
    assert [one.status for one in now(app, order).shipments] == ["draft"]
    assert app.store.count("shipment") == 1
    assert not app.store.select("intents")


def test_a_purchase_nobody_knows_the_outcome_of_covers_until_it_is_resolved(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:

    order = made(app)
    shipment = shipments.rate_draft(app, covering(app, order, 2, 1), carrier_ids=["fedex"])
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            purchase.buy(app, shipment, shipment.rates[0])
    dead(app)
    purchase.settle_open(app)
    assert now(app, order).status == "fulfilled"
    resolve(app, shipment.id, bought=None)
    assert now(app, order).status == "unfulfilled"


def test_items_taken_out_of_a_draft_unlink_it(app: App) -> None:
    order = made(app)
    shipment = covering(app, order, 1)
    parcels.update_parcel(app, str(shipment.parcels[0].id), ParcelPatch.model_validate({"items": []}))
    assert now(app, order).shipments == []


def test_the_stored_document_holds_no_copy_of_its_shipments(app: App) -> None:
    order = made(app)
    bought(app, covering(app, order, 2, 1))
    stored = app.store.get("order", order.id)
    assert stored is not None
    assert "shipments" not in stored


def test_an_unknown_parent_is_refused(app: App) -> None:
    from shipcli.models import Invalid

    item = {**ITEM, "parent_id": "cdt_0"}
    with pytest.raises(Invalid, match="parent_id"):
        shipments.create_shipment(app, draft(parcels=[{**PARCEL, "items": [item]}]))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"shipping_from": SHIPPER, "billing_address": {**SHIPPER, "validate_location": True}},
        {"options": {"paid_by": "sender"}, "metadata": {"shelf": 4}, "order_date": "2026-01-31"},
        {"source": "shop", "line_items": [{**ITEM, "metadata": {"lot": "7"}, "value_amount": "12.50"}]},
    ],
    ids=["least", "addresses", "objects", "goods"],
)
def test_a_new_order_is_given_as_the_model_says_it(app: App, changes: dict[str, Any]) -> None:
    made = orders.create_plain_order(app, OrderData.model_validate(order_body(**changes)))
    assert list(made.items()) == list(Order.model_validate(made).model_dump().items())


def test_a_new_order_of_stored_objects_is_given_as_the_model_says_it(app: App) -> None:
    from shipcli.features.book import addresses
    from shipcli.models import AddressData

    stored = addresses.create_address(app, AddressData.model_validate(SHIPPER))
    first = made(app, order_id="1000", shipping_from={"id": stored.id})
    line = {"id": first.line_items[0].id}
    body = order_body(shipping_to={"id": stored.id}, billing_address={"id": stored.id}, line_items=[line])
    found = orders.create_plain_order(app, OrderData.model_validate(body))
    assert list(found.items()) == list(Order.model_validate(found).model_dump().items())
    assert found["shipping_to"]["city"] == SHIPPER["city"]


def test_a_key_makes_creation_happen_once(app: App) -> None:
    from shipcli.features.core import idempotency

    data = OrderData.model_validate(order_body())
    once = idempotency.make_idempotency_key(app, "create_order", "k", data.model_dump())
    first = perform_keyed(app, once, orders.create_order, data)
    assert perform_keyed(app, once, orders.create_order, data) == first

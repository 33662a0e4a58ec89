"""Orders into bought shipments: as the orders and the command say, and never twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core import locks
from shipcli.features.core.app import App
from shipcli.features.orders import fulfilment
from shipcli.features.orders import service as orders
from shipcli.features.orders.fulfilment import Proposal, buy_proposed
from shipcli.features.paper import labels
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.ship import RateCriteria
from shipcli.gateway.local import LocalGateway
from shipcli.models import AddressData, Conflict, ConnectionPatch, NotFound, Order, OrderData, Shipment
from shipcli.workflows import fulfil, order_proposals
from shipcli.workflows.fulfil import FulfilmentRun
from shipcli.workflows.open_orders import list_unfulfilled
from shipcli.workflows.order_proposals import Fulfilment, FulfilPlan
from tests.factories import ABROAD, RECIPIENT, SHIPPER
from tests.features.conftest import live_labels
from tests.features.losing import FirstSale, losing
from tests.features.orders.samples import BOOK, ITEM, covering, events, now, order_body
from tests.features.shipments.purchases import Killed, dead, killed


def made(app: App, number: int = 1, **changes: Any) -> Order:
    body = order_body(order_id=f"SO-{number}", shipping_from=SHIPPER, **changes)
    return orders.create_order(app, OrderData.model_validate(body))


def run(app: App, *ids: str, sender: Any = None, **criteria: Any) -> FulfilmentRun:
    """Fulfil these orders, or all that are unfulfilled."""
    done = FulfilmentRun()
    chosen = list(ids) or list_unfulfilled(LocalGateway(app))
    fulfilment.settle_first(app, chosen)
    for _ in fulfil.fulfil(LocalGateway(app), FulfilPlan(RateCriteria(**criteria), sender), chosen, done):
        continue
    return done


def only(app: App, **criteria: Any) -> Shipment:
    """The shipment that fulfilled the only order."""
    (row,) = run(app, **criteria).rows
    assert row.status == "purchased", row.message
    return shipments.get_shipment(app, str(row.shipment_id))


def test_every_unfulfilled_order_becomes_one_bought_shipment(app: App) -> None:
    ids = [made(app, number).id for number in range(3)]
    done = run(app)
    assert [row.order_id for row in done.rows] == ids
    assert [row.status for row in done.rows] == ["purchased"] * 3
    assert done.exit_code == 0
    assert {orders.get_order(app, id).status for id in ids} == {"fulfilled"}
    assert {key: len(numbers) for key, numbers in live_labels(app).items()} == {
        f"SO-{n}": 1 for n in range(3)
    }


def test_a_second_run_finds_nothing_to_do(app: App) -> None:
    order = made(app)
    run(app)
    before = live_labels(app)
    assert run(app).rows == []
    (row,) = run(app, order.id).rows
    assert row.status == "fulfilled"
    assert row.tracking_number in before["SO-1"]
    assert live_labels(app) == before


def test_one_parcel_holds_all_and_weighs_as_much(app: App) -> None:
    made(app)
    (parcel,) = only(app).parcels
    assert (parcel.weight, parcel.weight_unit) == (Decimal("2.3"), "KG")
    assert [(item.sku, item.quantity) for item in parcel.items] == [("L-1", 2), ("B-1", 1)]


def test_a_parcel_for_every_piece_when_the_order_wants_it(app: App) -> None:
    order = made(app, options={"single_item_per_parcel": True})
    parcels = only(app).parcels
    assert [[item.quantity for item in parcel.items] for parcel in parcels] == [[1], [1], [1]]
    assert [parcel.weight for parcel in parcels] == [1, 1, 300]
    assert now(app, order).status == "fulfilled"


def test_only_what_is_left_is_shipped(app: App) -> None:
    order = made(app)
    part = covering(app, order, 1)
    purchase.buy(app, part, part.rates[0])
    (row,) = run(app, order.id).rows
    items = shipments.get_shipment(app, str(row.shipment_id)).parcels[0].items
    assert [(item.sku, item.quantity) for item in items] == [("L-1", 1), ("B-1", 1)]
    assert now(app, order).status == "fulfilled"


def test_the_options_of_an_order_fill_payment_customs_and_duty(app: App) -> None:
    options = {
        "currency": "USD", "paid_by": "third_party", "payment_account_number": "ACC", "note": "x",
        "duty_paid_by": "recipient", "duty_account_number": "DUTY", "invoice_number": "INV-1",
        "invoice_date": "2026-11-01",
    }  # fmt: skip
    item = {**ITEM, "value_amount": 10, "value_currency": "USD"}
    made(app, shipping_to=ABROAD, line_items=[item], options=options)
    bought = only(app, carriers=("generic",))
    assert bought.payment.model_dump() == {
        "paid_by": "third_party",
        "currency": "USD",
        "account_number": "ACC",
    }
    assert bought.customs is not None
    assert bought.customs.duty is not None
    assert (bought.customs.invoice, bought.customs.invoice_date) == ("INV-1", "2026-11-01")
    assert (bought.customs.duty.paid_by, bought.customs.duty.account_number) == ("recipient", "DUTY")
    assert bought.customs.duty.declared_value == 20
    assert [item.quantity for item in bought.customs.commodities] == [2]
    assert bought.options["note"] == "x"
    assert "paid_by" not in bought.options


def test_a_domestic_order_has_no_customs(app: App) -> None:
    made(app, options={"invoice_number": "INV-1"})
    assert only(app).customs is None


def test_the_carriers_of_an_order_limit_who_is_asked(app: App) -> None:
    made(app, options={"carrier_ids": ["ups"]})
    bought = only(app)
    assert {rate.carrier_id for rate in bought.rates} == {"ups"}


def test_the_command_goes_before_the_carriers_of_an_order(app: App) -> None:
    made(app, options={"carrier_ids": ["ups"]})
    assert only(app, carriers=("generic",)).carrier_id == "generic"


def test_the_preferred_service_is_bought_when_it_is_offered(app: App) -> None:
    made(app, options={"preferred_service": "ups_next_day_air"})
    assert only(app).service == "ups_next_day_air"


def test_the_cheapest_is_bought_when_the_preferred_service_is_not_offered(app: App) -> None:
    made(app, options={"preferred_service": "nothing_like_it"})
    bought = only(app)
    assert bought.selected_rate is not None
    assert bought.selected_rate.total_charge == min(rate.total_charge for rate in bought.rates)


def test_a_preferred_service_of_another_lane_is_replaced_and_named(app: App) -> None:
    made(app, options={"preferred_service": "ups_worldwide_expedited"})
    (row,) = run(app).rows
    assert row.status == "purchased"
    assert row.message == "ups_worldwide_expedited, which the order prefers, is not offered"


def test_a_misspelt_preferred_service_is_named_and_nothing_is_bought(app: App) -> None:
    made(app, options={"preferred_service": "ups_grond"})
    (row,) = run(app).rows
    assert (row.status, row.shipment_id) == ("failed", None)
    assert "did you mean ups_ground" in str(row.message)
    assert run(app, rule="cheapest").rows[0].status == "purchased"


@pytest.mark.parametrize("criteria", [{"rule": "cheapest"}, {"service": "ups_ground"}])
def test_a_rule_of_the_command_goes_before_the_preferred_service(app: App, criteria: dict[str, Any]) -> None:
    made(app, options={"preferred_service": "ups_next_day_air"})
    assert only(app, **criteria).service != "ups_next_day_air"


def test_a_service_that_is_not_offered_fails_that_order_only(app: App) -> None:
    made(app, 1, options={"carrier_ids": ["fedex"]})
    made(app, 2)
    done = run(app, service="ups_ground")
    assert [row.status for row in done.rows] == ["failed", "purchased"]
    assert "ups_ground" in str(done.rows[0].message)
    assert done.exit_code == 9


def test_a_day_to_arrive_by_rules_slower_rates_out(app: App) -> None:
    made(app)
    quickest = only(app, by="5d")
    assert quickest.selected_rate is not None
    assert quickest.selected_rate.transit_days is not None


def test_an_order_without_sender_takes_the_one_named(app: App) -> None:
    order = orders.create_order(app, OrderData.model_validate(order_body()))
    (row,) = run(app, order.id, sender=SHIPPER).rows
    assert shipments.get_shipment(app, str(row.shipment_id)).shipper.city == "Philadelphia"


def test_an_order_without_sender_takes_the_default_one(app: App) -> None:
    from shipcli.features.shipments.defaults import find_default_shipper

    order = orders.create_order(app, OrderData.model_validate(order_body()))
    (row,) = run(app, order.id).rows
    bought = shipments.get_shipment(app, str(row.shipment_id))
    assert bought.shipper.address_line1 == find_default_shipper(app)["address_line1"]


def test_goods_without_weight_fail_naming_them(app: App) -> None:
    made(app, line_items=[{**BOOK, "weight": 0}])
    (row,) = run(app).rows
    assert (row.status, row.shipment_id) == ("failed", None)
    assert "B-1" in str(row.message)


def test_a_wrong_option_of_an_order_fails_that_order_only(app: App) -> None:
    made(app, 1, options={"paid_by": "nobody"})
    made(app, 2)
    done = run(app)
    assert [row.status for row in done.rows] == ["failed", "purchased"]
    assert "paid_by" in str(done.rows[0].message)


def test_the_budget_stops_before_it_is_passed(app: App) -> None:
    for number in range(4):
        made(app, number)
    budget = Budget(Decimal(20))
    done = run(app, budget=budget)
    spent = sum((row.total_charge or Decimal(0) for row in done.rows), Decimal(0))
    assert done.exit_code == 11
    assert 0 < spent <= 20
    assert budget.spent == spent
    assert done.count("waiting") == 4 - done.count("purchased")
    assert len(live_labels(app)) == done.count("purchased")


def test_a_refusal_leaves_a_draft_that_the_next_run_buys(app: App) -> None:
    order = made(app)
    found = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})[0]
    budget = Budget(Decimal(1000))
    plan = FulfilPlan(RateCriteria(service="ups_ground", budget=budget))
    proposal = order_proposals.propose(LocalGateway(app), plan, order.id)
    assert isinstance(proposal, Proposal)
    down = ConnectionPatch(config={"sandbox_scenario": "error"})
    connections.update_connection(app, found["id"], down)
    row = fulfil.carry_out(LocalGateway(app), plan, proposal)
    assert isinstance(row, Fulfilment)
    assert (row.status, budget.spent) == ("failed", 0)
    (waiting,) = now(app, order).shipments
    assert waiting.status == "draft"
    (again,) = run(app).rows
    assert (again.status, again.shipment_id) == ("purchased", waiting.id)
    assert len(now(app, order).shipments) == 1


def test_a_draft_somebody_else_made_is_left_alone(app: App) -> None:
    order = made(app)
    other = covering(app, order, 2, 1)
    (row,) = run(app).rows
    assert row.shipment_id != other.id
    assert shipments.get_shipment(app, other.id).status == "draft"


def test_what_another_run_fulfilled_meanwhile_is_not_bought_again(app: App) -> None:
    order = made(app)
    proposal = order_proposals.propose(LocalGateway(app), FulfilPlan(), order.id)
    assert isinstance(proposal, Proposal)
    (other,) = run(app).rows
    row = fulfil.carry_out(LocalGateway(app), FulfilPlan(), proposal)
    assert isinstance(row, Fulfilment)
    assert (row.status, row.tracking_number) == ("fulfilled", other.tracking_number)
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_what_is_proposed_is_not_bought_when_less_is_left(app: App) -> None:
    order = made(app)
    proposal = order_proposals.propose(LocalGateway(app), FulfilPlan(), order.id)
    assert isinstance(proposal, Proposal)
    part = covering(app, order, 1)
    purchase.buy(app, part, part.rates[0])
    row = fulfil.carry_out(LocalGateway(app), FulfilPlan(), proposal)
    assert isinstance(row, Fulfilment)
    assert (row.status, row.message) == ("failed", fulfilment.CHANGED)


def test_two_runs_do_not_work_on_one_order(app: App) -> None:
    order = made(app)
    with locks.hold_locks(app, [f"fulfil/{order.id}"], "taken"):
        (row,) = run(app).rows
    assert (row.status, row.message) == ("failed", fulfilment.BUSY)
    assert live_labels(app) == {}


def test_proposing_writes_nothing(app: App) -> None:
    order = made(app)
    order_proposals.propose(LocalGateway(app), FulfilPlan(), order.id)
    assert app.store.count("shipment") == 0
    assert events(app) == ["order_created"]


def test_a_cancelled_order_is_reported_and_left(app: App) -> None:
    order = made(app)
    orders.cancel_order(app, order.id)
    (row,) = run(app, order.id).rows
    assert (row.status, row.shipment_id) == ("cancelled", None)


def test_an_unknown_order_is_not_found(app: App) -> None:
    with pytest.raises(NotFound):
        run(app, "ord_0")


def test_labels_merge_in_the_order_of_the_orders_earlier_runs_included(app: App) -> None:
    from shipcli.drawing import count_pages

    ids = [made(app, number).id for number in range(3)]
    run(app, ids[1])
    done = run(app, *ids)
    found = fulfil.list_labelled(LocalGateway(app), done.rows)
    assert [one.reference for one in found] == ["SO-0", "SO-1", "SO-2"]
    assert count_pages(labels.merge_labels(app, found)) == 3


# -- killed ----------------------------------------------------------------------------------------


def die_in(module: Any, name: str, *, after: bool) -> Callable[[], None]:
    """End this process with the first call of a function, before or after it ran."""

    def patch() -> None:
        real = getattr(module, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if after:
                real(*args, **kwargs)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(module, name, wrapper)

    return patch


def child(home: Path, before: Callable[[], None]) -> None:
    pid = os.fork()
    if pid == 0:
        before()
        app = open_app(home, sandbox=True, environ={})
        run(app)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("module", "name", "after"),
    [
        (fulfilment, "put_draft", False),
        (fulfilment, "buy", False),
        (purchase, "announce", True),
        (purchase, "conclude", False),
        (purchase, "store_bought", True),
    ],
    ids=["before the draft", "after the draft", "after the intent", "after the carrier", "before the commit"],
)
def test_a_killed_run_is_finished_by_the_next_with_one_label_per_order(
    tmp_path: Path, module: Any, name: str, after: bool
) -> None:
    home = tmp_path / "home"
    app = open_app(home, sandbox=True, environ={})
    ids = [made(app, number, options={"carrier_ids": ["generic"]}).id for number in range(3)]
    app.close()
    child(home, die_in(module, name, after=after))
    app = open_app(home, sandbox=True, environ={})
    done = run(app, *ids)
    assert done.exit_code == 0
    assert {orders.get_order(app, id).status for id in ids} == {"fulfilled"}
    assert all(len(orders.get_order(app, id).shipments) == 1 for id in ids)
    assert {key: len(numbers) for key, numbers in live_labels(app).items()} == {
        f"SO-{n}": 1 for n in range(3)
    }
    app.close()


def test_a_purchase_with_unknown_outcome_is_not_repeated(app: App, monkeypatch: pytest.MonkeyPatch) -> None:

    order = made(app, options={"carrier_ids": ["fedex"]})
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            run(app)
    dead(app)
    with app.store.transaction() as tx:
        tx.update("locks", {"name": f"fulfil/{order.id}"}, {"owner": "nowhere@/0//x", "until": 0.0})
    (row,) = run(app).rows
    assert row.status == "needs_attention"
    assert "shipments resolve" in str(row.message)
    assert run(app).rows == []
    assert sum(len(numbers) for numbers in live_labels(app).values()) == 1


def test_a_recipient_without_street_fails_naming_the_field(app: App) -> None:
    made(app, shipping_to={**RECIPIENT, "address_line1": None})
    (row,) = run(app).rows
    assert row.status == "failed"
    assert "recipient.address_line1" in str(row.message)


def test_the_orders_of_the_other_mode_are_left_alone(app: App) -> None:
    live = app.in_mode(False)
    here, there = made(app), made(live)
    assert list_unfulfilled(LocalGateway(app)) == [here.id]
    assert list_unfulfilled(LocalGateway(live)) == [there.id]
    assert [row.order_id for row in run(app).rows] == [here.id]
    assert orders.get_order(live, there.id).status == "unfulfilled"


def test_the_price_of_a_doubtful_label_stays_spent(app: App) -> None:
    ids = [made(app, number).id for number in range(4)]
    (first,) = run(app, ids[0], carriers=("fedex",)).rows
    assert first.total_charge
    budget = Budget(first.total_charge * Decimal("2.5"))
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")):
        done = run(app, *ids[1:], carriers=("fedex",), budget=budget)
    assert [row.status for row in done.rows] == ["needs_attention", "purchased", "waiting"]


# -- the summary -------------------------------------------------------------------------------


def ready(app: App, order: Order, **criteria: Any) -> tuple[FulfilPlan, Proposal]:
    """What would be bought for an order."""
    plan = FulfilPlan(RateCriteria(**criteria))
    proposal = order_proposals.propose(LocalGateway(app), plan, order.id)
    assert isinstance(proposal, Proposal)
    return plan, proposal


def carried_out(app: App, plan: FulfilPlan, proposal: Proposal) -> Fulfilment:
    row = fulfil.carry_out(LocalGateway(app), plan, proposal)
    assert isinstance(row, Fulfilment)
    return row


def test_a_row_says_which_order_what_was_bought_and_for_how_much(app: App) -> None:
    order = made(app, source="shop")
    (row,) = run(app).rows
    bought = shipments.get_shipment(app, str(row.shipment_id))
    rate = bought.selected_rate
    assert rate
    assert row.to_dict() == {
        "order_number": "SO-1", "source": "shop", "order_id": order.id, "status": "purchased",
        "shipment_id": bought.id, "carrier": rate.carrier_id, "service": rate.service,
        "total_charge": rate.total_charge, "currency": "USD", "tracking_number": bought.tracking_number,
        "message": None,
    }  # fmt: skip


def test_a_row_in_doubt_names_the_order_the_shipment_and_what_to_do(app: App) -> None:
    order = made(app)
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")):
        (row,) = run(app, carriers=("fedex",)).rows
    (shipment,) = now(app, order).shipments
    (later,) = run(app, order.id).rows
    for one in (row, later):
        assert (one.order_id, one.status, one.shipment_id) == (order.id, "needs_attention", shipment.id)
        assert "Look" in str(one.message)
    assert shipment.id in str(later.message)


def test_a_refused_row_names_the_carrier_and_the_draft_that_is_left(app: App) -> None:
    order = made(app)
    with losing(app, "ups", before=FirstSale("/shipments/"), instead="rate_limited"):
        (row,) = run(app, carriers=("ups",)).rows
    (waiting,) = now(app, order).shipments
    assert (row.status, row.shipment_id) == ("failed", waiting.id)
    assert str(row.message).startswith("ups: ")


def test_orders_that_the_budget_has_no_room_for_wait_and_say_so(app: App) -> None:
    ids = [made(app, number).id for number in range(3)]
    done, plan = FulfilmentRun(), FulfilPlan(RateCriteria(budget=Budget(Decimal("0.01"))))
    told = list(fulfil.fulfil(LocalGateway(app), plan, ids, done))
    assert told == done.rows
    assert [(row.order_id, row.status) for row in told] == [(id, "waiting") for id in ids]
    assert done.stopped
    assert [row.message for row in told] == [done.stopped.message] * 3
    assert "would exceed 0.01 USD: 0.00 of it is taken" in done.stopped.message


def test_an_order_dearer_than_what_is_left_is_passed_over(app: App) -> None:
    """The first of three weighs fifty times as much."""
    ids = [made(app, n, line_items=[{**ITEM, "weight": 30 if n == 0 else 1}]).id for n in range(3)]
    done, plan = FulfilmentRun(), FulfilPlan(RateCriteria(budget=Budget(Decimal(60)), carriers=("ups",)))
    rows = list(fulfil.fulfil(LocalGateway(app), plan, ids, done))
    assert [row.status for row in rows] == ["waiting", "purchased", "purchased"]
    assert "would exceed 60" in str(rows[0].message)
    assert (done.exit_code, plan.criteria.budget.spent) == (11, sum(row.total_charge or 0 for row in rows))


def test_what_was_proposed_is_bought_and_what_was_said_is_said_again(app: App) -> None:
    plan, proposal = ready(app, made(app, 1), rule="fastest")
    nothing = Fulfilment("SO-9", "API", "ord_9", "fulfilled")
    without_criteria = replace(plan, criteria=RateCriteria())
    rows = list(fulfil.fulfil(LocalGateway(app), without_criteria, [nothing, proposal], FulfilmentRun()))
    assert rows[0] == nothing
    assert (rows[1].service, rows[1].total_charge) == (proposal.rate.service, proposal.rate.total_charge)


def test_an_order_without_a_sender_is_sent_by_whom_the_command_names(app: App) -> None:
    body = order_body(order_id="SO-1", shipping_from=None)
    order = orders.create_order(app, OrderData.model_validate(body))
    sender = AddressData.model_validate({**SHIPPER, "company_name": "Second Dock"})
    (row,) = run(app, order.id, sender=sender).rows
    assert shipments.get_shipment(app, str(row.shipment_id)).shipper.company_name == "Second Dock"


def test_a_draft_that_is_bought_by_a_later_run_keeps_its_age(app: App) -> None:
    order = made(app)
    with losing(app, "ups", before=FirstSale("/shipments/"), instead="rate_limited"):
        run(app, carriers=("ups",))
    (waiting,) = now(app, order).shipments
    (row,) = run(app).rows
    bought = shipments.get_shipment(app, str(row.shipment_id))
    assert (bought.id, bought.created_at) == (waiting.id, waiting.created_at)


def test_what_was_proposed_waits_when_the_budget_ended_before_it(app: App) -> None:
    (plan, one), (_, other) = (ready(app, made(app, number)) for number in (1, 2))
    poor = replace(plan, criteria=RateCriteria(budget=Budget(Decimal("0.01"))))
    rows = list(fulfil.fulfil(LocalGateway(app), poor, [one, other], FulfilmentRun()))
    assert [(row.order_id, row.status) for row in rows] == [
        (proposal.order.id, "waiting") for proposal in (one, other)
    ]


def test_labels_of_orders_that_were_not_come_to_are_left_out(app: App) -> None:
    order = made(app)
    part = covering(app, order, 1)
    bought = purchase.buy(app, part, part.rates[0])
    rows = [Fulfilment("SO-1", "API", order.id, status) for status in ("partial", "waiting")]
    found = [[one.id for one in fulfil.list_labelled(LocalGateway(app), [row])] for row in rows]
    assert found == [[bought.id], []]


# -- changed meanwhile -------------------------------------------------------------------------


def test_an_order_that_was_cancelled_meanwhile_is_not_bought(app: App) -> None:
    order = made(app)
    plan, proposal = ready(app, order)
    orders.cancel_order(app, order.id)
    row = carried_out(app, plan, proposal)
    assert (row.status, row.message) == ("failed", fulfilment.CHANGED)
    assert live_labels(app) == {}


def test_an_order_of_the_other_mode_is_not_bought(app: App) -> None:
    _, proposal = ready(app, made(app))
    with pytest.raises(Conflict, match=fulfilment.CHANGED):
        buy_proposed(app.in_mode(False), proposal)
    assert live_labels(app) == {}


def test_a_draft_that_another_run_left_meanwhile_is_not_bought_beside(app: App) -> None:
    order = made(app)
    plan, proposal = ready(app, order, carriers=("ups",))
    with losing(app, "ups", before=FirstSale("/shipments/"), instead="rate_limited"):
        run(app, order.id, carriers=("ups",))
    row = carried_out(app, plan, proposal)
    assert (row.status, row.message) == ("failed", fulfilment.CHANGED)
    assert live_labels(app) == {}


def test_a_draft_that_is_being_bought_is_left_to_who_buys_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = made(app, options={"carrier_ids": ["generic"]})
    left_open(app, monkeypatch, order)
    (draft,) = orders.get_order(app, order.id).shipments
    _, proposal = ready(app, made(app, 2))
    stale = proposal.model_copy(update={"order": orders.get_order(app, order.id), "draft": draft})
    with pytest.raises(Conflict, match=fulfilment.BUSY):
        buy_proposed(app, stale)


def left_open(app: App, monkeypatch: pytest.MonkeyPatch, order: Order) -> None:
    """A purchase for an order whose process died before it knew the outcome."""

    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            run(app, order.id)
    dead(app)
    with app.store.transaction() as tx:
        tx.update("locks", {"name": f"fulfil/{order.id}"}, {"owner": "nowhere@/0//x", "until": 0.0})


def test_only_the_orders_that_are_asked_for_are_settled_first(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = app.in_mode(False)
    one, other = (made(app, number, options={"carrier_ids": ["generic"]}) for number in (1, 2))
    there = made(live, 3, options={"carrier_ids": ["generic"]})
    for place, order in ((app, one), (app, other), (live, there)):
        left_open(place, monkeypatch, order)
    assert fulfilment.settle_first(app, []) == []
    assert fulfilment.settle_first(app, [there.id]) == []
    assert fulfilment.settle_first(app, [one.id]) == [shipment.id for shipment in now(app, one).shipments]
    states = {row["state"] for row in app.store.select("intents")}
    assert states == {"done", "open"}
    assert [orders.get_order(app, order.id).status for order in (one, other)] == ["fulfilled", "unfulfilled"]


def test_a_label_that_was_billed_above_its_ceiling_is_not_bought_again(app: App, dearer: None) -> None:
    order = made(app)
    offer = order_proposals.propose(LocalGateway(app), FulfilPlan(RateCriteria(rule="cheapest")), order.id)
    assert isinstance(offer, Proposal)
    cheapest = offer.rate
    little = cheapest.total_charge + 1
    for note in ("the label was voided", f"{cheapest.service} is left out"):
        (row,) = run(app, order.id, service=cheapest.service, budget=Budget(little, "USD")).rows
        assert (row.status, note in str(row.message)) == ("failed", True), row.message
    sold = [row["status"] for row in app.store.select("shipments", {}) if row["status"] != "draft"]
    assert (sold, live_labels(app)) == (["cancelled"], {})
    (row,) = run(app, order.id, service=cheapest.service, budget=Budget(little + 1, "USD")).rows
    assert (row.status, row.message) == ("purchased", None)


def test_a_rate_that_was_billed_above_gives_way_to_the_others_of_an_order(app: App, dearer: None) -> None:
    order = made(app)
    offer = order_proposals.propose(LocalGateway(app), FulfilPlan(RateCriteria(rule="cheapest")), order.id)
    assert isinstance(offer, Proposal)
    first, *others = offer.draft.rates
    run(app, order.id, rule="cheapest", budget=Budget(first.total_charge + 1, "USD"))
    undone = orders.get_order(app, order.id)
    left = fulfilment.leave_out_undone(undone, offer.draft, Budget(first.total_charge + 1, "USD"))
    assert left.rates == others
    assert f"{first.service} is left out" in str(fulfilment.join_notes(left))
    for room in (Budget(), Budget(first.total_charge + 2, "USD")):
        assert fulfilment.leave_out_undone(undone, offer.draft, room) == offer.draft

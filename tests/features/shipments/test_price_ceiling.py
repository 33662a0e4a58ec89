"""A label that is billed above what it may cost is voided; one that is refused gives way to the next rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.carrier.simulation.backend import SimulatorBackend
from shipcli.features.admin import settlement
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.shipments import proxy, purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget, limit_request
from shipcli.features.shipments.price_ceiling import list_warnings
from shipcli.features.shipments.sale import RATE_REFUSED
from shipcli.features.shipments.ship import Prompter, RateCriteria, settle_interrupted
from shipcli.gateway.local import LocalGateway
from shipcli.models import (
    BilledAbove,
    Conflict,
    LimitReached,
    OutcomeUnknown,
    Rate,
    RateRequestData,
    Refused,
    Shipment,
    ShipmentPurchaseData,
    ShippingRequestData,
)
from shipcli.workflows.ship import ship_new
from tests.factories import PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.conftest import live_labels
from tests.features.losing import FirstSale, losing
from tests.features.shipments.purchases import agree_to_all, buy_cheapest


def quoted(app: App) -> Rate:
    return shipments.create_shipment(app, draft(carrier_ids=["ups"])).rates[0]


def test_a_label_that_was_billed_above_its_ceiling_is_voided(app: App, dearer: None) -> None:
    rate = quoted(app)
    budget = Budget(rate.total_charge + 1, "USD")
    with pytest.raises(LimitReached, match="the label was voided, nothing was bought"):
        buy_cheapest(app, budget)
    assert (live_labels(app), budget.spent) == ({}, Decimal(0))


def test_what_was_billed_counts_in_the_budget_and_is_told(app: App, dearer: None) -> None:
    rate, budget = quoted(app), Budget(Decimal(500), "USD")
    bought = buy_cheapest(app, budget)
    assert bought.selected_rate
    assert bought.selected_rate.total_charge == budget.spent == rate.total_charge + 2
    assert [one.code for one in bought.messages if one.code == "price_differs"] == ["price_differs"]


def buying_another(app: App, budget: Budget, bought: list[Shipment]) -> Callable[[Shipment, Rate], None]:
    """Agree, and buy another label between the reservation of a price and its purchase."""

    def agree(shipment: Shipment, rate: Rate) -> None:
        bought.append(buy_cheapest(app, budget))

    return agree


@pytest.mark.parametrize(("more", "kept"), [(2, 1), (3, 1), (4, 2)])
def test_labels_bought_at_once_keep_the_budget_together(app: App, dearer: None, more: int, kept: int) -> None:
    rate, bought = quoted(app), list[Shipment]()
    budget = Budget(2 * rate.total_charge + more, "USD")
    agree = buying_another(app, budget, bought)
    if kept == 1:
        with pytest.raises(BilledAbove, match="the label was voided"):
            buy_cheapest(app, budget, agree)
    else:
        bought.append(buy_cheapest(app, budget, agree))
    assert sum(len(numbers) for numbers in live_labels(app).values()) == len(bought) == kept
    assert budget.spent == kept * (rate.total_charge + 2)


def test_a_label_that_passes_the_budget_with_others_is_kept_where_nothing_is_taken_back(
    app: App, dearer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate, bought = quoted(app), list[Shipment]()
    monkeypatch.setattr(registry.get("ups"), "can", classmethod(lambda cls, verb: verb != "void"))
    budget = Budget(2 * rate.total_charge + 2, "USD")
    bought.append(buy_cheapest(app, budget, buying_another(app, budget, bought)))
    assert "could not be voided" in " ".join(str(one.message) for one in bought[1].messages)
    assert budget.spent == 2 * (rate.total_charge + 2)


def test_a_request_may_state_its_own_ceiling(app: App, dearer: None) -> None:
    rate = quoted(app)
    most = {"metadata": {"max_total": f"{rate.total_charge}USD"}}
    with pytest.raises(LimitReached, match="voided"):
        shipments.create_shipment(app, draft(carrier_ids=["ups"], service=rate.service, **most))
    less = {"metadata": {"max_total": "0.50USD"}}
    with pytest.raises(LimitReached, match="would exceed"):
        shipments.create_shipment(app, draft(carrier_ids=["ups"], service=rate.service, **less))
    assert live_labels(app) == {}


def test_a_carrier_that_takes_nothing_back_keeps_the_label_and_says_so(app: App, dearer: None) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    one = made.rates[0]
    limited = made.model_copy(update={"metadata": {"max_total": f"{one.total_charge}USD"}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry.get("ups"), "can", classmethod(lambda cls, verb: verb != "void"))
        bought = purchase.buy(app, limited, one)
    assert bought.status == "purchased"
    assert "could not be voided" in " ".join(str(one.message) for one in bought.messages)


@pytest.mark.parametrize("settle", [settle_interrupted, settlement.settle_all])
def test_a_process_killed_before_the_void_leaves_it_to_the_next(app: App, dearer: None, settle: Any) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    rate = made.rates[0]
    limited = made.model_copy(update={"metadata": {"max_total": f"{rate.total_charge}USD"}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(purchase, "undo_over_ceiling", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            purchase.buy(app, limited, rate)
    assert live_labels(app) != {}
    with app.store.transaction() as tx:
        tx.update("intents", {"kind": "void"}, {"claimed_until": 0.0})
    settle(app)
    assert live_labels(app) == {}
    assert shipments.get_shipment(app, made.id).status == "cancelled"


def test_a_carrier_that_takes_nothing_back_is_warned_of_before_the_purchase(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    limited = made.model_copy(update={"metadata": {"max_total": f"{made.rates[0].total_charge}USD"}})
    assert list_warnings(limited, made.rates[0], can_void=True) == []
    assert list_warnings(made, made.rates[0], can_void=False) == []
    (warning,) = list_warnings(limited, made.rates[0], can_void=False)
    assert "may differ from the quote" in str(warning.message)


def test_a_key_whose_label_was_voided_again_buys_no_other(app: App, dearer: None) -> None:
    budget = Budget(quoted(app).total_charge + 1, "USD")
    for _ in range(2):
        with pytest.raises(BilledAbove, match="the label was voided"):
            buy_cheapest(app, budget, key="k1")
    bought = [row["status"] for row in app.store.select("shipments", {}) if row["status"] != "draft"]
    assert bought == ["cancelled"]
    assert budget.spent == 0


def offer(app: App, most: str) -> ShippingRequestData:
    asked = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL]}
    answer = proxy.fetch_rates(app, RateRequestData.model_validate({**asked, "carrier_ids": ["ups"]}))
    rate = answer.rates[0]
    body = {**asked, "rates": [rate.model_dump()], "selected_rate_id": rate.id}
    return limit_request(ShippingRequestData.model_validate(body), most, rate)


def test_a_label_that_is_not_stored_is_voided_as_well(app: App, dearer: None) -> None:
    request = offer(app, f"{quoted(app).total_charge + 1}USD")
    once = idempotency.make_idempotency_key(app, "buy_label", "k1", {})
    for _ in range(2):
        with pytest.raises(BilledAbove, match="the label was voided"):
            idempotency.perform_with_key(app, once, lambda: proxy.buy_label(app, request, once=once))
    assert live_labels(app) == {}


def test_a_label_that_is_not_stored_is_bought_within_its_limit(app: App, dearer: None) -> None:
    bought = proxy.buy_label(app, offer(app, "500USD"))
    assert [one.code for one in bought.messages] == ["price_differs"]
    assert len(live_labels(app)) == 1


def test_a_void_that_is_lost_leaves_the_sale_to_the_next_process(app: App, dearer: None) -> None:
    request = offer(app, f"{quoted(app).total_charge + 1}USD")
    with losing(app, "ups", before=lambda one: one.method == "DELETE"), pytest.raises(OutcomeUnknown):
        proxy.buy_label(app, request)
    assert len(live_labels(app)) == 1
    settlement.settle_all(app)
    assert live_labels(app) == {}


# -- the next rate -----------------------------------------------------------------------------


@pytest.fixture
def refused(app: App, monkeypatch: pytest.MonkeyPatch) -> Sequence[Rate]:
    """The rates of a parcel, the cheapest of which UPS does not sell."""
    rates = shipments.create_shipment(app, draft(carrier_ids=["ups"])).rates
    buy, row = SimulatorBackend.buy, registry.get("ups").services.get(str(rates[0].service))
    assert row

    def sell(self: SimulatorBackend, booking: Any, **record: Any) -> Any:
        if booking.service == row.wire_code:
            raise self._simulator.refusal("no_service")
        return buy(self, booking, **record)

    monkeypatch.setattr(SimulatorBackend, "buy", sell)
    return rates


def test_the_next_rate_is_taken_when_the_cheapest_is_refused(app: App, refused: Sequence[Rate]) -> None:
    first, second = refused[:2]
    bought = buy_cheapest(app, Budget())
    assert bought.service == second.service
    (note,) = [one for one in bought.messages if one.code == RATE_REFUSED]
    assert str(first.service) in str(note.message)
    assert len(live_labels(app)) == 1
    less = Budget(second.total_charge - Decimal("0.01"), "USD")
    with pytest.raises(Refused):
        buy_cheapest(app, less)


def dying_at(place: int) -> Callable[[Shipment, Rate], None]:
    """Agree, and die before the rate at this place is bought."""
    seen: list[Rate] = []

    def agree(shipment: Shipment, rate: Rate) -> None:
        seen.append(rate)
        if len(seen) > place:
            raise KeyboardInterrupt

    return agree


def test_a_kill_between_two_rates_leaves_the_key_to_buy_one_label(app: App, refused: Sequence[Rate]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(idempotency, "_store_failure", lambda *_: None)  # a dead process writes nothing more
        with pytest.raises(KeyboardInterrupt):
            buy_cheapest(app, Budget(), dying_at(1), key="k1")
    assert live_labels(app) == {}
    bought = buy_cheapest(app, Budget(), key="k1")
    again = buy_cheapest(app, Budget(), key="k1")
    assert (bought.service, again.id) == (refused[1].service, bought.id)
    assert len(live_labels(app)) == 1


def test_a_key_is_free_while_somebody_is_asked(app: App) -> None:
    bought = list[Shipment]()

    def think(shipment: Shipment, rate: Rate) -> None:
        bought.append(buy_cheapest(app, Budget(), key="k1"))

    bought.append(buy_cheapest(app, Budget(), think, key="k1"))
    assert bought[0].id == bought[1].id
    assert len(live_labels(app)) == 1


def test_the_refusal_of_the_only_rate_is_remembered_for_its_key(
    app: App, refused: Sequence[Rate], monkeypatch: pytest.MonkeyPatch
) -> None:
    criteria = RateCriteria(service=str(refused[0].service))
    prompter = Prompter(lambda offered: offered.rates[0], agree_to_all)
    for _ in range(2):
        with pytest.raises(Refused):
            ship_new(LocalGateway(app), draft(carrier_ids=["ups"]), criteria, prompter, "k1")
        monkeypatch.undo()
    assert live_labels(app) == {}


def test_no_other_rate_is_bought_after_an_unknown_outcome(app: App) -> None:
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")):
        for _ in range(2):
            with pytest.raises(OutcomeUnknown):
                buy_cheapest(app, Budget(), key="k1", carrier="fedex")
    assert len(live_labels(app)) == 1


def test_a_draft_has_one_label_whatever_the_keys_of_its_rates(app: App) -> None:
    """As a server is asked: each rate of a draft with a key of its own."""

    def buy(rate: Rate) -> Shipment:
        data = ShipmentPurchaseData(selected_rate_id=rate.id)
        once = idempotency.make_idempotency_key(app, "purchase_shipment", f"k-{rate.id}", data.model_dump())
        done = idempotency.perform_with_key(
            app, once, lambda: shipments.purchase_shipment(app, made.id, data, once=once)
        )
        return Shipment.model_validate(done)

    made = shipments.create_shipment(app, draft(carrier_ids=["fedex"]))
    with losing(app, "fedex", after=FirstSale("/ship/v1/shipments")), pytest.raises(OutcomeUnknown):
        buy(made.rates[0])
    with pytest.raises(Conflict, match="needs_attention"):
        buy(made.rates[1])
    with pytest.raises(OutcomeUnknown):
        buy(made.rates[0])
    assert len(live_labels(app)) == 1

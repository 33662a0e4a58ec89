"""A label that is billed above what it may cost is voided; one that is refused gives way to the next rate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier import registry
from shipcli.carrier.simulation.backend import SimulatorBackend
from shipcli.features.core.app import App
from shipcli.features.ops import settlement
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.rate_selection import Budget, Reservation
from shipcli.features.shipments.ship import RATE_REFUSED, Decide, buy_new, settle_interrupted
from shipcli.models import LimitReached, Rate, Refused, Shipment
from tests.features.conftest import draft, live_labels


@pytest.fixture
def dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carriers bill two dollars more than they quoted."""
    price = SimulatorBackend.price

    def bill(self: SimulatorBackend, booking: Any) -> Any:
        found = price(self, booking)
        offer = found.offer
        return replace(found, offer=replace(offer, total=offer.total + 2, base=offer.base + 2))

    monkeypatch.setattr(SimulatorBackend, "price", bill)


def cheapest(budget: Budget) -> Decide:
    """Decide on the cheapest rate, within a budget; any other may be taken instead."""

    @contextmanager
    def decide(offered: Shipment) -> Iterator[Reservation]:
        with budget.reserved(offered.rates[0]) as reserved:
            yield replace(reserved, open=True)

    return decide


def quoted(app: App) -> Rate:
    return shipments.create_shipment(app, draft(carrier_ids=["ups"])).rates[0]


def test_a_label_that_was_billed_above_its_ceiling_is_voided(app: App, dearer: None) -> None:
    rate = quoted(app)
    budget = Budget(rate.total_charge + 1, "USD")
    with pytest.raises(LimitReached, match="the label was voided, nothing was bought"):
        buy_new(app, draft(carrier_ids=["ups"]), cheapest(budget))
    assert (live_labels(app), budget.spent) == ({}, Decimal(0))


def test_what_was_billed_counts_in_the_budget_and_is_told(app: App, dearer: None) -> None:
    rate, budget = quoted(app), Budget(Decimal(500), "USD")
    bought = buy_new(app, draft(carrier_ids=["ups"]), cheapest(budget))
    assert bought.selected_rate
    assert bought.selected_rate.total_charge == budget.spent == rate.total_charge + 2
    assert [one.code for one in bought.messages if one.code == "price_differs"] == ["price_differs"]


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
    limited = made.changed(metadata={"max_total": f"{one.total_charge}USD"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry.get("ups"), "can", classmethod(lambda cls, verb: verb != "void"))
        bought = purchase.buy(app, limited, one)
    assert bought.status == "purchased"
    assert "could not be voided" in " ".join(str(one.message) for one in bought.messages)


@pytest.mark.parametrize("settle", [settle_interrupted, settlement.settle_all])
def test_a_process_killed_before_the_void_leaves_it_to_the_next(app: App, dearer: None, settle: Any) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    rate = made.rates[0]
    limited = made.changed(metadata={"max_total": f"{rate.total_charge}USD"})
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


def test_the_next_rate_is_taken_when_the_cheapest_is_refused(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = shipments.create_shipment(app, draft(carrier_ids=["ups"])).rates[:2]
    buy = SimulatorBackend.buy
    row = registry.get("ups").services.get(str(first.service))
    assert row

    def sell(self: SimulatorBackend, booking: Any, **record: Any) -> Any:
        if booking.service == row.wire_code:
            raise self._simulator.refusal("no_service")
        return buy(self, booking, **record)

    monkeypatch.setattr(SimulatorBackend, "buy", sell)
    bought = buy_new(app, draft(carrier_ids=["ups"]), cheapest(Budget()))
    assert bought.service == second.service
    (note,) = [one for one in bought.messages if one.code == RATE_REFUSED]
    assert str(first.service) in str(note.message)
    assert len(live_labels(app)) == 1
    with pytest.raises(Refused):
        buy_new(
            app, draft(carrier_ids=["ups"]), cheapest(Budget(second.total_charge - Decimal("0.01"), "USD"))
        )

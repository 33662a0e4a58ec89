"""A keyed request that died is settled, and never sent a second time by itself."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.models import IdempotencyConflict, OutcomeUnknown, Refused
from shipcli.services import idempotency, purchase, shipments
from shipcli.services.app import App
from tests.services.conftest import Clock, body, draft, live_labels
from tests.services.test_purchase import Killed, dead, killed


def keyed(app: App, **changes: Any) -> idempotency.Once:
    return idempotency.once(app, "create_shipment", "k1", body(**changes))


def buy(app: App, slug: str, service: str) -> Any:
    data = {"service": service, "carrier_ids": [slug]}
    return shipments.create_shipment(app, draft(**data), once=keyed(app, **data))


def interrupted(
    app: App, monkeypatch: pytest.MonkeyPatch, slug: str, service: str, where: str = "conclude"
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purchase, where, killed)
        with pytest.raises(Killed):
            buy(app, slug, service)
    dead(app)


def bought(app: App) -> int:
    return sum(len(numbers) for numbers in live_labels(app).values())


CANADIAN = {
    "person_name": "Jo Poste", "address_line1": "125 Legget Dr", "city": "Kanata", "state_code": "ON",
    "postal_code": "K2K1Y6", "country_code": "CA",
}  # fmt: skip


def buy_canadian(app: App) -> Any:
    data = {
        "service": "canadapost_expedited_parcel", "carrier_ids": ["canadapost"], "shipper": CANADIAN,
        "recipient": {**CANADIAN, "address_line1": "1 Main St"},
    }  # fmt: skip
    return shipments.create_shipment(app, draft(**data), once=keyed(app, **data))


@pytest.mark.parametrize("where", ["conclude", "store_bought"])
def test_the_repetition_of_a_killed_purchase_gives_the_label_that_was_bought(
    app: App, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    interrupted(app, monkeypatch, "generic", "standard_service", where)
    made = buy(app, "generic", "standard_service")
    assert made.status == "purchased"
    assert bought(app) == 1
    assert app.store.count("shipment") == 1
    assert buy(app, "generic", "standard_service").plain() == made.plain()


def test_the_repetition_of_a_purchase_that_nobody_remembers_is_unknown_and_stays_so(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(app, monkeypatch, "ups", "ups_ground")
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            buy(app, "ups", "ups_ground")
    assert bought(app) == 1
    assert [row["status"] for row in app.store.select("shipments")] == ["needs_attention"]


def test_somebody_else_may_settle_it_before_the_repetition(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(app, monkeypatch, "ups", "ups_ground")
    purchase.settle_open(app)
    with pytest.raises(OutcomeUnknown):
        buy(app, "ups", "ups_ground")
    assert bought(app) == 1


def test_a_purchase_that_never_reached_the_carrier_is_made_by_the_repetition(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unsent:
        """A driver whose process dies before it sends a purchase."""

        def __init__(self, driver: Any) -> None:
            self.run_all, self._run = driver.run_all, driver.run

        def run(self, job: Any) -> Any:
            if job.verb == "ship":
                raise Killed
            return self._run(job)

    with monkeypatch.context() as patch:
        patch.setitem(app.shared.__dict__, "driver", Unsent(app.driver))
        with pytest.raises(Killed):
            buy_canadian(app)
    dead(app)
    assert bought(app) == 0
    assert buy_canadian(app).status == "purchased"
    assert bought(app) == 1


def test_a_request_that_still_runs_elsewhere_is_a_conflict(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            buy(app, "generic", "standard_service")
    with pytest.raises(IdempotencyConflict, match="still being settled"):
        buy(app, "generic", "standard_service")
    assert bought(app) == 1


def test_a_carriers_refusal_of_a_purchase_is_remembered(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"]))
    stored = {**(app.store.get("shipment", made.id) or {})}
    with app.store.transaction() as tx:
        tx.put("shipment", {**stored, "options": {**stored["options"], "sandbox_scenario": "rate_limited"}})
    from shipcli.models import ShipmentPurchaseData

    once = idempotency.once(app, "purchase", "k2", {"id": made.id})
    wanted = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    messages = []
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            shipments.purchase_shipment(app, made.id, wanted, once=once)
        messages.append(caught.value.body())
    assert messages[0] == messages[1]
    assert len(app.store.select("traces", {"verb": "ship"})) == 1


def test_a_key_is_forgotten_after_a_week(timed: App, clock: Clock) -> None:
    first = shipments.create_shipment(timed, draft(), once=keyed(timed))
    clock.advance(days=8)
    second = shipments.create_shipment(timed, draft(), once=keyed(timed))
    assert second.id != first.id

"""Purchases that tests of several rooms make, interrupt and look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pytest

from shipcli.carrier import registry
from shipcli.carrier.wire.calls import Request
from shipcli.features.connections import accounts, intent_actions
from shipcli.features.connections.intent_actions import CarrierAction
from shipcli.features.connections.intent_states import VOID
from shipcli.features.core.app import App
from shipcli.features.core.idempotency_key import IdempotencyKey
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.ship import Prompter, RateCriteria
from shipcli.gateway.local import LocalGateway
from shipcli.models import OutcomeUnknown, Rate, Shipment, ShipmentData, ShipmentPurchaseData
from shipcli.store.ledger import LedgerFile
from shipcli.workflows.ship import ship_new
from tests.carriers.bench import address, customs, lane, parcel
from tests.factories import CANADA, CANADIAN, FARTHER, draft
from tests.features.conftest import live_labels
from tests.features.losing import always, losing


class Killed(BaseException):
    """Stands for the end of the process."""


def killed(*_: object, **__: object) -> None:
    raise Killed


def dead(app: App) -> None:
    """Make the owner of every open intent a process that is gone."""
    with app.store.transaction() as tx:
        tx.update("intents", {"state": "open"}, {"claimed_by": "nowhere@/0/", "claimed_until": 0.0})


def interrupted(app: App, monkeypatch: pytest.MonkeyPatch, where: str, slug: str) -> str:
    """A draft whose purchase was killed at a point; its id."""
    made = shipments.create_shipment(app, draft(carrier_ids=[slug]))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, where, killed)
        with pytest.raises(Killed):
            shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    dead(app)
    return made.id


@contextmanager
def locked_ledger(app: App) -> Iterator[None]:
    """The ledger of the simulators as long as another process holds its lock and is stopped."""
    patient = app.ledger
    assert isinstance(patient, LedgerFile)
    with patient.transaction():  # it is there before it is locked
        assert not patient.find("generic", "label")
    app.shared["ledger"] = LedgerFile(patient.place, patience_s=0.01)
    app.simulators.clear()
    with closing(LedgerFile(patient.place)) as other, other.transaction():
        other.next_number("generic")
        yield
    app.ledger.close()
    app.shared["ledger"] = patient
    app.simulators.clear()


NOBODY = {"claimed_by": "nowhere@/0/", "claimed_until": 0.0}


def bought(app: App, carrier: str = "ups", **changes: Any) -> Shipment:
    lane = {"shipper": CANADA, "recipient": FARTHER} if carrier == "canadapost" else {}
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier], **lane, **changes))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def announced(app: App, shipment: Shipment, once: IdempotencyKey | None = None) -> CarrierAction:
    """The wish of a process that died."""
    account = accounts.choose(app, "shipping", carrier_name=shipment.selected_rate.carrier_name)[0]  # type: ignore[union-attr]
    action = CarrierAction(VOID, app.new_id(""), shipment.id, account.id, (shipment.id,), once=once)
    intent_actions.announce(app, action, account)
    with app.store.transaction() as tx:
        tx.update("intents", {"key": action.key}, NOBODY)
    return action


def status(app: App, shipment: Shipment) -> str:
    return shipments.get_shipment(app, shipment.id).status


def is_open(app: App) -> bool:
    return bool(intent_actions.list_open_rows(app, app.store))


def set_scenario(app: App, carrier: str, name: str | None) -> None:
    from shipcli.features.connections.service import update_connection
    from shipcli.models import ConnectionPatch

    (row,) = app.store.select("connections", {"carrier_name": carrier, "test_mode": app.test_mode})
    tokens = app.store.select("tokens")
    update_connection(app, row["id"], ConnectionPatch.model_validate({"config": {"sandbox_scenario": name}}))
    with app.store.transaction() as tx:  # so that no log-in meets the scenario first
        for token in tokens:
            tx.upsert("tokens", token)


def rated(app: App, **changes: Any) -> Shipment:
    """A draft with rates of a carrier that can be asked what it sold."""
    lane = {"shipper": CANADIAN, "recipient": {**CANADIAN, "address_line1": "1 Main St"}}
    return shipments.create_shipment(app, draft(carrier_ids=["canadapost"], **lane, **changes))


def rate_on_lane(app: App, slug: str, boxes: int = 1, **changes: Any) -> Shipment:
    """A draft with the prices of a carrier, on a lane that it serves."""
    origin, destination = lane(registry.get(slug))
    parcels = [parcel()] * boxes
    body = {
        "shipper": address(origin, "Ann Sender").model_dump(exclude_unset=True),
        "recipient": address(destination, "Bo Receiver").model_dump(exclude_unset=True),
        "parcels": [each.model_dump(exclude_unset=True) for each in parcels],
        "customs": customs(origin, destination, parcels),
        "reference": "SO-1",
        "carrier_ids": [slug],
        **changes,
    }
    return shipments.create_shipment(app, ShipmentData.model_validate(body))


def buy(app: App, shipment: Shipment) -> Shipment:
    chosen = ShipmentPurchaseData(selected_rate_id=shipment.rates[0].id)
    return shipments.purchase_shipment(app, shipment.id, chosen)


def sold(app: App) -> list[str]:
    """The numbers the carriers would bill."""
    return [number for numbers in live_labels(app).values() for number in numbers]


def in_doubt(app: App, carrier: str = "ups") -> Shipment:
    """A shipment that may have been bought."""
    if carrier == "usps":
        bought(app, "usps", reference="SO-0")  # so that the log-ins are over when the line breaks
    made = shipments.create_shipment(app, draft(carrier_ids=[carrier]))
    chosen = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    with (
        losing(app, carrier, before=always),  # so that the carrier can't be asked what it sold either
        pytest.raises(OutcomeUnknown, match=f"/v1/shipments/{made.id}/resolve"),
    ):
        shipments.purchase_shipment(app, made.id, chosen)
    return shipments.get_shipment(app, made.id)


def agree_to_all(shipment: Shipment, rate: Rate) -> None:
    """Whatever is asked, the answer is yes."""


def buy_cheapest(
    app: App,
    budget: Budget,
    agree: Callable[[Shipment, Rate], None] = agree_to_all,
    key: str | None = None,
    carrier: str = "ups",
    data: ShipmentData | None = None,
) -> Shipment:
    """Buy the cheapest rate of a new shipment; any other may be taken instead."""
    criteria = RateCriteria(rule="cheapest", budget=budget)
    prompter = Prompter(lambda offered: offered.rates[0], agree, again=True)
    return ship_new(LocalGateway(app), data or draft(carrier_ids=[carrier]), criteria, prompter, key)


class Sold(NamedTuple):
    """What the carrier would bill: its number, and the name under which its purchase goes."""

    number: str
    identifier: str


def list_sold(app: App) -> list[Sold]:
    records = [record for *_, record in app.ledger.everything("label") if not record["voided_at"]]
    return [Sold(str(record["number"]), str(record["identifier"])) for record in records]


def make_selling(app: App) -> Callable[[Request], bool]:
    """Chooses the answers of the calls that sold something."""
    counts = [len(list_sold(app))]

    def sells(request: Request) -> bool:
        counts.append(len(list_sold(app)))
        return counts[-1] > counts[-2]

    return sells

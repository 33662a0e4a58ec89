"""A label that is paid for and whose file the carrier does not hand out yet."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.carrier import Bought, Call, registry
from shipcli.features.admin import settlement
from shipcli.features.core.app import App
from shipcli.features.paper import label_requests, labels
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Label,
    OutcomeUnknown,
    Quote,
    Refused,
    Shipment,
    ShipmentPurchaseData,
    ShipmentUpdateData,
)
from shipcli.store.errors import StoreError
from tests.carriers.plugin import installed
from tests.factories import draft
from tests.features.shipments.purchases import Killed, dead, killed

CARRIER = '''
"""A carrier that sells a shipment in one call and hands out its label in another."""

from shipcli.carrier import Bought, Call, Carrier, CarrierConfig, Credentials, Service, ServiceTable
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models import Label, Message, Quote


class TwoCalls(Carrier[Credentials, CarrierConfig]):
    slug = "twocalls"
    name = "Two Calls"
    hosts = {True: "https://test.twocalls.example", False: "https://twocalls.example"}
    Credentials, Config = Credentials, CarrierConfig
    services = ServiceTable([Service(slug="twocalls_usual", code="U")])

    def read_messages(self, reply):
        return [] if reply.status < 400 else [Message(code="no", message="no label yet")]

    def rate(self, request):
        yield from ()
        return [Quote(carrier_name="twocalls", service="twocalls_usual", total_charge=5, currency="USD")]

    def ship(self, request):
        reply = yield Call("POST", "/orders", json={})
        bought = Bought(reply.json["number"], reply.json["order"], meta={"order": reply.json["order"]})
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought, request):
        reply = yield Call("GET", f"/orders/{bought.shipment_identifier}/label", file=True)
        return Label(
            tracking_number=bought.tracking_number,
            shipment_identifier=bought.shipment_identifier,
            label_type="PDF",
            docs={"label": encode_file(reply.content)},
            meta=dict(bought.meta),
        )
'''
SERVER = """
from shipcli.carrier import Reply
from shipcli.carrier.simulation.simulator import Simulator, route

CLOSED = []


class Server(Simulator):
    slug = "twocalls"

    @route("POST", "/orders")
    def order(self, request, path):
        number = f"T{self.next_number():08d}"
        self.sell(number, identifier=f"O{number}", total=5, currency="USD")
        return self.json({"number": number, "order": f"O{number}"})

    @route("GET", "/orders/{order}/label")
    def label(self, request, path):
        paper = b"%PDF-1.4 a label of " + path["order"].encode()
        return Reply(404) if CLOSED else self.file(paper, "application/pdf")
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with installed(tmp_path, "twocalls", "TwoCalls", {"__init__.py": CARRIER, "sandbox.py": SERVER}):
        opened = open_app(tmp_path / "home", sandbox=True, environ={})
        yield opened
        opened.close()


@pytest.fixture
def window(app: App) -> list[Any]:
    """The carrier's label window: closed while the list holds something."""
    found: list[Any] = sys.modules[registry.get_simulator("twocalls").__module__].CLOSED  # type: ignore[attr-defined]
    return found


def buy(app: App) -> Shipment:
    made = shipments.create_shipment(app, draft(carrier_ids=["twocalls"]))
    bought = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
    return shipments.purchase_shipment(app, made.id, bought)


def test_a_shipment_whose_label_can_not_be_fetched_is_bought_with_its_number(
    app: App, window: list[Any]
) -> None:
    window.append("closed")
    shipment = buy(app)
    assert (shipment.status, shipment.tracking_number) == ("purchased", "T00000001")
    assert [one.code for one in shipment.messages] == ["no", "label_missing"]


def test_a_label_that_is_fetched_undoes_nothing_that_was_done_meanwhile(
    app: App, window: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    window.append("closed")
    shipment = buy(app)
    window.clear()
    fetch = label_requests._fetch

    def slow(app: App, before: Shipment) -> Label:
        shipments.update_shipment(app, before.id, ShipmentUpdateData(metadata={"shelf": "4"}))
        shipments.cancel_shipment(app, before.id)
        return fetch(app, before)

    monkeypatch.setattr(label_requests, "_fetch", slow)
    assert labels.get_label(app, shipment).content.endswith(b"OT00000001")
    now = shipments.get_shipment(app, shipment.id)
    assert (now.status, now.metadata) == ("cancelled", {"shelf": "4"})
    assert [one.code for one in now.messages] == ["no"]


def test_a_purchase_that_is_answered_without_its_label_is_bought_and_the_label_fetched(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ship_without_label(self: Any, request: Any) -> Iterator[Any]:
        reply = yield Call("POST", "/orders", json={})
        return Label(tracking_number=reply.json["number"], shipment_identifier=reply.json["order"])

    monkeypatch.setattr(registry.get("twocalls"), "ship", ship_without_label)
    shipment = buy(app)
    assert (shipment.status, shipment.tracking_number) == ("purchased", "T00000001")
    assert [one.code for one in shipment.messages] == ["no_label", "label_missing"]
    assert labels.get_label(app, shipment).content == b"%PDF-1.4 a label of OT00000001"


def test_a_number_that_finds_no_room_in_the_store_is_not_lost(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store has room again when the shipment is written; the carrier has sold it once."""

    def full(*_: object) -> None:
        raise StoreError("there is no room")

    monkeypatch.setattr(purchase, "record_bought", full)
    shipment = buy(app)
    assert (shipment.status, shipment.tracking_number) == ("purchased", "T00000001")
    assert [one.code for one in shipment.messages][-1] == "label_missing"
    assert labels.get_label(app, shipment).content.endswith(b"OT00000001")


def selling_for(total: str) -> Any:
    """The sale of a carrier that says what it takes, and whose label is to be fetched then."""

    def ship(self: Any, request: Any) -> Iterator[Any]:
        reply = yield Call("POST", "/orders", json={})
        price = Quote(carrier_name="twocalls", service="twocalls_usual", total_charge=total, currency="USD")
        sold = Bought(reply.json["number"], reply.json["order"], selected_rate=price)
        yield sold
        return (yield from self.fetch_label(sold, request))

    return ship


@pytest.mark.parametrize("dies", [False, True], ids=["at once", "by whoever comes after a crash"])
def test_what_the_carrier_took_is_kept_although_its_label_is_missing(
    app: App, window: list[Any], monkeypatch: pytest.MonkeyPatch, dies: bool
) -> None:
    monkeypatch.setattr(registry.get("twocalls"), "ship", selling_for("7.25"))
    window.append("closed")
    with monkeypatch.context() as patch:
        if dies:
            patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed) if dies else nullcontext():
            buy(app)
    dead(app)
    purchase.settle_open(app)
    (shipment,) = (Shipment.model_validate(one) for one in app.store.each("shipment"))
    assert shipment.selected_rate is not None
    assert shipment.selected_rate.total_charge == Decimal("7.25")
    (missing,) = (one for one in shipment.messages if one.code == "label_missing")
    assert (missing.carrier_name, missing.carrier_id) == ("twocalls", "twocalls")
    assert f"shipcli labels save {shipment.id}" in str(missing.message)


def test_single_parcels_that_were_sold_before_it_went_wrong_are_named_to_a_person(
    app: App, window: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ship(self: Any, request: Any) -> Iterator[Any]:
        for _ in range(2):
            reply = yield Call("POST", "/orders", json={})
            yield Bought(reply.json["number"], reply.json["order"], part=True)
        yield Call("GET", "/orders/1/label", file=True)

    monkeypatch.setattr(registry.get("twocalls"), "ship", ship)
    window.append("closed")
    with pytest.raises(OutcomeUnknown, match="bought and not voided: T00000001, T00000002. Look it up"):
        buy(app)
    (kept,) = app.store.select("intents")
    assert kept["state"] == "attention"
    assert [one["tracking_number"] for one in kept["detail"]["bought"]] == ["T00000001", "T00000002"]


def test_its_label_is_fetched_when_it_is_asked_for(app: App, window: list[Any]) -> None:
    window.append("closed")
    shipment = buy(app)
    with pytest.raises(Refused, match="no label yet"):
        labels.get_label(app, shipment)
    window.clear()
    assert labels.get_label(app, shipment).content == b"%PDF-1.4 a label of OT00000001"
    stored = shipments.get_shipment(app, shipment.id)
    assert [one.code for one in stored.messages] == ["no"]
    assert (stored.meta or {}).get("label_missing") is None
    window.append("closed")
    assert labels.get_label(app, stored).content == b"%PDF-1.4 a label of OT00000001"


def test_a_purchase_that_was_killed_after_it_was_paid_is_found_again(
    app: App, window: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["twocalls"]))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        bought = ShipmentPurchaseData(selected_rate_id=made.rates[0].id)
        with pytest.raises(Killed):
            shipments.purchase_shipment(app, made.id, bought)
    dead(app)
    assert purchase.settle_open(app) == [made.id]
    found = shipments.get_shipment(app, made.id)
    assert (found.status, found.tracking_number) == ("purchased", "T00000001")
    assert labels.get_label(app, found).content.endswith(b"OT00000001")


def confirm_first(self: Any, request: Any) -> Iterator[Any]:
    """The sale of a carrier that confirms an order, and numbers it later."""
    reply = yield Call("POST", "/orders", json={})
    bought = Bought(None, reply.json["order"])
    yield bought
    return (yield from self.fetch_label(bought, request))


def number_later(self: Any, bought: Bought, request: Any) -> Iterator[Any]:
    order = str(bought.shipment_identifier)
    reply = yield Call("GET", f"/orders/{order}/label", file=True)
    paper = base64.b64encode(reply.content).decode()
    return Label(
        tracking_number=bought.tracking_number or order[1:], shipment_identifier=order, docs={"label": paper}
    )


@pytest.mark.parametrize("dies", [False, True], ids=["at once", "by whoever comes after a crash"])
def test_a_purchase_that_is_numbered_later_is_kept_by_its_identifier(
    app: App, window: list[Any], monkeypatch: pytest.MonkeyPatch, dies: bool
) -> None:
    monkeypatch.setattr(registry.get("twocalls"), "ship", confirm_first)
    monkeypatch.setattr(registry.get("twocalls"), "fetch_label", number_later)
    window.append("closed")
    with monkeypatch.context() as patch:
        if dies:
            patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed) if dies else nullcontext():
            buy(app)
    dead(app)
    settlement.settle_all(app)
    (before,) = (Shipment.model_validate(one) for one in app.store.each("shipment"))
    assert (before.status, before.tracking_number, before.tracking_url) == ("purchased", None, None)
    assert before.shipment_identifier == "OT00000001"
    window.clear()
    settlement.settle_all(app)  # too early: the purchase itself waits as long
    assert shipments.get_shipment(app, before.id).tracking_number is None
    monkeypatch.setattr(settlement, "NUMBERED_AFTER", timedelta(0))
    settlement.settle_all(app)
    after = shipments.get_shipment(app, before.id)
    assert (after.tracking_number, after.tracking_url) == ("T00000001", "/v1/trackers/twocalls/T00000001")
    assert [parcel.reference_number for parcel in after.parcels] == ["T00000001"]
    assert labels.get_label(app, after).content.endswith(b"OT00000001")


def test_a_purchase_has_a_number_or_an_identifier() -> None:
    with pytest.raises(ValueError, match="a number or an identifier"):
        Bought(None)

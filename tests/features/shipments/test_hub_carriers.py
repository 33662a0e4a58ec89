"""A carrier that sells the labels of others, and one that gives no label file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shipcli.bootstrap import open_app
from shipcli.drawing import count_pages, find_label_kind
from shipcli.features.core.app import App
from shipcli.features.paper import labels
from shipcli.features.shipments import service as shipments
from shipcli.models import ShipmentPurchaseData
from tests.carriers.plugin import installed
from tests.factories import PARCEL, draft

CARRIER = """
from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Service, ServiceTable
from shipcli.models import Label, Quote


class Hub(Carrier[Credentials, CarrierConfig]):
    slug = "hub"
    name = "The Hub"
    hub = True
    trackable = False
    labels = "ours"
    hosts = {True: "https://test.hub.example", False: "https://hub.example"}
    Credentials, Config = Credentials, CarrierConfig
    services = ServiceTable([Service(slug="hub_usps_first", code="First")])

    def read_messages(self, reply):
        return []

    def rate(self, request):
        yield from ()
        meta = {"carrier": "usps", "rate_provider": "usps", "service_name": "USPS First"}
        quote = Quote(carrier_name="hub", service="hub_usps_first", total_charge=5, currency="USD", meta=meta)
        return [quote]

    def ship(self, request):
        reply = yield Call("POST", "/orders", json={})
        numbers = [f"{reply.json['number']}{at}" for at in range(len(request.parcels))]
        price = Quote(carrier_name="hub", service="hub_usps_first", total_charge=6, currency="USD")
        return Label(tracking_number=numbers[0], selected_rate=price, meta={"tracking_numbers": numbers})
"""
SERVER = """
from shipcli.carrier.simulation.simulator import Simulator, route


class Server(Simulator):
    slug = "hub"

    @route("POST", "/orders")
    def order(self, request, path):
        return self.json({"number": f"H{self.next_number():08d}"})
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with installed(tmp_path, "hub", "Hub", {"__init__.py": CARRIER, "sandbox.py": SERVER}):
        opened = open_app(tmp_path / "home", sandbox=True, environ={})
        yield opened
        opened.close()


def test_the_carrier_behind_a_hub_is_named_from_the_price_to_the_label(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["hub"]))
    (rate,) = made.rates
    assert (rate.carrier_name, (rate.meta or {})["rate_provider"]) == ("hub", "usps")
    bought = shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=rate.id))
    assert (bought.meta or {})["rate_provider"] == "usps"
    assert bought.tracking_url == "/v1/trackers/usps/H000000010?hub=hub"
    assert bought.selected_rate
    assert bought.selected_rate.total_charge == 6
    assert (bought.selected_rate.meta or {})["rate_provider"] == "usps"


@pytest.mark.parametrize("kind", ["PDF", "ZPL", "PNG"])
def test_a_carrier_without_label_files_gets_labels_of_ours(app: App, kind: str) -> None:
    made = shipments.create_shipment(
        app, draft(carrier_ids=["hub"], label_type=kind, parcels=[PARCEL] * (1 if kind == "PNG" else 2))
    )
    bought = ShipmentPurchaseData(selected_rate_id=made.rates[0].id, label_type=kind)
    shipment = shipments.purchase_shipment(app, made.id, bought)
    content = labels.get_label(app, shipment).content
    assert find_label_kind(content) == kind
    assert count_pages(content) == (1 if kind == "PNG" else 2)

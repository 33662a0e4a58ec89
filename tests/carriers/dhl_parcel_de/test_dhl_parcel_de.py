"""What cases of DHL Parcel DE can't say: its codes, and which key tracks."""

from __future__ import annotations

import pytest
from shipcli.carriers.dhl_parcel_de import DhlParcelDe
from shipcli.carriers.dhl_parcel_de.sandbox import route_code

from shipcli.carrier import has_check_digit
from shipcli.carrier.simulation.backend import Booking, Party
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.promises import DELIVERED, track
from tests.carriers.tap import Tap


@pytest.mark.parametrize(("key", "told"), [("track-1", "track-1"), (None, "sandbox-api-key")])
def test_tracking_has_a_key_of_its_own_or_that_of_the_application(key: str | None, told: str) -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"), credentials={"tracking_consumer_key": key})
    tap = Tap(bench)
    track(bench, DELIVERED)
    bench.close()
    assert [one.header("dhl-api-key") for one in tap.sent] == [told]


def test_an_amount_of_the_shipment_is_shared_by_its_parcels() -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"))
    tap = Tap(bench)
    assert bench.buy(parcel("1"), parcel("2"), options={"cash_on_delivery": 25.01}).result
    bench.close()
    [order] = tap.sent
    collected = [one["services"]["cashOnDelivery"]["value"] for one in order.json["shipments"]]
    assert [str(amount) for amount in collected] == ["12.5", "12.51"]


def test_a_number_of_the_sandbox_is_a_licence_plate_with_its_check_digit() -> None:
    bench = Bench(DhlParcelDe, ("DE", "DE"))
    number = bench.bought().tracking_number
    bench.close()
    assert len(number) == 20
    assert has_check_digit(number)


def test_a_label_says_where_the_parcel_goes() -> None:
    def goes(country: str, postal_code: str) -> str:
        there = Party(country=country, postal_code=postal_code)
        return route_code(Booking(shipper=Party(country="DE"), recipient=there, weights=()))

    assert goes("DE", "80331") == "80331.000.000.10.6"
    assert goes("CH", "8001") == "CH 8001"


def test_a_sandbox_prices_a_level_up_to_its_heaviest_parcel_and_where_it_goes() -> None:
    levels = {level["service_code"]: level["zones"] for level in DhlParcelDe.sample_account["services"]}
    paket, euro = levels["dhl_parcel_de_paket"], levels["dhl_parcel_de_europaket"]
    assert [str(zone["max_weight"]) for zone in paket] == ["1", "2", "5", "10", "20", "31.5"]
    assert all("FR" in zone["country_codes"] and "US" not in zone["country_codes"] for zone in euro)
    assert not any("country_codes" in zone for zone in paket)


@pytest.mark.parametrize(("terms", "told"), [(None, "DDP"), ("DAP", "DAP"), ("DDU", "DDU")])
def test_duties_are_paid_by_the_terms_that_are_named(terms: str | None, told: str) -> None:
    bench = Bench(DhlParcelDe, ("DE", "US"))
    tap, declared = Tap(bench), bench.request().customs
    bench.buy(customs=declared.changed(incoterm=terms) if declared else None)
    bench.close()
    assert tap.sent[-1].json["shipments"][0]["customs"]["shippingConditions"] == told


def test_terms_that_dhl_has_no_word_for_are_refused() -> None:
    """As any others the sender would pay the duties."""
    bench = Bench(DhlParcelDe, ("DE", "US"))
    declared = bench.request().customs
    outcome = bench.buy(customs=declared.changed(incoterm="EXW") if declared else None)
    bench.close()
    assert outcome.failed
    assert "customs.incoterm" in said(outcome)

"""Purolator: how a purchase is found again whose answer was lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shipcli.carriers.purolator import Purolator

from shipcli.carrier import Reply
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap

KEY = "a" * 32
RETURN = {"is_return": True}
FAULT = b"<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><e:Fault/></e:Body></e:Envelope>"


@pytest.fixture
def home() -> Iterator[Bench]:
    bench = Bench(Purolator, ("CA", "CA"))
    yield bench
    bench.close()


def test_a_purchase_is_found_by_its_own_reference_with_all_its_pieces(home: Bench) -> None:
    """Another purchase has the same reference of the shop."""
    request = home.request(parcel("1.5"), parcel("2.5"), reference="SO-1")
    other = home.ask("ship", request, key="b" * 32)
    bought = home.ask("ship", request, key=KEY)
    assert bought.result, said(bought)
    assert other.result, said(other)
    found = home.ask("recover", request, key=KEY)
    assert found.result, said(found)
    assert found.result.tracking_number == bought.result.tracking_number != other.result.tracking_number
    assert found.result.meta["tracking_numbers"] == bought.result.meta["tracking_numbers"]
    assert found.result.docs["label"]


def test_the_search_reaches_from_before_the_shipping_day_to_after_today(home: Bench) -> None:
    tap = Tap(home)
    home.ask("recover", home.request(options={"shipment_date": "2025-03-10"}), key=KEY)
    content = tap.sent[-1].content.decode()
    assert "a" * 30 in content
    assert "a" * 31 not in content
    assert "2025-03-24" in content


@pytest.mark.parametrize("reply", [
    Reply(500, FAULT, {"content-type": "text/xml"}), Reply(503, b"<html/>", {"content-type": "text/html"}),
])  # fmt: skip
def test_an_answer_that_tells_of_nothing_is_no_proof_of_anything(home: Bench, reply: Reply) -> None:
    request = home.request()
    Tap(home).instead = lambda request: reply
    outcome = home.ask("recover", request, key=KEY)
    assert (outcome.result, outcome.failed) == (None, True)


def test_a_return_is_paid_by_the_account_that_receives_it(home: Bench) -> None:
    request, tap = home.request(options=RETURN), Tap(home)
    bought = home.ask("ship", request, key=KEY)
    assert bought.result, said(bought)
    order = tap.sent[0].content.decode()
    assert "CreateReturnsManagementShipmentRequest" in order
    assert "<v2:PaymentType>Receiver</v2:PaymentType>" in order
    assert "ShipmentDate" not in order


def test_a_return_from_abroad_is_refused_before_it_is_asked_for() -> None:
    bench = Bench(Purolator, ("CA", "US"))
    request = bench.request(options=RETURN, service="purolator_ground")
    tap = Tap(bench)
    refused = bench.ask("ship", request, key=KEY)
    bench.close()
    assert "recipient.country_code: " in said(refused)
    assert tap.sent == []

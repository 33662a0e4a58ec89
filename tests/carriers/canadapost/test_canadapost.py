"""Canada Post: what neither cases nor the contract show. Its own schemas are the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from shipcli.carriers.canadapost import CanadaPost
from shipcli.carriers.canadapost.parts import RATE, SHIPMENT
from shipcli.carriers.canadapost.sandbox import papers

from shipcli.carrier import Reply, Request, basic_auth, registry
from shipcli.carrier.limits import ServiceLimits
from shipcli.carrier.simulation.bookings import Booking, Party
from shipcli.carrier.simulation.published_documents import list_schema_errors
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.models import RateRequest, ShipmentRequest
from tests.carriers.bench import Bench, parcel
from tests.carriers.errands import KEY, end_of_day, run_errand, verbs_of
from tests.carriers.recordings import find
from tests.carriers.schemas import schemas_of
from tests.carriers.tap import Tap
from tests.shared import find_shared

SENT = {"canadapost_submit_shipment": True, "shipment_date": "2025-03-03"}


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(CanadaPost, ("CA", "CA"))
    yield made
    made.close()


def order(bench: Bench, *boxes: Any, **options: Any) -> ShipmentRequest:
    return bench.request(*boxes, service="canadapost_expedited_parcel", options={**SENT, **options})


def assert_valid(documents: list[bytes]) -> None:
    find_shared("carriers/canadapost/wire")
    schemas = schemas_of("canadapost")
    roots = [etree.fromstring(one) for one in documents if one.startswith(b"<")]
    assert len(roots) > 15
    assert [line for root in roots for line in list_schema_errors(schemas, root)] == []


def test_what_goes_out_in_the_cases_fits_the_schemas() -> None:
    cases = find([Path(__file__).parent / "cases"])
    assert_valid([str(call["body"] or "").encode() for case in cases for call in case.calls])


def test_what_the_simulator_answers_fits_the_schemas(bench: Bench) -> None:
    answers: list[bytes] = []

    def keep(request: Request, reply: Reply) -> Reply:
        answers.append(reply.content)
        return reply

    Tap(bench, after=keep)
    for verb in verbs_of(CanadaPost):
        run_errand(bench, verb)
    bench.ask("recover", order(bench), key=KEY)
    bench.ask("recover_manifest", end_of_day(bench, str(bench.ledger.find("canadapost", LABEL)[0]["number"])))
    assert_valid(answers)


@pytest.mark.parametrize("options", [{}, {"canadapost_submit_shipment": False}])
def test_a_purchase_of_two_parcels_is_found_again_as_it_was(bench: Bench, options: dict[str, Any]) -> None:
    request = order(bench, parcel("1"), parcel("2"), **options)
    label = bench.ask("ship", request, key=KEY).result
    sold = bench.ledger.find("canadapost", LABEL)
    assert [one["key"] for one in sold] == label.meta["customer_request_ids"]
    bench.wait(days=2)
    assert bench.ask("recover", request, key=KEY).result == label


def test_a_half_bought_shipment_that_can_not_be_taken_back_is_when_it_is_looked_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second parcel is refused by Canada Post alone, as by a limit that nobody here has heard of."""
    monkeypatch.setattr(CanadaPost, "limits", ServiceLimits())
    request = order(bench, parcel("1"), parcel("40"))
    silent = request.model_copy(update={"shipper": request.shipper.model_copy(update={"email": None})})
    outcome = bench.ask("ship", silent, key=KEY)
    assert (outcome.result, outcome.unknown) == (None, True)
    found = bench.ask("recover", request, key=KEY)
    assert (found.result, found.failed) == (None, False)
    assert all(one["voided_at"] for one in bench.ledger.find("canadapost", LABEL))


@pytest.mark.parametrize(("country", "services"), [("CA", 5), ("US", 8), ("GB", 9)])
def test_every_service_quoted_is_bought_for_the_price_quoted(
    bench: Bench, country: str, services: int
) -> None:
    bench.lane = ("CA", country)
    quotes = bench.ask("rate", RateRequest.model_validate(bench.shipment(parcel("0.4")))).result
    assert len(quotes) == services
    for quote in quotes:
        paid = bench.bought(parcels=[parcel("0.4")], service=quote.service).selected_rate
        assert paid
        assert (paid.total_charge, paid.transit_days) == (quote.total_charge, quote.transit_days)


def test_a_label_has_the_carriers_own_face_and_number() -> None:
    place = Party(country="CA", city="Longueuil", state="QC", postal_code=papers.spaced("J3B8E5", "CA"))
    booking = Booking(shipper=place, recipient=place, weights=(Decimal(1),), service="DOM.XP")
    label = papers.design_label(booking, papers.make_pin("7023210", 3941460))
    assert (label.mark, label.routing, label.caption) == ("XP", "J3B 8E5", "7023 2100 3941 4604")
    assert "Longueuil QC J3B 8E5" in label.recipient.lines


TRACKING, PRICES = "/vis/track/pin/SC0300000002/detail", "/rs/ship/price"


@pytest.mark.parametrize(("method", "path", "content", "kind", "status"), [
    ("GET", TRACKING, b"", "*/*", 406), ("GET", TRACKING, b"", SHIPMENT, 200),
    ("GET", "/rs/1234567/7654321/shipment?requestId=1", b"", SHIPMENT, 403),
    ("POST", PRICES, b"<mailing-scenario/>", RATE, 400), ("POST", PRICES, b"half <", RATE, 400),
    ("POST", PRICES, b"<mailing-scenario/>", "text/xml", 415),
])  # fmt: skip
def test_the_simulator_is_as_strict_as_the_carrier(
    bench: Bench, method: str, path: str, content: bytes, kind: str, status: int
) -> None:
    login = basic_auth("sandbox", "sandbox-key")
    headers = {"accept": kind, "content-type": kind, "authorization": login}
    simulator = registry.get_simulator("canadapost")(bench.ledger, lambda: bench.now)
    asked = Request(method, f"https://sandbox.example{path}", headers, content)
    assert simulator.answer(asked).status == status


def test_cash_on_delivery_is_collected_once_though_each_parcel_is_an_order(bench: Bench) -> None:
    tap = Tap(bench)
    outcome = bench.ask("ship", order(bench, parcel(), parcel(), cash_on_delivery="75.50"))
    assert outcome.result, outcome.messages
    orders = [etree.fromstring(one.content) for one in tap.sent if one.method == "POST"]
    amounts = [Decimal(node.text) for one in orders for node in one.iter("{*}option-amount")]
    assert sum(amounts) == Decimal("75.50")

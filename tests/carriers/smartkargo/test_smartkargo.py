"""SmartKargo: purchases that are interrupted and found again, and what it is told of goods and people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from shipcli.carriers.smartkargo import Smartkargo
from shipcli.carriers.smartkargo.tracking import write_query

from shipcli.carrier import Reply, Request
from shipcli.models import CancelRequest, Customs, TrackingRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import GOODS
from tests.carriers.tap import Tap

KEY, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def home() -> Iterator[Bench]:
    bench = Bench(Smartkargo, ("US", "US"))
    yield bench
    bench.close()


@pytest.fixture
def abroad() -> Iterator[Bench]:
    bench = Bench(Smartkargo, ("US", "GB"))
    yield bench
    bench.close()


def is_booking(request: Request) -> bool:
    return request.path.endswith("/exchange/single")


def package(sent: Request) -> dict[str, Any]:
    return dict(plain_json.loads(sent.content)["packages"][0])


def labels(bench: Bench) -> list[Mapping[str, Any]]:
    return list(bench.ledger.find("smartkargo", "label"))


@pytest.mark.parametrize("own", [None, "BOX-1"])
def test_a_purchase_whose_answer_was_lost_is_found_by_its_references(home: Bench, own: str | None) -> None:
    request = home.request(parcel("1", reference_number=own), parcel("2"), reference="SO-1")
    home.loses = is_booking
    assert home.ask("ship", request, key=KEY).unknown
    home.loses = lambda request: False
    found = home.ask("recover", request, key=KEY).result
    assert found
    assert found.docs["label"]
    assert len(found.meta["tracking_numbers"]) == len(labels(home)) == 2
    assert home.ask("recover", home.request(reference="SO-2"), key=OTHER).result is None


def test_a_purchase_of_which_a_part_was_booked_is_taken_back(home: Bench) -> None:
    """The other half of the line was dead: only the first package reached the carrier."""
    assert home.ask("ship", home.request(parcel("1")), key=KEY).result
    assert home.ask("recover", home.request(parcel("1"), parcel("2")), key=KEY).result is None
    assert all(label["voided_at"] for label in labels(home))


def test_an_older_package_of_the_same_references_is_not_taken_for_this_purchase(home: Bench) -> None:
    request = home.request(parcel("1", reference_number="BOX-1"), reference="SO-1")
    assert home.ask("ship", request, key=KEY).result
    home.wait(days=9)
    assert home.ask("recover", request, key=OTHER).result is None


def test_a_look_up_that_is_refused_is_no_proof_of_anything(home: Bench) -> None:
    refusal = Reply(400, b'"Bad Request"', {"content-type": "application/json"})
    Tap(home, instead=lambda sent: refusal if sent.path.endswith("/shipment") else None)
    assert home.ask("recover", home.request(), key=KEY).failed


def test_a_reference_that_exists_is_refused_by_name(home: Bench) -> None:
    request = home.request(parcel("1", reference_number="BOX-1"), reference="SO-1")
    assert home.ask("ship", request, key=KEY).result
    outcome = home.ask("ship", request, key=OTHER)
    assert (outcome.failed, outcome.unknown) == (True, False)
    assert "The reference 'BOX-1' already exists." in said(outcome)


def test_what_is_wrong_with_each_field_is_told_with_the_error_or_alone(home: Bench) -> None:
    faults = [{"property": "weight", "message": "The weight is missing"}]
    body: dict[str, Any] = {"status": "Failed", "valid": "No", "validations": faults}
    error = {"code": "INVALID_REQUEST", "message": "Invalid request"}
    Tap(home, instead=lambda sent: Reply(200, plain_json.dump_bytes(body)) if is_booking(sent) else None)
    [alone] = home.ask("ship", home.request(), key=KEY).messages
    assert (alone.code, alone.message) == ("weight", "The weight is missing")
    body["error"] = error
    [message] = home.ask("ship", home.request(), key=OTHER).messages
    assert (message.code, message.message) == ("INVALID_REQUEST", "Invalid request")
    assert message.details == {"validations": ["The weight is missing"]}


def test_goods_are_told_with_the_value_and_weight_of_all_pieces_and_who_pays(abroad: Bench) -> None:
    tap = Tap(abroad)
    request = abroad.request(parcel("0.9", items=[GOODS]))
    for terms, payer in ((None, "DDU"), ("DDP", "DDP")):
        customs = (request.customs or Customs()).model_copy(update={"incoterm": terms, "duty": None})
        tap.sent.clear()
        assert abroad.ask(
            "ship", request.model_copy(update={"customs": customs}), key=KEY if terms else OTHER
        ).result
        sent = package(tap.sent[0])
        assert (sent["incoterm"], sent["commercialInvoice"]["termsOfSale"]) == (payer, terms or "DAP")
        [item] = sent["customItems"]
        assert (float(item["commercialValue"]), float(item["weight"]), item["quantity"]) == (70.35, 0.6, 3)


def test_a_person_in_a_company_is_named_to_the_courier(home: Bench) -> None:
    request = home.request()
    tap = Tap(home)
    recipient = request.recipient.model_copy(update={"person_name": "Bo Lee", "company_name": "Lee & Sons"})
    home.ask("ship", request.model_copy(update={"recipient": recipient}), key=KEY)
    consignee = package(tap.sent[0])["participants"][1]
    assert (consignee["name"], consignee["deliveryInstruction"]) == ("Lee & Sons", "Attn Bo Lee")


@pytest.mark.parametrize(
    ("number", "query"),
    [
        ("xia-00291643", {"prefix": "XIA", "Airwaybill": "00291643"}),
        ("SO-1", {"packageReference": "SO-1"}),
    ],
)
def test_a_number_is_a_waybill_or_a_reference(number: str, query: dict[str, str]) -> None:
    assert write_query(number, {}) == query


def test_a_reference_alone_cancels_nothing(home: Bench) -> None:
    outcome = home.ask("void", CancelRequest(shipment_identifier="SO-1"))
    assert (outcome.failed, home.calls) == (True, [])


def test_the_partner_who_delivers_is_asked_with_its_own_code(home: Bench) -> None:
    config = {"partner_tracking_url": "https://partner.example", "partner_tracking_api_code": "their-code"}
    bench = Bench(Smartkargo, ("US", "US"), config=config)
    tap = Tap(bench, instead=lambda sent: Reply(200, b"[]", {"content-type": "application/json"}))
    bench.ask("track", TrackingRequest(tracking_numbers=["AXB00000001"]))
    bench.close()
    assert tap.sent[0].url.startswith("https://partner.example/api/tracking?prefix=AXB")
    assert tap.sent[0].header("code") == "their-code"

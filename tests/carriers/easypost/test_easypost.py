"""EasyPost: what neither the cases nor the contract show."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.easypost import Easypost
from shipcli.carriers.easypost.parts import CATALOGUE, read_carrier, read_service

from shipcli.carrier import Reply
from shipcli.carrier.simulation.simulator import LABEL
from shipcli.drawing import count_pages
from shipcli.models import CancelRequest, RateRequest, ShipmentRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap

KEYED = [(row.carrier, row.code) for row in CATALOGUE.services]


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Easypost)
    yield made
    made.close()


def request(bench: Bench, *parcels: Any, **values: Any) -> ShipmentRequest:
    given = {"service": "easypost_ups_ground", "label_type": "PDF", **values}
    return ShipmentRequest.model_validate(bench.shipment(*parcels, **given))


def labels(bench: Bench) -> list[dict[str, Any]]:
    return bench.ledger.find("easypost", LABEL)


def test_what_only_comes_back_is_offered_for_returns_and_by_its_name(bench: Bench) -> None:
    names = ("easypost_interlink_parcel_return", "easypost_interlink_expresspak1_next_day")
    rows = [
        {
            "id": "r",
            "service": CATALOGUE.services.code(name),
            "carrier": "InterlinkExpress",
            "rate": "5",
            "currency": "GBP",
        }
        for name in names
    ]
    body = plain_json.dump_bytes({"id": "shp_1", "rates": rows})
    Tap(bench, instead=lambda sent: Reply(200, body))

    def list_offers(**values: Any) -> list[str | None]:
        question = RateRequest.model_validate(bench.shipment(**values))
        return sorted(str(quote.service) for quote in bench.ask("rate", question).result or ())

    assert list_offers() == [names[1]]
    assert names[0] in list_offers(services=[names[0]])
    assert list_offers(options={"is_return": True}) == sorted(names)


def test_every_service_has_one_carrier_and_no_two_rows_are_the_same() -> None:
    assert len(KEYED) == len(set(KEYED)) == 596
    assert {carrier for carrier, _ in KEYED} <= {*CATALOGUE.table("carriers")}


@pytest.mark.parametrize(
    ("carrier", "service", "slug"),
    [
        ("UPS", "Ground", "easypost_ups_ground"),
        ("UPSDAP", "Ground", "easypost_ups_ground"),
        ("Canpar", "Ground", "easypost_canpar_ground"),
        ("USPS", "Priority", "easypost_usps_priority"),
        ("CanadaPost", "Priority", "easypost_canadapost_priority"),
        ("Nobody", "Ground", "Ground"),
    ],
)
def test_a_word_that_carriers_share_is_read_by_its_carrier(carrier: str, service: str, slug: str) -> None:
    assert read_service({"carrier": carrier, "service": service}) == slug


def test_a_carrier_is_known_by_its_name_with_blanks_too() -> None:
    assert read_carrier("Australia Post") == read_carrier("AustraliaPost") == "australiapost"


def test_the_files_are_asked_for_without_the_key(bench: Bench) -> None:
    bench.bought()
    told = {
        one.request["url"].split("/")[2]: "Authorization" in one.request["headers"] for one in bench.traces
    }
    assert told == {"api.easypost.com": True, "easypost-files.s3.us-west-2.amazonaws.com": False}


def test_two_parcels_are_two_labels_in_one_file_at_the_price_of_both(bench: Bench) -> None:
    quote = next(
        one for one in bench.quote(parcel(), parcel()).result or [] if one.service.endswith("ups_ground")
    )
    outcome = bench.ask("ship", request(bench, parcel(), parcel()))
    assert outcome.result, said(outcome)
    assert outcome.result.selected_rate.total_charge == quote.total_charge
    assert count_pages(base64.b64decode(outcome.result.docs["label"])) == 2
    numbers = outcome.result.meta["shipment_identifiers"]
    options = {"shipment_identifiers": numbers}
    voided = bench.ask("void", CancelRequest(shipment_identifier=numbers[0], options=options))
    assert voided.result.success
    assert all(one["voided_at"] for one in labels(bench))


def test_a_purchase_whose_answer_is_lost_is_seen_at_its_shipment(bench: Bench) -> None:
    bench.loses = lambda sent: sent.path.endswith("/buy")
    outcome = bench.ask("ship", request(bench))
    assert outcome.result, said(outcome)
    assert [one["number"] for one in labels(bench)] == [outcome.result.tracking_number]


@pytest.mark.parametrize(
    ("options", "word"),
    [({"dangerous_good": True}, "easypost_hazmat"), ({"cash_on_delivery": 20}, "one parcel only")],
)
def test_what_can_not_be_sent_is_refused_by_name(bench: Bench, options: dict[str, Any], word: str) -> None:
    outcome = bench.ask("ship", request(bench, parcel(), parcel(), options=options))
    assert (outcome.unknown, labels(bench)) == (False, [])
    assert word in said(outcome)

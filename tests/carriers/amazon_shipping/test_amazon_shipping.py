"""Amazon Shipping: what a connection of v1 is told, and what becomes of a purchase whose answer was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.amazon_shipping.tracking import read_tracking

from shipcli.carrier import Reply, Request, registry
from shipcli.models import Invalid
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.tap import Tap

KIND = registry.get("amazon_shipping")
OF_V1 = {"seller_id": "S1", "developer_id": "D1", "mws_auth_token": "amzn.mws.hush"}
MISSING = dict.fromkeys(KIND.sample_account)
KEY = "7" * 32


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(KIND)
    yield made
    made.close()


def test_a_connection_of_v1_is_told_by_name_what_to_fill_in() -> None:
    bench = Bench(KIND, credentials={**MISSING, **OF_V1})
    text = said(bench.quote())
    assert all(name in text for name in ("client_id", "client_secret", "refresh_token"))
    assert "shipcli connections update bench" in text
    assert "hush" not in text
    bench.close()


def test_a_connection_of_neither_version_is_refused_by_field() -> None:
    with pytest.raises(Invalid) as caught:
        KIND.read_credentials({"client_id": "me"})
    assert {problem.field for problem in caught.value.problems} == {"client_secret", "refresh_token"}


@pytest.mark.parametrize(
    ("account", "business"),
    [
        ({}, "AmazonShipping_US"),
        ({"account_country_code": "IT", "aws_region": "eu-west-1"}, "AmazonShipping_IT"),
        ({"aws_region": "eu-west-1"}, "AmazonShipping_UK"),
        ({"account_country_code": "CA"}, "AmazonShipping_US"),
        ({"shipping_business_id": "AmazonShipping_IN"}, "AmazonShipping_IN"),
    ],
)
def test_every_call_names_the_business_that_serves_the_seller(account: dict[str, Any], business: str) -> None:
    bench = Bench(KIND, credentials=account)
    tap = Tap(bench)
    bench.quote()
    assert tap.sent[-1].header("x-amzn-shipping-business-id") == business
    bench.close()


@pytest.mark.parametrize(
    ("summary", "scans", "status"),
    [
        ({"status": "InTransit"}, ["Delivered"], "in_transit"),
        ({}, ["Departed", "Delivered"], "delivered"),
        (None, ["PickupDone"], "picked_up"),
        (None, [], "pending"),
    ],
)
def test_a_status_that_is_not_told_is_that_of_the_newest_scan(
    summary: dict[str, str] | None, scans: list[str], status: str
) -> None:
    rows = [{"eventCode": code, "eventTime": f"2025-03-0{at}T09:00:00Z"} for at, code in enumerate(scans, 1)]
    tracked = read_tracking({"trackingId": "T1", "summary": summary, "eventHistory": rows})
    assert (tracked.status, tracked.delivered) == (status, status == "delivered")


def is_purchase(request: Request) -> bool:
    return request.method == "POST" and request.path == "/shipping/v2/shipments"


def test_a_purchase_whose_answer_was_lost_is_found_by_its_key(bench: Bench) -> None:
    request = bench.request(parcel("1"), parcel("2"))
    bench.loses = is_purchase
    assert bench.ask("ship", request, key=KEY).unknown
    bench.loses = lambda request: False
    bench.wait(days=2)  # long after its price
    label = bench.ask("recover", request, key=KEY).result
    assert label
    assert label.docs["label"]
    assert len(label.meta["tracking_numbers"]) == 2
    assert bench.ask("recover", request, key="8" * 32).result is None


def test_a_refusal_that_knows_the_key_leaves_the_purchase_in_doubt(bench: Bench) -> None:
    body = {"errors": [{"code": "IdempotentParameterMismatch", "message": "The key was used before."}]}
    reply = Reply(400, plain_json.dump_bytes(body), {"content-type": "application/json"})
    request = bench.request()
    Tap(bench, instead=lambda sent: reply if is_purchase(sent) else None)
    assert bench.ask("recover", request, key=KEY).failed


def test_a_price_is_gone_after_ten_minutes(bench: Bench) -> None:
    tap = Tap(bench)

    def wait(request: Request) -> None:
        if is_purchase(request):
            bench.wait(minutes=11)

    tap.instead = wait
    assert "TOKEN_EXPIRED" in said(bench.buy())


def test_a_service_that_is_not_offered_signed_is_not_sold(bench: Bench) -> None:
    def drop_extras(request: Request, reply: Reply) -> Reply:
        text = reply.content.replace(b"CUST_SIG_VERIFICATION", b"OTHER")
        return Reply(reply.status, text, reply.headers)

    request = bench.request(options={"signature_confirmation": True})
    Tap(bench, after=drop_extras)
    assert "signature_confirmation" in said(bench.ask("ship", request, key=KEY))

"""FedEx: what neither the recorded exchanges nor the contract show."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest
from shipcli.carriers.fedex import Fedex, rates

from shipcli.carrier import Reply
from shipcli.drawing import count_pages, find_label_kind
from shipcli.models import Payment, PickupUpdateRequest, RateRequest
from shipcli.models import json as plain_json
from tests.carriers.bench import Bench, parcel, said
from tests.carriers.errands import ERRANDS, end_of_day, run_errand
from tests.carriers.promises import DELIVERED, track
from tests.carriers.tap import Tap, refuse


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench(Fedex)
    yield made
    made.close()


def bought_body(bench: Bench, *parcels: Any, **values: Any) -> dict[str, Any]:
    """What goes out for a purchase."""
    tap = Tap(bench)
    outcome = bench.buy(*parcels, service="fedex_ground", **values)
    assert outcome.result, said(outcome)
    body: dict[str, Any] = plain_json.loads(tap.sent[-1].content)["requestedShipment"]
    return body


def blur_prices(reply: Reply) -> Reply:
    """An answer whose totals are no numbers."""
    content = re.sub(rb'("totalNetCharge\w*"): *[0-9.]+', rb'\1:"n/a"', reply.content)
    return Reply(reply.status, content, reply.headers)


def test_tracking_wants_keys_of_its_own(bench: Bench) -> None:
    bench.credentials = {"track_api_key": None, "track_secret_key": None}
    assert bench.quote().result
    outcome = track(bench, DELIVERED)
    assert said(outcome).endswith("the connection needs track_api_key and track_secret_key")


def test_what_is_delivered_comes_with_its_signature(bench: Bench) -> None:
    (found,) = track(bench, DELIVERED).result or []
    assert find_label_kind(base64.b64decode((found.images or {})["signature_image"])) == "PNG"


def test_a_tracking_without_its_signature_is_a_tracking(bench: Bench) -> None:
    tap = Tap(bench)
    tap.instead = lambda request: refuse(bench, request) if "documents" in request.path else None
    outcome = track(bench, DELIVERED)
    assert [(one.status, one.images) for one in outcome.result or []] == [("delivered", None)]


def test_a_value_is_shared_by_the_parcels_to_the_cent(bench: Bench) -> None:
    body = bought_body(bench, parcel(), parcel(), parcel(), options={"declared_value": 100})
    shares = [one["declaredValue"]["amount"] for one in body["requestedPackageLineItems"]]
    assert (sum(shares), body["totalDeclaredValue"]["amount"]) == (100, 100)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [({}, "SERVICE_DEFAULT"), ({"signature_confirmation": True}, "DIRECT"),
     ({"signature_confirmation": True, "fedex_signature_option": "direct"}, "DIRECT")],
)  # fmt: skip
def test_a_signature_is_the_one_that_is_named(bench: Bench, options: dict[str, Any], wanted: str) -> None:
    (package,) = bought_body(bench, options=options)["requestedPackageLineItems"]
    assert package["packageSpecialServices"]["signatureOptionType"] == wanted


def test_a_signature_fedex_has_no_word_for_is_refused_by_its_name(bench: Bench) -> None:
    assert "options.fedex_signature_option" in str(
        bench.buy(service="fedex_ground", options={"fedex_signature_option": "mine"}).messages
    )


def test_papers_that_are_refused_stop_the_purchase(bench: Bench) -> None:
    tap, options = Tap(bench), {"paperless_trade": True, "doc_files": [{"doc_file": "JVBERi0="}]}
    tap.instead = lambda request: refuse(bench, request) if "etds" in request.path else None
    outcome = bench.buy(service="fedex_ground", options=options)
    assert (outcome.result, outcome.unknown) == (None, False)
    assert not any("/ship/" in one.path for one in tap.sent)


def test_a_price_that_can_not_be_read_costs_no_label(bench: Bench) -> None:
    tap = Tap(bench)
    tap.after = lambda request, reply: blur_prices(reply) if "/ship/" in request.path else reply
    outcome = bench.buy(service="fedex_ground")
    assert b"n/a" in tap.received[-1].content
    assert outcome.result, said(outcome)
    assert outcome.result.selected_rate is None


def test_two_pictures_become_pages(bench: Bench) -> None:
    label = bench.buy(parcel(), parcel(), service="fedex_ground", label_type="PNG").result
    assert label
    content = base64.b64decode(label.docs["label"])
    assert (label.label_type, find_label_kind(content), count_pages(content)) == ("PDF", "PDF", 2)


def test_a_collection_that_can_not_be_replaced_says_that_the_old_one_is_gone(bench: Bench) -> None:
    change, tap = ERRANDS["update_pickup"](bench), Tap(bench)
    assert isinstance(change, PickupUpdateRequest)
    tap.instead = lambda request: refuse(bench, request) if request.method == "POST" else None
    outcome = run_errand(bench, "update_pickup", change)
    assert (outcome.result, outcome.messages[-1].code) == (None, "pickup_not_replaced")
    assert change.confirmation_number in said(outcome)


@pytest.mark.parametrize(("wanted", "price"), [(False, 40), (True, 56)])
def test_a_service_has_one_price_that_of_what_is_ordered(bench: Bench, wanted: bool, price: int) -> None:
    def priced(amount: int, *, saturday: bool) -> dict[str, Any]:
        details = [{"rateType": "ACCOUNT", "totalNetCharge": amount, "currency": "USD"}]
        commit = {"saturdayDelivery": saturday}
        return {"serviceType": "PRIORITY_OVERNIGHT", "ratedShipmentDetails": details, "commit": commit}

    rows = [priced(40, saturday=False), priced(56, saturday=True)]
    answer = plain_json.dumps({"output": {"rateReplyDetails": rows}}).encode()
    request = RateRequest.model_validate(bench.shipment(options={"saturday_delivery": wanted}))
    bench.quote()  # logs in
    Tap(bench, after=lambda asked, reply: Reply(200, answer, {"content-type": "application/json"}))
    quotes = bench.ask("rate", request).result
    assert [(one.service, one.total_charge) for one in quotes] == [("fedex_priority_overnight", price)]


def test_the_sender_pays_by_the_account_that_is_named(bench: Bench) -> None:
    named = bought_body(bench, payment=Payment(account_number="740561073"))
    payor = named["shippingChargesPayment"]["payor"]["responsibleParty"]
    assert payor["accountNumber"] == {"value": "740561073"}
    assert "accountNumber" not in bought_body(bench)["shippingChargesPayment"]["payor"]["responsibleParty"]


def test_taxes_are_lines_of_a_price() -> None:
    detail = {
        "currency": "CAD",
        "surCharges": [],
        "taxes": [{"type": "HST", "description": "HST", "amount": 1.3}],
    }
    price = {"totalBaseCharge": 10, "totalNetCharge": 11.3, "shipmentRateDetail": detail}
    quote = rates.read_price(price, "fedex_ground")
    assert quote
    assert [(one.name, float(one.amount)) for one in quote.extra_charges] == [
        ("Base Charge", 10),
        ("HST", 1.3),
    ]


@pytest.mark.parametrize("word", ["USE_SCHEDULED_PICKUP", "use_scheduled_pickup", None])
def test_the_courier_comes_if_that_is_said_when_priced_and_when_bought(
    bench: Bench, word: str | None
) -> None:
    options = {"fedex_pickup_type": word} if word else {}
    expected = "USE_SCHEDULED_PICKUP" if word else "DROPOFF_AT_FEDEX_LOCATION"
    assert bought_body(bench, options=options)["pickupType"] == expected
    tap = Tap(bench)
    bench.ask("rate", RateRequest.model_validate(bench.shipment(options=options)))
    assert plain_json.loads(tap.sent[-1].content)["requestedShipment"]["pickupType"] == expected
    assert "options.fedex_pickup_type" in said(bench.buy(options={"fedex_pickup_type": "BALLOON"}))


def test_numbers_of_orders_and_departments_are_references_of_each_parcel(bench: Bench) -> None:
    options = {"fedex_po_number": "PO-7", "fedex_department_number": "D4", "fedex_rma_number": "R9"}
    own = parcel().model_copy(update={"reference_number": "Box 1"})
    body = bought_body(bench, own, parcel(), reference="Order 5", options=options)
    rows = [package["customerReferences"] for package in body["requestedPackageLineItems"]]
    read = [{row["customerReferenceType"]: row["value"] for row in package} for package in rows]
    shared = {"P_O_NUMBER": "PO-7", "DEPARTMENT_NUMBER": "D4", "RMA_ASSOCIATION": "R9"}
    assert read == [{"CUSTOMER_REFERENCE": "Box 1", **shared}, {"CUSTOMER_REFERENCE": "Order 5", **shared}]
    assert "options.fedex_rma_number" in said(bench.buy(options={"fedex_rma_number": "R" * 21}))


def test_ground_parcels_are_closed_and_express_ones_are_on_no_form_of_fedex() -> None:
    bench = Bench(Fedex)
    ground, express = (str(bench.bought(service=name).shipment_identifier)
                       for name in ("fedex_ground", "fedex_priority_overnight"))  # fmt: skip
    tap = Tap(bench)
    assert bench.ask("manifest", end_of_day(bench, express)).result.doc == {}
    assert tap.sent == []
    first = bench.ask("manifest", end_of_day(bench, ground, express)).result
    again = bench.ask("manifest", end_of_day(bench, ground)).result
    bench.close()
    assert [request.method for request in tap.sent] == ["PUT", "PUT", "POST"]
    assert first.doc["manifest"]
    assert again.doc["manifest"]

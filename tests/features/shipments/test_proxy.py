"""Operations that store nothing: rates, labels, voids, tracking."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.carrier.simulation.tracking import MAGIC
from shipcli.features.admin import settlement
from shipcli.features.core import idempotency
from shipcli.features.core.app import App
from shipcli.features.shipments import proxy, proxy_sales
from shipcli.models import (
    Invalid,
    NoConnection,
    NotFound,
    OutcomeUnknown,
    RateRequestData,
    Refused,
    ShipmentCancelData,
    ShippingRequestData,
    TrackingData,
)
from shipcli.store.errors import StoreError
from tests.factories import CANADIAN as OTTAWA
from tests.factories import PARCEL, RECIPIENT, SHIPPER
from tests.features.conftest import live_labels, perform_keyed
from tests.features.losing import buying, looking, losing

CANADIAN = {"shipper": OTTAWA, "recipient": {**OTTAWA, "address_line1": "1 Main St"}}
KINDS = ("shipment", "tracker", "pickup", "manifest", "event", "address", "parcel")


def asked(**changes: Any) -> RateRequestData:
    return RateRequestData.model_validate(
        {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "reference": "SO-1", **changes}
    )


def wanted(app: App, slug: str = "ups", **changes: Any) -> dict[str, Any]:
    """The body that buys the cheapest rate of a connection."""
    lane = {"shipper": SHIPPER, "recipient": RECIPIENT, **changes}
    sides = {side: lane[side] for side in ("shipper", "recipient")}
    rates = proxy.fetch_rates(app, asked(carrier_ids=[slug], **sides)).rates
    return {
        "shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL], "reference": "SO-1",
        "rates": [rate.model_dump() for rate in rates], "selected_rate_id": rates[0].id, **changes,
    }  # fmt: skip


def buy(app: App, body: dict[str, Any]) -> Any:
    return proxy.buy_label(app, ShippingRequestData.model_validate(body))


def buy_keyed(app: App, body: dict[str, Any]) -> dict[str, Any]:
    once = idempotency.make_idempotency_key(app, "buy_label", "k1", body)
    return perform_keyed(app, once, proxy.buy_label, ShippingRequestData.model_validate(body))


def stored(app: App) -> dict[str, int]:
    return {kind: app.store.count(kind) for kind in KINDS}


# -- rates -------------------------------------------------------------------------------------


def test_rates_come_cheapest_first_and_nothing_is_stored(app: App) -> None:
    answer = proxy.fetch_rates(app, asked())
    prices = [rate.total_charge for rate in answer.rates]
    assert prices == sorted(prices)
    assert len({rate.carrier_id for rate in answer.rates}) > 2
    assert not any(stored(app).values())


def test_a_rate_says_who_offers_what(app: App) -> None:
    rate = proxy.fetch_rates(app, asked(carrier_ids=["ups"])).rates[0].model_dump()
    assert rate["id"].startswith("rat_")
    assert (rate["object_type"], rate["test_mode"], rate["carrier_name"]) == ("rate", True, "ups")
    assert {"estimated_delivery", "transit_days", "extra_charges", "currency", "service"} <= set(rate)
    meta = rate["meta"]
    assert (meta["ext"], meta["carrier"], meta["rate_provider"]) == ("ups", "ups", "ups")
    assert meta["service_name"] == rate["service"].replace("_", " ").upper()
    row = app.store.select("connections", {"id": meta["carrier_connection_id"]})[0]
    assert row["carrier_id"] == "ups"


def test_rates_of_the_live_mode_say_so(app: App) -> None:
    rates = proxy.fetch_rates(app.in_mode(False), asked()).rates
    assert {rate.test_mode for rate in rates} == {False}


def test_services_limit_the_rates(app: App) -> None:
    assert {rate.service for rate in proxy.fetch_rates(app, asked(services=["ups_ground"])).rates} == {
        "ups_ground"
    }


def test_a_service_that_nobody_offers_is_no_connection(app: App) -> None:
    with pytest.raises(NoConnection):
        proxy.fetch_rates(app, asked(services=["ups_mars_express"]))


def test_an_unknown_connection_is_no_connection(app: App) -> None:
    with pytest.raises(NoConnection):
        proxy.fetch_rates(app, asked(carrier_ids=["nobody"]))


def test_a_connection_that_fails_does_not_hide_the_others(app: App) -> None:
    answer = proxy.fetch_rates(app, asked(carrier_ids=["ups", "canadapost"]))
    assert {rate.carrier_id for rate in answer.rates} == {"ups"}
    assert {message.carrier_id for message in answer.messages} == {"canadapost"}
    assert set(answer.messages[0].model_dump()) >= {
        "message",
        "code",
        "details",
        "carrier_name",
        "carrier_id",
    }


def test_all_failing_is_a_refusal_with_their_messages(app: App) -> None:
    with pytest.raises(Refused) as caught:
        proxy.fetch_rates(app, asked(carrier_ids=["canadapost"]))
    assert caught.value.status == 424


@pytest.mark.parametrize(
    "changes", [{"shipper": None}, {"recipient": None}, {"parcels": None}, {"parcels": []}]
)
def test_addresses_and_parcels_are_required(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        asked(**changes)


def test_a_missing_size_is_named_with_its_parcel(app: App) -> None:
    bad = {"weight": 1, "weight_unit": "KG", "width": 1, "package_preset": "shoebox"}
    with pytest.raises(Invalid) as caught:
        proxy.fetch_rates(app, asked(parcels=[bad]))
    assert caught.value.problems[0].field == "parcels[0].dimensions"


# -- buying ------------------------------------------------------------------------------------


def test_a_purchase_answers_with_its_documents_and_stores_traces_only(app: App) -> None:
    answer = buy(app, wanted(app))
    assert answer.status == "purchased"
    assert base64.b64decode(answer.docs.label).startswith(b"%PDF")
    assert live_labels(app)["SO-1"] == [answer.tracking_number]
    assert answer.tracking_url == f"/v1/proxy/tracking/ups/{answer.tracking_number}"
    assert not any(stored(app).values())
    assert {row["verb"] for row in app.store.select("traces")} >= {"rate", "ship"}
    assert "label_url" not in answer.model_dump()


def test_an_unknown_rate_is_not_found(app: App) -> None:
    with pytest.raises(NotFound, match="Invalid selected rate"):
        buy(app, wanted(app, selected_rate_id="rat_no"))


@pytest.mark.parametrize("changes", [{"selected_rate_id": None}, {"rates": None}, {"rates": []}])
def test_a_rate_must_be_selected(app: App, changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ShippingRequestData.model_validate(wanted(app, **changes))


@pytest.mark.parametrize("side", ["shipper", "recipient"])
@pytest.mark.parametrize("field", ["city", "person_name", "address_line1"])
def test_addresses_must_be_complete(app: App, side: str, field: str) -> None:
    whole = SHIPPER if side == "shipper" else RECIPIENT
    with pytest.raises(Invalid) as caught:
        buy(app, wanted(app, **{side: {**whole, field: None}}))
    assert [problem.field for problem in caught.value.problems] == [f"{side}.{field}"]
    assert live_labels(app) == {}


@pytest.mark.parametrize(
    ("customs", "field"),
    [
        ({"incoterm": "DDP", "duty": {"paid_by": "recipient"}}, "customs.incoterm"),
        ({"options": {"eori_numbr": "IT1"}}, "customs.options.eori_numbr"),
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(
    app: App, customs: dict[str, Any], field: str
) -> None:
    goods = [{"weight": 1, "weight_unit": "LB", "title": "Bowl", "value_amount": 9, "value_currency": "USD"}]
    with pytest.raises(Invalid) as caught:
        buy(app, wanted(app, customs={"commodities": goods, **customs}))
    assert [problem.field for problem in caught.value.problems] == [field]
    assert live_labels(app) == {}


def test_the_other_mode_can_not_use_a_rate(app: App) -> None:
    body = wanted(app)
    with pytest.raises(NotFound, match="Invalid selected rate"):
        buy(app.in_mode(False), body)
    assert app.store.select("traces", {"verb": "ship"}) == []


def test_a_lost_answer_is_unknown_and_not_a_refusal(app: App) -> None:
    body = wanted(app, "fedex", options={"sandbox_scenario": "garbled"})
    with pytest.raises(OutcomeUnknown) as caught:
        buy(app, body)
    assert caught.value.code == "outcome_unknown"
    assert "outcome_unknown" in {message.code for message in caught.value.messages}


def test_a_refused_sale_leaves_nothing_open_and_may_be_tried_again(app: App) -> None:
    body = wanted(app)
    with pytest.raises(Refused):
        buy(app, {**body, "options": {"sandbox_scenario": "rate_limited"}})
    assert app.store.select("intents") == []
    assert [buy(app, body).tracking_number] == live_labels(app)["SO-1"]


def test_an_unknown_outcome_is_remembered_under_its_key(app: App) -> None:
    body = wanted(app, "fedex", options={"sandbox_scenario": "garbled"})
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            buy_keyed(app, body)
    assert [row["status"] for row in app.store.select("idempotency")] == [424]
    assert len(app.store.select("traces", {"verb": "ship"})) == 1


def test_the_same_key_buys_one_label(app: App) -> None:
    body = wanted(app)
    first, second = buy_keyed(app, body), buy_keyed(app, body)
    assert first == second
    assert len(live_labels(app)["SO-1"]) == 1


def buy_and_die(app: App, body: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Buy under the key, and be killed when the carrier has sold and nothing of it is kept."""

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(proxy_sales, "_finish", killed)
        with pytest.raises(Killed):
            buy_keyed(app, body)


def test_a_request_that_died_after_the_carrier_was_asked_is_not_sent_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = wanted(app, "fedex")
    buy_and_die(app, body, monkeypatch)
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            buy_keyed(app, body)
    assert [len(numbers) for numbers in live_labels(app).values()] == [1]


def test_a_sale_that_died_is_found_with_the_carrier_that_can_be_asked(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = wanted(app, "canadapost", **CANADIAN)
    buy_and_die(app, body, monkeypatch)
    first, second = buy_keyed(app, body), buy_keyed(app, body)
    assert first == second
    assert [first["tracking_number"]] == live_labels(app)["SO-1"]
    assert first["docs"]["label"]
    assert app.store.select("intents") == []


def test_a_sale_whose_carrier_does_not_answer_is_answered_when_it_does(app: App) -> None:
    body = wanted(app, "canadapost", **CANADIAN)
    with losing(app, before=looking, after=buying), pytest.raises(OutcomeUnknown):
        buy_keyed(app, body)
    settlement.settle_all(app)
    assert [buy_keyed(app, body)["tracking_number"]] == live_labels(app)["SO-1"]


def test_a_sale_that_broke_before_anything_was_sent_may_be_sent_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the store is locked by a long write")

    body = wanted(app)
    with monkeypatch.context() as patch:
        patch.setattr(app.driver, "run", fail)
        with pytest.raises(StoreError):
            buy_keyed(app, body)
    assert [buy_keyed(app, body)["tracking_number"]] == live_labels(app)["SO-1"]


def test_a_wrong_body_gives_its_key_free(app: App) -> None:
    body = wanted(app, selected_rate_id="rat_no")
    with pytest.raises(NotFound):
        buy_keyed(app, body)
    assert app.store.select("idempotency") == []


# -- voiding -----------------------------------------------------------------------------------


def test_a_void_is_confirmed(app: App) -> None:
    bought = buy(app, wanted(app))
    answer = proxy.void_label(app, "ups", ShipmentCancelData(shipment_identifier=bought.shipment_identifier))
    assert answer.confirmation
    shown = answer.confirmation.model_dump()
    assert (shown["success"], shown["carrier_name"], shown["carrier_id"]) == (True, "ups", "ups")
    assert shown["operation"]
    assert live_labels(app) == {}


def test_a_void_that_the_carrier_refuses_says_so(app: App) -> None:
    with pytest.raises(Refused) as caught:
        proxy.void_label(app, "ups", ShipmentCancelData(shipment_identifier="1Z0"))
    assert caught.value.status == 424


@pytest.mark.parametrize(("slug", "carrier_id"), [("ups", "other"), ("nobody", None)])
def test_a_void_needs_a_connection(app: App, slug: str, carrier_id: str | None) -> None:
    with pytest.raises(NoConnection):
        proxy.void_label(app, slug, ShipmentCancelData(shipment_identifier="1Z0", carrier_id=carrier_id))


def test_a_void_needs_a_number() -> None:
    with pytest.raises(ValidationError):
        ShipmentCancelData.model_validate({})


# -- tracking ----------------------------------------------------------------------------------


def track(app: App, number: str, **fields: Any) -> Any:
    data = {"tracking_number": number, "carrier_name": "usps", **fields}
    return proxy.get_tracking(app, TrackingData.model_validate(data))


def test_tracking_tells_what_the_carrier_knows_and_stores_nothing(app: App) -> None:
    assert MAGIC.match("SC0300000001")
    answer = track(app, "SC0300000001")
    assert answer.tracking
    assert (answer.tracking.status, answer.tracking.delivered) == ("delivered", True)
    assert answer.tracking.id.startswith("trk_")
    assert "images" in answer.tracking.model_dump()
    assert not any(stored(app).values())


def test_an_unknown_number_is_not_found_with_messages(app: App) -> None:
    with pytest.raises(Refused) as caught:
        track(app, "9200000000000000000000")
    assert caught.value.status == 404
    assert caught.value.body()["messages"]


@pytest.mark.parametrize("slug", ["generik", "", "UPS"])
def test_a_carrier_that_does_not_track_is_refused(app: App, slug: str) -> None:
    with pytest.raises(Invalid):
        track(app, "SC0300000001", carrier_name=slug)


# -- traces ------------------------------------------------------------------------------------


def test_traces_hold_neither_secrets_nor_label_bytes(app: App) -> None:
    for slug in ("ups", "usps"):
        body = wanted(app, slug)
        answer = buy(app, body)
        label = answer.docs.label
        text = str([(row["request"], row["response"]) for row in app.store.select("traces")])
        assert label[1000:1060] not in text
    assert "sandbox-secret" not in text
    tokens = app.store.select("tokens")
    values = [app.driver.tokens.get(row["connection_id"], row["name"]) for row in tokens]
    assert tokens
    assert not [one for one in values if one and one.value in text]

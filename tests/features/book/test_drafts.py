"""What a body becomes before it is stored, and what changes a draft may see."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from shipcli.features.book.drafts import PLACEHOLDER
from shipcli.features.core.app import App
from shipcli.features.shipments import purchase, voids
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    Conflict,
    ShipmentData,
    ShipmentPurchaseData,
    ShipmentRateData,
    ShipmentUpdateData,
)
from tests.factories import ABROAD, RECIPIENT, body, draft
from tests.features.conftest import Clock, resolve
from tests.features.shipments.purchases import Killed, killed


def updated(app: App, shipment_id: str, **fields: Any) -> Any:
    return shipments.update_shipment(app, shipment_id, ShipmentUpdateData.model_validate(fields))


@pytest.mark.parametrize(
    "changes",
    [{"shipper": None}, {"recipient": None}, {"parcels": None}, {"parcels": []}, {"label_type": "DOC"},
     {"reference": "x" * 36}, {"payment": {"paid_by": "santa"}}, {"payment": {"currency": "XXX_"}},
     {"return_address": {"country_code": "XX"}}, {"billing_address": {"city": "x"}},
     {"customs": {"commodities": []}}, {"customs": {"commodities": [{"title": "no weight"}]}},
     {"customs": {"commodities": [{"weight": 1, "weight_unit": "KG"}], "incoterm": "XYZ"}},
     {"customs": {"commodities": [{"weight": 1, "weight_unit": "KG"}], "content_type": "junk"}},
     {"customs": {"commodities": [{"weight": 1, "weight_unit": "KG"}], "invoice_date": "7 May"}},
     {"customs": {"commodities": [{"weight": 1, "weight_unit": "KG"}],
                  "duty_billing_address": {"country_code": "US", "postal_code": "1"}}}],
)  # fmt: skip
def test_a_wrong_body_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ShipmentData.model_validate(body(**changes))


def test_a_new_draft_shows_every_field(app: App) -> None:
    plain = shipments.create_shipment(app, draft(carrier_ids=["ups"])).model_dump()
    nulls = ("tracking_number", "label_url", "invoice_url", "tracker_id", "selected_rate", "service",
             "customs", "return_address", "billing_address", "tracking_url",
             "shipment_identifier")  # fmt: skip
    assert {name: plain[name] for name in nulls} == dict.fromkeys(nulls)
    assert (plain["label_type"], plain["status"], plain["test_mode"]) == ("PDF", "draft", True)
    assert plain["payment"] == {"paid_by": "sender", "currency": None, "account_number": None}
    assert plain["carrier_ids"] == ["ups"]


def test_only_named_connections_are_echoed(app: App) -> None:
    assert shipments.create_shipment(app, draft()).carrier_ids == []


def test_the_services_are_those_asked_for(app: App) -> None:
    made = shipments.create_shipment(app, draft(services=["ups_ground"]))
    assert {rate.service for rate in made.rates} == {"ups_ground"}
    assert made.services == ["ups_ground"]


def test_a_service_that_nobody_owns_restricts_nothing(app: App) -> None:
    made = shipments.create_shipment(app, draft(services=["nope"]))
    assert len({rate.carrier_id for rate in made.rates}) > 2


def test_options_of_every_kind_are_kept(app: App) -> None:
    options = {"insurance": 100, "anything": {"a": [1, None]}, "email_notification_to": "a@example.com"}
    made = shipments.create_shipment(app, draft(options=options))
    assert {name: made.options[name] for name in options} == options


def test_metadata_is_kept_as_it_is(app: App) -> None:
    metadata = {"a": None, "b": {"c": [1, 2.5]}}
    assert shipments.create_shipment(app, draft(metadata=metadata)).metadata == metadata


# -- dates -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "moment"),
    [("2031-05-07T14:30", "2031-05-07T14:30"), ("2031-05-07T06:00", "2031-05-07T10:00"),
     ("2031-05-08T17:00", "2031-05-09T10:00"), ("2031-05-09T18:00", "2031-05-12T10:00"),
     ("2031-05-10T12:00", "2031-05-12T10:00"), ("2031-05-11T23:59", "2031-05-12T10:00")],
    ids=["open", "early", "late", "Friday evening", "Saturday", "Sunday"],
)  # fmt: skip
def test_missing_dates_are_those_of_the_next_business_moment(
    timed: App, clock: Clock, now: str, moment: str
) -> None:
    clock.now = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    made = shipments.create_shipment(timed, draft(shipper=ABROAD, carrier_ids=["generic"]))
    assert (made.options["shipping_date"], made.options["shipment_date"]) == (moment, moment[:10])


@pytest.mark.parametrize("given", ["2031-05-06", "2031-05-06T08:00:00", "2031-05-06T00:00:00Z"])
def test_a_given_shipment_date_seeds_the_shipping_date(app: App, given: str) -> None:
    made = shipments.create_shipment(app, draft(options={"shipment_date": given}))
    assert made.options["shipping_date"] == "2031-05-06T10:00"


def test_the_shipping_date_wins_over_the_shipment_date(app: App) -> None:
    both = {"shipment_date": "2031-05-06", "shipping_date": "2031-05-08T09:30"}
    made = shipments.create_shipment(app, draft(options=both))
    assert (made.options["shipping_date"], made.options["shipment_date"]) == (
        "2031-05-08T09:30",
        "2031-05-08",
    )


@pytest.mark.parametrize(
    ("given", "moment", "day"),
    [({"shipping_date": "2031-06-02T11:00"}, "2031-06-02T11:00", "2031-06-02"),
     ({"shipment_date": "2031-06-03"}, "2031-06-03T10:00", "2031-06-03"),
     ({"insurance": 5}, "2031-05-08T09:30", "2031-05-08")],
)  # fmt: skip
def test_a_changed_date_takes_the_other_with_it(
    app: App, given: dict[str, Any], moment: str, day: str
) -> None:
    made = shipments.create_shipment(app, draft(options={"shipping_date": "2031-05-08T09:30"}))
    changed = updated(app, made.id, options=given)
    assert (changed.options["shipping_date"], changed.options["shipment_date"]) == (moment, day)
    rated = shipments.fetch_rates(app, made.id, ShipmentRateData(options=given))
    assert (rated.options["shipping_date"], rated.options["shipment_date"]) == (moment, day)


# -- states ------------------------------------------------------------------------------------


def test_a_draft_that_is_being_bought_can_not_be_cancelled(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    with monkeypatch.context() as patch:
        patch.setattr(purchase, "conclude", killed)
        with pytest.raises(Killed):
            shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    with pytest.raises(Conflict, match="under way"):
        shipments.cancel_shipment(app, made.id)


def test_a_draft_bought_meanwhile_is_not_cancelled_as_a_draft(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["generic"]))
    shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    with pytest.raises(Conflict):
        voids.store_cancelled(app, made)
    assert shipments.get_shipment(app, made.id).status == "purchased"


def test_a_pickup_holds_its_shipments(app: App) -> None:
    made = shipments.create_shipment(app, draft(service="standard_service", carrier_ids=["generic"]))
    stored = app.store.get("shipment", made.id) or {}
    with app.store.transaction() as tx:
        tx.put("shipment", {**stored, "meta": {**stored["meta"], "pickup_id": "pck_1"}})
    with pytest.raises(Conflict, match="pickup"):
        shipments.cancel_shipment(app, made.id)


def test_attention_without_a_record_is_never_taken_for_a_purchase(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    stored = app.store.get("shipment", made.id) or {}
    with app.store.transaction() as tx:
        tx.put("shipment", {**stored, "status": "needs_attention"})
    with pytest.raises(Conflict, match="record"):
        resolve(app, made.id, bought="1Z1")
    assert shipments.get_shipment(app, made.id).status == "needs_attention"
    assert resolve(app, made.id, bought=None).status == "draft"


def test_a_company_may_stand_in_for_a_person(app: App) -> None:
    company = {**RECIPIENT, "person_name": None, "company_name": "Ruiz Ltd"}
    made = shipments.create_shipment(
        app, draft(recipient=company, service="standard_service", carrier_ids=["generic"])
    )
    assert made.status == "purchased"


def test_accounts_of_another_country_are_left_out_in_silence(app: App) -> None:
    from shipcli.features.connections import service as connections
    from shipcli.models import ConnectionData, NoConnection

    abroad = {"display_name": "Vélo", "custom_carrier_name": "velo", "account_country_code": "FR"}
    data = ConnectionData(carrier_name="generic", carrier_id="velo", credentials=abroad)
    connections.add_connection(app, data)
    made = shipments.create_shipment(app, draft())
    assert "velo" not in {rate.carrier_id for rate in made.rates}
    assert "velo" not in {message.carrier_id for message in made.messages}
    for row in app.store.select("connections", {"test_mode": True}):
        if row["carrier_id"] != "velo":
            connections.remove_connection(app, row["id"])
    with pytest.raises(NoConnection):
        shipments.create_shipment(app, draft())


@pytest.mark.parametrize("text", ["n/a", "-", "none", "0000000000"])
def test_a_phone_that_stands_for_none_is_left_out_with_a_message(app: App, text: str) -> None:
    """It stays on the draft when its prices are asked for again, and on the bought label."""
    unreachable = {**RECIPIENT, "phone_number": text}
    made = shipments.create_shipment(app, draft(recipient=unreachable, return_address=unreachable))
    again = shipments.fetch_rates(app, made.id, ShipmentRateData())
    bought = purchase.buy(app, again, again.rates[0])
    for shipment in (made, again, bought):
        notes = [one.message for one in shipment.messages if one.code == PLACEHOLDER]
        assert shipment.recipient.phone_number is None
        assert [str(note).partition(":")[0] for note in notes] == [
            "recipient.phone_number",
            "return_address.phone_number",
        ]
        assert all(repr(text) in str(note) for note in notes)


def test_a_state_that_stands_for_none_is_named_and_a_number_is_not(app: App) -> None:
    stateless = {**ABROAD, "state_code": "-", "phone_number": "+49 30 901820"}
    made = shipments.create_shipment(app, draft(recipient=stateless))
    notes = [str(one.message) for one in made.messages if one.code == PLACEHOLDER]
    assert [note.partition(":")[0] for note in notes] == ["recipient.state_code"]

"""Drafts, rates, purchases, changes and cancellations."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shipcli.features.book import nested
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App
from shipcli.features.paper import labels
from shipcli.features.shipments import service as shipments
from shipcli.features.trackers import service as trackers
from shipcli.models import (
    Conflict,
    Invalid,
    NoConnection,
    NotFound,
    Refused,
    ShipmentPurchaseData,
    ShipmentRateData,
    ShipmentUpdateData,
)
from tests.factories import ABROAD, PARCEL, RECIPIENT, SHIPPER, draft
from tests.features.conftest import live_labels


def bought(app: App, **changes: object):
    made = shipments.create_shipment(app, draft(**{"carrier_ids": ["ups"], **changes}))
    return shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def test_a_new_shipment_is_a_draft_with_rates_cheapest_first(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    prices = [rate.total_charge for rate in made.rates]
    assert made.status == "draft"
    assert prices == sorted(prices)
    assert min(prices) > 0
    assert {"ups", "usps", "generic"} <= {rate.carrier_id for rate in made.rates}
    assert shipments.get_shipment(app, made.id).model_dump() == made.model_dump()


def test_a_named_carrier_that_can_not_serve_says_so_beside_the_others_rates(app: App) -> None:
    made = shipments.create_shipment(app, draft(carrier_ids=["canadapost", "ups"]))
    assert {message.carrier_name for message in made.messages} >= {"canadapost"}


def test_naming_a_service_buys_at_once(app: App) -> None:
    made = shipments.create_shipment(app, draft(service="ups_ground"))
    assert (made.status, made.service, made.carrier_id) == ("purchased", "ups_ground", "ups")
    assert live_labels(app)["SO-1"] == [made.tracking_number]


def test_a_service_that_is_not_offered_stores_nothing(app: App) -> None:
    with pytest.raises(Invalid) as caught:
        shipments.create_shipment(app, draft(service="ups_mars_express"))
    assert caught.value.code == "service_unavailable"
    assert app.store.count("shipment") == 0


def test_a_purchase_stores_label_tracker_and_event_with_the_shipment(app: App) -> None:
    made = bought(app)
    assert made.label_url == f"/v1/shipments/{made.id}/label.pdf"
    assert labels.get_label(app, made).content.startswith(b"%PDF")
    tracker = trackers.get_tracker(app, str(made.tracker_id))
    assert (tracker.tracking_number, tracker.status) == (made.tracking_number, "pending")
    events = app.store.select("events", {"object_id": made.id})
    assert [event["type"] for event in events] == ["shipment_purchased"]
    assert [parcel.reference_number for parcel in made.parcels] == [made.tracking_number]


def test_a_draft_says_of_itself_that_there_is_nothing_to_say_yet(app: App) -> None:
    assert shipments.create_shipment(app, draft()).meta == {}


def test_a_bought_shipment_is_not_bought_again(app: App) -> None:
    made = bought(app)
    with pytest.raises(Conflict):
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))


def test_an_unknown_rate_is_refused(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    with pytest.raises(Invalid) as caught:
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id="rat_no"))
    assert caught.value.code == "service_unavailable"


def test_a_purchase_names_the_fields_an_address_lacks(app: App) -> None:
    bare = {"country_code": "US", "postal_code": "85004"}
    made = shipments.create_shipment(app, draft(recipient=bare, carrier_ids=["generic"]))
    with pytest.raises(Invalid) as caught:
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    fields = {problem.field for problem in caught.value.problems}
    assert fields == {"recipient.address_line1", "recipient.city", "recipient.person_name"}


def test_cancelling_a_bought_shipment_voids_its_label(app: App) -> None:
    made = bought(app)
    cancelled = shipments.cancel_shipment(app, made.id)
    assert (cancelled.status, cancelled.tracker_id) == ("cancelled", None)
    assert live_labels(app) == {}
    with pytest.raises(NotFound):
        trackers.get_tracker(app, str(made.tracker_id))
    with pytest.raises(Conflict):
        shipments.cancel_shipment(app, made.id)


def test_a_draft_is_cancelled_without_asking_a_carrier(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    assert shipments.cancel_shipment(app, made.id).status == "cancelled"


def test_an_update_merges_options_and_metadata_and_leaves_the_rest(app: App) -> None:
    made = shipments.create_shipment(app, draft(metadata={"a": 1, "b": 2}, label_type="ZPL"))
    change = ShipmentUpdateData.model_validate({"metadata": {"a": None, "c": Decimal("1.5")}})
    changed = shipments.update_shipment(app, made.id, change)
    assert changed.metadata == {"b": 2, "c": Decimal("1.5")}
    assert changed.label_type == "ZPL"
    assert changed.options == made.options


def test_a_bought_shipment_takes_metadata_and_nothing_else(app: App) -> None:
    made = bought(app)
    changed = shipments.update_shipment(app, made.id, ShipmentUpdateData(metadata={"x": "y"}))
    assert changed.metadata == {"x": "y"}
    with pytest.raises(Conflict):
        shipments.update_shipment(app, made.id, ShipmentUpdateData(reference="no"))


def test_rates_are_fetched_again_for_a_draft_only(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    again = shipments.fetch_rates(app, made.id, ShipmentRateData(carrier_ids=["usps"]))
    assert {rate.carrier_id for rate in again.rates} == {"usps"}
    assert not {rate.id for rate in again.rates} & {rate.id for rate in made.rates}
    shipments.cancel_shipment(app, made.id)
    with pytest.raises(Conflict):
        shipments.fetch_rates(app, made.id, ShipmentRateData())


def test_dates_are_filled_on_a_business_day(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    day = str(made.options["shipping_date"])
    assert made.options["shipment_date"] == day[:10]


def test_a_given_shipping_date_is_kept(app: App) -> None:
    made = shipments.create_shipment(app, draft(options={"shipping_date": "2031-05-06T11:00"}))
    assert made.options["shipment_date"] == "2031-05-06"


def test_payment_takes_its_currency_from_the_options(app: App) -> None:
    made = shipments.create_shipment(app, draft(options={"currency": "USD"}))
    assert made.payment.model_dump() == {"paid_by": "sender", "currency": "USD", "account_number": None}


def test_an_international_purchase_without_customs_goes_on_with_a_message(app: App) -> None:
    made = shipments.create_shipment(app, draft(recipient=ABROAD, carrier_ids=["generic"]))
    done = shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert "customs_required" in {message.code for message in done.messages}


def test_several_parcels_have_a_number_each(app: App) -> None:
    done = bought(app, parcels=[PARCEL, PARCEL])
    numbers = [parcel.reference_number for parcel in done.parcels]
    assert len(set(numbers)) == 2
    assert (done.meta or {})["tracking_numbers"] == numbers


def test_an_unknown_connection_is_not_found(app: App) -> None:
    with pytest.raises(NoConnection):
        shipments.create_shipment(app, draft(carrier_ids=["nobody"]))


def test_all_carriers_failing_stores_nothing(app: App) -> None:
    with pytest.raises(Refused) as caught:
        shipments.create_shipment(
            app, draft(options={"sandbox_scenario": "error"}, carrier_ids=["ups", "usps"])
        )
    assert {message.carrier_id for message in caught.value.messages} == {"ups", "usps"}
    assert app.store.count("shipment") == 0


def test_an_inactive_connection_takes_no_part(app: App) -> None:
    from shipcli.models import ConnectionPatch

    rows = app.store.select("connections", {"carrier_name": "ups", "test_mode": True})
    connections.update_connection(app, rows[0]["id"], ConnectionPatch(active=False))
    made = shipments.create_shipment(app, draft())
    assert "ups" not in {rate.carrier_id for rate in made.rates}


def test_the_modes_do_not_see_each_other(app: App) -> None:
    made = shipments.create_shipment(app, draft())
    live = app.in_mode(False)
    with pytest.raises(NotFound):
        shipments.get_shipment(live, made.id)
    other = shipments.create_shipment(live, draft())
    assert other.test_mode is False
    assert {rate.test_mode for rate in other.rates} == {False}


def test_a_stored_address_is_used_by_its_id_as_a_copy(app: App) -> None:
    from shipcli.features.book import addresses
    from shipcli.models import AddressData

    kept = addresses.create_address(app, AddressData.model_validate(RECIPIENT))
    made = shipments.create_shipment(app, draft(recipient={"id": kept.id}))
    assert made.recipient.city == "Phoenix"
    assert made.recipient.id != kept.id
    with pytest.raises(NotFound):
        shipments.create_shipment(app, draft(recipient={"id": "adr_unknown"}))


def test_an_embedded_address_is_found_and_changed_in_its_shipment(app: App) -> None:
    from shipcli.features.book import addresses
    from shipcli.models import AddressPatch

    made = shipments.create_shipment(app, draft())
    assert nested.find(app, "address", str(made.recipient.id)) is not None
    addresses.update_address(app, str(made.recipient.id), AddressPatch(city="Tempe"))
    again = shipments.get_shipment(app, made.id)
    assert again.recipient.city == "Tempe"
    assert again.rates == []
    assert again.shipper.city == SHIPPER["city"]


def test_an_unknown_order_line_is_named(app: App) -> None:
    item = {"weight": 1, "weight_unit": "KG", "parent_id": "cdt_unknown"}
    with pytest.raises(Invalid) as caught:
        shipments.create_shipment(app, draft(parcels=[{**PARCEL, "items": [item]}]))
    assert caught.value.problems[0].field == "parcels[0].items[0].parent_id"

"""Domain values: lenient, frozen, exact."""

import time
import timeit
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.models import (
    Address,
    AddressData,
    Connection,
    Message,
    Number,
    Parcel,
    Shipment,
    Tracker,
    TrackingEvent,
    TrackingInfo,
    Webhook,
    find_nearest,
    json,
    write_timestamp,
)
from shipcli.models.base import Model
from tests.models.samples import ADDRESS, PARCEL, STORED_SHIPMENT


class Priced(Model):
    price: Number


@pytest.mark.parametrize("given", ["12.30", 12, 0.1, Decimal("12.30"), " 7 ", "1e3", "-2"])
def test_numbers_are_read_exactly(given: Any) -> None:
    assert Priced(price=given).price == Decimal(str(given).strip())


@pytest.mark.parametrize(
    "given", [True, "NaN", "1_000", "", "1,5", float("inf"), None, [], "1e999", Decimal("NaN")]
)
def test_what_is_no_number_is_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        Priced(price=given)


def test_numbers_given_for_text_become_text() -> None:
    assert Address.model_validate({"postal_code": 12345}).postal_code == "12345"


@pytest.mark.parametrize("given", [True, {}, []])
def test_other_values_given_for_text_are_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        Address(city=given)


def test_values_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Address().city = "Moncton"


def test_stored_values_are_not_checked() -> None:
    assert Address(city="x" * 99, country_code="ZZ").country_code == "ZZ"


def test_unknown_keys_are_ignored() -> None:
    assert Parcel.model_validate(PARCEL | {"colour": "red"}).model_dump().get("colour") is None


def test_the_plain_form_has_every_field_of_a_shipment() -> None:
    plain = Shipment.model_validate(STORED_SHIPMENT).model_dump()
    assert set(plain) == set(Shipment.model_fields)
    assert plain["rates"][0]["total_charge"] == Decimal("12.30")
    assert plain["payment"] == {"paid_by": "sender", "currency": None, "account_number": None}


def test_a_stored_shipment_is_read_back_unchanged() -> None:
    shipment = Shipment.model_validate(STORED_SHIPMENT)
    assert Shipment.model_validate(json.loads(json.dumps(shipment))) == shipment


def test_a_shipment_with_five_rates_is_made_plain_quickly() -> None:
    shipment = Shipment.model_validate(STORED_SHIPMENT)
    assert cpu(shipment.model_dump) < 5 * cpu(shipment.model_dump)


def cpu(work: Callable[[], object]) -> float:
    """The least CPU time of some tries."""
    return min(timeit.repeat(work, timer=time.process_time, number=200, repeat=9))


def test_a_location_that_is_not_known_is_left_out_of_an_event() -> None:
    event = TrackingEvent(date="2024-12-06", description="Scanned", code="A1").model_dump()
    assert "location" not in event
    assert (event["latitude"], event["longitude"], event["time"]) == (None, None, None)


def test_tracking_info_always_has_its_19_keys() -> None:
    assert len(TrackingInfo().model_dump()) == 19
    info = Tracker(id="trk_1", carrier_name="acme", carrier_id="acme", tracking_number="1").model_dump()[
        "info"
    ]
    assert set(info.values()) == {None}


def test_message_keys_without_value_are_left_out() -> None:
    assert Message(message="No service").model_dump() == {"message": "No service", "details": None}


def test_secrets_stay_out_of_the_printed_form() -> None:
    connection = Connection(id="car_1", carrier_name="acme", carrier_id="a", credentials={"key": "hush"})
    webhook = Webhook(id="weh_1", url="http://localhost", secret="whsec_hush")
    assert "hush" not in repr(connection) + repr(webhook)


def test_an_instant_is_kept_as_utc_text_that_sorts_by_time() -> None:
    moment = datetime(2024, 12, 6, 10, 30, tzinfo=timezone(timedelta(hours=2)))
    assert write_timestamp(moment) == "2024-12-06T08:30:00.000000Z"
    shipment = Shipment.model_validate(STORED_SHIPMENT | {"created_at": moment.astimezone(UTC)})
    assert shipment.created_at == "2024-12-06T08:30:00.000000Z"


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        write_timestamp(datetime(2024, 12, 6))


def test_one_kind_of_model_is_read_from_another() -> None:
    address = Address.of(AddressData.model_validate(ADDRESS), id="adr_1")
    assert (address.id, address.city, address.object_type) == ("adr_1", "Moncton", "address")


def test_an_address_names_person_or_company_and_its_lines() -> None:
    address = Address(company_name="Acme", street_number="12", address_line1="High St", address_line2="")
    assert address.name == "Acme"
    assert address.lines == ["12 High St"]


def test_an_address_names_its_country() -> None:
    assert Address(country_code="CA").country_name == "Canada"
    assert Address(country_code="ZZ").country_name == "ZZ"


def test_the_nearest_word_is_found() -> None:
    assert find_nearest("purchase", ["purchased", "draft"]) == "purchased"
    assert find_nearest("xyz", ["purchased", "draft"]) is None

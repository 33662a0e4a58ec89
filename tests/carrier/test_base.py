"""What a carrier class states is what the product shows; what flows share is right."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
from pydantic import SecretStr

from shipcli.carrier import (
    Carrier,
    CarrierConfig,
    CarrierError,
    Context,
    Credentials,
    Flow,
    basic_auth,
    sum_parcels,
)
from shipcli.models import Address, Charge, Invalid, Quote, RateRequest

LATE = datetime(2025, 3, 3, 23, 30, tzinfo=UTC)  # the 4th in Berlin, the 3rd in New York


class Account(Credentials):
    user: str
    password: SecretStr
    spare_key: SecretStr | None = None
    site: str = "main"
    kind: Literal["a", "b"] | None = None


class Settings(CarrierConfig):
    cost_center: str | None = None
    services: list[str] | None = None
    express: bool | None = None
    days: int = 3


class Shop(Carrier[Account, Settings]):
    slug = "shop"
    name = "Shop"
    Credentials = Account
    Config = Settings
    tracking_link = "https://shop.example/{}"

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        yield from ()
        return []


def opened(config: dict[str, Any] | None = None, **context: Any) -> Shop:
    return Shop.open({"user": "ann", "password": "pw1"}, config or {}, Context(now=LATE, **context))


def quote(service: str, total: str, days: int | None = None, **charges: str) -> Quote:
    rows = [Charge(name=name, amount=Decimal(amount), currency="USD") for name, amount in charges.items()]
    return Quote(
        carrier_name="shop", service=service, total_charge=Decimal(total), currency="USD", transit_days=days,
        extra_charges=rows,
    )  # fmt: skip


# -- what a class states ---------------------------------------------------------------------------


def test_credentials_give_the_connection_fields() -> None:
    assert Shop.connection_fields() == {
        "user": {"name": "user", "required": True, "type": "string"},
        "password": {"name": "password", "required": True, "type": "string"},
        "spare_key": {"name": "spare_key", "required": False, "type": "string"},
        "site": {"name": "site", "required": False, "type": "string", "default": "main"},
        "kind": {"name": "kind", "required": False, "type": "string", "enum": ["a", "b"]},
    }
    assert list(Shop.connection_fields()) == list(Account.model_fields)


def test_the_config_shows_the_fields_of_the_carrier_alone() -> None:
    fields = Shop.config_fields()
    assert {name: field["type"] for name, field in fields.items()} == {
        "cost_center": "string", "services": "list", "express": "boolean", "days": "integer",
    }  # fmt: skip
    assert fields["days"] == {
        "name": "days", "code": "days", "required": False, "type": "integer", "default": 3,
    }  # fmt: skip


def test_secret_fields_are_known_and_their_values_are_for_masks() -> None:
    assert Shop.secret_fields() == {"password", "spare_key"}
    assert opened().secrets() == ["pw1"]


def test_capabilities_are_the_verbs_a_class_overrides() -> None:
    assert Shop.capabilities() == ["rating"]
    assert [Shop.can(verb) for verb in ("rate", "ship", "recover")] == [True, False, False]


def test_wrong_credentials_are_named_and_their_values_left_out() -> None:
    with pytest.raises(Invalid) as error:
        Shop.open({"password": {"a": "s3cret"}, "kind": "z"}, {}, Context(now=LATE))
    paths = {problem.field for problem in error.value.problems}
    assert paths == {"user", "password", "kind"}
    assert "s3cret" not in str(error.value)


def test_wrong_config_is_named_as_config() -> None:
    with pytest.raises(Invalid, match=r"config\.days"):
        opened({"days": "many"})


def test_a_secret_is_in_no_repr() -> None:
    assert "pw1" not in repr(opened().account)


def test_a_verb_that_is_not_there_says_so() -> None:
    with pytest.raises(CarrierError, match="Shop does not offer tracking"):
        next(opened().track(None))  # type: ignore[arg-type]  # nothing is read of it


# -- days ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("country", "config", "zone", "day"),
    [
        ("DE", None, "UTC", 4),
        ("JP", "America/New_York", "UTC", 4),
        ("US", "Europe/Berlin", "UTC", 4),
        ("US", None, "America/New_York", 3),
        ("US", None, "Asia/Tokyo", 4),
        (None, None, "UTC", 3),
    ],
    ids=["country", "country before config", "config", "machine", "machine in Tokyo", "no address"],
)
def test_today_is_the_day_at_the_place_of_the_shipper(
    country: str | None, config: str | None, zone: str, day: int
) -> None:
    shop = opened({"timezone": config} if config else None, zone=ZoneInfo(zone))
    address = Address(country_code=country) if country else None
    assert shop.today_at(address) == date(2025, 3, day)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this machine cannot be set")
@pytest.mark.parametrize(("zone", "day"), [("Asia/Tokyo", 4), ("America/New_York", 3)])
def test_without_a_zone_today_is_the_machines(zone: str, day: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as machine:
        machine.setenv("TZ", zone)
        time.tzset()
        found = opened(zone=None).today
    time.tzset()
    assert found == date(2025, 3, day)


# -- numbers and links -----------------------------------------------------------------------------


def test_references_of_a_purchase_differ_and_come_again() -> None:
    first, again = opened(key="ab" * 16), opened(key="ab" * 16)
    assert first.reference() == "ab" * 16
    numbers = [first.reference(index) for index in range(5)]
    assert len(set(numbers)) == 5
    assert numbers == [again.reference(index) for index in range(5)]


def test_the_tracking_page_of_a_number() -> None:
    assert opened().link("1Z") == "https://shop.example/1Z"


def test_basic_authorisation() -> None:
    assert basic_auth("ann", SecretStr("pw")) == basic_auth("ann", "pw") == "Basic YW5uOnB3"


# -- prices by parcel ------------------------------------------------------------------------------


def test_a_service_missing_on_one_parcel_is_not_offered() -> None:
    found = sum_parcels([[quote("a", "1"), quote("b", "2")], [quote("b", "3")]])
    assert [(one.service, one.total_charge) for one in found] == [("b", Decimal(5))]


def test_a_parcel_without_any_price_leaves_no_service() -> None:
    assert sum_parcels([[quote("a", "1")], []]) == sum_parcels([]) == []


def test_the_price_of_one_parcel_is_left_as_it_is() -> None:
    only = quote("a", "1.10", 2, Fuel="0.10")
    assert sum_parcels([[only]]) == [only]


def test_charges_add_up_by_name_and_the_slowest_parcel_counts() -> None:
    parcels = [[quote("a", "1.10", 2, Fuel="0.10", Base="1")], [quote("a", "2.20", 4, Fuel="0.20", Tax="2")]]
    [found] = sum_parcels(parcels)
    charges = {charge.name: charge.amount for charge in found.extra_charges}
    assert (found.total_charge, found.transit_days) == (Decimal("3.30"), 4)
    assert charges == {"Fuel": Decimal("0.30"), "Base": Decimal(1), "Tax": Decimal(2)}

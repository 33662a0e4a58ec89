"""Where people find what a connection asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import pytest
from pydantic import SecretStr

from shipcli.carrier import Carrier, CarrierConfig, Context, Credentials, ServerUrl, registry
from shipcli.carrier.fields import FORMER, NEEDED, OTHERWISE, list_hosts
from shipcli.carrier.wire.calls import read_origin


@pytest.mark.parametrize("slug", registry.list_slugs())
def test_every_credential_has_a_sentence_of_its_kind_or_of_its_carrier(slug: str) -> None:
    kind = registry.get(slug)
    assert set(kind.credential_help) <= set(kind.connection_fields())
    for field in kind.connection_fields():
        said = kind.explain_credential(field)
        assert said.endswith(".")
        assert len(said) <= 120
        assert said != OTHERWISE.format(kind.name), field


@pytest.mark.parametrize(
    "slug", ["ups", "usps", "usps_international", "fedex", "dhl_express", "canadapost", "royalmail"]
)
def test_a_larger_carrier_says_of_every_required_field_where_it_is(slug: str) -> None:
    kind = registry.get(slug)
    required = {name for name, row in kind.connection_fields().items() if row["required"]}
    assert required <= set(kind.credential_help)


def test_people_are_asked_for_what_an_api_needs_today_and_not_for_what_it_needed() -> None:
    class Account(Credentials):
        old_key: Annotated[str, FORMER] = ""
        new_key: Annotated[SecretStr | None, NEEDED] = None
        depot: str | None = None

    class Mover(Carrier[Account, CarrierConfig]):
        Credentials, Config = Account, CarrierConfig

    published = {name: row["required"] for name, row in Mover.connection_fields().items()}
    assert published == {"old_key": True, "new_key": False, "depot": False}
    assert {name: row["required"] for name, row in Mover.asked_fields().items()} == {
        "new_key": True,
        "depot": False,
    }
    assert Mover.list_lacking(Account(old_key="k")) == ["new_key"]
    assert Mover.list_lacking(Account(new_key=SecretStr("k"))) == []
    assert Mover.secret_fields() == {"new_key"}


def test_a_setting_of_any_name_says_by_its_type_that_it_is_a_host() -> None:
    class Settings(CarrierConfig):
        gateway: ServerUrl = None
        depot: str | None = None

    assert list_hosts(Settings(gateway="https://a.example", depot="https://b.example")) == {
        "gateway": "https://a.example"
    }
    assert list_hosts(Settings()) == {}


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1", "us-west-2", "http://127.0.0.1/"])
@pytest.mark.parametrize("test_mode", [True, False])
def test_a_region_leads_to_hosts_that_the_class_states_and_no_other(region: str, test_mode: bool) -> None:
    kind = registry.get("amazon_shipping")
    context = Context(datetime(2025, 3, 3, tzinfo=UTC), test_mode=test_mode)
    carrier = kind.open({**kind.sample_account, "aws_region": region}, {}, context)
    assert read_origin(str(carrier.server_url)) in kind.stated_origins()

"""What cases of Deutsche Post DHL can't say: how an account is billed, what a station is, who is asked."""

from __future__ import annotations

from typing import Any

import pytest
from shipcli.carriers.dpdhl import Dpdhl
from shipcli.carriers.dpdhl.parts import write_account, write_address
from shipcli.carriers.dpdhl.shipments import write_service

from shipcli.carrier import Context, RequestOptions
from shipcli.carrier.preparation.requests import prepare
from shipcli.models import Address, Invalid, RateRequest
from tests.carriers.bench import MONDAY, Bench, address, said
from tests.carriers.promises import DELIVERED, track
from tests.carriers.tap import Tap

CARRIER = Dpdhl.open(Dpdhl.sample_account, {}, Context(now=MONDAY))


def options(given: dict[str, Any]) -> RequestOptions:
    return CARRIER.options_of(with_options(given))


def with_options(given: dict[str, Any]) -> RateRequest:
    return RateRequest(shipper=Address(), recipient=Address(), options=given)


@pytest.mark.parametrize(
    ("product", "given", "account"),
    [
        ("V01PAK", {}, "22222222220101"),
        ("V01PAK", {"insurance": 700}, "22222222220103"),
        ("V01PAK", {"cash_on_delivery": 40}, "22222222220103"),
        ("V66WPI", {"dpdhl_premium": True}, "22222222226603"),
        ("V66WPI", {"dpdhl_premium": True, "dpdhl_go_green": True}, "22222222226604"),
        ("V62WP", {"dpdhl_premium": True}, "22222222226201"),
    ],
)
def test_an_account_is_billed_by_product_and_terms(product: str, given: dict[str, Any], account: str) -> None:
    assert write_account("2222222222", product, options(given), None) == account


def test_a_suffix_of_the_settings_and_a_whole_account_stand() -> None:
    assert write_account("2222222222", "V01PAK", options({}), "07") == "22222222220107"
    assert write_account("22222222220199", "V01PAK", options({}), "07") == "22222222220199"


def test_a_packstation_stands_in_the_place_of_a_street() -> None:
    station = write_address(Address(address_line1="Weg 1", address_line2="Hof"), "12345678", "Hof")
    assert (station["cis:name2"], station["cis:streetName"]) == ("12345678", "Packstation")


def test_a_page_of_the_gateway_is_what_it_says() -> None:
    bench = Bench(Dpdhl, ("DE", "DE"), credentials={"password": "denied"})
    outcome = track(bench, DELIVERED)
    bench.close()
    assert [(one.code, one.message) for one in outcome.messages] == [
        ("Unauthorized", "These credentials are wrong.")
    ]


@pytest.mark.parametrize("name", ["dpdhl_endorsement", "dpdhl_visual_check_of_age"])
def test_an_extra_that_needs_a_word_is_refused_by_name(name: str) -> None:
    with pytest.raises(Invalid, match=f"options.{name}"):
        prepare(with_options({name: True}), CARRIER)


def test_an_extra_says_that_it_is_active_and_what_it_is_about() -> None:
    assert write_service("BulkyGoods", True) == {"@active": 1}
    assert write_service("CashOnDelivery", 40) == {"@active": 1, "@codAmount": 40}
    assert write_service("IdentCheck", {"surname": "Roy"}) == {"@active": 1, "Ident": {"surname": "Roy"}}


def test_names_stand_as_names_and_lines_of_addresses_as_such() -> None:
    bench = Bench(Dpdhl, ("DE", "DE"))
    tap = Tap(bench)
    recipient = address("DE", "Paula Post").model_copy(
        update={"company_name": "Post KG", "address_line2": "2. Stock"}
    )
    outcome = bench.buy(recipient=recipient, reference="SO-1")
    bench.close()
    assert outcome.result, said(outcome)
    content = tap.sent[-1].content.decode()
    for text in (">Post KG</cis:name1>", ">Paula Post</cis:name2>", ">2. Stock</cis:addressAddition>"):
        assert text in content
    assert "SO-1</customerReference>" in content
    assert "ShipperReference" not in content


def test_an_identity_without_a_name_is_refused() -> None:
    bench = Bench(Dpdhl, ("DE", "DE"))
    outcome = bench.buy(options={"dpdhl_identcheck": {"surname": "Post"}})
    bench.close()
    assert "options.dpdhl_identcheck" in said(outcome)

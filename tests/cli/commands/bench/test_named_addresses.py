"""Addresses by the names that people use, and by pasting what a customer wrote."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Cli, Result, address

BLOCK = "Lena Vogt\nVogt Licht GmbH\nHauptstraße 5a\n10117 Berlin\nDeutschland\n+49 30 1234567\n"
WEIGHT = ("--weight", "2lb", "--carrier", "ups", "--cheapest")


@pytest.fixture
def box(cli: Cli) -> Cli:
    box: Cli = lambda *words, **more: cli("--sandbox", *words, **more)  # noqa: E731
    address(box, person_name="Ada Brooks", company_name="Lantern Supply", address_line1="12 Harbor St")
    return box


@pytest.mark.parametrize("name", ["Ada Brooks", "ada brooks", "Lantern Supply", "brooks", "lantern"])
def test_an_address_goes_by_the_name_of_its_person_or_company(box: Cli, name: str) -> None:
    done = box("ship", "--to", name, *WEIGHT, "-y", "--json")
    assert done.code == 0, done.err
    assert done.json["recipient"]["address_line1"] == "12 Harbor St"


def test_several_addresses_of_a_name_are_listed(box: Cli) -> None:
    address(box, person_name="Ada Brooks", address_line1="7 Elm St", city="Quincy")
    done = box("quote", "--to", "Ada Brooks", "--weight", "2lb")
    assert (done.code, "12 Harbor St Boston" in done.err, "7 Elm St Quincy" in done.err) == (2, True, True)
    assert box("quote", "--to", "lantern", "--weight", "2lb").code == 0
    missing = box("quote", "--to", "Nobody", "--weight", "2lb")
    assert (missing.code, "hint: shipcli addresses list" in missing.err) == (3, True)


@pytest.mark.parametrize(
    "line",
    [
        ("ship", "--to", "Ada Brooks", "--to-line2", "Flat 3", "--weight", "2lb", "-y"),
        ("shipments", "create", "--to", "Ada Brooks", "--to-phone", "+16175550123", "--weight", "2lb"),
        ("shipments", "create", "--to", "Ada Brooks", "-d", "recipient.address_line2=Flat 3"),
        ("shipments", "create", "--from", "Ada Brooks", "--to", "lantern", "-d", 'shipper={"city":"Reno"}'),
        ("quote", "10117", "--to", "Ada Brooks", "--weight", "2lb"),
        ("pickups", "schedule", "usps", "--address", "Ada Brooks", "-d", "address.city=Reno"),
        ("manifests", "create", "usps", "--address", "Ada Brooks", "-d", "address.city=Reno"),
    ],
)
def test_fields_beside_a_stored_address_are_refused_for_they_would_be_ignored(
    box: Cli, line: tuple[str, ...]
) -> None:
    done = box(*line)
    assert (done.code, "names a stored address; say that, or the fields of one" in done.err) == (2, True)
    assert not box("shipments", "list", "--ids").out


def test_a_street_is_no_name(box: Cli) -> None:
    assert box("addresses", "get", "harbor").code == 3


def test_a_nickname_is_given_once_and_used_everywhere(box: Cli) -> None:
    words = ("-d", "person_name=Dock", "-d", "country_code=US", "-d", "city=Reno", "-d", "state_code=NV")
    made = box("addresses", "create", *words, "-d", "postal_code=89501", "-d", "address_line1=1 Dock Rd",
               "--nickname", "dock", "--ids").out.strip()  # fmt: skip
    quoted = box("shipments", "create", "--from", "Dock", "--to", "brooks", "--weight", "2lb", "--json").json
    assert quoted["shipper"]["city"] == "Reno"
    assert box("addresses", "get", "DOCK", "--pick", "id").out.strip() == made
    assert box("addresses", "update", "lantern", "--nickname", "dock").code == 0
    assert box("addresses", "get", "dock", "--pick", "person_name").out == "Ada Brooks\n"
    assert box("addresses", "update", "dock", "--nickname", "@last").code == 6


def test_an_address_is_pasted_shown_and_agreed_to(terminal: Callable[..., Result], cli: Cli) -> None:
    words = ("--sandbox", "ship", "--to", "-", "--weight", "2lb", "--cheapest", "-v")
    answers = [("an empty line:", BLOCK), ("Enter = this is the address, q = no", ""), ("Enter = buy", "")]
    done = terminal(*words, answers=answers, NO_COLOR="1", PYTHONUTF8="1")
    assert done.code == 0, done.out
    shown = done.out[: done.out.index("Enter = this")]
    assert "  person       Lena Vogt\n  company      Vogt Licht GmbH\n  street       Hauptstraße 5a" in shown
    assert "  postal code  10117\n  country      DE\n" in shown
    (one,) = cli("--sandbox", "shipments", "list", "--json").json["results"]
    assert (one["recipient"]["city"], one["recipient"]["phone_number"]) == ("Berlin", "+49 30 1234567")


def test_a_wrong_reading_is_left_with_q(terminal: Callable[..., Result], cli: Cli) -> None:
    words = ("--sandbox", "quote", "--to", "-", "--weight", "2lb")
    done = terminal(*words, answers=[("an empty line:", BLOCK), ("this is the address", "q")], PYTHONUTF8="1")
    assert done.code == 1


def test_a_script_gives_the_block_on_standard_input(box: Cli) -> None:
    done = box(
        "ship", "--to", "-", *WEIGHT, "-y", "--json", typed="Ada Brooks\n12 Harbor St\nBoston, MA 02210"
    )
    assert done.code == 0, done.err
    assert done.json["recipient"]["postal_code"] == "02210"
    assert "  city         Boston" in done.err


def test_flags_correct_what_was_read(box: Cli) -> None:
    text = "Lena Vogt\nHauptstraße 5a\n10117 Berlin"
    refused = box("quote", "--to", "-", "--weight", "2lb", typed=text)
    assert (refused.code, "--to-country" in refused.err) == (6, True), refused.err
    words = ("shipments", "create", "--to", "-", "--to-country", "de", "--weight", "2lb", "--json")
    assert box(*words, typed=text).json["recipient"]["country_code"] == "DE"


@pytest.mark.parametrize("text", ["", "hello there\n", "Ada Brooks\n12 Harbor St\n"])
def test_a_text_that_is_no_address_buys_nothing(box: Cli, text: str) -> None:
    done = box("ship", "--to", "-", *WEIGHT, "-y", typed=text)
    assert (done.code, "No line with a city" in done.err) == (6, True), done.err

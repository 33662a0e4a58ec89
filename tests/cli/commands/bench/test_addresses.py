"""`shipcli addresses`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli, address


def test_an_address_is_stored_from_flags(cli: Cli) -> None:
    made = cli(
        "addresses", "create", "--name", "Jane", "--line1", "5 Main Street", "--city", "Boston",
        "--state", "MA", "--postal-code", "02134", "--country", "us", "--residential", "--json",
    )  # fmt: skip
    assert made.code == 0
    row = cli("addresses", "get", made.json["id"], "--json").json
    assert row == made.json
    assert (row["person_name"], row["postal_code"], row["country_code"], row["residential"]) == (
        "Jane", "02134", "US", True,
    )  # fmt: skip


def test_every_address_of_a_file_is_stored(cli: Cli) -> None:
    Path("a.csv").write_text("city,country_code\nBoston,US\nOslo,NO\n")
    assert cli("addresses", "create", "--from-file", "a.csv", "--pick", "city").lines == ["Boston", "Oslo"]


def test_a_wrong_row_stores_none(cli: Cli) -> None:
    Path("a.csv").write_text("city,country_code\nBoston,US\nOslo,XX\n")
    shown = cli("addresses", "create", "--from-file", "a.csv")
    assert shown.code == 6
    assert "row 2: country_code" in shown.err
    assert cli("addresses", "list", "--ids").out == ""


def test_an_address_is_changed_field_by_field(cli: Cli) -> None:
    id = address(cli)
    assert cli("addresses", "update", id, "--city", "Salem", "--pick", "city").out == "Salem\n"
    assert cli("addresses", "get", id, "--pick", "postal_code").out == "02134\n"


def test_addresses_are_found_by_text(cli: Cli) -> None:
    address(cli, person_name="Smith", city="Salem")
    address(cli, person_name="Smith")
    assert cli("addresses", "find", "smith", "boston", "--pick", "city").out == "Boston\n"


def test_a_good_address_is_valid(cli: Cli) -> None:
    shown = cli("addresses", "validate", address(cli))
    assert (shown.code, shown.out, shown.err) == (0, "", "note: valid\n")


def test_a_bad_address_is_told_field_by_field(cli: Cli) -> None:
    shown = cli("addresses", "validate", address(cli, postal_code="90210"))
    assert shown.code == 6
    assert shown.lines[0] == "field\treason"
    assert shown.lines[1].startswith("postal_code\t")


def test_an_address_that_is_not_stored_is_checked(cli: Cli) -> None:
    words = ("addresses", "validate", "-d", "country_code=US", "-d", "postal_code=abc", "--json")
    shown = cli(*words)
    assert shown.code == 6
    assert shown.json["valid"] is False
    assert [row["field"] for row in shown.json["problems"]] == ["postal_code"]
    stdin = cli("addresses", "validate", "--from-file", "-", "--json", typed='{"country_code": "AE"}')
    assert stdin.json["problems"]

"""An address book from a file, once, whatever its headings; and what is stored twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.files.writing import write_table
from tests.cli.conftest import Cli

ADA = ("Ada", "Brooks", "12 Main Street", "Apt 4", "Boston", "MA", "02134", "US", "+1 617 555 0162")
FIELDS = (
    "person_name",
    "address_line1",
    "address_line2",
    "city",
    "state_code",
    "postal_code",
    "country_code",
)
WRONG = ("row 3, Country: ", "row 4, First name: ", "row 4, Zip: ", "row 4, City: ")
STORED = ("Ada Brooks", "12 Main Street", "Apt 4", "Boston", "MA", "02134", "US")
HEADINGS = {
    "plain": "First name,Last name,Street,Unit,City,State,Zip,Country,Phone",
    "of Shopify": "First Name,Last Name,Default Address Address1,Default Address Address2,"
    "Default Address City,Default Address Province Code,"
    "Default Address Zip,Default Address Country Code,Default Address Phone",
    "of Google": "Given Name,Family Name,Address 1 - Street,Address line 2,Address 1 - City,"
    "Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Phone 1 - Value",
    "of Outlook": "First Name,Last Name,Business Street,Business Street 2,Business City,Business State,"
    "Business Postal Code,Business Country/Region,Business Phone",
    "German": "Vorname,Name,Straße,Adresszusatz,Ort,Bundesland,PLZ,Land,Telefon",
    "by words": "first,surname,Address_Line_1,Address_Line_2,town,county,post code,COUNTRY CODE,Tel. number",
}


def list_book(cli: Cli) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(cli("addresses", "list", "--all", "--json").out)["results"]
    return rows[::-1]


@pytest.mark.parametrize("headings", HEADINGS.values(), ids=HEADINGS)
def test_headings_are_guessed_and_applied(cli: Cli, tmp_path: Path, headings: str) -> None:
    (tmp_path / "book.csv").write_text(f"{headings}\n{','.join(ADA)}\n", encoding="utf-8")
    assert cli("addresses", "import", "book.csv").code == 0
    (address,) = list_book(cli)
    assert tuple(address[name] for name in FIELDS) == STORED
    assert address["phone_number"].endswith("0162")


@pytest.mark.parametrize(
    ("headings", "row", "line1"),
    [
        ("Vorname;Nachname;Straße;Hausnummer;PLZ;Ort;Land",
         "Jan;Voss;Ring;12a;01067;Dresden;Deutschland", "Ring 12a"),
        ("Voornaam;Achternaam;Straat;Huisnummer;Toevoeging;Postcode;Plaats;Land",
         "Jan;Voss;Dam;12;bis;1012 JS;Amsterdam;Nederland", "Dam 12 bis"),
        ("Name;Street number;Street name;City;Zip;Country",
         "Jan Voss;12;Main St;Boston;02134;US", "12 Main St"),
        ("Nombre;Apellidos;Dirección;CP;Población;País",
         "Jan;Voss;Calle Mayor 5;08001;Barcelona;España", "Calle Mayor 5"),
        ("Nome;Cognome;Indirizzo;CAP;Città;Paese",
         "Jan;Voss;Via Roma 5;00184;Roma;Italia", "Via Roma 5"),
        ("Imię;Nazwisko;Ulica;Kod pocztowy;Miasto;Kraj", "Jan;Voss;Długa 5;80-831;Gdańsk;Polska", "Długa 5"),
    ],
)  # fmt: skip
def test_a_house_number_and_names_in_columns_of_their_own_are_not_lost(
    cli: Cli, tmp_path: Path, headings: str, row: str, line1: str
) -> None:
    (tmp_path / "book.csv").write_text(f"{headings}\n{row}\n", encoding="utf-8")
    done = cli("addresses", "import", "book.csv")
    assert (done.code, "ignored" in done.err) == (0, False)
    (address,) = list_book(cli)
    assert (address["person_name"], address["address_line1"]) == ("Jan Voss", line1)
    assert address["postal_code"]


def test_a_check_of_a_book_names_what_no_address_of_the_country_has(cli: Cli, tmp_path: Path) -> None:
    rows = "Eve Moe,6 Elm,Reno,Nevadda,89501,US\nJan Voss,Ring 1,Dresden,,1067,DE\n"
    (tmp_path / "book.csv").write_text(f"Name,Street,City,State,Zip,Country\n{rows}")
    done = cli("addresses", "import", "book.csv", "--check")
    assert done.code == 0
    assert "row 2, State: 'Nevadda' does not fit the rules of United States" in done.err
    assert "row 3, Zip: '1067' does not fit the rules of Germany" in done.err


def test_a_book_is_stored_once_whatever_its_spelling(cli: Cli, tmp_path: Path) -> None:
    rows = (
        ADA,
        ("BROOKS,", "ADA", "Apt. 4, 12 main st.", "", "BOSTON", "MA", "02134-1000", "US", ""),
        ("Jürgen", "Groß", "Königstraße 5", "", "Köln", "", "50667", "DE", ""),
        ("Juergen", "Gross", "Koenigstr. 5", "", "Koeln", "", "50667", "DE", ""),
        ("Ada", "Brooks", "4 Main Street", "Apt 12", "Boston", "MA", "02134", "US", ""),
    )
    names = HEADINGS["plain"].split(",")
    write_table(tmp_path / "book.xlsx", names, [dict(zip(names, row, strict=True)) for row in rows])
    first = cli("addresses", "import", "book.xlsx", "--json").json
    assert [row["status"] for row in first["results"]] == [
        "created",
        "existing",
        "created",
        "existing",
        "created",
    ]
    assert first["results"][1]["id"] == first["results"][0]["id"]
    before = list_book(cli)
    again = cli("addresses", "import", "book.xlsx", "--json").json
    assert {row["status"] for row in again["results"]} == {"existing"}
    assert list_book(cli) == before
    assert len(before) == 3


def test_every_bad_cell_is_named_and_nothing_is_stored(cli: Cli, tmp_path: Path) -> None:
    bad = "Ida,Lund,1 Main St,,Oslo,,0350,Norwy,\n"
    bad += ",,2 Main St,,Llanfairpwllgwyngyllgogerychwyrndrobwll,MA,1,US,\n"
    (tmp_path / "book.csv").write_text(f"{HEADINGS['plain']}\n{','.join(ADA)}\n{bad}")
    for words in ((), ("--dry-run",)):
        done = cli("addresses", "import", "book.csv", *words)
        assert (done.code, [text for text in WRONG if text not in done.err]) == (6, [])
    checked = cli("addresses", "import", "book.csv", "--check", "--json")
    assert (checked.code, len(checked.json["wrong"])) == (6, len(WRONG))
    assert not list_book(cli)
    assert cli("addresses", "import", "book.csv", "--rejects", "bad.csv").code == 9
    assert len(list_book(cli)) == 1
    assert len((tmp_path / "bad.csv").read_text().splitlines()) == 3


def test_a_dry_run_stores_nothing_and_missing_columns_are_named(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(f"{HEADINGS['plain']}\n{','.join(ADA)}\n")
    assert cli("addresses", "import", "book.csv", "--dry-run").code == 0
    assert not list_book(cli)
    (tmp_path / "short.csv").write_text("Name,City\nAda,Boston\n")
    done = cli("addresses", "import", "short.csv")
    assert (done.code, "--map address_country=" in done.err) == (6, True)
    assert "templates create" not in done.err
    (tmp_path / "nameless.csv").write_text("Who,Country\nAda,US\n")
    done = cli("addresses", "import", "nameless.csv")
    assert (done.code, "--map address_name=" in done.err, "row 2" in done.err) == (6, True, False)
    assert cli("addresses", "import", "short.csv", "--set", "country=US").code == 0
    assert list_book(cli)[0]["city"] == "Boston"


def test_a_row_that_says_more_is_left_alone_and_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(
        "Name,City,Country,Email\nAda,Boston,US,a@example.com\nADA,boston,US,b@example.com\n"
    )
    done = cli("addresses", "import", "book.csv")
    assert (done.code, "row 3, ADA: existing: it is stored with another email" in done.err) == (0, True)


def store(cli: Cli, *words: str) -> str:
    place = (
        "--line1",
        "12 Main St",
        "--city",
        "Boston",
        "--postal-code",
        "02134",
        "--country",
        "US",
        "--ids",
    )
    return cli("addresses", "create", "--name", "Ada Brooks", *place, *words).out.strip()


def test_duplicates_are_shown_as_pairs_and_kept_until_a_merge_is_asked_for(cli: Cli) -> None:
    first = store(cli, "--line1", "12 Main Street")
    second = store(cli, "--phone", "+1 617-555-0162")
    other = store(cli, "--phone", "+1 617-555-0199")
    shown = cli("addresses", "duplicates", "--json").json
    assert [(row["id"], row["same_as"], row["unmerged"]) for row in shown] == [
        (second, first, ""),
        (other, first, "phone_number differs"),
    ]
    assert cli("addresses", "duplicates", "--merge", "--dry-run").code == 0
    assert cli("addresses", "duplicates", "--merge").code == 2
    assert len(list_book(cli)) == 3
    assert cli("addresses", "duplicates", "--merge", "-y").code == 0
    assert [(row["id"], row["phone_number"][-4:]) for row in list_book(cli)] == [
        (first, "0162"),
        (other, "0199"),
    ]
    assert cli("addresses", "duplicates", "--merge", "-y", "--ids").out == ""


def test_a_merge_keeps_what_names_an_address(cli: Cli, tmp_path: Path) -> None:
    oldest, dock, sender = store(cli), store(cli, "--nickname", "dock"), store(cli)
    cli("addresses", "default", sender)
    spare = store(cli)
    template = {
        "fields_mapping": {"shipper_id": {"constant": spare}},
        "name": "Depot",
        "resource_type": "shipments",
    }
    (tmp_path / "depot.json").write_text(json.dumps(template))
    assert cli("import", "templates", "create", "depot", "--from-file", "depot.json").code == 0
    shown = cli("addresses", "duplicates", "--json").json
    assert {row["id"]: row["unmerged"] for row in shown} == {
        dock: "",
        oldest: "",
        spare: "a data template names it",
    }
    assert cli("addresses", "duplicates", "--merge", "-y").code == 0
    assert {row["id"] for row in list_book(cli)} == {sender, spare}
    assert cli("addresses", "get", "dock", "--json").json["id"] == sender


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("12 Main Street #4", "12 Main St Apt 4", True),
        ("P.O. Box 12", "PO Box 12", True),
        ("350 Fifth Avenue", "350 5th Ave.", True),
        ("12 St. Mary's Road", "12 Saint Marys Rd", True),
        ("1 North Park Boulevard", "1 N. Park Blvd", True),
        ("12 O'Neill’s Lane", "12 ONeills Ln", True),
        ("Avenida de América 12", "Avda. de America, 12", True),
        ("ul. Długa 5", "Dluga 5", True),
        ("Ågade 5", "Aagade 5", True),
        ("Søndergade 5", "Sondergade 5", True),
        ("Ærøgade 5", "Aeroegade 5", True),
        ("12 Main Street", "121 Main Street", False),
        ("12 1st Avenue", "121 St Avenue", False),
        ("4 Main St Apt 12", "12 Main St Apt 4", False),
        ("12 Main St", "12 Main Ave", False),
        ("12 North St", "12 South St", False),
    ],
)
def test_the_same_place_in_another_spelling(cli: Cli, one: str, two: str, same: bool) -> None:
    store(cli, "--line1", one)
    store(cli, "--line1", two)
    assert bool(cli("addresses", "duplicates", "--ids").out) is same

"""Addresses as people paste them: of seven countries in their own forms, and of others."""

from __future__ import annotations

import pytest

from shipcli.features.book.postal_block import read_postal_block

NAMES = {"person": "person_name", "company": "company_name", "line1": "address_line1",
         "line2": "address_line2", "city": "city", "state": "state_code", "code": "postal_code",
         "country": "country_code", "phone": "phone_number", "email": "email"}  # fmt: skip


def read(text: str, home: str | None = "US") -> dict[str, str]:
    fields = read_postal_block(text, home).fields
    return {short: fields[name] for short, name in NAMES.items() if name in fields}


CASES = {
    "us": ("Ada Brooks\n12 Harbor St\nBoston, MA 02210",
           {"person": "Ada Brooks", "line1": "12 Harbor St", "city": "Boston", "state": "MA", "code": "02210",
            "country": "US"}),
    "us full": ("Ada Brooks\nLantern Supply LLC\n12 Harbor St\nApt 4B\nSalt Lake City UT 84101-1234\nUSA\n"
                "Tel: (617) 555-0100\nada@example.com",
                {"person": "Ada Brooks", "company": "Lantern Supply LLC", "line1": "12 Harbor St",
                 "line2": "Apt 4B", "city": "Salt Lake City", "state": "UT", "code": "84101-1234",
                 "country": "US", "phone": "(617) 555-0100", "email": "ada@example.com"}),
    "us state by name": ("Bo Chan\nPO Box 55\nPortland, Oregon 97201\nUnited States",
                         {"person": "Bo Chan", "line1": "PO Box 55", "city": "Portland", "state": "OR",
                          "code": "97201", "country": "US"}),
    "us in one line": ("Ada Brooks, 12 Harbor St, Boston, MA 02210, USA",
                       {"person": "Ada Brooks", "line1": "12 Harbor St", "city": "Boston", "state": "MA",
                        "code": "02210", "country": "US"}),
    "us labelled": ("Ship to:\nName: Ada Brooks\nAddress: 12 Harbor St\nCity: Boston, MA 02210\n"
                    "Phone: +1 617-555-0100",
                    {"person": "Ada Brooks", "line1": "12 Harbor St", "city": "Boston", "state": "MA",
                     "code": "02210", "country": "US", "phone": "+1 617-555-0100"}),
    "us attention": ("Lantern Supply Inc.\nAttn: Ada Brooks\n12 Harbor St\nBoston MA 02210",
                     {"person": "Ada Brooks", "company": "Lantern Supply Inc.", "line1": "12 Harbor St",
                      "city": "Boston", "state": "MA", "code": "02210", "country": "US"}),
    "ca": ("Jean Tremblay\n1234 Rue Sainte-Catherine O\nMontréal QC  h3b 1a7\nCanada",
           {"person": "Jean Tremblay", "line1": "1234 Rue Sainte-Catherine O", "city": "Montréal",
            "state": "QC", "code": "H3B 1A7", "country": "CA"}),
    "ca province by name": ("Ann Lee\n5 King St\nToronto (Ontario) M5H 1A1",
                            {"person": "Ann Lee", "line1": "5 King St", "city": "Toronto", "state": "ON",
                             "code": "M5H 1A1", "country": "CA"}),
    "gb": ("Mr Alan Smith\nFlat 4\n12 High Street\nLONDON\nSW1A 2AA\nUnited Kingdom",
           {"person": "Mr Alan Smith", "line1": "Flat 4", "line2": "12 High Street", "city": "LONDON",
            "code": "SW1A 2AA", "country": "GB"}),
    "gb one line town": ("Alan Smith\n12 High Street\nLeeds LS1 4AP",
                         {"person": "Alan Smith", "line1": "12 High Street", "city": "Leeds",
                          "code": "LS1 4AP", "country": "GB"}),
    "de": ("Lena Vogt\nVogt Licht GmbH\nHauptstraße 5a\n10117 Berlin\nDeutschland\n+49 30 1234567",
           {"person": "Lena Vogt", "company": "Vogt Licht GmbH", "line1": "Hauptstraße 5a", "city": "Berlin",
            "code": "10117", "country": "DE", "phone": "+49 30 1234567"}),
    "de with its letter": ("Lena Vogt\nPostfach 12 34\nD-80331 München",
                           {"person": "Lena Vogt", "line1": "Postfach 12 34", "city": "München",
                            "code": "80331", "country": "DE"}),
    "fr": ("Mme Claire Petit\n14 bis rue des Lilas\n75011 PARIS CEDEX 11\nFRANCE",
           {"person": "Mme Claire Petit", "line1": "14 bis rue des Lilas", "city": "PARIS CEDEX 11",
            "code": "75011", "country": "FR"}),
    "au": ("Kim Lee\nUnit 3\n45 George St\nSurry Hills NSW 2010\nAustralia",
           {"person": "Kim Lee", "line1": "Unit 3", "line2": "45 George St", "city": "Surry Hills",
            "state": "NSW", "code": "2010", "country": "AU"}),
    "au without country": ("Kim Lee\n45 George St\nSurry Hills NSW 2010",
                           {"person": "Kim Lee", "line1": "45 George St", "city": "Surry Hills",
                            "state": "NSW", "code": "2010", "country": "AU"}),
    "nl": ("Piet de Vries\nKeizersgracht 123\n1015 CJ Amsterdam\nNederland",
           {"person": "Piet de Vries", "line1": "Keizersgracht 123", "city": "Amsterdam", "code": "1015 CJ",
            "country": "NL"}),
    "se": ("Eva Berg\nStorgatan 1\n111 22 Stockholm\nSweden",
           {"person": "Eva Berg", "line1": "Storgatan 1", "city": "Stockholm", "code": "111 22",
            "country": "SE"}),
    "sg": ("Tan Wei\n8 Marina Blvd\nSingapore 018981\nSingapore",
           {"person": "Tan Wei", "line1": "8 Marina Blvd", "city": "Singapore", "code": "018981",
            "country": "SG"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_block_is_read_in_the_form_of_its_country(name: str) -> None:
    text, wanted = CASES[name]
    assert read(text) == wanted
    assert read_postal_block(text, "US").unread == ()


@pytest.mark.parametrize("name", CASES)
def test_blank_lines_and_commas_at_the_ends_change_nothing(name: str) -> None:
    text, wanted = CASES[name]
    if "\n" in text:
        text = "\n\n" + ",\n\n".join(text.splitlines()) + "\n \n"
    assert read(text) == wanted


def test_a_code_before_the_city_tells_no_country() -> None:
    assert "country" not in read("Lena Vogt\nHauptstraße 5\n10117 Berlin")


def test_a_sender_who_writes_the_code_first_means_the_same_country() -> None:
    assert read("Lena Vogt\nHauptstraße 5\n10117 Berlin", "DE")["country"] == "DE"


def test_what_is_not_understood_is_handed_back() -> None:
    block = read_postal_block("Ada Brooks\n12 Harbor St\nBoston, MA 02210\nring twice", "US")
    assert block.unread == ("ring twice",)
    assert read_postal_block("hello\nthere", "US").unread == ("hello", "there")


@pytest.mark.parametrize("text", ["", "\n", "12", "a@b.example", ",", "+1 617 555 0100", "SW1A 2AA", "02210"])
def test_scraps_are_read_without_a_fall(text: str) -> None:
    assert "address_line1" not in read_postal_block(text).fields

"""Countries and states by whatever people and shops call them."""

from __future__ import annotations

import pytest

from shipcli.models.basics.places import find_country_code, find_state_code, list_state_names, read_state
from shipcli.models.basics.reference import find_table, list_countries

COUNTRIES = {
    "Trinidad & Tobago": "TT", "Lao People's Democratic Republic": "LA", "Antigua & Barbuda": "AG",
    "Sao Tome & Principe": "ST", "Moldova, Republic of": "MD", "Republic of Moldova": "MD",
    "Brunei Darussalam": "BN", "AUS": "AU", "nld": "NL", "côte d’ivoire": "CI", "COTE D'IVOIRE": "CI",
    "Korea, Republic of": "KR", "Korea, Democratic People's Republic of": "KP", "Curaçao": "XC",
    "Congo, the Democratic Republic of the": "CD", "Congo - Brazzaville": "CG", "Türkiye": "TR",
    "Bolivia (Plurinational State of)": "BO", "Republic of India": "IN", "Viet Nam": "VN", "XI": "GB",
    "Northern Ireland": "GB", "St. Vincent & Grenadines": "VC", "Taiwan, Province of China": "TW",
    "Iran, Islamic Rep. of": "IR", "Virgin Islands, British": "VG", "Virgin Islands, U.S.": "VI",
    "Canada": "CA", " united states": "US", "Holy See (Vatican City State)": "VA", "Åland Islands": "FI",
    "Frankrijk": "FR", "Japón": "JP", "Szwajcaria": "CH", "Storbritannien": "GB", "Países Baixos": "NL",
    "Saint-Martin (partie néerlandaise)": "SX", "Łotwa": "LV",
    "Micronesia (Federated States of)": "FM", "Macedonia, the former Yugoslav Republic of": "MK",
}  # fmt: skip


@pytest.mark.parametrize(("text", "code"), COUNTRIES.items())
def test_a_country_is_known_by_any_of_its_names(text: str, code: str) -> None:
    assert find_country_code(text) == code


def test_every_country_is_known_by_its_code_its_long_code_and_its_name() -> None:
    for code, name in list_countries().items():
        assert find_country_code(code.lower()) == find_country_code(name.upper()) == code
    table = find_table("country_iso3")
    for long_code in table.values():  # couriers have codes for parts of countries
        assert find_country_code(long_code) == min(code for code in table if table[code] == long_code)


@pytest.mark.parametrize("text", ["Narnia", "", None, "Republic", "Korea, Upper", "n/a"])
def test_what_is_no_country_is_not_taken_for_one(text: str | None) -> None:
    assert find_country_code(text) is None


STATES = [
    ("US", "Oregon", "OR"), ("US", "oregon", "OR"), ("US", "US-CA", "CA"), ("US", "Washington DC", "DC"),
    ("US", "D.C.", "DC"), ("US", "Washington", "WA"), ("US", "Oregon (OR)", "OR"), ("US", "CA, USA", "CA"),
    ("US", "Armed Forces Pacific", "AP"), ("US", "Guam", "GU"), ("CA", "Québec", "QC"), ("CA", "PQ", "QC"),
    ("CA", " quebec ", "QC"), ("CA", "saskatchewan", "SK"), ("AU", "victoria", "VIC"),
    ("AU", "AU-NSW", "NSW"), ("AU", "Australian Capital Territory", "ACT"),
    ("MX", "Ciudad de Mexico", "DF"), ("BR", "Sao Paulo", "SP"), ("IT", "Napoli", "NA"), ("IT", "NA", "NA"),
    ("FR", "FR-75", "75"), ("DE", "Bayern", "Bayern"), ("CN", "Guangdong", "Guangdong"),
    ("US", "Narnia", "Narnia"),
]  # fmt: skip


@pytest.mark.parametrize(("country", "text", "state"), STATES)
def test_a_state_is_stored_by_its_code_where_its_country_has_codes(
    country: str, text: str, state: str
) -> None:
    assert read_state(text, country) == state


@pytest.mark.parametrize("text", ["none", "N/A", "n.a.", "-", "--", "default", "NULL", "NA", "."])
@pytest.mark.parametrize("country", ["US", "DE", "SG", ""])
def test_words_for_no_state_are_no_state(country: str, text: str) -> None:
    assert read_state(text, country) is None


@pytest.mark.parametrize("country", ["US", "CA", "AU", "BR", "IT", "ES", "MX", "IN", "AE"])
def test_every_name_of_a_state_leads_to_a_code_that_stays(country: str) -> None:
    for name, code in list_state_names(country).items():
        assert find_state_code(country, name) == find_state_code(country, code) == code
        assert read_state(f"{country}-{code}", country) == code

"""Reference values the product owns: countries, currencies, states and the words of the trade."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

_USUAL_EXPONENT = 2


@cache
def _read_tables() -> dict[str, Any]:
    data = pkgutil.get_data(__name__, "data/reference.json")
    tables: dict[str, Any] = json.loads(data or b"{}")
    return tables


@cache
def find_table(name: str) -> Mapping[str, Any]:
    """One table by the name it has in the data file; it cannot be changed."""
    return MappingProxyType(_read_tables()[name])


def list_countries() -> Mapping[str, str]:
    """Code to name."""
    return find_table("countries")


def list_currencies() -> Mapping[str, str]:
    """Code to name."""
    return find_table("currencies")


def list_states() -> Mapping[str, Mapping[str, str]]:
    """Country code to its states: code to name."""
    return find_table("states")


def list_incoterms() -> Mapping[str, str]:
    """Code to meaning."""
    return find_table("incoterms")


def list_content_types() -> Mapping[str, str]:
    """Our word to the word shown."""
    return find_table("customs_content_type")


def list_payment_types() -> Mapping[str, str]:
    """Our word to the word shown."""
    return find_table("payment_types")


def list_weight_units() -> Mapping[str, str]:
    """Code to code."""
    return find_table("weight_units")


def list_dimension_units() -> Mapping[str, str]:
    """Code to code."""
    return find_table("dimension_units")


@cache
def list_packaging_types() -> tuple[str, ...]:
    """The kinds of packaging every carrier understands."""
    return tuple(_read_tables()["packaging_types"])


@cache
def list_eu_countries() -> frozenset[str]:
    """Codes of the members of the EU."""
    # The published table names Greece by its tax code EL only; addresses say GR.
    return frozenset((*_read_tables()["eu_countries"], "GR"))


def find_currency(code: str) -> str | None:
    """The currency of a country."""
    currency: str | None = find_table("country_currency").get(code)
    return currency


def find_iso3(code: str) -> str | None:
    """The three-letter code of a country."""
    iso3: str | None = find_table("country_iso3").get(code)
    return iso3


def find_time_zone(code: str) -> str | None:
    """The time zone of a country that keeps one time everywhere; None for the others."""
    time_zone: str | None = find_table("time_zones").get(code)
    return time_zone


def find_state_time_zone(country: str, state: str) -> str | None:
    """The time zone that most of a state keeps, where a country has several: the US, Canada and Australia."""
    time_zone: str | None = find_table("state_time_zones").get(country, {}).get(state)
    return time_zone


def count_decimals(currency: str) -> int:
    """How many decimals amounts of a currency have."""
    decimals: int = find_table("exponents").get(currency, _USUAL_EXPONENT)
    return decimals

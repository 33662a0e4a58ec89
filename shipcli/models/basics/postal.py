"""How postal codes and phone numbers are written, country by country."""

from __future__ import annotations

import re
from functools import lru_cache

_CANADIAN = re.compile(r"(?:[A-Z][0-9]){3}")
_AMERICAN = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_LONGEST_PHONE = 20
# Codes of the country list that phone number plans know under another name.
_PHONE_REGIONS = {
    "AN": "CW",
    "IC": "ES",
    "KV": "XK",
    "XB": "BQ",
    "XC": "CW",
    "XE": "BQ",
    "XM": "SX",
    "XN": "KN",
    "XS": "SO",
    "XY": "BL",
}


def format_postal_code(text: str, country: str) -> str:
    """A Canadian or American postal code in its usual form; those of other countries are left alone.

    Errors: ValueError when a Canadian or American code cannot be one.
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
    return text


@lru_cache(maxsize=4096)
def format_phone_number(text: str, country: str) -> str:
    """A phone number in international form, such as +1 514-000-0000.

    Errors: ValueError when it cannot be read as a number of the country.
    """
    import phonenumbers

    region = _PHONE_REGIONS.get(country, country)
    if region not in phonenumbers.SUPPORTED_REGIONS and not text.lstrip().startswith("+"):
        return text
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        raise ValueError(f"is not a phone number that {country} could have") from None
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    if len(written) <= _LONGEST_PHONE or not number.extension:
        return written
    return f"+{number.country_code}{phonenumbers.national_significant_number(number)} x{number.extension}"

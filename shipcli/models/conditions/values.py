"""Values of conditions as typed, each read as the type of the name beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.models.basics.enums import WEEKDAYS
from shipcli.models.basics.places import find_country_code
from shipcli.models.basics.reference import list_countries, list_currencies
from shipcli.models.basics.text import fold_text, suggest_nearest
from shipcli.models.basics.units import convert_length, convert_weight, split_weight

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_LENGTH = re.compile(rf'{_NUMBER}\s*(cm|mm|m|in|inch|inches|"|ft)', re.IGNORECASE)
_VOLUME = re.compile(rf"{_NUMBER}\s*(cm3|in3|l|m3|ft3)", re.IGNORECASE)
_MONEY = re.compile(rf"{_NUMBER}\s*([a-z]{{3}})|([a-z]{{3}})\s*{_NUMBER}", re.IGNORECASE)
_COUNT = re.compile(r"(\d+)\s*(?:d|days?)?", re.IGNORECASE)
_ZIP_PLUS_4 = re.compile(r"(\d{5})-\d{4}")
_INCH = Decimal("2.54")
_CENTIMETRES = {"mm": Decimal("0.1"), "cm": Decimal(1), "m": Decimal(100), "ft": 12 * _INCH, "in": _INCH,
                "inch": _INCH, "inches": _INCH, '"': _INCH}  # fmt: skip
_LITRE = Decimal(1000)
_CUBIC_CM = {"cm3": Decimal(1), "l": _LITRE, "m3": 1000 * _LITRE, "in3": _INCH**3, "ft3": (12 * _INCH) ** 3}
LAST_HOUR = 23


class Worth(NamedTuple):
    """An amount of money; only those of one currency are compared."""

    currency: str
    amount: Decimal


def fold_words(text: object) -> str:
    """A text as it is compared: in no case, with single blanks."""
    return " ".join(str(text).split()).casefold()


def fold_code(text: object) -> str:
    """A postal code as it is compared: in capitals, without blanks and hyphens; of a ZIP+4, the ZIP code."""
    zip_code = _ZIP_PLUS_4.fullmatch(str(text).strip())
    if zip_code:
        return zip_code[1]
    return re.sub(r"[\s-]", "", str(text)).upper()


def weigh_in_grams(value: Decimal, unit: str) -> Decimal:
    """A weight as it is compared."""
    return convert_weight(value, unit, "G")


def measure_in_cm(value: Decimal, unit: str) -> Decimal:
    """A length as it is compared."""
    return convert_length(value, unit, "CM")


def _read_weight(text: str) -> Decimal:
    number, unit = split_weight(text)
    if unit is None:
        raise ValueError(f"A weight is a number with its unit, such as 2lb, 1lb 4oz or 1.5kg, not {text!r}")
    return weigh_in_grams(Decimal(number), unit)


def _read_length(text: str) -> Decimal:
    match = _LENGTH.fullmatch(text)
    if match is None:
        raise ValueError(f"A length is a number with its unit, such as 12in or 30cm, not {text!r}")
    return Decimal(match[1]) * _CENTIMETRES[match[2].lower()]


def _read_volume(text: str) -> Decimal:
    match = _VOLUME.fullmatch(text)
    if match is None:
        raise ValueError(f"A volume is a number with its unit, such as 5l, 500cm3 or 1728in3, not {text!r}")
    return Decimal(match[1]) * _CUBIC_CM[match[2].lower()]


def _read_money(text: str) -> Worth:
    match = _MONEY.fullmatch(text)
    if match is None:
        raise ValueError(f"An amount is a number with its currency, such as 100USD, not {text!r}")
    amount, currency = match[1] or match[4], str(match[2] or match[3]).upper()
    if currency not in list_currencies():
        raise ValueError(f"There is no currency {currency}.{suggest_nearest(currency, list_currencies())}")
    return Worth(currency, Decimal(amount))


def _read_count(text: str) -> Decimal:
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a whole number")
    return Decimal(match[1])


def _read_hour(text: str) -> Decimal:
    if not text.isdecimal() or int(text) > LAST_HOUR:
        raise ValueError(f"{text!r} is not an hour of the day, 0 to {LAST_HOUR}")
    return Decimal(text)


def _read_day(text: str) -> Decimal:
    word = text.casefold()
    matches = [number for number, name in enumerate(WEEKDAYS) if word in (name, name[:3])]
    if not matches:
        raise ValueError(f"{text!r} is not a day of the week.{suggest_nearest(word, (*WEEKDAYS, *DAYS))}")
    return Decimal(matches[0])


def _read_country(text: str) -> str:
    code = find_country_code(text)
    if code is None:
        raise ValueError(f"There is no country {text!r}.{suggest_nearest(text, list_countries().values())}")
    return code


READERS: dict[str, Callable[[str], Any]] = {
    "weight": _read_weight, "length": _read_length, "volume": _read_volume, "money": _read_money,
    "count": _read_count, "hour": _read_hour, "day": _read_day, "country": _read_country,
    "state": fold_text, "text": fold_words, "texts": fold_words, "code": fold_code,
}  # fmt: skip

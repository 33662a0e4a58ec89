"""Weights and lengths: exact conversion, and reading them as people type them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, NamedTuple

from shipcli.models.basics.decimals import AMOUNT, read_typed_amount
from shipcli.models.basics.errors import Invalid

# Value in the first unit = value in the second, times or divided by the constant.
_WEIGHT_FACTORS: Final = {
    ("KG", "LB"): ("/", Decimal("2.205")),
    ("KG", "OZ"): ("/", Decimal("35.274")),
    ("KG", "G"): ("/", Decimal(1000)),
    ("LB", "KG"): ("*", Decimal("2.205")),
    ("LB", "OZ"): ("/", Decimal(16)),
    ("LB", "G"): ("/", Decimal("453.6")),
    ("OZ", "LB"): ("*", Decimal(16)),
    ("OZ", "KG"): ("*", Decimal("35.274")),
    ("OZ", "G"): ("/", Decimal("28.35")),
    ("G", "LB"): ("*", Decimal("453.6")),
    ("G", "KG"): ("*", Decimal(1000)),
    ("G", "OZ"): ("*", Decimal("28.35")),
}
_INCH_IN_CM: Final = Decimal("2.54")
_PER_CM: Final = {"CM": Decimal(1), "MM": Decimal(10), "M": Decimal("0.01")}
_WEIGHT_UNITS: Final = ("KG", "LB", "OZ", "G")
_LENGTH_UNITS: Final = ("CM", "IN")

_WEIGHT = re.compile(rf"{AMOUNT}\s*([a-z]*)\.?", re.IGNORECASE)
_POUNDS_OUNCES = re.compile(
    rf"{AMOUNT}\s*(?:lbs?|pounds?)\.?\s*(?:,|&|and)?\s*{AMOUNT}\s*(?:ozs?|ounces?)\.?", re.IGNORECASE
)
_SIZE = re.compile(rf"{AMOUNT}\s*[x×*]\s*{AMOUNT}\s*[x×*]\s*{AMOUNT}\s*([a-z\"]*)\.?", re.IGNORECASE)
_LENGTH = re.compile(rf"{AMOUNT}\s*([a-z\"]*)\.?", re.IGNORECASE)
_WEIGHT_WORDS: Final = {
    "kgs": "KG", "kilo": "KG", "kilos": "KG", "kilogram": "KG", "kilograms": "KG", "kilogramm": "KG",
    "kilogrammes": "KG", "kilogramme": "KG", "lbs": "LB", "pound": "LB", "pounds": "LB", "ozs": "OZ",
    "ounce": "OZ", "ounces": "OZ", "gr": "G", "grs": "G", "gm": "G", "gms": "G", "gram": "G", "grams": "G",
    "gramm": "G", "gramme": "G", "grammes": "G",
}  # fmt: skip
_LENGTH_WORDS: Final = {
    '"': "IN", "ins": "IN", "inch": "IN", "inches": "IN", "cms": "CM", "centimeter": "CM",
    "centimeters": "CM", "centimetre": "CM", "centimetres": "CM", "zentimeter": "CM",
}  # fmt: skip


class Units(NamedTuple):
    """The units of numbers without one; None if every number must name its own."""

    weight: str | None = None
    size: str | None = None


KILOGRAMS: Final = Units("KG", "CM")  # what rows of files are counted in by the contract of the API


def convert_weight(value: Decimal, unit: str, to: str) -> Decimal:
    """A weight in another unit (KG, LB, OZ, G), not rounded.

    Errors: Invalid for a unit that is not one of the four.
    """
    if unit == to and unit in _WEIGHT_UNITS:
        return value
    if (to, unit) not in _WEIGHT_FACTORS:
        raise Invalid("weight_unit", f"cannot convert {unit} to {to}")
    sign, constant = _WEIGHT_FACTORS[to, unit]
    return value * constant if sign == "*" else value / constant


def convert_length(value: Decimal, unit: str, to: str) -> Decimal:
    """A length given in CM or IN as CM, IN, M or MM, not rounded.

    Errors: Invalid for another unit.
    """
    if unit not in _LENGTH_UNITS or (to != "IN" and to not in _PER_CM):
        raise Invalid("dimension_unit", f"cannot convert {unit} to {to}")
    if unit == to:
        return value
    if to == "IN":
        return value / _INCH_IN_CM
    centimetres = value * _INCH_IN_CM if unit == "IN" else value
    return centimetres / 100 if to == "M" else centimetres * _PER_CM[to]


def choose_dimension_unit(weight_unit: str) -> str:
    """The unit of sizes that came without one: CM beside KG, else IN."""
    return "CM" if weight_unit == "KG" else "IN"


def parse_weight(text: str, default: str | None = None) -> tuple[Decimal, str]:
    """A weight as typed: `1.2kg`, `2lb6oz`, `1lb 4oz`, or `2.3` in the default unit where there is one.

    Errors: Invalid on `weight`, also for a number without a unit if there is no default one.
    """
    pounds_ounces = _POUNDS_OUNCES.fullmatch(text.strip())
    if pounds_ounces:
        pounds = _add_ounces(pounds_ounces)
        return _check_above_zero("weight", pounds), "LB"
    match = _WEIGHT.fullmatch(text.strip())
    unit = _read_unit(match[2], _WEIGHT_WORDS, default) if match else ""
    if match and not unit:
        question = f"{match[1]} what? Say {match[1]}lb, {match[1]}kg or {match[1]}oz"
        raise Invalid("weight", f"{question}, or set the usual unit: shipcli config set weight_unit LB")
    if match is None or unit not in _WEIGHT_UNITS:
        raise Invalid("weight", f"{text!r} is not a weight such as 1.2kg, 20oz or 2lb6oz")
    return _check_above_zero("weight", read_typed_amount(match[1])), unit


def parse_size(text: str, default: str | None = None) -> tuple[Decimal, Decimal, Decimal, str]:
    """Length, width, height and unit as typed: `30x20x10cm`, `12x8x4in`, or in the default unit.

    Errors: Invalid on `dimensions`, also for numbers without a unit if there is no default one.
    """
    match = _SIZE.fullmatch(text.strip())
    unit = _read_unit(match[4], _LENGTH_WORDS, default) if match else ""
    if match and not unit:
        question = f"{text.strip()} what? Say {text.strip()}cm or {text.strip()}in"
        raise Invalid("dimensions", f"{question}, or set the usual unit: shipcli config set size_unit IN")
    if match is None or unit not in _LENGTH_UNITS:
        raise Invalid("dimensions", f"{text!r} is not a size such as 30x20x10cm or 12x8x4in")
    length, width, height = (
        _check_above_zero("dimensions", read_typed_amount(match[group])) for group in (1, 2, 3)
    )
    return length, width, height, unit


def read_weight_word(word: str) -> str | None:
    """The unit that people mean by a word: LB by `lbs`, `LBS.` or `pounds`; None for another word."""
    unit = _read_unit(word.strip().removesuffix("."), _WEIGHT_WORDS, None)
    return unit if unit in _WEIGHT_UNITS else None


def read_length_word(word: str) -> str | None:
    """The unit of a length that people mean by a word; None for another word."""
    unit = _read_unit(word.strip().removesuffix("."), _LENGTH_WORDS, None)
    return unit if unit in _LENGTH_UNITS else None


def split_weight(text: str) -> tuple[str, str | None]:
    """The number and the unit of a weight; None for a bare number, and for what is no weight."""
    pounds_ounces = _POUNDS_OUNCES.fullmatch(text.strip())
    if pounds_ounces:
        pounds = _add_ounces(pounds_ounces)
        return str(pounds), "LB"
    match = _WEIGHT.fullmatch(text.strip())
    unit = read_weight_word(match[2]) if match and match[2] else None
    return (str(read_typed_amount(match[1])), unit) if match and unit else (text, None)


def split_length(text: str) -> tuple[str, str | None]:
    """The number and the unit of a length; None for a bare number, and for what is no length."""
    match = _LENGTH.fullmatch(text.strip())
    unit = read_length_word(match[2]) if match and match[2] else None
    return (str(read_typed_amount(match[1])), unit) if match and unit else (text, None)


def _add_ounces(match: re.Match[str]) -> Decimal:
    """Pounds and ounces as pounds."""
    ounces = convert_weight(read_typed_amount(match[2]), "OZ", "LB")
    return read_typed_amount(match[1]) + ounces


def _read_unit(word: str, words: dict[str, str], default: str | None) -> str:
    return words.get(word.lower(), word.upper()) if word else default or ""


def _check_above_zero(field: str, value: Decimal) -> Decimal:
    if value <= 0:
        raise Invalid(field, "must be greater than 0")
    return value

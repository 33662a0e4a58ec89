"""Weights, sizes and money of rows: a number says its unit in its cell, in a column, or in its heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from shipcli.models.basics.enums import DIMENSION_UNITS, WEIGHT_UNITS
from shipcli.models.basics.reference import list_currencies
from shipcli.models.basics.units import Units, read_length_word, read_weight_word, split_length, split_weight
from shipcli.readers.cells import (
    CellErrors,
    Cells,
    describe_unknown_word,
    read_amount,
    read_currency,
    read_number,
    shorten_value,
)
from shipcli.readers.transforms import find_amount, find_currency

SIZES = ("width", "height", "length")
# `Weight (lb)`, `Gewicht [kg]`, `Weight in oz`, `weight_g`, `Price USD`; a run of separators is read once.
_IN_HEADING = re.compile(
    r"(?P<name>.*?\S)"
    r"(?:\s*[(\[](?P<inside>[^()\[\]]{1,12})[)\]]"
    r"|(?<!.[\s_,-])[\s_,-]+(?:in\s+)?(?P<after>[A-Za-z]{1,9}))",
)
_MONEY = re.compile(
    r"-?(?:[A-Za-z]{2,3}\s?)?[$£€¥₹]?\s?-?[\d.,'\s\u00a0\u202f]*\d\s?(?:[A-Za-z]{3}|[$£€¥₹]|zł|kr)?",
    re.IGNORECASE,
)
Words = Callable[[str], str | None]


def _read_currency_word(word: str) -> str | None:
    return word.upper() if word.upper() in list_currencies() else None


# The end of the name of a field, and how its unit is read from a heading.
UNITS_OF: Mapping[str, Words] = {
    "weight": read_weight_word,
    **dict.fromkeys(SIZES, read_length_word),
    "value_amount": _read_currency_word,
}
UNIT_FIELDS: Mapping[str, str] = {
    "weight": "weight_unit",
    "value_amount": "value_currency",
    **dict.fromkeys(SIZES, "dimension_unit"),
    "parcel_weight": "parcel_weight_unit",
    **{f"parcel_{name}": "parcel_dimension_unit" for name in SIZES},
}  # amounts, and the fields of their units


def split_heading(field: str, heading: str) -> tuple[str, str | None]:
    """The name and the unit of a heading of a field's column: `Weight (lb)` is Weight, in LB."""
    words = UNITS_OF.get(field.removeprefix("parcel_"))
    match = _IN_HEADING.fullmatch(heading.strip()) if words else None
    unit = words(match["inside"] or match["after"]) if words and match else None
    return (match["name"], unit) if match and unit else (heading, None)


def read_weight(
    name: str, cells: Cells, units: Units, wrong: CellErrors, *, positive: bool = False
) -> tuple[Decimal | None, str]:
    """A weight and its unit: its cell's own (`2lb 6oz`), that of its column, else the usual one.

    One without any is wrong.
    """
    text = cells.get(name, "")
    number, own = split_weight(text)
    other = read_unit(f"{name}_unit", cells, read_weight_word, WEIGHT_UNITS, wrong)
    _check_agreement(name, text, own, other, wrong)
    unit = own or other or units.weight
    amount = read_number(name, {**cells, name: number}, wrong, positive=positive)
    if amount is not None and unit is None and not cells.get(f"{name}_unit"):
        reason = describe_missing_unit(text, WEIGHT_UNITS, "weight_unit=LB", "weight_unit LB")
        wrong.append((f"{name}_unit", reason))
    return amount, unit or WEIGHT_UNITS[0]


def read_sizes(
    prefix: str, cells: Cells, units: Units, wrong: CellErrors
) -> tuple[dict[str, Decimal | None], str | None]:
    """Width, height and length, and the unit that they share; sizes without any are wrong.

    Shapes: the names of the cells begin with `prefix`.
    """
    parts = {name: split_length(cells.get(f"{prefix}{name}", "")) for name in SIZES}
    numbers = {f"{prefix}{name}": number for name, (number, _) in parts.items()}
    sizes = {name: read_number(f"{prefix}{name}", {**cells, **numbers}, wrong) for name in SIZES}
    column = f"{prefix}dimension_unit"
    other = read_unit(column, cells, read_length_word, DIMENSION_UNITS, wrong)
    for name, (_, own) in parts.items():
        _check_agreement(f"{prefix}{name}", cells.get(f"{prefix}{name}", ""), own, other, wrong)
        other = other or own
    bare = next((number for number, own in parts.values() if number and not own), "")
    unit = other or (None if cells.get(column) else units.size)
    if bare and unit is None and not cells.get(column):
        wrong.append(
            (column, describe_missing_unit(bare, DIMENSION_UNITS, "dimension_unit=IN", "size_unit IN"))
        )
    return sizes, unit


def read_unit(name: str, cells: Cells, words: Words, choices: Sequence[str], wrong: CellErrors) -> str | None:
    """A unit in a column of its own, by any of its words."""
    text = cells.get(name, "")
    unit = words(text) if text else None
    if text and unit is None:
        wrong.append((name, describe_unknown_word("unit", text, choices)))
    return unit


def _check_agreement(name: str, text: str, own: str | None, other: str | None, wrong: CellErrors) -> None:
    if own and other and own != other:
        wrong.append((name, f"{shorten_value(text)} is in {own}, and the row says {other}"))


def describe_missing_unit(value: str, units: Sequence[str], cell: str, setting: str) -> str:
    """The error for a number without a unit, and how to give one here or in the settings."""
    hint = f"name a unit for each row, as by --set {cell}, or set the usual one: shipcli config set {setting}"
    return f"{shorten_value(value)} what? {', '.join(units)}: {hint}"


def read_value(
    name: str, currency: str, cells: Cells, wrong: CellErrors, *, negative: bool = True
) -> tuple[Decimal | None, str | None]:
    """An amount of money and its currency; the cell may say both, as in `32.5USD` or `$9.50`."""
    text, code = cells.get(name, ""), read_currency(currency, cells, wrong)
    read = read_amount if negative else read_number
    if not (text and _MONEY.fullmatch(text)) or text.replace(".", "", 1).isdigit():
        return read(name, cells, wrong), code
    own = find_currency(text)
    is_sign_only = not any(letter.isalpha() for letter in text)
    if own and code and own != code and not is_sign_only:
        wrong.append((name, f"{shorten_value(text)} is in {own}, and the row says {code}"))
    return read(name, {name: find_amount(text)}, wrong), code or own or None

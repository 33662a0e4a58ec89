"""Cells as values: numbers, units, words, countries, addresses. Errors are collected in a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from shipcli.models import Invalid, find_nearest, json, read_decimal, reference
from shipcli.models.basics.barcodes import read_barcode
from shipcli.models.basics.decimals import convert_decimal_comma
from shipcli.models.basics.places import find_country_code
from shipcli.models.basics.plain_text import break_lines, drop_unprintable, join_lines
from shipcli.models.basics.text import LiteralText, list_nearest

YES = frozenset({"yes", "true", "y", "1"})
NO = frozenset({"no", "false", "n", "0", ""})
WHOLE = re.compile(r"([0-9]{1,9})(?:[.,]00?)?")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
COMPACT_DAY = len("20261120")
PARTED_DAY = re.compile(r"(\d{1,2}|\d{4})([-./])(\d{1,2})\2(\d{1,2}|\d{4})")
NAMED_DAYS = ("%d-%b-%Y", "%d %b %Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y")  # in English
TIME_OF_DAY = re.compile(r"[T ]\d{2}:\d{2}.{0,30}")
# What spreadsheets put in the place of a value that they can't compute.
NO_VALUE = "#N/A"
ERRORS = frozenset({
    NO_VALUE, "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"
})  # fmt: skip
# What spreadsheets make of a long number, such as one to track a parcel by, unless its cell is text.
SHORTENED = re.compile(r"\d(?:[.,]\d+)?[eE]\+[1-9]\d")
FEW = 12  # words that are listed
AT_MOST = re.compile(r"at most (\d+) characters")
CUT_SHORT = "is a number that a spreadsheet cut short: make the column text, then write it there in full"
Cells = Mapping[str, str]
BodyT = TypeVar("BodyT", bound=BaseModel)
CellErrors = list[tuple[str, str]]  # field and reason of every wrong cell of a row
NO_HEADERS: Mapping[str, str] = {}

OBJECTS = frozenset({"metadata", "order_metadata", "options", "items"})  # columns of JSON
# The ends of the names of columns whose cells may have several lines.
SEVERAL_LINES = ("_address1", "_address2", "_address3", "description")


@dataclass(frozen=True, slots=True)
class CellError:
    """One wrong cell."""

    row: int
    column: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return {"row": self.row, "column": self.column, "reason": self.reason}


def list_cell_errors(
    row: int, wrong: CellErrors, columns: Mapping[str, str], defaults: Mapping[str, str] = NO_HEADERS
) -> tuple[CellError, ...]:
    """The errors of a row by the headers of its file; a field without one has its default header."""
    return tuple(
        CellError(row, columns.get(name) or defaults.get(name, name), reason) for name, reason in wrong
    )


def clean_cells(cells: dict[str, str], notes: CellErrors) -> None:
    """Cells in plain text: on one line but for those of addresses, without what no paper shows."""
    for name, value in cells.items():
        if (value.isascii() and value.isprintable()) or name in OBJECTS:
            continue
        text = break_lines(value) if name.endswith(SEVERAL_LINES) else join_lines(value)
        cells[name], left_out = drop_unprintable(text)
        if left_out:
            notes.append(
                (name, f"{shorten_value(cells[name])} is without signs that no label shows: {left_out}")
            )


def check_values(cells: Cells, wrong: CellErrors) -> None:
    """Formulas that came without their value, errors that stand in the place of one, and numbers that a
    spreadsheet has cut short.
    """
    for name, value in cells.items():
        if is_formula(value):
            wrong.append((name, f"{shorten_value(value)} is a formula without a value"))
        elif value in ERRORS:
            wrong.append((name, f"{value} is an error of the spreadsheet"))
        elif SHORTENED.fullmatch(value):
            wrong.append((name, f"{shorten_value(value)} {CUT_SHORT}"))


def is_formula(value: str) -> bool:
    """Whether a cell holds a formula; one that its file says is text does not."""
    return value.startswith("=") and len(value) > 1 and not isinstance(value, LiteralText)


def check_model(
    model: type[BodyT],
    body: Mapping[str, Any],
    wrong: CellErrors,
    cells: Cells,
    column_of: Callable[[str], str] = str,
) -> BodyT | None:
    """A body as its model; its errors are added to the wrong cells, each column once.

    Shapes: `column_of` gives the column behind a field.
    """
    try:
        return model.model_validate(body)
    except ValidationError as error:
        columns = {name for name, _ in wrong}
        for problem in Invalid.from_pydantic(error).problems:
            name = column_of(problem.field)
            if name not in columns:
                columns.add(name)
                wrong.append((name, _describe_problem(problem.reason, cells.get(name))))
        return None


def _describe_problem(reason: str, value: str | None) -> str:
    """What is wrong with a cell, and its content; an empty one is reported as required."""
    if value:
        most = AT_MOST.search(reason)
        left = value[int(most[1]) :].strip() if most else ""
        return f"{shorten_value(value)} {reason}" + (f": no room for {left!r}" if left else "")
    return reason if "required" in reason else "is required"


def read_country(name: str, cells: Cells, wrong: CellErrors) -> str | None:
    """The code of a country, which may be given by name."""
    value = cells.get(name, "")
    country_code = find_country_code(value)
    if value and country_code is None:
        names = reference.list_countries()
        near = find_nearest(value, [*names.values()]) or find_nearest(value.upper(), list(names))
        hint = f"; did you mean {near}?" if near else "; a two-letter country code is expected"
        wrong.append((name, f"{shorten_value(value)} is not a country{hint}"))
    return country_code


def read_currency(name: str, cells: Cells, wrong: CellErrors) -> str | None:
    value = cells.get(name, "").upper()
    if value and value not in reference.list_currencies():
        wrong.append((name, describe_unknown_word("currency", cells[name], reference.list_currencies())))
        return None
    return value or None


def read_day(name: str, cells: Cells, wrong: CellErrors) -> str | None:
    """A day as YYYY-MM-DD, also from other spellings of which none is another day; a time is left out."""
    text = cells.get(name, "")
    value = text[:10] if TIME_OF_DAY.fullmatch(text[10:]) else text
    days = list_days(value)
    if len(days) == 1:
        return days[0].isoformat()
    if days:
        both = " or ".join(day.isoformat() for day in days)
        wrong.append((name, f"{shorten_value(value)} can be {both}: write it so"))
    elif value:
        wrong.append((name, f"{shorten_value(value)} is not a date written YYYY-MM-DD"))
    return None


def list_days(text: str) -> list[date]:
    """The days that a text can stand for: none, one, or two where the month may come first."""
    if DAY.fullmatch(text):
        return _make_days([(text[:4], text[5:7], text[8:])])
    if len(text) == COMPACT_DAY and text.isdecimal():
        return _make_days([(text[:4], text[4:6], text[6:])])
    if not (match := PARTED_DAY.fullmatch(text)):
        return [day for form in NAMED_DAYS if (day := _parse_named(text, form))]
    first, sign, second, third = match.groups()
    if len(first) == len("2026"):
        return _make_days([(first, second, third)])
    year = third if len(third) == len("2026") else f"20{third}"
    months_first = [] if sign == "." else [(year, first, second)]
    return _make_days([(year, second, first), *months_first])


def _make_days(parts: Iterable[tuple[str, str, str]]) -> list[date]:
    """The days of years, months and days that there are."""
    days = set()
    for year, month, day in parts:
        with suppress(ValueError):
            days.add(date(int(year), int(month), int(day)))
    return sorted(days)


def _parse_named(text: str, form: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()
    except ValueError:
        return None


def read_whole_number(name: str, cells: Cells, wrong: CellErrors) -> int:
    """A whole number; an empty cell gives 1, "2.0" and "2.00" are 2, "2.000" may be more."""
    value = cells.get(name) or "1"
    match = WHOLE.fullmatch(value)
    if match is None:
        wrong.append((name, f"{shorten_value(value)} is not a whole number"))
    return int(match[1]) if match else 1


def read_amount(name: str, cells: Cells, wrong: CellErrors) -> Decimal | None:
    """A number, which may be negative."""
    value = cells.get(name, "")
    if not value:
        return None
    try:
        return read_decimal(convert_decimal_comma(value))
    except ValueError:
        wrong.append((name, f"{shorten_value(value)} is not a number"))
        return None


def clean_tracking_number(value: str) -> str:
    """A tracking number without the blanks and the rest of a barcode that people copy with it."""
    return "".join(read_barcode(value).split())


def shorten_value(value: str) -> str:
    return repr(value if len(value) <= 40 else value[:37] + "...")


def describe_unknown_word(what: str, value: str, words: Iterable[str]) -> str:
    """What is wrong with a word, and the nearest ones; all where they are few or none is near."""
    names = sorted(words)
    near = list_nearest(value, names)
    hint = [f"did you mean {near[0]}?"] if near else []
    hint += [f"also near: {', '.join(near[1:])};"] if near[1:] else []
    if not near or len(names) <= FEW:
        hint.append(f"known: {', '.join(names[:FEW])}{', ...' if len(names) > FEW else ''}")
    return f"{shorten_value(value)} is not a known {what}; {' '.join(hint).rstrip(';')}"


def read_number(name: str, cells: Cells, wrong: CellErrors, *, positive: bool = False) -> Decimal | None:
    """A number that is not negative, nor zero if it must be positive."""
    amount = read_amount(name, cells, wrong)
    if amount is not None and (amount < 0 or (positive and amount == 0)):
        reason = "must be more than 0" if positive else "must not be negative"
        wrong.append((name, f"{shorten_value(cells[name])} {reason}"))
    return amount


def read_boolean(name: str, cells: Cells, wrong: CellErrors) -> bool:
    value = cells.get(name, "").lower()
    if value not in YES | NO:
        wrong.append((name, f"{shorten_value(value)} is neither yes nor no"))
    return value in YES


def read_json_object(name: str, cells: Cells, wrong: CellErrors) -> dict[str, Any]:
    text = cells.get(name, "")
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError as error:
        wrong.append((name, f"{shorten_value(text)} is not JSON: {error}"))
        return {}
    if not isinstance(value, dict):
        wrong.append((name, f"{shorten_value(text)} is not a JSON object"))
        return {}
    return value

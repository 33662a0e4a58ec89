"""Small changes a mapping makes to a cell.

One that does not fit leaves the cell as it is, so that the reader names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.places import find_country_code
from shipcli.models.basics.text import find_nearest

# It may begin with its point; the one in "Rs.500" is of the word.
_NUMBER = re.compile(r"-?(?:\d|(?<!\w)[.,](?=\d))[\d.,' \u00a0\u202f]*")
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:,\d{3})+")
_CODE = re.compile(r"\b[A-Z]{3}\b")
_SIGNS: Mapping[str, str] = {
    "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "US$": "USD",
    "R$": "BRL", "$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "zł": "PLN", "kr": "SEK",
}  # fmt: skip


def _strip_apostrophe(value: str, _: str) -> str:
    return value.removeprefix("'").strip()


def _convert_country(value: str, _: str) -> str:
    return find_country_code(value) or value


def _cut_text(value: str, length: str) -> str:
    return value[: int(length)].rstrip()


def _convert_date(value: str, forms: str) -> str:
    """The day of an instant, or of a date in one of the forms (`%m/%d/%y|%d.%m.%Y`)."""
    for form in forms.split("|") if forms else ():
        try:
            return f"{datetime.strptime(value, form):%Y-%m-%d}"
        except ValueError:
            continue
    try:
        return date.fromisoformat(value[:10]).isoformat() if value[10:11] in ("", "T", " ") else value
    except ValueError:
        return value


def find_amount(value: str) -> str:
    """The number in an amount such as `$1,234.50`, `12,50 €` or `US $12.00`."""
    match = _NUMBER.search(value)
    if not match:
        return value
    digits = re.sub(r"[' \u00a0\u202f]", "", match[0]).rstrip(".,")
    sign = "-" if value.lstrip().startswith(("-", "(")) and not digits.startswith("-") else ""
    return sign + _convert_separators(digits)


def _convert_separators(digits: str) -> str:
    """The last of two kinds of separator is the decimal point; a comma before three digits groups them."""
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        return digits.replace("," if comma < point else ".", "").replace(",", ".")
    return digits.replace(",", "" if _GROUPED.fullmatch(digits) else ".")


def find_currency(value: str) -> str:
    """The currency in an amount, by its code or its sign."""
    code = _CODE.search(value)
    if code:
        return code[0]
    compact = value.replace(" ", "")
    return next((name for sign, name in _SIGNS.items() if sign in compact), "")


def _find_part(value: str, number: str) -> str:
    """One part of a text with commas between its parts, counted from the end."""
    parts = [part.strip() for part in value.split(",")]
    return parts[-int(number)] if 0 < int(number) <= len(parts) else ""


def _drop_parts(value: str, number: str) -> str:
    """A text without so many of its last parts between commas."""
    return ", ".join(part.strip() for part in value.split(",")[: -int(number) or None])


TRANSFORMS: Mapping[str, Callable[[str, str], str]] = {
    "strip_apostrophe": _strip_apostrophe,
    "upper": lambda value, _: value.upper(),
    "lower": lambda value, _: value.lower(),
    "country": _convert_country,
    "cut": _cut_text,
    "part_from_end": _find_part,
    "without_last": _drop_parts,
    "date": _convert_date,
    "amount": lambda value, _: find_amount(value),
    "currency": lambda value, _: find_currency(value),
}
NEED_NUMBER = frozenset({"cut", "part_from_end", "without_last"})


def is_cut(transform: str) -> bool:
    """Whether a transform cuts text off."""
    return transform.partition(":")[0] == "cut"


def check(transform: str) -> None:
    """Errors: Invalid for an unknown transform, or one that lacks its argument."""
    name, _, argument = transform.partition(":")
    if name not in TRANSFORMS:
        near = find_nearest(name, TRANSFORMS)
        hint = f" Did you mean {near}?" if near else f" Known: {', '.join(TRANSFORMS)}."
        raise Invalid("transforms", f"There is no transform {name!r}.{hint}")
    if name in NEED_NUMBER and not (argument.isascii() and argument.isdigit()):
        raise Invalid("transforms", f"{name} needs a number, as in {name}:35.")


def transform(value: str, transforms: list[str]) -> str:
    """A cell after all its changes."""
    for transform in transforms:
        name, _, argument = transform.partition(":")
        value = TRANSFORMS[name](value, argument) if value else value
    return value

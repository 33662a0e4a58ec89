"""Addresses in the pieces that carriers want: street numbers, names, phone numbers, short lines.

Source: the recorded requests: a street number is the one given, else the first or last word of the
first line that holds a digit.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shipcli.models.basics.phones import split_extension
from shipcli.models.parts.address import PostalAddress

NORTH_AMERICA = frozenset({"US", "CA", "PR"})
CALLING_CODES = {
    "AT": "43", "AU": "61", "BE": "32", "CA": "1", "CH": "41", "CN": "86", "CZ": "420", "DE": "49",
    "DK": "45", "ES": "34", "FI": "358", "FR": "33", "GB": "44", "HU": "36", "IE": "353",
    "IN": "91", "IT": "39", "JP": "81", "LU": "352", "MX": "52", "NL": "31", "NO": "47", "NZ": "64",
    "PL": "48", "PR": "1", "PT": "351", "SE": "46", "SG": "65", "US": "1", "ZA": "27",
}  # fmt: skip

WHOLE_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


class Street(NamedTuple):
    number: str | None
    name: str | None


def split_street(address: PostalAddress) -> Street:
    """Return the house number and the name of the street."""
    line = (address.address_line1 or "").strip()
    if address.street_number:
        return Street(address.street_number, line or None)
    words = line.split()
    for at in (0, -1) if len(words) > 1 else ():
        if any(letter.isdigit() for letter in words[at]):
            remaining = words[1:] if at == 0 else words[:-1]
            return Street(words[at].rstrip(","), " ".join(remaining).rstrip(","))
    return Street(None, line or None)


class PersonName(NamedTuple):
    first: str | None
    last: str | None


def split_name(name: str | None) -> PersonName:
    """Return first and last name; a single word is a first name."""
    words = (name or "").split()
    if not words:
        return PersonName(None, None)
    return PersonName(words[0], " ".join(words[1:]) or None)


def read_phone_digits(number: str | None, most: int | None = None) -> str | None:
    """Return the digits of a phone number without extension: the last ones if the carrier takes fewer."""
    digits = re.sub(r"\D", "", split_extension(number or "")[0])
    return (digits[-most:] if most else digits) or None


class PhoneParts(NamedTuple):
    country: str | None
    area: str | None
    local: str | None


def split_phone(number: str | None, country: str | None) -> PhoneParts:
    """Return calling code, area code and the rest; the area code is known in North America only.

    Shapes: `+1 514-555-0134` is 1, 514, 5550134; abroad the whole national number is local.
    """
    digits = read_phone_digits(number)
    if digits is None:
        return PhoneParts(None, None, None)
    code = CALLING_CODES.get(country or "")
    if code and (number or "").strip().startswith(("+", "00")):
        digits = digits.removeprefix("00").removeprefix(code)
    if country in NORTH_AMERICA:
        digits = digits[-10:]
        return PhoneParts(code, digits[:-7] or None, digits[-7:])
    return PhoneParts(code, None, digits)


def cut_text(text: str | None, most: int) -> str | None:
    """Return the first so many characters, or None if there are none."""
    return (text or "").strip()[:most].strip() or None


def fit_email(email: str | None, most: int) -> str | None:
    """Return an e-mail address that has room in so many characters, else None: a part of one is another.

    A text that is no address is none either.
    """
    text = (email or "").strip()
    return text if len(text) <= most and WHOLE_EMAIL.fullmatch(text) else None


def fit_phone(number: str | None, most: int) -> str | None:
    """Return a phone number that has room in so many characters, by its digits alone if need be, else None.

    A part of one is another number. An extension is left out before the number is.
    """
    text = (number or "").strip()
    if len(text) <= most:
        return text or None
    digits = f"{'+' if text.startswith('+') else ''}{read_phone_digits(text) or ''}"
    return digits if len(digits) <= most else None


def cut_lines(lines: Iterable[str], width: int, most: int) -> list[str]:
    """Return the lines wrapped at words to a width; lines that the carrier has no room for are cut off."""
    return [part for line in lines for part in textwrap.wrap(line, width)][:most]


def wrap_lines(lines: Sequence[str], width: int, most: int) -> list[str]:
    """Return the lines wrapped at words, else joined and wrapped, as far as they fit; else as they are."""
    wrapped = [part for line in lines for part in textwrap.wrap(line, width)]
    if len(wrapped) <= most:
        return wrapped
    run_on = textwrap.wrap(" ".join(lines), width)
    return run_on if len(run_on) <= most else list(lines)

"""The tracking number in a barcode as it is scanned, or as people copy it.

Sources: UPU S10; GS1 General Specifications; USPS Intelligent Mail Package Barcode specification; FedEx
Ground and Express barcode specification; DPD parcel label guide; ISO/IEC 15424 for the prefixes of scanners.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from shipcli.models.basics.check_digits import (
    compute_fedex_check_digit,
    compute_mixed_check_character,
    compute_postal_check_digit,
    compute_ups_check_digit,
    has_check_digit,
)

_SCANNER = re.compile(r"\A\s*\][A-Za-z][0-9A-Za-z]")  # what a scanner may put before a code: ]C1
_FILLERS = re.compile(r"[\s().\x1d\u2010-\u2015-]")
_ONE_Z = re.compile(r"(?=(1Z[0-9A-Z]{15}[0-9]))")
_FEDEX_34, _FEDEX_22 = re.compile(r"(?:10|96)\d{32}"), re.compile(r"96\d{20}")
_ROUTED = re.compile(r"420\d{5}")
_IMPB = re.compile(r"9[1-5](?:\d{18}|\d{20}|\d{24}|\d{28})")
_ZIP_LENGTHS, _PREFIX = (5, 9), 3
_DPD_LONG = re.compile(r"[0-9A-Z]{7}(\d{14})\d{6}[0-9A-Z]")
_POSTAL = re.compile(r"[A-Z]{2}\d{9}[A-Z]{2}")
_LONG_DIGITS = re.compile(r"\d{15,26}")


def read_barcode(text: str) -> str:
    """Return the tracking number in a scanned or copied text; any other text as it is, without blanks around.

    Shapes: `]C1420902109261290100130739674083`, `9205 5901 6491 ...`, `UPS 1Z 999 AA1 ...`, all of a barcode
            of FedEx or DPD. Words that only might be a number stay as they are.
    """
    scanned, bare = _SCANNER.match(text), compress_number(text)
    number = next((candidate for find in _READERS if (candidate := find(bare))), None)
    return number or (bare if scanned else text.strip())


def compress_number(text: str) -> str:
    """Return a number in capitals without blanks, hyphens, brackets, and what a scanner puts before it."""
    return _FILLERS.sub("", _SCANNER.sub("", text, count=1)).upper().removeprefix("%")


def _find_one_z(bare: str) -> str | None:
    numbers = (match[1] for match in _ONE_Z.finditer(bare))
    return next(
        (number for number in numbers if number[-1] == str(compute_ups_check_digit(number[2:-1]))), None
    )


def _cut_fedex(bare: str) -> str | None:
    """The last 12 digits of 34, the last 15 of 22."""
    if _FEDEX_34.fullmatch(bare) and bare[-1] == str(compute_fedex_check_digit(bare[-12:-1])):
        return bare[-12:]
    return bare[-15:] if _FEDEX_22.fullmatch(bare) and has_check_digit(bare[-15:]) else None


def _cut_routing(bare: str) -> str | None:
    """What follows 420 and a ZIP code of 5 or 9 digits: the one with a right check digit, else the longer."""
    if not _ROUTED.match(bare):
        return None
    rests = [bare[_PREFIX + length :] for length in _ZIP_LENGTHS]
    numbers = [number for number in rests if _IMPB.fullmatch(number)]
    return next(filter(has_check_digit, numbers), numbers[0] if numbers else None)


def _cut_dpd(bare: str) -> str | None:
    """The 14 digits of a parcel in a label's code: ZIP code, number, service, country, check."""
    match = _DPD_LONG.fullmatch(bare)
    right = match and bare[-1] == compute_mixed_check_character(bare[:-1])
    return match[1] if match and right else None


def _keep_checked(bare: str) -> str | None:
    """A long number, or a postal one, whose check digit is right, in groups or not."""
    if _POSTAL.fullmatch(bare):
        return bare if bare[10] == str(compute_postal_check_digit(bare[2:10])) else None
    return bare if _LONG_DIGITS.fullmatch(bare) and has_check_digit(bare) else None


_READERS: Sequence[Callable[[str], str | None]] = (
    _find_one_z, _cut_fedex, _cut_routing, _cut_dpd, _keep_checked,
)  # fmt: skip

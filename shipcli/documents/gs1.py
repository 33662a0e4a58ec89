"""GS1 numbers and bars: serial shipping container codes, and Code 128 with the function character FNC1.

Source: GS1 General Specifications, sections 3.3 (SSCC), 5.4 (GS1-128) and 7.9 (check digits).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shipcli.drawing import code128
from shipcli.drawing.code128 import START_B, START_C, TO_B, TO_C
from shipcli.models.basics.errors import Invalid

FNC1 = 102
SSCC, CONTENT, COUNT, SHIP_TO_POST, ORDER = "00", "02", "37", "420", "400"
# Application identifiers whose data has one length; all others end with FNC1 unless they come last.
FIXED = {"00": 18, "01": 14, "02": 14, "11": 6, "13": 6, "15": 6, "17": 6, "410": 13}
LONGEST = 48  # characters of one symbol, its FNC1 after variable data included
SSCC_DIGITS, SERIAL_DIGITS = 18, 16

ELEMENT = re.compile(r"\(([0-9]{2,4})\)((?:(?!\([0-9]{2,4}\)).)+)")

Element = tuple[str, str]


def compute_check_digit(body: str) -> int:
    """The digit that makes the weighted sum a multiple of ten: weights 3 and 1 from the right."""
    return -sum(int(digit) * (3, 1)[at % 2] for at, digit in enumerate(reversed(body))) % 10


def make_sscc(prefix: str, serial: int, extension: int = 0) -> str:
    """A container code made of a company prefix and a serial number.

    Errors: Invalid on `gs1_prefix` if the prefix is invalid, on `serial` if no number is left.
    """
    if not re.fullmatch(r"[0-9]{7,10}", prefix):
        raise Invalid("gs1_prefix", "must be a GS1 company prefix of 7 to 10 digits")
    room = SERIAL_DIGITS - len(prefix)
    if serial >= 10**room:
        raise Invalid("serial", f"there are only {10**room} numbers of this prefix")
    body = f"{extension}{prefix}{serial:0{room}}"
    return f"{body}{compute_check_digit(body)}"


def is_sscc(number: str) -> bool:
    """Whether a text is a container code with a right check digit."""
    return bool(re.fullmatch(r"[0-9]{18}", number)) and compute_check_digit(number[:-1]) == int(number[-1])


def format_elements(elements: Sequence[Element]) -> str:
    """The line below the bars: `(00)123...`."""
    return "".join(f"({identifier}){data}" for identifier, data in elements)


def read_elements(text: str) -> list[Element]:
    """What the line below the bars says; signs in brackets other than 2 to 4 digits are data.

    Errors: ValueError if a part of it belongs to no identifier.
    """
    elements = ELEMENT.findall(text)
    if format_elements(elements) != text:
        raise ValueError(f"{text!r} is not written as (identifier)data, (10)LOT-7 for example")
    return elements


def list_values(elements: Sequence[Element]) -> list[int]:
    """The symbol values from start to check symbol, FNC1 first and after data of no fixed length.

    Errors: ValueError for data that GS1-128 can't hold.
    """
    parts = _list_parts(elements)
    values = [START_C if _has_digit_pairs(parts[0]) else START_B, FNC1]
    digits = values[0] == START_C
    for at, part in enumerate(parts):
        pairs = _has_digit_pairs(part)
        if pairs != digits:
            values.append(TO_C if pairs else TO_B)
            digits = pairs
        values += code128.encode_pairs(part) if pairs else [ord(letter) - 32 for letter in part]
        if at + 1 < len(parts) and elements[at][0] not in FIXED:
            values.append(FNC1)
    return code128.add_check_symbol(values)


def _list_parts(elements: Sequence[Element]) -> list[str]:
    parts = [identifier + data for identifier, data in elements]
    whole = "".join(parts)
    if not parts or not (whole.isascii() and whole.isprintable()) or len(whole) + len(parts) - 1 > LONGEST:
        raise ValueError(f"GS1-128 can't hold {format_elements(elements)}")
    for identifier, data in elements:
        length = FIXED.get(identifier)
        if length and not (data.isdigit() and len(data) == length):
            raise ValueError(f"GS1-128 can't hold ({identifier}){data}: it takes {length} digits")
    return parts


def _has_digit_pairs(part: str) -> bool:
    return part.isdigit() and len(part) % 2 == 0


def count_modules(elements: Sequence[Element]) -> int:
    """How many modules wide the symbol is, quiet zones left out."""
    return 11 * (len(list_values(elements)) + 1) + 2


def list_bars(elements: Sequence[Element]) -> list[tuple[int, int]]:
    """Every bar as (offset, width) in modules."""
    return code128.list_value_bars(list_values(elements))

"""The forms of tracking numbers, so that a mistyped number is noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

FIRST_LETTER = 63
POSTAL_WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def _accept_any(number: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class NumberForm:
    """One form: its name, a pattern of the whole number, and the check of its digits."""

    name: str
    pattern: str
    check: Callable[[str], bool] = _accept_any

    @property
    def is_checked(self) -> bool:
        """Whether its numbers have a check digit, which a mistyped number seldom has by chance."""
        return self.check is not _accept_any

    def fits(self, number: str) -> bool:
        return bool(re.fullmatch(self.pattern, number)) and self.check(number)


def has_check_digit(number: str) -> bool:
    """Whether the last digit is that of modulus 10, weights 3 and 1 from the right.

    Source: GS1 General Specifications 7.9; for USPS its Intelligent Mail Package Barcode specification.
    """
    return number[-1] == str(compute_check_digit(number[:-1]))


def compute_check_digit(body: str) -> int:
    """Return the digit after a row of digits, by modulus 10 with the weights 3 and 1 from the right."""
    return -sum(int(digit) * (1 if at % 2 else 3) for at, digit in enumerate(reversed(body))) % 10


def compute_postal_check_digit(body: str) -> int:
    """Return the digit after the eight digits of a number such as AA123456785XX. Source: UPU standard S10."""
    total = 11 - sum(map(int.__mul__, map(int, body), POSTAL_WEIGHTS)) % 11
    return {10: 0, 11: 5}.get(total, total)


def compute_waybill_check_digit(body: str) -> int:
    """Return the digit after the nine of a DHL Express waybill: their remainder modulo 7."""
    return int(body) % 7


def compute_ups_check_digit(body: str) -> int:
    """Return the digit after the fifteen characters that follow 1Z.

    Odd places count once, even places twice; the digit fills up to the next ten. Letters count as numbers: A
    is 2, H is 9, I is 0 again.
    """
    values = [int(one) if one.isdigit() else (ord(one) - FIRST_LETTER) % 10 for one in body]
    return -(sum(values[0::2]) + 2 * sum(values[1::2])) % 10


def compute_fedex_check_digit(body: str) -> int:
    """Return the digit after the eleven of a FedEx number, by modulus 11 with the weights 3, 1, 7; 10 is 0.

    Source: FedEx Ground and Express barcode specification; it holds for the published sample numbers.
    """
    return sum(int(digit) * (3, 1, 7)[at % 3] for at, digit in enumerate(body)) % 11 % 10


def _check_digit(compute: Callable[[str], int], start: int = 0, end: int = -1) -> Callable[[str], bool]:
    """Return the check that the digit at `end` is the one computed from the characters before it."""
    return lambda number: number[end] == str(compute(number[start:end]))


ONE_Z = NumberForm(
    "1Z, fifteen letters or digits, a check digit",
    "1Z[0-9A-Z]{15}[0-9]",
    _check_digit(compute_ups_check_digit, start=2),
)
POSTAL = NumberForm(
    "two letters, nine digits, two letters",
    r"[A-Z]{2}\d{9}[A-Z]{2}",
    _check_digit(compute_postal_check_digit, start=2, end=10),
)
FEDEX = (
    NumberForm("twelve digits, the last a check digit", r"\d{12}", _check_digit(compute_fedex_check_digit)),
    NumberForm("15, 20, 22 or 34 digits, of Ground and of long barcodes", r"\d{15}|\d{20}|\d{22}|\d{34}"),
    NumberForm("DT and the twelve digits of a door tag", r"DT\d{12}"),
)
WAYBILL = NumberForm("the 10 digits of a waybill", r"\d{10}", _check_digit(compute_waybill_check_digit))

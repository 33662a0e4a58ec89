"""The check digits of tracking numbers and barcodes."""

from __future__ import annotations

FIRST_LETTER = 63
POSTAL_WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)
CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    values = [
        int(character) if character.isdigit() else (ord(character) - FIRST_LETTER) % 10 for character in body
    ]
    return -(sum(values[0::2]) + 2 * sum(values[1::2])) % 10


def compute_fedex_check_digit(body: str) -> int:
    """Return the digit after the eleven of a FedEx number, by modulus 11 with the weights 3, 1, 7; 10 is 0.

    Source: FedEx Ground and Express barcode specification; it holds for the published sample numbers.
    """
    return sum(int(digit) * (3, 1, 7)[at % 3] for at, digit in enumerate(body)) % 11 % 10


def compute_luhn_digit(body: str) -> int:
    """Return the digit after a row of digits, by modulus 10 with every other digit doubled.

    Source: ISO/IEC 7812-1, annex B; it holds for the published sample numbers of Purolator.
    """
    doubled = (int(digit) * (1 if at % 2 else 2) for at, digit in enumerate(reversed(body)))
    return -sum(value - 9 if value > 9 else value for value in doubled) % 10


def compute_mixed_check_character(body: str) -> str:
    """Return the character after digits and letters, by modulus 37 and 36.

    Source: ISO/IEC 7064; DPD parcel label guide.
    """
    remainder = len(CHARACTERS)
    for character in body:
        remainder = (remainder + CHARACTERS.index(character)) % len(CHARACTERS) or len(CHARACTERS)
        remainder = remainder * 2 % (len(CHARACTERS) + 1)
    return CHARACTERS[(len(CHARACTERS) + 1 - remainder) % len(CHARACTERS)]

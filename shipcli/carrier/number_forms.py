"""The forms of tracking numbers, and whose they are, so that a mistyped number is noticed.

Sources: the formats in the carriers' folders; UPU standard S10; USPS Publication 199; DPD parcel label guide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shipcli.models.basics.check_digits import (
    compute_fedex_check_digit,
    compute_luhn_digit,
    compute_mixed_check_character,
    compute_postal_check_digit,
    compute_ups_check_digit,
    compute_waybill_check_digit,
    has_check_digit,
)


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
        return self.looks_like(number) and self.check(number)

    def looks_like(self, number: str) -> bool:
        """Whether a number has the form, whatever its check digit says."""
        return bool(re.fullmatch(self.pattern, number))


def _check_digit(compute: Callable[[str], int | str], start: int = 0, end: int = -1) -> Callable[[str], bool]:
    """Return the check that the digit at `end` is the one computed from the characters before it."""
    return lambda number: number[end] == str(compute(number[start:end]))


ONE_Z = NumberForm(
    "1Z, fifteen letters or digits, a check digit",
    "1Z[0-9A-Z]{15}[0-9]",
    _check_digit(compute_ups_check_digit, start=2),
)


_check_postal = _check_digit(compute_postal_check_digit, start=2, end=10)
POSTAL = NumberForm("two letters, nine digits, two letters", r"[A-Z]{2}\d{9}[A-Z]{2}", _check_postal)
# Long barcodes are read by `shipcli.models.basics.barcodes`: what is asked for is the number within.
FEDEX = (
    NumberForm("twelve digits, the last a check digit", r"\d{12}", _check_digit(compute_fedex_check_digit)),
    NumberForm("fifteen digits of Ground, the last a check digit", r"\d{15}", has_check_digit),
    NumberForm("DT and the twelve digits of a door tag", r"DT\d{12}"),
    NumberForm(
        "twenty digits of Ground Economy that begin with 61",
        r"61\d{18}",
        lambda number: has_check_digit(f"92{number}"),
    ),
)
USPS = (
    NumberForm(
        "20, 22 or 26 digits from 91 to 95, the last a check digit",
        r"9[1-5](?:\d{18}|\d{20}|\d{24})",
        has_check_digit,
    ),
    NumberForm(
        "20 digits that begin with 70, 03 or 23, the last a check digit",
        r"(?:70|03|23)\d{18}",
        has_check_digit,
    ),
    NumberForm("20 digits of Certified Mail that begin with 71 to 77", r"7[1-7]\d{18}"),
)
WAYBILL = NumberForm("the 10 digits of a waybill", r"\d{10}", _check_digit(compute_waybill_check_digit))
LICENCE_PLATE = NumberForm("JD or JJD and digits", r"J?JD\d{16,20}")
DHL_PARCEL = (
    NumberForm("00340 and 15 digits, the last a check digit", r"00340\d{15}", has_check_digit),
    NumberForm("340 and 15 digits, the last a check digit", r"340\d{15}", has_check_digit),
)
CANADA_PIN = NumberForm("16 digits, the last a check digit", r"\d{16}", has_check_digit)
PUROLATOR = (
    NumberForm("twelve digits, the last a check digit", r"\d{12}", _check_digit(compute_luhn_digit)),
    NumberForm("three letters and nine digits", r"[A-Z]{3}\d{9}"),
)
TNT = NumberForm("GE, nine digits, the last a check digit, a country", r"GE\d{9}[A-Z]{2}", _check_postal)
CHRONOPOST = NumberForm("X and a letter, nine digits, FR", r"X[A-Z]\d{9}FR", _check_postal)
COLISSIMO = NumberForm(
    "two letters or digits, eleven digits, the last a check digit",
    r"(?:[5-9][A-Z]|[A-Z]\d)\d{11}",
    lambda number: has_check_digit(number[2:]),
)
DPD = (
    NumberForm("14 digits that begin with 0 or 1", r"[01]\d{13}"),
    NumberForm(
        "14 digits and a check letter or digit",
        r"[01]\d{13}[0-9A-Z]",
        _check_digit(compute_mixed_check_character),
    ),
)
AMAZON = NumberForm("TBA and 12 digits", r"TBA\d{12}")
CANPAR = NumberForm("D and 21 digits", r"D\d{21}")
BPOST = NumberForm("24 digits that begin with 3232", r"3232\d{20}")
HAY_POST = NumberForm(
    "PAS, nine digits, AM", r"PAS\d{9}AM", _check_digit(compute_postal_check_digit, start=3, end=11)
)
ROYAL_MAIL = NumberForm("the 21 digits and letters A to F of a two-dimensional barcode", r"[0-9A-F]{21}")
AUSTRALIA_POST = (
    NumberForm("20 digits that begin with 00", r"00\d{18}"),
    NumberForm("three letters or digits and digits, of a consignment", r"(?=.*[A-Z])[0-9A-Z]{3}\d{4,7}"),
    NumberForm(
        "a consignment and 3 to 13 more, of an article", r"(?=.*[A-Z])[0-9A-Z]{3}\d{6,7}[0-9A-Z]{3,13}"
    ),
)
ECOMMERCE = NumberForm("GM and 16 to 22 digits", r"GM\d{16,22}")

# Postal carriers by country, the last two letters of a number such as RA123456785US.
POSTS = {
    "AM": ("hay_post",),
    "AU": ("australiapost",),
    "BE": ("bpost",),
    "CH": ("asendia_us",),
    "CA": ("canadapost",),
    "DE": ("dhl_parcel_de",),
    "FR": ("laposte", "colissimo", "chronopost"),
    "GB": ("royalmail",),
    "US": ("usps",),
}


@dataclass(frozen=True, slots=True)
class NumberOwner:
    """Number forms and the carriers that use them."""

    forms: Sequence[NumberForm]
    carriers: tuple[str, ...]


OWNERS: Sequence[NumberOwner] = (
    NumberOwner((ONE_Z,), ("ups",)),
    NumberOwner(USPS, ("usps",)),
    NumberOwner((CANADA_PIN,), ("canadapost",)),
    NumberOwner((LICENCE_PLATE,), ("dhl_parcel_de", "dhl_express")),
    NumberOwner(DHL_PARCEL, ("dhl_parcel_de",)),
    NumberOwner((AMAZON,), ("amazon_shipping",)),
    NumberOwner(PUROLATOR, ("purolator",)),
    NumberOwner((TNT,), ("tnt",)),
    NumberOwner((CHRONOPOST,), ("chronopost",)),
    NumberOwner((COLISSIMO,), ("colissimo", "laposte")),
    NumberOwner(DPD, ("dpd",)),
    NumberOwner((CANPAR,), ("canpar",)),
    NumberOwner((BPOST,), ("bpost",)),
    NumberOwner((HAY_POST,), ("hay_post",)),
    NumberOwner((WAYBILL,), ("dhl_express", "mydhl")),
    NumberOwner((ECOMMERCE,), ("dhl_universal",)),
    NumberOwner(FEDEX, ("fedex",)),
)
POST_OWNERS = {country: NumberOwner((POSTAL,), carriers) for country, carriers in POSTS.items()}


def list_number_carriers(number: str) -> list[str]:
    """Return the carriers whose form a number has; a match with a check digit excludes the others.

    A number with a wrong check digit is mistyped (`list_mistyped`), and nobody else's.
    """
    fit = [(form, owner) for form, owner in _list_forms(number) if form.fits(number)]
    sure = [pair for pair in fit if pair[0].is_checked] or ([] if list_mistyped(number) else fit)
    return list(dict.fromkeys(carrier for _, owner in sure for carrier in owner.carriers))


def list_mistyped(number: str) -> list[str]:
    """Return the carriers whose form a number has but for its check digit, if it is right for none."""
    pairs = [(form, owner) for form, owner in _list_forms(number) if form.is_checked]
    if any(form.fits(number) for form, _ in pairs):
        return []
    return list(dict.fromkeys(carrier for _, owner in pairs for carrier in owner.carriers))


def _list_forms(number: str) -> list[tuple[NumberForm, NumberOwner]]:
    """Return the forms that a number has; one of a carrier's own comes before that of its country's post."""
    pairs = [(form, owner) for owner in OWNERS for form in owner.forms if form.looks_like(number)]
    post = POST_OWNERS.get(number[-2:]) if POSTAL.looks_like(number) else None
    return pairs if pairs or not post else [(POSTAL, post)]

"""Identify the carrier of a tracking number by its format alone, without asking anyone.

Check digits are verified if a format has one, so that a mistyped number does not match that carrier.
Sources: the formats in the carriers' folders; UPU standard S10 for numbers that end in a country code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shipcli.carrier.number_forms import FEDEX, ONE_Z, POSTAL, WAYBILL, NumberForm, has_check_digit
from shipcli.models.basics.text import strip_routing

SPACES = re.compile(r"[\s-]")

# Postal carriers by country, the last two letters of a number such as RA123456785US.
POSTS = {
    "AM": ("hay_post",),
    "AU": ("australiapost",),
    "BE": ("bpost",),
    "CA": ("canadapost",),
    "DE": ("dhl_parcel_de",),
    "FR": ("laposte", "colissimo", "chronopost"),
    "GB": ("royalmail",),
    "US": ("usps",),
}


@dataclass(frozen=True, slots=True)
class Owner:
    """A number format and the carriers that use it."""

    form: NumberForm
    carriers: tuple[str, ...]


OWNERS: Sequence[Owner] = (
    Owner(ONE_Z, ("ups",)),
    Owner(NumberForm("20 or 22 digits from 91 to 95", r"9[1-5]\d{18}(?:\d\d)?", has_check_digit), ("usps",)),
    Owner(NumberForm("16 digits", r"\d{16}"), ("canadapost",)),
    Owner(NumberForm("12 digits", r"\d{12}"), ("canadapost",)),
    Owner(NumberForm("JD or JJD and digits", r"J?JD\d{16,20}"), ("dhl_parcel_de", "dhl_express")),
    Owner(NumberForm("00340 and 15 digits", r"00340\d{15}", has_check_digit), ("dhl_parcel_de",)),
    Owner(NumberForm("TBA and 12 digits", r"TBA\d{12}"), ("amazon_shipping",)),
    Owner(NumberForm("three letters and nine digits", r"[A-Z]{3}\d{9}"), ("purolator",)),
    Owner(NumberForm("14 digits that begin with 0 or 1", r"[01]\d{13}"), ("dpd",)),
    Owner(WAYBILL, ("dhl_express",)),
    *(Owner(form, ("fedex",)) for form in FEDEX),
)


def clean_number(text: str) -> str:
    """Normalize a number: upper case, without spaces, hyphens or the ZIP code prefix of a scanned label."""
    return strip_routing(SPACES.sub("", text).upper())


def list_number_carriers(number: str) -> list[str]:
    """Return the carriers whose format a number matches; a match with a check digit excludes the others."""
    if POSTAL.fits(number):
        return list(POSTS.get(number[-2:], ()))
    fit = [owner for owner in OWNERS if owner.form.fits(number)]
    sure = [owner for owner in fit if owner.form.is_checked] or fit
    return list(dict.fromkeys(carrier for owner in sure for carrier in owner.carriers))

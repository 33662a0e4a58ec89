"""Phone numbers: country, digits and extension, however people and shops write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from shipcli.models.basics.text import is_placeholder

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

LONGEST_TEXT, LONGEST_TYPED = 20, 80
# Codes of the country list that phone number plans know under another name.
_REGIONS = {
    "AN": "CW",
    "IC": "ES",
    "KV": "XK",
    "XB": "BQ",
    "XC": "CW",
    "XE": "BQ",
    "XI": "GB",
    "XM": "SX",
    "XN": "KN",
    "XS": "SO",
    "XY": "BL",
}
_WORDS = (
    r"extension|extensión|extens[aã]o|extn|exten|ext|int(?:erno?)?|anexo|poste?|ramal|durchwahl|dw|nebenstelle"
    r"|toestel|wew(?:n)?|linka|anknytning|ankn|lokal|доб(?:авочный)?|вн|x|ｘ"
)
_EXTENSION = re.compile(
    rf"(?:(?<![\s,;(/-])[\s,;(/-]*(?<![^\W\d_])(?:{_WORDS})[\s.:=#]*"
    r"|(?<![\s,;])\s*[,;][\s,;]*(?:ext=)?|(?<!\s)\s*#\s*)(\d{1,9})\s*(?:\)\s*)?\Z",
    re.IGNORECASE,
)
# The only numbers that are advertised in letters: toll-free ones of North America, such as 1-800-FLOWERS.
_LETTERED = re.compile(r"(?:\+?1[\s.-]*)?\(?8(?:00|33|44|55|66|77|88)\)?[\s.-]*[a-z0-9-]{7,8}", re.IGNORECASE)
_SIGNIFICANT = re.compile(r"[^\W_0]")
# What stands around a number: `Tel. `, ` (home)`.
_BEFORE, _WORD_AFTER = re.compile(r"\A[^\d+(]+"), re.compile(r"(?<![\s(/,])[\s(/,]+[^\W\d_]{1,12}[.)]*\Z")


@dataclass(frozen=True, slots=True)
class Phone:
    """A number in its parts.

    Shapes: `calling_code` is empty if it isn't known; `national` are the digits dialled after it.
    """

    calling_code: str
    national: str
    extension: str = ""

    @property
    def is_north_american(self) -> bool:
        return self.calling_code == "1" and len(self.national) == 10

    @property
    def digits(self) -> str:
        """All digits but those of the extension."""
        return self.calling_code + self.national


def split_extension(text: str) -> tuple[str, str]:
    """Return the number and its extension, which is empty if there is none.

    Shapes: `+1 503-555-0162 ext. 60021`, `... x88`, `... #88`, `...;88`, `... доб. 88`, `... Durchwahl 88`.
    """
    match = _EXTENSION.search(text) if len(text) <= LONGEST_TYPED else None
    if not match or sum(map(str.isdigit, text[: match.start()])) < 5:
        return text.strip(), ""
    return text[: match.start()].strip(), match[1]


def is_no_phone(text: str | None) -> bool:
    """Whether a text stands for no number: `n/a`, `-`, `none`, `0000000000`."""
    return is_placeholder(text) or not _SIGNIFICANT.search(text or "")


@lru_cache(maxsize=4096)
def parse_phone(text: str, country: str) -> Phone | None:
    """Return the parts of a number; None for what cannot be one of the country."""
    number, extension = split_extension(text)
    parsed = _parse(number, country)
    if parsed is None:
        return None
    import phonenumbers

    national = phonenumbers.national_significant_number(parsed)
    return Phone(str(parsed.country_code), national, extension or parsed.extension or "")


@lru_cache(maxsize=4096)
def format_phone_number(text: str, country: str) -> str:
    """A phone number in international form, such as +1 514-000-0000 or +1 514-000-0000 x88.

    Errors: ValueError when it cannot be read as a number of the country.
    """
    import phonenumbers

    number, extension = split_extension(text)
    if _find_region(country) is None and not number.startswith("+"):
        return text
    parsed = _parse(number, country)
    if parsed is None:
        raise ValueError(f"is not a phone number that {country} could have")
    extension = extension or parsed.extension or ""
    parsed.extension = None
    written = phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    compact = f"+{parsed.country_code}{phonenumbers.national_significant_number(parsed)}"
    if not extension:
        return written
    forms = (f"{written} x{extension}", f"{compact} x{extension}", f"{compact}x{extension}")
    fitting = next((form for form in forms if len(form) <= LONGEST_TEXT), None)
    if fitting is None:
        raise ValueError(f"is longer than {LONGEST_TEXT} characters with its extension")
    return fitting


def _find_region(country: str) -> str | None:
    """Return the code by which number plans know a country."""
    import phonenumbers

    region = _REGIONS.get(country, country)
    return region if region in phonenumbers.SUPPORTED_REGIONS else None


def _cut_words(number: str) -> str:
    """Return a number without the words around it."""
    number = _BEFORE.sub("", number)
    while match := _WORD_AFTER.search(number):
        number = number[: match.start()]
    return number


def _parse(number: str, country: str) -> PhoneNumber | None:
    import phonenumbers

    if len(number) > LONGEST_TYPED:
        return None
    if not _LETTERED.fullmatch(number):
        number = _cut_words(number)
        if any(letter.isalpha() for letter in number):
            return None
    try:
        return phonenumbers.parse(number, _find_region(country))
    except phonenumbers.NumberParseException:
        return None

"""Parse an address copied from an email or a web page, as lines of text, into fields.

The line with city and postal code is found first, using the formats of the countries; the lines above it are
names and streets, the country is among the last lines. No service is called and nothing is guessed: lines
that are not understood are returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shipcli.models import reference
from shipcli.models.basics.places import find_country_code, find_state_code

COMPANY = re.compile(
    r"\b(inc|llc|l\.l\.c|ltd|limited|corp|co|company|gmbh|ag|kg|ohg|ug|e\.?k|sarl|sas|s\.a|sa|eurl|plc|pty|llp|"
    r"bv|b\.v|nv|oy|ab|spa|s\.p\.a|srl|s\.r\.l|university|hospital|church|school|stores?|shop)\b\.?$",
    re.IGNORECASE,
)
CARE_OF = re.compile(
    r"^(?:attn|attention|att|c/o|care of|z\.? ?hd\.?|à l'attention de)\b[.:]?\s*", re.IGNORECASE
)
LABEL = re.compile(
    r"^(?:name|company|firma|street|address|adresse|city|country|land|pays|(?:ship|deliver) to|to|an)\s*:\s*",
    re.IGNORECASE,
)
HEADING = re.compile(r"^(?:ship(?:ping)?|delivery|deliver)(?: to| address)?:?$", re.IGNORECASE)
EMAIL = re.compile(r"(?:e-?mail(?:\s*:)?\s*)?<?([\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+)>?", re.IGNORECASE)
PHONE = re.compile(
    r"^(?:(?:tel(?:ephone|efon)?|phone|ph|mobile|mobil|cell|fon)\b\.?\s*:?\s*)?(\+?[\d(][\d\s()./-]{5,}\d)"
    r"(?:\s*(?:x|ext\.?)\s*\d+)?$",
    re.IGNORECASE,
)
STREET = re.compile(r"\d|^(?:p\.?\s?o\.?\s?box|postfach|bp|apartado|casella)\b", re.IGNORECASE)
BEFORE = r"(?P<rest>.*[^,.\s])[,.\s]+"  # city and state, and what stands between them and the code
POSTCODE_GB = r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}"


class TownForm(NamedTuple):
    """The postal code format of a country, and whether a state precedes the code."""

    country: str
    code: re.Pattern[str]
    has_area: bool = True


TOWN_FORMS: Sequence[TownForm] = (
    TownForm("US", re.compile(rf"{BEFORE}(?P<code>\d{{5}}(?:-\d{{4}})?)")),
    TownForm("CA", re.compile(rf"{BEFORE}(?P<code>[A-Z]\d[A-Z][ -]?\d[A-Z]\d)", re.IGNORECASE)),
    TownForm("AU", re.compile(rf"{BEFORE}(?P<code>\d{{4}})")),
    TownForm("GB", re.compile(rf"(?:{BEFORE})?(?P<code>{POSTCODE_GB})", re.IGNORECASE), False),
)
OWN_FORMS = {form.country for form in TOWN_FORMS}
LONGEST_AREA = 4  # words, as in Newfoundland and Labrador
# Most countries write the code before the city, some after it; neither form tells which country it is.
CODE_FIRST = re.compile(
    r"(?:(?P<land>[A-Z]{1,3})-)?(?P<code>\d{4} ?[A-Z]{2}(?= )|\d{3} \d{2}(?= )|\d{2,4}-\d{3,4}|\d{4,6})"
    r"[,\s]+(?P<city>[^\W\d].*)",
    re.IGNORECASE,
)
CODE_LAST = re.compile(r"(?P<city>[^\W\d](?:\D*[^\d,\s])?)[,\s]+(?P<code>\d{3,7}(?:-\d{3,4})?)")
LANDS = {"D": "DE", "F": "FR", "A": "AT", "I": "IT", "B": "BE", "L": "LU", "E": "ES", "S": "SE", "N": "NO"}


class Town(NamedTuple):
    """The parsed line with city and postal code."""

    city: str | None
    state: str | None
    code: str
    country: str | None


@dataclass(frozen=True)
class PostalBlock:
    """The fields of an address, and the lines that were not understood."""

    fields: Mapping[str, str]
    unread: Sequence[str] = field(default=())


def read_postal_block(text: str, home: str | None = None) -> PostalBlock:
    """Parse the address in a text.

    Shapes: `home` is the sender's country: its format is tried first, and it is the default country unless it
            is one of those in `TOWN_FORMS`.
    """
    lines, contact = _take_contact(_split_lines(text))
    country, lines = _take_country(lines)
    index, town = _find_town(lines, country, home)
    if town is None:
        return PostalBlock(contact, tuple(lines))
    above, below = list(lines[:index]), list(lines[index + 1 :])
    city = town.city
    if city is None and above:  # a British postcode is on the line below its town
        city = above.pop()
    values = {
        **_read_names(above),
        "city": city,
        "state_code": town.state,
        "postal_code": town.code.upper(),
        "country_code": country or town.country or (home if home not in OWN_FORMS else None),
        **contact,
    }
    return PostalBlock({name: value for name, value in values.items() if value}, tuple(below))


def _split_lines(text: str) -> list[str]:
    """Return the non-blank lines without labels and headings; a single line is split at its commas."""
    lines = [" ".join(line.split()).strip(" ,;") for line in text.splitlines()]
    lines = [LABEL.sub("", line) for line in lines if line and not HEADING.match(line)]
    return _cut_line(lines[0]) if len(lines) == 1 else [line for line in lines if line]


def _cut_line(line: str) -> list[str]:
    """Split a line at its commas, keeping the city together with its state and postal code."""
    parts = [part.strip() for part in line.split(",") if part.strip()]
    for index in range(len(parts) - 1, 0, -1):
        if (
            _read_town(pair := f"{parts[index - 1]}, {parts[index]}", None, None)
            and any(letter.isdigit() for letter in parts[index])
            and not STREET.search(parts[index - 1])
        ):
            return [*parts[: index - 1], pair, *parts[index + 1 :]]
    return parts


def _take_contact(lines: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the lines without email address and phone number, and those two as fields."""
    remaining: list[str] = []
    contact: dict[str, str] = {}
    for line in lines:
        mail = EMAIL.search(line)
        if mail:
            contact.setdefault("email", mail[1])
            line = (line[: mail.start()] + line[mail.end() :]).strip(" ,;|")
        phone = PHONE.match(line) if line else None
        if phone and sum(letter.isdigit() for letter in line) >= LEAST_DIGITS:
            contact.setdefault("phone_number", phone[1].strip())
        elif line:
            remaining.append(line)
    return remaining, contact


LEAST_DIGITS = 7  # in a phone number


def _take_country(lines: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the country named in the last lines, if any, and the lines without it."""
    for index in range(len(lines) - 1, max(len(lines) - 3, 0), -1):
        code = read_country(lines[index])
        if code:
            return code, [*lines[:index], *lines[index + 1 :]]
    head, comma, last = lines[-1].rpartition(",") if lines else ("", "", "")
    code = read_country(last) if comma and len(last.strip()) > CODE_LENGTH else None
    if code:
        return code, [*lines[:-1], head.strip()]
    return None, list(lines)


CODE_LENGTH = 2  # of a country code; next to a city two letters are more likely a state


def read_country(text: str) -> str | None:
    """Return the code of a country written as a name or code, ignoring punctuation around it; else None."""
    word = text.strip(" ,")
    return find_country_code(word) or find_country_code(word.strip(" ."))


def _find_town(lines: Sequence[str], country: str | None, home: str | None) -> tuple[int, Town | None]:
    """Return the index of the last line that parses as a city with a postal code, and the parsed town."""
    for index in range(len(lines) - 1, -1, -1):
        town = _read_town(lines[index], country, home)
        if town is not None:
            return index, town
    return len(lines), None


def _read_town(line: str, country: str | None, home: str | None) -> Town | None:
    forms = [form for form in TOWN_FORMS if country in (None, form.country)]
    for form in sorted(forms, key=lambda town_form: town_form.country != home):
        match = form.code.fullmatch(line)
        town = _make_town(form, match) if match else None
        if town is not None:
            return town
    first = CODE_FIRST.fullmatch(line)
    if first:
        named = LANDS.get(land := (first["land"] or "").upper(), land)
        return Town(
            first["city"].strip(), None, first["code"], named if named in reference.list_countries() else None
        )
    last = CODE_LAST.fullmatch(line)
    return Town(last["city"].strip(" ,"), None, last["code"], None) if last and country else None


def _make_town(form: TownForm, match: re.Match[str]) -> Town | None:
    """Return city, state and code, or None if the format needs a state and no known one precedes the code."""
    text, code = (match["rest"] or "").strip(" ,."), match["code"]
    if not form.has_area:
        return Town(text or None, None, code, form.country)
    words = text.split()
    for count in range(min(LONGEST_AREA, len(words) - 1), 0, -1):
        state = find_state_code(form.country, " ".join(words[-count:]))
        if state:
            return Town(" ".join(words[:-count]).strip(" ,."), state, code, form.country)
    return None


def _read_names(lines: Sequence[str]) -> dict[str, str | None]:
    """Read person, company and street from the lines above the city."""
    street = next(
        (at for at, line in enumerate(lines) if STREET.search(line) and (at or len(lines) == 1)), None
    )
    if street is None:
        street = min(1, len(lines))
    names, streets = list(lines[:street]), list(lines[street:])
    care = [CARE_OF.sub("", line) for line in lines if CARE_OF.match(line)]
    names = [line for line in names if not CARE_OF.match(line)]
    streets = [line for line in streets if not CARE_OF.match(line)]
    companies = [line for line in names if COMPANY.search(line)]
    persons = [*care, *(line for line in names if line not in companies)]
    if not companies and len(persons) > 1:
        companies = [persons.pop()]
    extra_lines = [*persons[1:], *companies[1:], *streets[1:]]
    return {
        "person_name": next(iter(persons), None),
        "company_name": next(iter(companies), None),
        "address_line1": next(iter(streets), None),
        "address_line2": ", ".join(extra_lines) or None,
    }

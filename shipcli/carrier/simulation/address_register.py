"""The places that simulated carriers know in the United States: every one that keeps the postal rules."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from shipcli.carrier.simulation.scenarios import find_address_scenario
from shipcli.models.parts.address import PostalAddress
from shipcli.models.parts.address_check import check_address

SUFFIXES = {
    "AVENUE": "AVE", "BOULEVARD": "BLVD", "COURT": "CT", "DRIVE": "DR", "LANE": "LN", "PLACE": "PL",
    "ROAD": "RD", "SQUARE": "SQ", "STREET": "ST",
}  # fmt: skip
CORRECTED = "2 CORRECTED ST"
LEAST, COUNT = 1000, 9000  # the four digits behind a ZIP code


@dataclass(frozen=True)
class RegisteredPlace:
    """A place as the register writes it; `kind` says how it fits what was asked for."""

    kind: Literal["exact", "ambiguous", "unit_missing", "unknown"]
    lines: tuple[str, ...]
    city: str
    state: str
    zip5: str
    plus4: str


def find_place(lines: Sequence[str], city: str, state: str, postal_code: str) -> RegisteredPlace:
    """Return the place of an address; a street without a number is ambiguous."""
    written = tuple(_standardise(line) for line in lines if line.strip())
    digits = zlib.crc32(" ".join(written).encode()) % COUNT + LEAST
    place = RegisteredPlace("exact", written, city.upper(), state.upper(), postal_code[:5], str(digits))
    effect = find_address_scenario((*lines, None, None)[:2])
    if effect == "invalid_address" or not written or _breaks_rules(place):
        return replace(place, kind="unknown")
    if effect == "apartment_missing" and len(written) < 2:
        return replace(place, kind="unit_missing")
    if effect == "corrected_address":
        return replace(place, lines=(CORRECTED, *written[1:]))
    has_number = any(character.isdigit() for line in written for character in line)
    return place if has_number else replace(place, kind="ambiguous")


def list_candidates(place: RegisteredPlace) -> list[RegisteredPlace]:
    """Return what an ambiguous place may be."""
    first, *others = place.lines
    return [replace(place, lines=(f"{number} {first}", *others)) for number in (1, 2)]


def _standardise(line: str) -> str:
    words = line.upper().replace(",", " ").replace(".", " ").split()
    return " ".join(SUFFIXES.get(word, word) for word in words)


def _breaks_rules(place: RegisteredPlace) -> bool:
    address = PostalAddress(
        address_line1=place.lines[0],
        city=place.city or None,
        state_code=place.state or None,
        postal_code=place.zip5 or None,
        country_code="US",
    )
    return any(problem.field == "postal_code" for problem in check_address(address))

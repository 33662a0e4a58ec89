"""Areas that are not like the country they are written with: territories and forces of the United States, and
parts of countries beyond a customs border. One table, for all carriers.

Sources: Domestic Mail Manual 608.2 (ZIP codes, customs forms); Council Directive 2006/112/EC, article 6, and
Regulation 952/2013, article 4 (what is outside the customs or tax territory of the EU); Windsor Framework.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shipcli.models.basics.reference import list_eu_countries

US, EU, GB = "US", "EU", "GB"

# What is a state for some carriers, a country for others: its ZIP codes, and its names as a country.
TERRITORIES: Mapping[str, str] = {
    "AS": r"96799",
    "GU": r"969(?:1\d|2\d|3[0-2])",
    "MP": r"9695[0-2]",
    "PR": r"00[679]\d\d",
    "VI": r"008\d\d",
    "UM": r"96898",
    "FM": r"9694[1-4]",
    "MH": r"969[67]0",
    "PW": r"969(?:39|40)",
}
# The states of the military addresses: APO, FPO, DPO.
FORCES: Mapping[str, str] = {"AA": r"340\d\d", "AE": r"09\d{3}", "AP": r"96[2-6]\d\d"}
_COUNTRY_PREFIX = re.compile(r"\A[A-Z]{1,2}-(?=\d)")  # AX-22100


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a country beyond a customs border, told by its postal codes.

    Shapes: `zones` are the customs zones that it is inside of; `code` is its own country code in ISO 3166.
    """

    name: str
    title: str
    country: str
    postal_codes: str
    zones: frozenset[str]
    code: str | None = None


def _make_area(
    name: str, title: str, country: str, postal_codes: str, code: str | None = None, *zones: str
) -> Area:
    return Area(name, title, country, postal_codes, frozenset(zones or (code or name,)), code)


AREAS = (
    _make_area("canary_islands", "the Canary Islands", "ES", r"(?:35|38)\d{3}", "IC"),
    _make_area("ceuta", "Ceuta", "ES", r"51\d{3}"),
    _make_area("melilla", "Melilla", "ES", r"52\d{3}"),
    _make_area("aland", "Åland", "FI", r"22\d{3}"),
    _make_area("busingen", "Büsingen", "DE", r"78266", None, "CH"),
    _make_area("helgoland", "Helgoland", "DE", r"27498"),
    _make_area("livigno", "Livigno", "IT", r"2304[13]"),
    _make_area("campione", "Campione d'Italia", "IT", r"2206[01]"),
    _make_area("san_marino", "San Marino", "IT", r"4789\d", "SM"),
    _make_area("vatican", "Vatican City", "IT", r"00120", "VA"),
    _make_area("athos", "Mount Athos", "GR", r"630\s?8[67]"),
    _make_area("guadeloupe", "Guadeloupe", "FR", r"971(?!33|50)\d\d", "GP"),
    _make_area("saint_barthelemy", "Saint-Barthélemy", "FR", r"97133|97[7]\d\d", "BL"),
    _make_area("saint_martin", "Saint-Martin", "FR", r"97150|978\d\d", "MF"),
    _make_area("martinique", "Martinique", "FR", r"972\d\d", "MQ"),
    _make_area("french_guiana", "French Guiana", "FR", r"973\d\d", "GF"),
    _make_area("reunion", "Réunion", "FR", r"974\d\d", "RE"),
    _make_area("saint_pierre", "Saint-Pierre-et-Miquelon", "FR", r"975\d\d"),
    _make_area("mayotte", "Mayotte", "FR", r"976\d\d", "YT"),
    _make_area("wallis", "Wallis and Futuna", "FR", r"986\d\d"),
    _make_area("polynesia", "French Polynesia", "FR", r"987\d\d", "PF"),
    _make_area("new_caledonia", "New Caledonia", "FR", r"988\d\d", "NC"),
    _make_area("monaco", "Monaco", "FR", r"980\d\d", "MC", EU),
    _make_area(
        "northern_ireland", "Northern Ireland", "GB", r"BT\d{1,2}\s*\d[A-Z]{2}|BT\d{1,2}", None, GB, EU
    ),
    _make_area("isle_of_man", "the Isle of Man", "GB", r"IM\d.*", "IM", GB),
    _make_area("jersey", "Jersey", "GB", r"JE\d.*", "JE"),
    _make_area("guernsey", "Guernsey", "GB", r"GY\d.*", "GG"),
    _make_area("greenland", "Greenland", "DK", r"39\d\d", "GL"),
    _make_area("faroe_islands", "the Faroe Islands", "DK", r"\d{3}|FO.*", "FO"),
)
# Countries of the list whose zone is not their own code, nor the EU.
_ZONES: Mapping[str, tuple[str, ...]] = {
    "PR": (US,), "LI": ("CH",), "MC": (EU,), "IM": (GB,), "XI": (GB, EU), "GB": (GB,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address is, as its writer says it."""

    country: str
    state: str = ""
    postal_code: str = ""

    @classmethod
    def of(cls, address: Any) -> Place:
        """The place of an address, of its fields, or of a country code."""
        if address is None or isinstance(address, str):
            return cls(address or "")
        names = ("country_code", "state_code", "postal_code")
        if isinstance(address, Mapping):
            return cls(*(str(address.get(name) or "").strip().upper() for name in names))
        return cls(*(str(getattr(address, name, None) or "").strip().upper() for name in names))

    @property
    def territory(self) -> str | None:
        """The territory of the United States that it is in, told as a country, as a state or by its ZIP."""
        if self.country in TERRITORIES:
            return self.country
        return self._find_us_area(TERRITORIES)

    @property
    def force(self) -> str | None:
        """The state of the forces (AA, AE, AP) of a military address of the United States."""
        return self._find_us_area(FORCES)

    def _find_us_area(self, areas: Mapping[str, str]) -> str | None:
        if self.country != US:
            return None
        if self.state:
            return self.state if self.state in areas else None
        codes = (code for code, pattern in areas.items() if re.match(pattern, self.postal_code))
        return next(codes, None)

    @property
    def area(self) -> Area | None:
        """The part of a country beyond a customs border that it is in, by its postal code or its own code."""
        by_code = (area for area in AREAS if area.code == self.country)
        inside = (area for area in AREAS if area.country == self.country and self._has_code_of(area))
        return next(by_code, None) or next(inside, None)

    def _has_code_of(self, area: Area) -> bool:
        code = _COUNTRY_PREFIX.sub("", self.postal_code)
        return bool(code and re.fullmatch(area.postal_codes, code))

    @property
    def zones(self) -> frozenset[str]:
        """The customs zones that it is inside of; goods cross no border between places that share one."""
        if self.force:
            return frozenset()  # every parcel to or from the forces is declared
        if territory := self.territory:
            return frozenset(_ZONES.get(territory, (territory,)))
        if area := self.area:
            return area.zones
        return _find_zones(self.country)


@cache
def _find_zones(country: str) -> frozenset[str]:
    if country in list_eu_countries():
        return frozenset({EU})
    return frozenset(_ZONES.get(country, (country,)))


def crosses_customs(origin: Any, destination: Any) -> bool:
    """Whether goods pass customs between two addresses: not inside a customs zone, such as the EU.

    Shapes: an address is a model, its fields, or only a country code.
    """
    here, there = Place.of(origin), Place.of(destination)
    return here.zones.isdisjoint(there.zones)

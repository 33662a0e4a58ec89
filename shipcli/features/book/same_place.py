"""What is equal for two spellings of one address: who, and at which place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from shipcli.models.basics.text import fold_text

PlaceKey = tuple[str, ...]

SHORT: Mapping[str, str] = {
    "street": "st", "saint": "st", "sankt": "st", "avenue": "ave", "av": "ave",
    "avenida": "ave", "avda": "ave", "road": "rd",
    "boulevard": "blvd", "boul": "blvd", "bd": "blvd", "drive": "dr", "lane": "ln", "court": "ct",
    "place": "pl", "square": "sq", "highway": "hwy", "parkway": "pkwy", "terrace": "ter", "circle": "cir",
    "trail": "trl", "crescent": "cres", "heights": "hts", "mount": "mt", "fort": "ft", "north": "n",
    "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw", "southeast": "se",
    "southwest": "sw", "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
    "sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th",
    "calle": "c", "rua": "r", "plaza": "pl", "plac": "pl", "piazza": "pza", "carretera": "ctra",
    "chaussee": "ch", "route": "rte", "floor": "fl", "building": "bldg",
}  # fmt: skip
UNITS = frozenset({"apartment", "apt", "suite", "ste", "unit", "room", "rm", "flat"})
LEFT_OUT = frozenset({"no", "nr", "num", "number", "ul", "ulica"})  # of a street and its number
APOSTROPHES = str.maketrans(dict.fromkeys("'’‘`´"))
STREETS = re.compile(r"(?:strasse|strase|straat|str)$")  # as the end of a word
INITIALS = re.compile(r"\b([^\W\d_]) +(?=[^\W\d_]\b)")
UMLAUTS = re.compile(r"([aou])e|a(a)")  # Århus is Aarhus


def split_words(text: Any) -> list[str]:
    """The words of a text, folded and abbreviated; `Mueller` is `Müller`, `P. O.` is `PO`."""
    plain = str(text or "").replace(".", " ").translate(APOSTROPHES)
    plain = INITIALS.sub(r"\1", plain)
    words = map(fold_text, re.split(r"[\W_]+", plain))
    return [SHORT.get(word) or UMLAUTS.sub(r"\1\2", word) for word in words if word]


def make_place_key(address: Mapping[str, Any]) -> PlaceKey:
    """What is equal for two spellings of one address: who in any order of names, and where."""
    country = str(address.get("country_code") or "")
    who = split_words(address.get("person_name")) or split_words(address.get("company_name"))
    lines = [address.get(name) for name in ("street_number", "address_line1", "address_line2")]
    words = [word for line in lines for word in split_words(line) if word not in LEFT_OUT]
    return (country, _fold_place(address, country), *sorted(who), "/", *_list_street(words))


def _fold_place(address: Mapping[str, Any], country: str) -> str:
    """The postal code, of the United States without its last four digits; without one the city."""
    code = fold_text(str(address.get("postal_code") or ""))
    if code:
        return code[:5] if country == "US" else code
    return "".join(split_words(address.get("city")))


def _list_street(words: Sequence[str]) -> Iterator[str]:
    """The words of a street and number in their order, those without digits joined, the unit last."""
    units = [after for word, after in pairwise(words) if word in UNITS]
    rest = [word for before, word in pairwise(["", *words]) if not {before, word} & UNITS]
    for is_number, group in groupby(rest, key=lambda word: word[0].isdigit()):
        if is_number:
            yield from group
        else:
            yield "".join(STREETS.sub("str", word) for word in group)
    yield from units

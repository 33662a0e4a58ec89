"""What is entered at the station: a command, or words that may name an order, a shipment or an article.

Sources: GS1 General Specifications, section 3, for the elements of a barcode; GS1 Digital Link URI syntax;
ISO/IEC 15424 for the prefixes of scanners.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shipcli.models.basics.barcodes import read_barcode
from shipcli.models.basics.check_digits import has_check_digit
from shipcli.workflows.station.keyboards import (
    LAYOUTS,
    find_layouts,
    list_translations,
    prefer_same_letters,
    translate,
    translate_known,
)

PREFIX, PACKER = "CMD-", "CMD-PACKER-"
SEPARATOR = "\x1d"  # FNC1 between elements
_SCANNER = re.compile(r"\A\][A-Za-z][0-9A-Za-z]")
_GS1 = re.compile(r"\A\](?:C1|e\d|d2|J1|Q3)")  # those that say that elements follow
_DIGITAL_LINK = re.compile(r"https?://\S+?/01/(\d{8,14})(?:[/?#]|\Z)", re.IGNORECASE)
_BRACKETED = re.compile(r"\((\d{2,4})\)([^(]+)")
# Lengths of elements; those of variable length end with a separator.
_FIXED = {"00": 18, "01": 14, "02": 14, "11": 6, "13": 6, "15": 6, "17": 6, "20": 2, "402": 17, "410": 13,
          "414": 13}  # fmt: skip
_VARIABLE = ("10", "21", "22", "30", "37", "240", "241", "250", "251", "400", "401", "420", "421")
_NAMING = ("400", "401", "402", "00", "240", "241", "01", "02")  # order, consignment, container, article
_ARTICLES = ("01", "02")
_SHORTER = (13, 12, 8)  # EAN-13, UPC-12, EAN-8


class StationCommand(StrEnum):
    """What keys and command barcodes do; a barcode is the word after CMD-."""

    BUY = "BUY"
    REPRINT = "REPRINT"
    VOID = "VOID"
    NEXT = "NEXT"
    HOLD = "HOLD"
    BOX = "BOX"
    CUSTOMS = "CUSTOMS"
    CHECK = "CHECK"
    UNDO = "UNDO"
    YES = "YES"
    CLEAR = "CLEAR"


@dataclass(frozen=True)
class Entry:
    """A scan, or a line that a person typed.

    Shapes: `words` may name an object, likeliest first; a command or a packer has none.
    """

    text: str
    words: tuple[str, ...] = ()
    command: StationCommand | None = None
    packer: str = ""
    is_scan: bool = True
    at: float = 0.0

    @property
    def is_unknown_command(self) -> bool:
        """Whether it is a command barcode that says nothing here."""
        return any(word.upper().startswith(PREFIX) for word in self.words)


def read_entry(text: str, *, is_scan: bool = True, at: float = 0.0, layouts: Sequence[str] = ()) -> Entry:
    """Read what was entered; scans are translated where layouts of the keyboard are known."""
    typed_text = text.strip(" \t\r\n")
    known = translate_known(typed_text, layouts) if is_scan and layouts else [typed_text]
    meant = (*known, *(translate(typed_text, layout) for layout in LAYOUTS if is_scan))
    bare = [_SCANNER.sub("", each) for each in meant]
    if command := next(filter(None, map(find_command, bare)), None):
        return Entry(text, command=command, is_scan=is_scan, at=at)
    badges = [each for each in bare if each.upper().startswith(PACKER)]
    if badges:
        name = prefer_same_letters(_SCANNER.sub("", typed_text), badges)[0][len(PACKER) :].strip()
        return Entry(text, packer=name, is_scan=is_scan, at=at)
    candidates = (*known, *(list_translations(typed_text) if is_scan and not layouts else ()))
    words = dict.fromkeys(word for candidate in candidates for word in list_words(candidate))
    return Entry(text, tuple(words), is_scan=is_scan, at=at)


def find_command(text: str) -> StationCommand | None:
    """The command of a barcode; None for any other text."""
    names = {f"{PREFIX}{command}": command for command in StationCommand}
    return names.get(text.upper())


def learn_layouts(entry: Entry) -> list[str]:
    """The layouts that a scanned command shows to be set; none if it came as it is printed."""
    if entry.command is None or not entry.is_scan:
        return []
    printed, bare = f"{PREFIX}{entry.command}", entry.text.strip()
    return [] if bare.endswith(printed) else find_layouts(bare, printed)


# -- words -----------------------------------------------------------------------------------------


def list_words(text: str) -> list[str]:
    """The words in a barcode that may name an object: its elements, else the text and the number in it."""
    bare = _SCANNER.sub("", text)
    elements = dict(_split_elements(bare, is_marked=bool(_GS1.match(text))))
    named = [word for name in _NAMING if name in elements for word in _list_forms(name, elements[name])]
    numbers = [] if named and bare.startswith("(") else [bare, read_barcode(text)]
    articles = _list_forms("01", bare.zfill(14)) if bare.isdigit() and len(bare) in _SHORTER else []
    words = (*named, *numbers, *articles, *_list_unmarked(bare))
    return list(dict.fromkeys(word for word in words if word))


def _list_unmarked(bare: str) -> Iterator[str]:
    """The number of an article or container at the beginning of a GS1 barcode whose scanner does not say that
    it is one: only the check digit shows it.
    """
    for name in ("01", "02", "00"):
        value = bare[2 : 2 + _FIXED[name]]
        if bare.startswith(name) and len(value) == _FIXED[name] and has_check_digit(value):
            yield from _list_forms(name, value)


def _list_forms(name: str, value: str) -> list[str]:
    """An element, and the shorter forms of the number of an article."""
    if name not in _ARTICLES or not has_check_digit(value):
        return [value]
    forms = [value[-length:] for length in _SHORTER if not value[:-length].strip("0")]
    return list(dict.fromkeys([*forms[:1], value, *forms[1:]]))


def _split_elements(text: str, *, is_marked: bool) -> Iterator[tuple[str, str]]:
    """The elements of a GS1 barcode, by their identifiers; nothing of any other text."""
    if text.startswith("("):
        yield from ((match[1], match[2].strip()) for match in _BRACKETED.finditer(text))
        return
    link = _DIGITAL_LINK.match(text)
    if link:
        yield "01", link[1].zfill(14)
        return
    elements = list(_cut_elements(text))
    if (is_marked or SEPARATOR in text) and elements and all(value for _, value in elements):
        yield from elements


def _cut_elements(text: str) -> Iterator[tuple[str, str]]:
    rest = text.lstrip(SEPARATOR)
    while rest:
        name = next((name for name in (*_FIXED, *_VARIABLE) if rest.startswith(name)), None)
        if name is None:
            yield rest, ""  # this is no GS1 barcode
            return
        value, rest = _take_value(rest[len(name) :], _FIXED.get(name))
        yield name, value


def _take_value(text: str, length: int | None) -> tuple[str, str]:
    if length is None:
        value, _, rest = text.partition(SEPARATOR)
        return value, rest
    value = text[:length]
    return (value if len(value) == length and value.isdigit() else ""), text[length:].lstrip(SEPARATOR)

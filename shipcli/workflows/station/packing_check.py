"""The packing check: what was scanned into the box, and what is still missing or does not belong there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shipcli.models.parts.articles import find_sku, find_title

if TYPE_CHECKING:
    from shipcli.models import LineItem

NAMED = 5  # articles of which a sentence speaks
NUMBERS = ("barcode", "gtin", "ean", "upc")  # in the metadata of a line


@dataclass(frozen=True)
class PackedGoods:
    """The lines that go into a box, how many pieces of each were scanned, and what does not belong there."""

    lines: tuple[LineItem, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    strays: tuple[str, ...] = ()
    counted: tuple[LineItem, ...] = ()  # piece by piece
    barcodes: Mapping[str, str] = field(default_factory=dict)  # of products by their SKU

    def find_line(self, words: Sequence[str]) -> LineItem | None:
        """The line that one of these words names: one that lacks pieces, else the first."""
        lines = [line for line in self.lines if self._is_named(line, words)]
        return next((line for line in lines if self.count_missing(line) > 0), lines[0] if lines else None)

    def count_missing(self, line: LineItem) -> int:
        """How many pieces of a line were not scanned; below nothing if there are too many."""
        return line.unfulfilled_quantity - self.counts.get(str(line.id), 0)

    def add(self, line: LineItem) -> PackedGoods:
        """With another piece of a line."""
        counts = {**self.counts, str(line.id): self.counts.get(str(line.id), 0) + 1}
        return replace(self, counts=counts, counted=(*self.counted, line))

    def drop_last(self) -> PackedGoods:
        """Without the piece that was counted last."""
        name = str(self.counted[-1].id)
        counts = {**self.counts, name: max(self.counts.get(name, 0) - 1, 0)}
        return replace(self, counts=counts, counted=self.counted[:-1])

    def add_stray(self, text: str) -> PackedGoods:
        """With something that does not belong there."""
        return replace(self, strays=(*self.strays, text))

    def clear_strays(self) -> PackedGoods:
        """After what does not belong there was taken out, pieces that are too many as well."""
        counts = {
            str(line.id): min(self.counts.get(str(line.id), 0), line.unfulfilled_quantity)
            for line in self.lines
        }
        rest, counted = dict(counts), []
        for line in self.counted:
            if rest.get(str(line.id), 0) > 0:
                rest[str(line.id)] -= 1
                counted.append(line)
        return replace(self, counts=counts, strays=(), counted=tuple(counted))

    def describe_problem(self) -> str:
        """What stops the label; empty if all is in the box."""
        if self.strays:
            strays = list(dict.fromkeys(self.strays))
            verb, them = ("does", "it") if len(strays) == 1 else ("do", "them")
            return f"{_list_some(strays)} {verb} not belong in this box: take {them} out, then Esc"
        surplus = [line for line in self.lines if self.count_missing(line) < 0]
        if surplus:
            return (
                f"Too many: {_list_some([f'{-self.count_missing(line)} {name(line)}' for line in surplus])}"
            )
        missing = [line for line in self.lines if self.count_missing(line) > 0]
        texts = [f"{self.count_missing(line)} {name(line)}" for line in missing]
        return f"Still to be scanned: {_list_some(texts)}" if missing else ""

    def _is_named(self, line: LineItem, words: Sequence[str]) -> bool:
        """Whether a word is the SKU or another number of an article; its title, if it has none of them."""
        known = [*map((line.metadata or {}).get, NUMBERS), self.barcodes.get(find_sku(line))]
        numbers = {fold_number(number) for number in known if number}
        named = find_sku(line) or ("" if numbers else find_title(line))
        return any(word.casefold() == named.casefold() or fold_number(word) in numbers for word in words)

    @property
    def is_wrong(self) -> bool:
        """Whether something is in the box that does not belong there, or too much of something."""
        return bool(self.strays) or any(self.count_missing(line) < 0 for line in self.lines)


def _list_some(texts: Sequence[str]) -> str:
    more = len(texts) - NAMED
    return ", ".join(texts[:NAMED]) + (f" and {more} more" if more > 0 else "")


def name(line: LineItem) -> str:
    """What people call an article."""
    return find_sku(line) or find_title(line) or str(line.id)


def fold_number(number: object) -> str:
    """The number of an article as it is compared: without hyphens, as a book's has, and without the zeros
    before it, which tables lose and longer forms have.
    """
    bare = re.sub(r"[\s-]", "", str(number))
    return bare.lstrip("0") if bare.isdigit() else bare.casefold()

"""The part of a font that one PDF needs: a TrueType file of the used glyphs, their widths, their text."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, groupby
from typing import NamedTuple
from zlib import compress, crc32

from .typefaces import LATIN, LATIN_BOLD, Face

_MORE_PARTS, _WIDE_ARGUMENTS, _SCALE, _SCALE_XY, _MATRIX = 0x20, 0x01, 0x08, 0x40, 0x80

_TO_UNICODE = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{ranges}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


class Embedded(NamedTuple):
    """A font as a PDF holds it: the length of its file, the file deflated, its tag, widths and text."""

    length: int
    file: bytes
    tag: str
    widths: str
    to_unicode: bytes


class Subset:
    """The used glyphs of one face and their numbers.

    In the Latin faces a character of ASCII has its code as the number of its glyph, so that such text is
    written without looking its glyphs up; all other glyphs are numbered in order of first use.
    """

    def __init__(self, face: Face) -> None:
        self.face = face
        self._numbers = dict(_number_ascii(face)) if face.name in (LATIN, LATIN_BOLD) else {0: 0}
        self._next = max(self._numbers.values()) + 1
        self._used: dict[int, int] = {0: 0}
        self._texts: dict[int, str] = {}

    def codes(self, glyphs: Sequence[int], texts: Sequence[str]) -> str:
        """The glyphs as a hexadecimal PDF string body."""
        found = [self._number(glyph, text) for glyph, text in zip(glyphs, texts, strict=True)]
        return struct.pack(f">{len(found)}H", *found).hex()

    def take(self, letters: Iterable[str]) -> None:
        """Use the glyphs of plain text too."""
        for character in sorted(set(letters)):
            self._number(self.face.glyph(character), character)

    def embed(self) -> Embedded:
        """What a PDF holds of it, made once for the same glyphs in the same order."""
        texts = tuple(self._texts.get(number, "") for number in self._used)
        return _embed(self.face, tuple(self._used.values()), texts)

    def make(self) -> Embedded:
        """What a PDF holds of it, made anew."""
        self._take_parts()
        data = self._file()
        return Embedded(len(data), compress(data), _make_tag(data), self._widths(), self._to_unicode())

    def _number(self, glyph: int, text: str) -> int:
        number = self._numbers.get(glyph)
        if number is None:
            number = self._numbers[glyph] = self._next
            self._next += 1
        if number not in self._used:
            self._used[number] = glyph
            if text:
                self._texts[number] = text
        return number

    def _take_parts(self) -> None:
        """Use what the used glyphs are composed of too."""
        found = list(self._used.values())
        for glyph in found:
            for _, part in _list_parts(self.face.piece(glyph)[0]):
                if self._numbers.get(part) not in self._used:
                    self._number(part, "")
                    found.append(part)

    def _widths(self) -> str:
        """The /W array: the widths of the used glyphs, those with numbers in a row together."""
        return f"[{''.join([self._row(run) for run in _group_runs(self._used)])}]"

    def _row(self, numbers: list[int]) -> str:
        advances = [str(self.face.advance(self._used[number])) for number in numbers]
        return f"{numbers[0]}[{' '.join(advances)}]"

    def _to_unicode(self) -> bytes:
        """The /ToUnicode map; letters that have their code as their number are said by the run."""
        coded = {number for number, text in self._texts.items() if number < 0x80 and text == chr(number)}
        runs = [f"<{run[0]:04x}> <{run[-1]:04x}> <{run[0]:04x}>" for run in _group_runs(coded)]
        others = [
            f"<{number:04x}> <{text.encode('utf-16-be').hex()}>"
            for number, text in self._texts.items()
            if number not in coded
        ]
        ranges = "\n".join([*_write_sections("bfrange", runs), *_write_sections("bfchar", others)])
        return compress(_TO_UNICODE.format(ranges=ranges).encode("ascii"))

    def _file(self) -> bytes:
        """The TrueType file of the used glyphs; a number that is not used has nothing to draw."""
        used, piece = self._used, self.face.piece
        numbers = range(max(used) + 1)
        outlines = [self._outline(used[number]) if number in used else b"" for number in numbers]
        metrics = [piece(used[number])[1] if number in used else bytes(4) for number in numbers]
        offsets = list(accumulate(map(len, outlines), initial=0))
        glyphs = struct.pack(">H", len(numbers))
        return _write_sfnt(
            {
                b"glyf": b"".join(outlines),
                b"head": self._head(),
                b"hhea": self._table("hhea")[:34] + glyphs,
                b"hmtx": b"".join(metrics),
                b"loca": struct.pack(f">{len(offsets)}L", *offsets),
                b"maxp": self._table("maxp")[:4] + glyphs + self._table("maxp")[6:],
            }
        )

    def _outline(self, glyph: int) -> bytes:
        outline = self.face.piece(glyph)[0]
        if not (parts := _list_parts(outline)):
            return outline
        renumbered = bytearray(outline)
        for at, part in parts:
            struct.pack_into(">H", renumbered, at, self._numbers[part])
        return bytes(renumbered)

    def _head(self) -> bytes:
        head = bytearray(self._table("head"))
        struct.pack_into(">L", head, 8, 0)
        struct.pack_into(">h", head, 50, 1)
        return bytes(head)

    def _table(self, tag: str) -> bytes:
        start, length = self.face.tables[tag]
        return self.face.data[start : start + length]


@lru_cache(maxsize=64)
def _embed(face: Face, glyphs: tuple[int, ...], texts: tuple[str, ...]) -> Embedded:
    subset = Subset(face)
    subset.codes(glyphs, texts)
    return subset.make()


@cache
def _number_ascii(face: Face) -> dict[int, int]:
    return {0: 0} | {face.glyph(chr(code)): code for code in range(0x20, 0x7F)}


def _group_runs(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers that follow on each other, together."""
    runs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    return [[number for _, number in run] for _, run in runs]


def _write_sections(name: str, rows: list[str]) -> list[str]:
    """The rows of a map, at most a hundred to a part."""
    parts = [rows[at : at + 100] for at in range(0, len(rows), 100)]
    return [f"{len(part)} begin{name}\n" + "\n".join(part) + f"\nend{name}" for part in parts]


def _make_tag(data: bytes) -> str:
    """Six capitals that depend on the subset's contents."""
    check = crc32(data)
    return "".join(chr(65 + check // 26**at % 26) for at in range(6))


def _list_parts(outline: bytes) -> list[tuple[int, int]]:
    """The parts of a composed glyph as (place of the glyph number, glyph number)."""
    if not outline or outline[0] < 0x80:
        return []
    found, at, flags = [], 10, _MORE_PARTS
    while flags & _MORE_PARTS:
        flags, part = struct.unpack_from(">2H", outline, at)
        found.append((at + 2, part))
        at += 8 if flags & _WIDE_ARGUMENTS else 6
        at += 2 * bool(flags & _SCALE) + 4 * bool(flags & _SCALE_XY) + 8 * bool(flags & _MATRIX)
    return found


def _write_sfnt(tables: dict[bytes, bytes]) -> bytes:
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    head = struct.pack(">L4H", 0x00010000, count, power * 16, power.bit_length() - 1, (count - power) * 16)
    directory, body, at = [], [], 12 + 16 * count
    for tag, data in tables.items():
        padded = data + bytes(-len(data) % 4)
        directory.append(struct.pack(">4s3L", tag, _compute_checksum(padded), at, len(data)))
        body.append(padded)
        at += len(padded)
    return b"".join([head, *directory, *body])


def _compute_checksum(data: bytes) -> int:
    words: tuple[int, ...] = struct.unpack(f">{len(data) // 4}L", data)
    return sum(words) & 0xFFFFFFFF

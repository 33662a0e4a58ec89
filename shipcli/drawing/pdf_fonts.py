"""The part of a font that one PDF needs: a TrueType file of the used glyphs, their widths, their text."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import accumulate
from string import ascii_letters, digits
from typing import NamedTuple
from zlib import DEFLATED, compressobj, crc32

from .faces import Face

# What labels in English are made of.
_USUAL = (*ascii_letters, *digits, *" .,-:/#&'()+")
# Data below so many bytes goes through a window of 2**13, with hash tables to match.
_LITTLE, _SMALL_WINDOW = 16384, (13, 6)
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


def deflated(data: bytes) -> bytes:
    """Data compressed for a PDF; the usual window takes longer to clear than a little data to compress."""
    packer = compressobj(6, DEFLATED, *(_SMALL_WINDOW if len(data) < _LITTLE else ()))
    return packer.compress(data) + packer.flush()


class Embedded(NamedTuple):
    """A font as a PDF holds it: the length of its file, the file deflated, its tag, widths and text."""

    length: int
    file: bytes
    tag: str
    widths: str
    to_unicode: bytes


class Subset:
    """The used glyphs of one face, numbered in order of first use; of a `plain` one the usual ones first."""

    def __init__(self, face: Face, *, plain: bool = False) -> None:
        self.face = face
        usual = _usual(face) if plain else None
        self.numbers: dict[int, int] = dict(usual.numbers) if usual else {0: 0}
        self.texts: dict[int, str] = dict(usual.texts) if usual else {}

    def embedded(self) -> Embedded:
        """What a PDF holds of it; where the usual glyphs are enough, that is made once for all files."""
        usual = _usual(self.face)
        return usual.made if self.texts == usual.texts else self._made()

    @cached_property
    def made(self) -> Embedded:
        """The same, kept."""
        return self._made()

    def _made(self) -> Embedded:
        data = self.file()
        return Embedded(len(data), deflated(data), _tag(data), self.widths(), self.to_unicode())

    def codes(self, glyphs: Sequence[int], texts: Sequence[str]) -> str:
        """The glyphs as a hexadecimal PDF string body."""
        numbers = self.numbers
        found: list[int] = []
        for glyph, text in zip(glyphs, texts, strict=True):
            number = numbers.get(glyph)
            if number is None:
                number = self._add(glyph, text)
            found.append(number)
        return struct.pack(f">{len(found)}H", *found).hex()

    def _add(self, glyph: int, text: str) -> int:
        self.numbers[glyph] = number = len(self.numbers)
        if text:
            self.texts[number] = text
        return number

    def widths(self) -> str:
        """The /W array: all widths from glyph 0 on."""
        return f"[0 [{' '.join(str(self.face.advance(glyph)) for glyph in self.numbers)}]]"

    def to_unicode(self) -> bytes:
        """The /ToUnicode map."""
        rows = [f"<{number:04x}> <{text.encode('utf-16-be').hex()}>" for number, text in self.texts.items()]
        parts = [rows[at : at + 100] for at in range(0, len(rows), 100)]
        ranges = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts)
        return deflated(_TO_UNICODE.format(ranges=ranges).encode("ascii"))

    def file(self) -> bytes:
        """The TrueType file of the used glyphs."""
        outlines = [self._outline(glyph) for glyph in self._all_glyphs()]
        offsets = list(accumulate(map(len, outlines), initial=0))
        count = len(outlines)
        return _sfnt(
            {
                b"glyf": b"".join(outlines),
                b"head": self._head(),
                b"hhea": self._table("hhea")[:34] + struct.pack(">H", count),
                b"hmtx": b"".join([self.face.piece(glyph)[1] for glyph in self.numbers]),
                b"loca": struct.pack(f">{count + 1}L", *offsets),
                b"maxp": self._table("maxp")[:4] + struct.pack(">H", count) + self._table("maxp")[6:],
            }
        )

    def _all_glyphs(self) -> list[int]:
        """The used glyphs and, after them, the parts that they are composed of."""
        found = list(self.numbers)
        for glyph in found:
            for _, part in _parts(self.face.piece(glyph)[0]):
                if part not in self.numbers:
                    self.numbers[part] = len(self.numbers)
                    found.append(part)
        return found

    def _outline(self, glyph: int) -> bytes:
        outline = self.face.piece(glyph)[0]
        if not (parts := _parts(outline)):
            return outline
        renumbered = bytearray(outline)
        for at, part in parts:
            struct.pack_into(">H", renumbered, at, self.numbers[part])
        return bytes(renumbered)

    def _head(self) -> bytes:
        head = bytearray(self._table("head"))
        struct.pack_into(">L", head, 8, 0)
        struct.pack_into(">h", head, 50, 1)
        return bytes(head)

    def _table(self, tag: str) -> bytes:
        start, length = self.face.tables[tag]
        return self.face.data[start : start + length]


@cache
def _usual(face: Face) -> Subset:
    subset = Subset(face)
    subset.codes([face.glyph(text) for text in _USUAL], _USUAL)
    return subset


def _tag(data: bytes) -> str:
    """Six capitals that depend on the subset's contents."""
    check = crc32(data)
    return "".join(chr(65 + check // 26**at % 26) for at in range(6))


def _parts(outline: bytes) -> list[tuple[int, int]]:
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


def _sfnt(tables: dict[bytes, bytes]) -> bytes:
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    head = struct.pack(">L4H", 0x00010000, count, power * 16, power.bit_length() - 1, (count - power) * 16)
    directory, body, at = [], [], 12 + 16 * count
    for tag, data in tables.items():
        padded = data + bytes(-len(data) % 4)
        directory.append(struct.pack(">4s3L", tag, _checksum(padded), at, len(data)))
        body.append(padded)
        at += len(padded)
    return b"".join([head, *directory, *body])


def _checksum(data: bytes) -> int:
    words: tuple[int, ...] = struct.unpack(f">{len(data) // 4}L", data)
    return sum(words) & 0xFFFFFFFF

"""The part of a font that one PDF needs: a TrueType file of the used glyphs, their widths, their text."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from string import ascii_letters, digits
from typing import NamedTuple
from zlib import compress, crc32

from shipcli.drawing.text.typefaces import LATIN, LATIN_BOLD, Face

_TABLES = frozenset({"glyf", "head", "hhea", "hmtx", "loca", "maxp"})  # of a font file in a PDF
# What labels in English are made of: the Latin fonts hold all of it, so that most files share their subsets.
_USUAL = ascii_letters + digits + " .,-:/#&'()+"

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


class EmbeddedFont(NamedTuple):
    """A font as a PDF holds it: the length of its file, the file deflated, and what explains its numbers."""

    length: int
    file: bytes
    tag: str
    widths: str
    to_unicode: bytes
    glyphs: bytes


class Subset:
    """The used glyphs of one face and their numbers.

    In the Latin faces a character of ASCII has its code as the number of its glyph, so that such text is
    written without looking its glyphs up; all other glyphs are numbered in order of first use.
    """

    def __init__(self, face: Face) -> None:
        self.face = face
        numbers, used, texts = _start_subset(face)
        self._numbers, self._used, self._texts = dict(numbers), dict(used), dict(texts)
        self._next = max(numbers.values()) + 1

    def codes(self, glyphs: Sequence[int], texts: Sequence[str]) -> str:
        """The glyphs as a hexadecimal PDF string body."""
        numbers = [self._number(glyph, text) for glyph, text in zip(glyphs, texts, strict=True)]
        return struct.pack(f">{len(numbers)}H", *numbers).hex()

    def take(self, letters: Iterable[str]) -> None:
        """Use the glyphs of plain text too."""
        for character in sorted(set(letters)):
            self._number(self.face.glyph(character), character)

    def embed(self) -> EmbeddedFont:
        """What a PDF holds of it, made once for the same glyphs."""
        return _embed(self.face, tuple(sorted(self._used.items())), tuple(sorted(self._texts.items())))

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


@lru_cache(maxsize=64)
def _embed(
    face: Face, glyphs: tuple[tuple[int, int], ...], texts: tuple[tuple[int, str], ...]
) -> EmbeddedFont:
    used = dict(glyphs)
    data, places = _make_file(face, used.values())
    numbers = [places[used.get(number, 0)] for number in range(max(used) + 1)]
    return EmbeddedFont(
        length=len(data),
        file=compress(data),
        tag=_make_tag(data),
        widths=_write_widths(face, used),
        to_unicode=_write_to_unicode(dict(texts)),
        glyphs=compress(struct.pack(f">{len(numbers)}H", *numbers)),
    )


def _make_file(face: Face, glyphs: Iterable[int]) -> tuple[bytes, dict[int, int]]:
    """The TrueType file of some glyphs, and the place of each in it."""
    import uharfbuzz

    font, flags = face.shaper.face, uharfbuzz.SubsetFlags
    request = uharfbuzz.SubsetInput()
    request.glyph_set.update(glyphs)
    request.flags = flags.NO_HINTING | flags.NOTDEF_OUTLINE | flags.NO_LAYOUT_CLOSURE
    unneeded = (tag.encode() for tag in font.table_tags if tag not in _TABLES)
    request.drop_table_tag_set.update(int.from_bytes(tag) for tag in unneeded)
    plan = uharfbuzz.SubsetPlan(font, request)
    return plan.execute().blob.data, dict(plan.old_to_new_glyph_mapping)


def _write_widths(face: Face, used: dict[int, int]) -> str:
    """The /W array: the widths of the used glyphs, those with numbers in a row together."""
    rows = [
        (run[0], " ".join([str(face.advance(used[number])) for number in run])) for run in _group_runs(used)
    ]
    return f"[{''.join([f'{first}[{widths}]' for first, widths in rows])}]"


def _write_to_unicode(texts: dict[int, str]) -> bytes:
    """The /ToUnicode map; letters that have their code as their number are said by the run."""
    coded = {number for number, text in texts.items() if number < 0x80 and text == chr(number)}
    runs = [f"<{run[0]:04x}> <{run[-1]:04x}> <{run[0]:04x}>" for run in _group_runs(coded)]
    others = [
        f"<{number:04x}> <{text.encode('utf-16-be').hex()}>"
        for number, text in texts.items()
        if number not in coded
    ]
    ranges = "\n".join([*_write_sections("bfrange", runs), *_write_sections("bfchar", others)])
    return compress(_TO_UNICODE.format(ranges=ranges).encode("ascii"))


@cache
@cache
def _start_subset(face: Face) -> tuple[dict[int, int], dict[int, int], dict[int, str]]:
    """What a subset of this face starts with: numbers by glyph, glyphs by number, texts by number."""
    if face.name not in (LATIN, LATIN_BOLD):
        return {0: 0}, {0: 0}, {}
    numbers = {0: 0} | {face.glyph(chr(code)): code for code in range(0x20, 0x7F)}
    usual = [ord(character) for character in sorted(_USUAL)]
    used = {0: 0} | {code: face.glyph(chr(code)) for code in usual}
    return numbers, used, {code: chr(code) for code in usual}


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

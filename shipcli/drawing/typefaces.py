"""The bundled TrueType fonts: which one shows which character, and what a writer needs from its file.

A font is read when its script first occurs, once per process; the names here are file names in `fonts/`.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uharfbuzz

LATIN, LATIN_BOLD = "NotoSans-Regular", "NotoSans-Bold"
CJK = "WenQuanYiMicroHei"

# First code point of each block and the font for it; a block ends where the next row begins.
BLOCKS = [
    (0x0000, LATIN),
    (0x0530, "NotoSansArmenian-Regular"),
    (0x0590, "NotoSansHebrew-Regular"),
    (0x0600, "NotoNaskhArabic-Regular"),
    (0x0780, LATIN),
    (0x08A0, "NotoNaskhArabic-Regular"),
    (0x0900, "NotoSansDevanagari-Regular"),
    (0x0980, "NotoSansBengali-Regular"),
    (0x0A00, "NotoSansGurmukhi-Regular"),
    (0x0A80, "NotoSansGujarati-Regular"),
    (0x0B00, "NotoSansOriya-Regular"),
    (0x0B80, "NotoSansTamil-Regular"),
    (0x0C00, "NotoSansTelugu-Regular"),
    (0x0C80, "NotoSansKannada-Regular"),
    (0x0D00, "NotoSansMalayalam-Regular"),
    (0x0D80, "NotoSansSinhala-Regular"),
    (0x0E00, "NotoSansThai-Regular"),
    (0x0E80, "NotoSansLao-Regular"),
    (0x0F00, LATIN),
    (0x1000, "NotoSansMyanmar-Regular"),
    (0x10A0, "NotoSansGeorgian-Regular"),
    (0x1100, CJK),
    (0x1200, "NotoSansEthiopic-Regular"),
    (0x13A0, LATIN),
    (0x1780, "NotoSansKhmer-Regular"),
    (0x1800, LATIN),
    (0x1C90, "NotoSansGeorgian-Regular"),
    (0x1CC0, LATIN),
    (0x2D00, "NotoSansGeorgian-Regular"),
    (0x2D30, LATIN),
    (0x2D80, "NotoSansEthiopic-Regular"),
    (0x2DE0, LATIN),
    (0x2E80, CJK),
    (0xA000, LATIN),
    (0xA8E0, "NotoSansDevanagari-Regular"),
    (0xA900, LATIN),
    (0xA9E0, "NotoSansMyanmar-Regular"),
    (0xAA00, LATIN),
    (0xAA60, "NotoSansMyanmar-Regular"),
    (0xAA80, LATIN),
    (0xAB00, "NotoSansEthiopic-Regular"),
    (0xAB30, LATIN),
    (0xAC00, CJK),
    (0xFB00, LATIN),
    (0xFB13, "NotoSansArmenian-Regular"),
    (0xFB1D, "NotoSansHebrew-Regular"),
    (0xFB50, "NotoNaskhArabic-Regular"),
    (0xFE20, LATIN),
    (0xFE30, CJK),
    (0xFE70, "NotoNaskhArabic-Regular"),
    (0xFF00, CJK),
    (0x10000, LATIN),
]
_STARTS = [start for start, _ in BLOCKS]


class Face:
    """One font file: character to glyph, advance widths, outlines."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data
        self.tables = _read_tables(data)
        head, hhea = self.tables["head"][0], self.tables["hhea"][0]
        self.units: int = struct.unpack_from(">H", data, head + 18)[0]
        self.box: tuple[int, int, int, int] = struct.unpack_from(">4h", data, head + 36)
        self.ascent, self.descent = struct.unpack_from(">2h", data, hhea + 4)
        self._long = struct.unpack_from(">h", data, head + 50)[0] == 1
        self._metrics: int = struct.unpack_from(">H", data, hhea + 34)[0]
        self._glyphs: dict[str, int] = {}
        self._advances: dict[int, int] = {}
        self._pieces: dict[int, tuple[bytes, bytes]] = {}

    @cached_property
    def shaper(self) -> uharfbuzz.Font:
        """The font as HarfBuzz wants it, in font units."""
        import uharfbuzz

        return uharfbuzz.Font(uharfbuzz.Face(self.data))

    def glyph(self, character: str) -> int:
        """The glyph of a character, 0 when the font has none."""
        found = self._glyphs.get(character)
        if found is None:
            found = self._glyphs[character] = self.shaper.get_nominal_glyph(ord(character)) or 0
        return found

    def advance(self, glyph: int) -> int:
        """The advance width of a glyph, in thousandths of the em."""
        found = self._advances.get(glyph)
        if found is None:
            found = self._advances[glyph] = round(self.raw_advance(glyph) * 1000 / self.units)
        return found

    def raw_advance(self, glyph: int) -> int:
        """The advance width of a glyph, in font units."""
        start = self.tables["hmtx"][0]
        width: int = struct.unpack_from(">H", self.data, start + 4 * min(glyph, self._metrics - 1))[0]
        return width

    def bearing(self, glyph: int) -> int:
        """The left side bearing of a glyph, in font units."""
        own, shared = min(glyph, self._metrics - 1), max(0, glyph - self._metrics + 1)
        at = self.tables["hmtx"][0] + 4 * own + 2 + 2 * shared
        side: int = struct.unpack_from(">h", self.data, at)[0]
        return side

    def piece(self, glyph: int) -> tuple[bytes, bytes]:
        """The outline of a glyph, filled up to whole words, and its row of the `hmtx` table."""
        found = self._pieces.get(glyph)
        if found is None:
            outline = self.outline(glyph)
            metric = struct.pack(">Hh", self.raw_advance(glyph), self.bearing(glyph))
            found = self._pieces[glyph] = outline + bytes(-len(outline) % 4), metric
        return found

    def outline(self, glyph: int) -> bytes:
        """The glyph's description from the `glyf` table, empty for a blank."""
        loca, glyf = self.tables["loca"][0], self.tables["glyf"][0]
        if self._long:
            start, end = struct.unpack_from(">2L", self.data, loca + 4 * glyph)
        else:
            start, end = (2 * at for at in struct.unpack_from(">2H", self.data, loca + 2 * glyph))
        return self.data[glyf + start : glyf + end]


def _read_tables(data: bytes) -> dict[str, tuple[int, int]]:
    (count,) = struct.unpack_from(">H", data, 4)
    rows = (struct.unpack_from(">4s3L", data, 12 + 16 * at) for at in range(count))
    return {tag.decode("ascii"): (offset, length) for tag, _, offset, length in rows}


@cache
def load_face(name: str) -> Face:
    """A bundled font, read on first use."""
    return Face(name, files(f"{__package__}.fonts").joinpath(name + ".ttf").read_bytes())


@lru_cache(maxsize=8192)
def find_font(character: str) -> str | None:
    """The name of the font that shows a character, None when no bundled font does."""
    block = BLOCKS[bisect_right(_STARTS, ord(character)) - 1][1]
    return next((name for name in (block, LATIN, CJK) if load_face(name).glyph(character)), None)

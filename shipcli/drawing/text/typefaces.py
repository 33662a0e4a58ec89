"""The bundled TrueType fonts: which one shows which character, and what a writer needs from its file.

A font is read when its script first occurs, once per process; the names here are file names in `fonts/`.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from functools import cache, lru_cache
from importlib.resources import files

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
    """One font file: character to glyph, and advance widths."""

    def __init__(self, name: str, data: bytes) -> None:
        import uharfbuzz

        self.name, self.data = name, data
        self.shaper = uharfbuzz.Font(uharfbuzz.Face(data))  # in font units
        face = self.shaper.face
        self.units: int = face.upem
        self.box: tuple[int, int, int, int] = struct.unpack_from(">4h", face.reference_table("head").data, 36)
        self.ascent, self.descent = struct.unpack_from(">2h", face.reference_table("hhea").data, 4)
        self._glyphs: dict[str, int] = {}

    def glyph(self, character: str) -> int:
        """The glyph of a character, 0 if the font has none."""
        glyph = self._glyphs.get(character)
        if glyph is None:
            glyph = self._glyphs[character] = self.shaper.get_nominal_glyph(ord(character)) or 0
        return glyph

    def advance(self, glyph: int) -> int:
        """The advance width of a glyph, in thousandths of the em."""
        width: int = self.shaper.get_glyph_h_advance(glyph)
        return round(width * 1000 / self.units)


@cache
def load_face(name: str) -> Face:
    """A bundled font, read on first use."""
    return Face(name, files(f"{__package__}.fonts").joinpath(name + ".ttf").read_bytes())


@lru_cache(maxsize=8192)
def find_font(character: str) -> str | None:
    """The name of the font that shows a character, None when no bundled font does."""
    block = BLOCKS[bisect_right(_STARTS, ord(character)) - 1][1]
    return next((name for name in (block, LATIN, CJK) if load_face(name).glyph(character)), None)

"""From text to glyphs on a line: fonts by script, writing direction, joined and stacked letters.

Widths are in thousandths of the em. Text that one glyph per character shows rightly (Latin, Greek, Cyrillic)
does not go through HarfBuzz.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from shipcli.drawing.errors import Unprintable

from .bidi import list_visual_runs, needs_reordering
from .typefaces import LATIN, LATIN_BOLD, Face, find_font, load_face

# Direction marks, isolates, soft hyphen, variation selectors: they ask for something and show nothing.
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
JOINERS = "\u200c\u200d"
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " "})


class GlyphPlace(NamedTuple):
    """Where a shaped glyph goes: how far the pen moves, and the glyph's shift from the pen."""

    advance: int
    right: int
    up: int


class GlyphRun(NamedTuple):
    """Glyphs of one font, left to right; `texts` says what each shows; `places` is None for plain text."""

    face: Face
    glyphs: tuple[int, ...]
    texts: tuple[str, ...]
    text: str
    places: tuple[GlyphPlace, ...] | None
    fake_bold: bool = False
    leftward: bool = False


class ShapedLine(NamedTuple):
    runs: tuple[GlyphRun, ...]
    width: int


def is_plain(text: str) -> bool:
    """Whether the Latin fonts show every character as it stands: printable ASCII."""
    return text.isascii() and text.isprintable()


def clean(text: str) -> str:
    """The text on one line, composed, without signs that show nothing."""
    if is_plain(text):
        return text
    bare = _UNSEEN.sub("", unicodedata.normalize("NFC", text)).translate(_DASHES)
    return " ".join(bare.split())


def measure_width(text: str, bold: bool) -> int:
    """How wide a clean text runs, in thousandths of the em (for Latin-1 in fives, rounded up).

    Every line of every label is measured, hence the table: its bytes are the widths.
    """
    try:
        return 5 * sum(text.encode("latin-1").translate(_make_width_table(bold)))
    except UnicodeEncodeError:
        return shape(text, bold).width


def wrap(text: str, room: int, bold: bool, slack: float = 1.0) -> list[str]:
    """A clean text cut at its words into lines that fit the room, in thousandths of the em.

    A word is cut when it is longer than the room times the slack.
    """
    lines: list[str] = []
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and measure_width(joined, bold) <= room:
            lines[-1] = joined
        elif measure_width(word, bold) <= room * slack:
            lines.append(word)
        else:
            lines += _cut_word(word, room, bold)
    return lines


def _cut_word(word: str, room: int, bold: bool) -> list[str]:
    """A word in pieces that fit; letters stay with the marks that they carry."""
    pieces = [""]
    for letter in word:
        carried = unicodedata.category(letter) in ("Mn", "Mc") or letter in JOINERS
        if pieces[-1] and not carried and measure_width(pieces[-1] + letter, bold) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


@lru_cache(maxsize=2)
def _make_width_table(bold: bool) -> bytes:
    latin = load_face(LATIN_BOLD if bold else LATIN)
    return b"\0" + bytes(-(-latin.advance(latin.glyph(chr(code))) // 5) for code in range(1, 256))


@lru_cache(maxsize=4096)
def shape(text: str, bold: bool = False) -> ShapedLine:
    """The glyphs of a line.

    Errors: Unprintable for a character that no bundled font has.
    """
    text = clean(text)
    runs = tuple(_shape_plain(text, bold) or _shape(text, bold))
    return ShapedLine(runs, sum(_run_width(run) for run in runs))


def _run_width(run: GlyphRun) -> int:
    return (
        sum(place.advance for place in run.places) if run.places else sum(map(run.face.advance, run.glyphs))
    )


def _shape_plain(text: str, bold: bool) -> list[GlyphRun]:
    latin = load_face(LATIN_BOLD if bold else LATIN)
    glyphs = tuple(map(latin.glyph, text))
    if 0 in glyphs or (not text.isascii() and any(map(unicodedata.combining, text))):
        return []
    return [GlyphRun(latin, glyphs, tuple(text), text, None)]


def _shape(text: str, bold: bool) -> Iterator[GlyphRun]:
    fonts = _choose_fonts(text)
    directions = list_visual_runs(text) if needs_reordering(text) else [(0, len(text), False)]
    for start, end, leftward in directions:
        pieces = list(_split_by_font(fonts, start, end))
        for name, first, last in reversed(pieces) if leftward else pieces:
            yield _run(text[first:last], name, leftward, bold)


def _choose_fonts(text: str) -> list[str]:
    """The font of every character; what all scripts share stays in the font of its neighbour on the left."""
    fonts: list[str] = []
    for character in text:
        font = find_font(character)
        near = fonts[-1] if fonts else None
        if character in JOINERS and near:
            font = near
        if font is None:
            raise Unprintable(character, text)
        stays = near and unicodedata.category(character)[0] in "ZPSNM" and load_face(near).glyph(character)
        fonts.append(near if near and stays else font)
    return fonts


def _split_by_font(fonts: list[str], start: int, end: int) -> Iterator[tuple[str, int, int]]:
    first = start
    for at in range(start + 1, end + 1):
        if at == end or fonts[at] != fonts[first]:
            yield fonts[first], first, at
            first = at


def _run(text: str, name: str, leftward: bool, bold: bool) -> GlyphRun:
    import uharfbuzz

    font = load_face(LATIN_BOLD if bold and name == LATIN else name)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if leftward else "ltr"
    uharfbuzz.shape(font.shaper, buffer)
    scale = 1000 / font.units
    places = tuple(
        GlyphPlace(round(p.x_advance * scale), round(p.x_offset * scale), round(p.y_offset * scale))
        for p in buffer.glyph_positions
    )
    glyphs = tuple(info.codepoint for info in buffer.glyph_infos)
    shown = text.translate(_MIRRORED) if leftward else text
    texts = _list_texts(shown, [info.cluster for info in buffer.glyph_infos])
    return GlyphRun(font, glyphs, texts, text, places, bold and name != LATIN, leftward)


def _list_texts(text: str, clusters: list[int]) -> tuple[str, ...]:
    """What each glyph shows: the first glyph of a cluster all of its characters, the others nothing."""
    ends = dict(zip(sorted(set(clusters)), [*sorted(set(clusters))[1:], len(text)], strict=True))
    seen: set[int] = set()
    texts = []
    for cluster in clusters:
        texts.append("" if cluster in seen else text[cluster : ends[cluster]])
        seen.add(cluster)
    return tuple(texts)

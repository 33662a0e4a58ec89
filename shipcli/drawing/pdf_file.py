"""What a PDF file is made of: numbered objects, and among them the fonts of its texts."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_letters, digits
from typing import NamedTuple

from .faces import LATIN, LATIN_BOLD, Face, face
from .pdf_fonts import Subset, deflated

# What labels in English are made of: files with plain text alone hold all of it, made once for all of them.
_USUAL = (ascii_letters + digits + " .,-:/#&'()+").encode("ascii")
# What pages call the Latin fonts; those of other scripts come after them.
BOLD, REGULAR = "F1", "F2"
_LATIN = {BOLD: LATIN_BOLD, REGULAR: LATIN}


class Begun(NamedTuple):
    """The beginning of a file: its bytes, its part of the table of objects, its objects, its fonts."""

    data: bytes
    table: str
    objects: int
    fonts: str


class File:
    """The objects of one file, numbered from 1 on, or after those that were begun with."""

    def __init__(self, begun: Begun | None = None) -> None:
        data, table, self.count, _ = begun or Begun(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "", 0, "")
        self._parts, self._size = [data], len(data)
        self._table = [table]

    def add(self, body: str) -> int:
        """An object; what is given is its number."""
        return self._add(body.encode("latin-1"))

    def stream(self, entries: str, data: bytes, *, packed: bool) -> int:
        """A stream object; data that has no filter yet is compressed."""
        if not packed:
            data, entries = deflated(data), entries + "/Filter/FlateDecode"
        head = f"<<{entries}/Length {len(data)}>>\nstream\n".encode("latin-1")
        return self._add(head + data + b"\nendstream")

    def _add(self, body: bytes) -> int:
        self.count += 1
        part = b"%d 0 obj\n%b\nendobj\n" % (self.count, body)
        self._table.append(f"{self._size:010} 00000 n \n")
        self._parts.append(part)
        self._size += len(part)
        return self.count

    def begun(self, fonts: str) -> Begun:
        """What is there now, for other files to begin with; `fonts` names the fonts among it."""
        return Begun(b"".join(self._parts), "".join(self._table), self.count, fonts)

    def bytes(self, catalog: int) -> bytes:
        """The whole file."""
        count, rows = self.count + 1, "".join(self._table)
        tail = f"xref\n0 {count}\n0000000000 65535 f \n{rows}trailer\n<</Size {count}/Root {catalog} 0 R>>\n"
        self._parts.append(f"{tail}startxref\n{self._size}\n%%EOF\n".encode("ascii"))
        return b"".join(self._parts)


class Fonts:
    """The fonts of one file, and the texts that were written in them."""

    def __init__(self) -> None:
        self._plain: dict[str, list[str]] = {BOLD: [], REGULAR: []}
        self._names = {font: name for name, font in _LATIN.items()}
        self._subsets: dict[str, Subset] = {}

    def note(self, name: str, text: str) -> None:
        """Plain text was written in a Latin font."""
        self._plain[name].append(text)

    @property
    def plain(self) -> bool:
        """Whether all text so far is plain."""
        return not self._subsets

    def written(self) -> tuple[tuple[str, str], ...]:
        """The plain text so far by font."""
        return tuple((name, "".join(texts)) for name, texts in self._plain.items() if texts)

    def subset(self, face: Face) -> tuple[str, Subset]:
        """What pages call a font, and its glyphs, for text that is not plain."""
        name = self._names.setdefault(face.name, f"F{len(self._names) + 1}")
        subset = self._subsets.get(name)
        if subset is None:
            subset = self._subsets[name] = Subset(face)
        return name, subset

    def begun(self) -> Begun:
        """A file that has these fonts."""
        if not self._subsets:
            return _plain_begun(*[_letters(texts) for texts in self._plain.values()])
        for name, texts in self._plain.items():
            if texts:
                self.subset(face(_LATIN[name]))[1].take("".join(texts))
        return _begun(self._subsets)


def _letters(texts: list[str]) -> bytes | None:
    """The letters that are not usual, once each; None where there is no text."""
    if not texts:
        return None
    return bytes(sorted(set("".join(texts).encode("ascii").translate(None, _USUAL))))


@lru_cache(maxsize=64)
def _plain_begun(bold: bytes | None, regular: bytes | None) -> Begun:
    """A file with the Latin fonts that there is text in, usual letters and some others in them."""
    subsets = {}
    for name, letters in ((BOLD, bold), (REGULAR, regular)):
        if letters is not None:
            subsets[name] = subset = Subset(face(_LATIN[name]))
            subset.take((_USUAL + letters).decode("ascii"))
    return _begun(subsets)


def _begun(subsets: dict[str, Subset]) -> Begun:
    file = File()
    return file.begun("".join([f"/{name} {_embed(file, subset)} 0 R" for name, subset in subsets.items()]))


def _embed(file: File, subset: Subset) -> int:
    """The font objects of one subset, from its file up to the Type 0 font."""
    font = subset.embedded()
    # The tag tells subsets of one font apart in merged files: readers and printers keep fonts by name.
    name = f"/BaseFont/{font.tag}+{subset.face.name}"
    font_file = file.stream(f"/Length1 {font.length}/Filter/FlateDecode", font.file, packed=True)
    descriptor = file.add(_descriptor(subset.face, name.removeprefix("/BaseFont"), font_file))
    texts = file.stream("/Filter/FlateDecode", font.to_unicode, packed=True)
    system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity"
    links = f"/FontDescriptor {descriptor} 0 R/W {font.widths}"
    glyphs = file.add(f"<</Type/Font/Subtype/CIDFontType2{name}{system}{links}>>")
    links = f"/DescendantFonts[{glyphs} 0 R]/ToUnicode {texts} 0 R"
    return file.add(f"<</Type/Font/Subtype/Type0{name}/Encoding/Identity-H{links}>>")


def _descriptor(face: Face, name: str, font_file: int) -> str:
    scale = 1000 / face.units
    box = " ".join(str(round(edge * scale)) for edge in face.box)
    heights = f"/Ascent {round(face.ascent * scale)}/Descent {round(face.descent * scale)}/CapHeight 714"
    form = f"/Flags 4/FontBBox[{box}]/ItalicAngle 0{heights}/StemV 80"
    return f"<</Type/FontDescriptor/FontName{name}{form}/FontFile2 {font_file} 0 R>>"

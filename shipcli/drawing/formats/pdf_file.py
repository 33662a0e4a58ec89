"""What a PDF file is made of: numbered objects, and among them the fonts of its texts."""

from __future__ import annotations

from zlib import compress

from shipcli.drawing.text.typefaces import LATIN, LATIN_BOLD, Face, load_face

from .pdf_fonts import Subset

_MAKER = "/Producer(shipcli)"
# What pages call the Latin fonts; those of other scripts come after them.
BOLD, REGULAR = "F1", "F2"
_LATIN = {BOLD: LATIN_BOLD, REGULAR: LATIN}


def is_own_document(data: bytes) -> bool:
    """Whether a PDF with a title was written here: it can be written again for another paper."""
    return data.startswith(b"%PDF-") and _MAKER.encode() in data


class PdfObjects:
    """The objects of one file, numbered from 1 on."""

    def __init__(self) -> None:
        self.count = 0
        self._parts = [b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"]
        self._size = len(self._parts[0])
        self._table = ["0000000000 65535 f \n"]

    def add(self, body: str) -> int:
        """Add an object; return its number."""
        return self._add(body.encode("latin-1"))

    def stream(self, entries: str, data: bytes, *, packed: bool = False) -> int:
        """Add a stream object; return its number. Data that has no filter yet is compressed."""
        if not packed:
            data, entries = compress(data), entries + "/Filter/FlateDecode"
        head = f"<<{entries}/Length {len(data)}>>\nstream\n".encode("latin-1")
        return self._add(head + data + b"\nendstream")

    def _add(self, body: bytes) -> int:
        self.count += 1
        part = b"%d 0 obj\n%b\nendobj\n" % (self.count, body)
        self._table.append(f"{self._size:010} 00000 n \n")
        self._parts.append(part)
        self._size += len(part)
        return self.count

    def bytes(self, catalog: int, title: str = "") -> bytes:
        """The whole file."""
        info = f"/Info {self._add_title(title)} 0 R" if title else ""
        size = self.count + 1
        table = f"xref\n0 {size}\n{''.join(self._table)}"
        trailer = f"trailer\n<</Size {size}/Root {catalog} 0 R{info}>>\nstartxref\n{self._size}\n%%EOF\n"
        return b"".join([*self._parts, (table + trailer).encode("ascii")])

    def _add_title(self, title: str) -> int:
        return self.add(f"<</Title<feff{title.encode('utf-16-be').hex()}>{_MAKER}>>")


class PdfImages:
    """The pictures of one file, before they are in it: entries, data, whether that is compressed."""

    def __init__(self) -> None:
        self._found: list[tuple[str, bytes, bool]] = []

    def add(self, entries: str, data: bytes, *, packed: bool) -> str:
        """What pages call the picture."""
        self._found.append((f"/Type/XObject/Subtype/Image{entries}", data, packed))
        return f"I{len(self._found)}"

    def embed(self, file: PdfObjects) -> str:
        """The pictures put into the file, by name."""
        numbers = [file.stream(entries, data, packed=packed) for entries, data, packed in self._found]
        return "".join([f"/I{at} {number} 0 R" for at, number in enumerate(numbers, 1)])


class Fonts:
    """The fonts of one file, and the texts that were written in them."""

    def __init__(self) -> None:
        self._letters: dict[str, set[str]] = {BOLD: set(), REGULAR: set()}
        self._names = {font: name for name, font in _LATIN.items()}
        self._subsets: dict[str, Subset] = {}

    def note(self, name: str, text: str) -> None:
        """Plain text was written in a Latin font."""
        self._letters[name].update(text)

    def subset(self, face: Face) -> tuple[str, Subset]:
        """What pages call a font, and its glyphs, for text that is not plain."""
        name = self._names.setdefault(face.name, f"F{len(self._names) + 1}")
        if name not in self._subsets:
            self._subsets[name] = Subset(face)
        return name, self._subsets[name]

    def embed(self, file: PdfObjects) -> str:
        """The fonts put into the file, by name."""
        for name, letters in self._letters.items():
            if letters:
                self.subset(load_face(_LATIN[name]))[1].take(letters)
        return "".join([f"/{name} {_embed(file, subset)} 0 R" for name, subset in self._subsets.items()])


def _embed(file: PdfObjects, subset: Subset) -> int:
    """The font objects of one subset, from its file up to the Type 0 font."""
    font = subset.embed()
    # The tag tells subsets of one font apart in merged files: readers and printers keep fonts by name.
    name = f"/BaseFont/{font.tag}+{subset.face.name}"
    font_file = file.stream(f"/Length1 {font.length}/Filter/FlateDecode", font.file, packed=True)
    descriptor = file.add(_write_descriptor(subset.face, name.removeprefix("/BaseFont"), font_file))
    texts = file.stream("/Filter/FlateDecode", font.to_unicode, packed=True)
    numbers = file.stream("/Filter/FlateDecode", font.glyphs, packed=True)
    system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    links = f"/FontDescriptor {descriptor} 0 R/CIDToGIDMap {numbers} 0 R/W {font.widths}"
    glyphs = file.add(f"<</Type/Font/Subtype/CIDFontType2{name}{system}{links}>>")
    links = f"/DescendantFonts[{glyphs} 0 R]/ToUnicode {texts} 0 R"
    return file.add(f"<</Type/Font/Subtype/Type0{name}/Encoding/Identity-H{links}>>")


def _write_descriptor(face: Face, name: str, font_file: int) -> str:
    scale = 1000 / face.units
    box = " ".join(str(round(edge * scale)) for edge in face.box)
    heights = f"/Ascent {round(face.ascent * scale)}/Descent {round(face.descent * scale)}/CapHeight 714"
    form = f"/Flags 4/FontBBox[{box}]/ItalicAngle 0{heights}/StemV 80"
    return f"<</Type/FontDescriptor/FontName{name}{form}/FontFile2 {font_file} 0 R>>"

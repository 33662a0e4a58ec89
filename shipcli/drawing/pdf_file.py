"""What a PDF file is made of: numbered objects, and among them the fonts of its texts."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_letters, digits
from typing import NamedTuple

from .pdf_fonts import Subset, deflate
from .typefaces import LATIN, LATIN_BOLD, Face, load_face

# What labels in English are made of: files with plain text alone hold all of it, made once for all of them.
_USUAL = (ascii_letters + digits + " .,-:/#&'()+").encode("ascii")
_MAKER = "/Producer(shipcli)"
# What pages call the Latin fonts; those of other scripts come after them.
BOLD, REGULAR = "F1", "F2"
_LATIN = {BOLD: LATIN_BOLD, REGULAR: LATIN}


class Begun(NamedTuple):
    """The beginning of a file: all but its pages.

    Shapes: `table` is its part of the table of objects, `page` what the objects of all pages say.
    """

    data: bytes
    table: str
    objects: int
    page: str
    catalog: int


def is_own_document(data: bytes) -> bool:
    """Whether a PDF with a title was written here: it can be written again for another paper."""
    return data.startswith(b"%PDF-") and _MAKER.encode() in data


class PdfObjects:
    """The objects of one file, numbered from 1 on, or after those that it begins with."""

    def __init__(self, begun: Begun = Begun(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", "", 0, "", 0)) -> None:
        data, table, self.count, self._page, self._catalog = begun
        self._parts, self._size = [data], len(data)
        self._table = [table]

    def add(self, body: str) -> int:
        """An object; what is given is its number."""
        return self._add(body.encode("latin-1"))

    def stream(self, entries: str, data: bytes, *, packed: bool) -> int:
        """A stream object; data that has no filter yet is compressed."""
        if not packed:
            data, entries = deflate(data), entries + "/Filter/FlateDecode"
        head = f"<<{entries}/Length {len(data)}>>\nstream\n".encode("latin-1")
        return self._add(head + data + b"\nendstream")

    def _add(self, body: bytes) -> int:
        self.count += 1
        part = b"%d 0 obj\n%b\nendobj\n" % (self.count, body)
        self._table.append(f"{self._size:010} 00000 n \n")
        self._parts.append(part)
        self._size += len(part)
        return self.count

    def page(self, paper: str, entries: str, data: bytes) -> None:
        """The next page: the stream of its drawing, then the page itself."""
        drawing = self.stream(entries, data, packed=True)
        self.add(f"<</Type/Page/MediaBox[0 0 {paper}]/Contents {drawing} 0 R{self._page}>>")

    def begin(self, page: str, catalog: int) -> Begun:
        """What is there now, for files to begin with."""
        return Begun(b"".join(self._parts), "".join(self._table), self.count, page, catalog)

    def bytes(self, title: str = "") -> bytes:
        """The whole file."""
        info = f"/Info {self._add_title(title)} 0 R" if title else ""
        size, rows = self.count + 1, "".join(self._table)
        table = f"xref\n0 {size}\n0000000000 65535 f \n{rows}"
        trailer = (
            f"trailer\n<</Size {size}/Root {self._catalog} 0 R{info}>>\nstartxref\n{self._size}\n%%EOF\n"
        )
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

    @property
    def none(self) -> bool:
        return not self._found

    def embed(self, file: PdfObjects) -> str:
        """The pictures put into the file, by name."""
        numbers = [file.stream(entries, data, packed=packed) for entries, data, packed in self._found]
        return "".join([f"/I{at} {number} 0 R" for at, number in enumerate(numbers, 1)])


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

    def list_written(self) -> tuple[tuple[str, str], ...]:
        """The plain text so far by font."""
        return tuple((name, "".join(texts)) for name, texts in self._plain.items() if texts)

    def subset(self, face: Face) -> tuple[str, Subset]:
        """What pages call a font, and its glyphs, for text that is not plain."""
        name = self._names.setdefault(face.name, f"F{len(self._names) + 1}")
        subset = self._subsets.get(name)
        if subset is None:
            subset = self._subsets[name] = Subset(face)
        return name, subset

    def subsets(self) -> dict[str, Subset]:
        """The glyphs of all text so far."""
        for name, texts in self._plain.items():
            if texts:
                self.subset(load_face(_LATIN[name]))[1].take("".join(texts))
        return self._subsets


def begin(fonts: Fonts, images: PdfImages, pages: int) -> Begun:
    """The beginning of a file that has these fonts, pictures and so many pages."""
    if fonts.plain and images.none:
        written = dict(fonts.list_written())
        return _begin_plain(
            _find_unusual_letters(written.get(BOLD)), _find_unusual_letters(written.get(REGULAR)), pages
        )
    return _begin(fonts.subsets(), images, pages)


def _find_unusual_letters(text: str | None) -> bytes | None:
    """The letters that are not usual, once each; None where there is no text."""
    if text is None:
        return None
    return bytes(sorted(set(text.encode("ascii").translate(None, _USUAL))))


@lru_cache(maxsize=64)
def _begin_plain(bold: bytes | None, regular: bytes | None, pages: int) -> Begun:
    """The same with the Latin fonts that there is text in, usual letters and some others in them."""
    subsets = {}
    for name, letters in ((BOLD, bold), (REGULAR, regular)):
        if letters is not None:
            subsets[name] = subset = Subset(load_face(_LATIN[name]))
            subset.take((_USUAL + letters).decode("ascii"))
    return _begin(subsets, PdfImages(), pages)


def _begin(subsets: dict[str, Subset], images: PdfImages, pages: int) -> Begun:
    file = PdfObjects()
    fonts = "".join([f"/{name} {_embed(file, subset)} 0 R" for name, subset in subsets.items()])
    resources = file.add(f"<</Font<<{fonts}>>/XObject<<{images.embed(file)}>>>>")
    # After the tree and the catalog each page is two objects, its drawing and itself.
    tree, catalog = resources + 1, resources + 2
    kids = " ".join([f"{catalog + 2 * page} 0 R" for page in range(1, pages + 1)])
    file.add(f"<</Type/Pages/Count {pages}/Kids[{kids}]>>")
    file.add(f"<</Type/Catalog/Pages {tree} 0 R>>")
    return file.begin(f"/Parent {tree} 0 R/Resources {resources} 0 R", catalog)


def _embed(file: PdfObjects, subset: Subset) -> int:
    """The font objects of one subset, from its file up to the Type 0 font."""
    font = subset.embed()
    # The tag tells subsets of one font apart in merged files: readers and printers keep fonts by name.
    name = f"/BaseFont/{font.tag}+{subset.face.name}"
    font_file = file.stream(f"/Length1 {font.length}/Filter/FlateDecode", font.file, packed=True)
    descriptor = file.add(_write_descriptor(subset.face, name.removeprefix("/BaseFont"), font_file))
    texts = file.stream("/Filter/FlateDecode", font.to_unicode, packed=True)
    system = "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/CIDToGIDMap/Identity"
    links = f"/FontDescriptor {descriptor} 0 R/W {font.widths}"
    glyphs = file.add(f"<</Type/Font/Subtype/CIDFontType2{name}{system}{links}>>")
    links = f"/DescendantFonts[{glyphs} 0 R]/ToUnicode {texts} 0 R"
    return file.add(f"<</Type/Font/Subtype/Type0{name}/Encoding/Identity-H{links}>>")


def _write_descriptor(face: Face, name: str, font_file: int) -> str:
    scale = 1000 / face.units
    box = " ".join(str(round(edge * scale)) for edge in face.box)
    heights = f"/Ascent {round(face.ascent * scale)}/Descent {round(face.descent * scale)}/CapHeight 714"
    form = f"/Flags 4/FontBBox[{box}]/ItalicAngle 0{heights}/StemV 80"
    return f"<</Type/FontDescriptor/FontName{name}{form}/FontFile2 {font_file} 0 R>>"

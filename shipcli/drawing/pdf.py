"""Pages written as PDF: no time stamps, fonts embedded as subsets, so equal pages give equal bytes.

Written without reportlab: that addresses glyphs by character, which the glyphs of shaped text do not have,
and takes several times as long per label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import code128, symbols
from .elements import BASELINE, Bars, Colour, Lines, Matrix, Page, Photo, Picture, Rule, Text
from .faces import Face
from .pdf_fonts import Subset, deflated
from .shaping import Place, Run, shape

_FAKE_BOLD = 0.035
# The corners of a picture turned clockwise: its sides and its origin, in widths and heights of its box.
_TURNS = {0: (1, 0, 0, 1, 0, 0), 90: (0, -1, 1, 0, 0, 1), 180: (-1, 0, 0, -1, 1, 1), 270: (0, 1, -1, 0, 1, 0)}


def write_pdf(pages: Sequence[Page]) -> bytes:
    """The pages as one PDF file."""
    file = _File(plain=all(map(_is_plain, pages)))
    catalog, tree = file.reserve(), file.reserve()
    drawings = [_Drawing(page, file) for page in pages]
    resources = file.add(file.resources())
    kids = []
    for page, drawing in zip(pages, drawings, strict=True):
        content = file.stream("", drawing.content(), packed=False)
        box = f"/MediaBox[0 0 {_points(page.width, page.dpi)} {_points(page.height, page.dpi)}]"
        links = f"/Parent {tree} 0 R/Resources {resources} 0 R/Contents {content} 0 R"
        kids.append(file.add(f"<</Type/Page{box}{links}>>"))
    file.put(tree, f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(f'{kid} 0 R' for kid in kids)}]>>")
    file.put(catalog, f"<</Type/Catalog/Pages {tree} 0 R>>")
    return file.bytes(catalog)


def _is_plain(page: Page) -> bool:
    """Whether all text of a page is ASCII."""
    texts = (one.text for one in page.elements if isinstance(one, Text))
    lines = (line for one in page.elements if isinstance(one, Lines) for line in one.lines)
    return all(text.isascii() for text in (*texts, *lines))


def _points(dots: int, dpi: int) -> str:
    # Rounded down, so that a page drawn at its own resolution does not begin another pixel.
    return f"{dots * 72000 // dpi / 1000:g}"


class _File:
    """The objects of one file, numbered from 1, and what its pages share."""

    def __init__(self, *, plain: bool) -> None:
        self.plain = plain
        self.objects: list[bytes] = []
        self.subsets: dict[str, Subset] = {}
        self.images: dict[str, int] = {}

    def reserve(self) -> int:
        self.objects.append(b"")
        return len(self.objects)

    def put(self, number: int, body: str) -> None:
        self.objects[number - 1] = body.encode("latin-1")

    def add(self, body: str) -> int:
        number = self.reserve()
        self.put(number, body)
        return number

    def stream(self, entries: str, data: bytes, packed: bool) -> int:
        """A stream object; data that has no filter yet is compressed."""
        if not packed:
            data, entries = deflated(data), entries + "/Filter/FlateDecode"
        number = self.reserve()
        head = f"<<{entries}/Length {len(data)}>>\nstream\n".encode("latin-1")
        self.objects[number - 1] = head + data + b"\nendstream"
        return number

    def font(self, face: Face) -> tuple[str, Subset]:
        subset = self.subsets.get(face.name)
        if subset is None:
            subset = self.subsets[face.name] = Subset(face, plain=self.plain)
        return f"F{list(self.subsets).index(face.name) + 1}", subset

    def image(self, entries: str, data: bytes, packed: bool) -> str:
        name = f"I{len(self.images) + 1}"
        self.images[name] = self.stream("/Type/XObject/Subtype/Image" + entries, data, packed)
        return name

    def resources(self) -> str:
        fonts = "".join(
            f"/F{at} {_embed(self, subset)} 0 R" for at, subset in enumerate(self.subsets.values(), 1)
        )
        images = "".join(f"/{name} {number} 0 R" for name, number in self.images.items())
        return f"<</Font<<{fonts}>>/XObject<<{images}>>>>"

    def bytes(self, catalog: int) -> bytes:
        parts = [b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"]
        at, offsets = len(parts[0]), []
        for number, body in enumerate(self.objects, 1):
            offsets.append(at)
            parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
            at += len(parts[-1])
        rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
        count = len(offsets) + 1
        tail = f"xref\n0 {count}\n0000000000 65535 f \n{rows}trailer\n<</Size {count}/Root {catalog} 0 R>>\n"
        return b"".join(parts) + f"{tail}startxref\n{at}\n%%EOF\n".encode("ascii")


def _embed(file: _File, subset: Subset) -> int:
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


class _Drawing:
    """The content of one page. Coordinates are dots, turned over because PDF counts from the bottom."""

    def __init__(self, page: Page, file: _File) -> None:
        self.height, self.file = page.height, file
        scale = f"{72 / page.dpi:.7f}"
        self.parts = [f"{scale} 0 0 {scale} 0 0 cm"]
        for element in page.elements:
            _DRAWERS[type(element)](self, element)

    def content(self) -> bytes:
        return "\n".join(self.parts).encode("ascii")

    def text(self, text: Text) -> None:
        line = shape(text.text, text.bold)
        slack = text.width - line.width * text.size / 1000
        x = text.x + {"L": 0.0, "C": slack / 2, "R": slack}[text.align]
        y = self.height - text.y - text.size * BASELINE
        colour = "1 g 1 G" if text.white else "0 g 0 G"
        self.parts.append(f"{colour} BT 1 0 0 1 {x:.6g} {y:.6g} Tm")
        self.parts += [self._run(run, text.size) for run in line.runs]
        self.parts.append("ET")

    def _run(self, run: Run, size: int) -> str:
        name, subset = self.file.font(run.face)
        codes = subset.codes(run.glyphs, run.texts)
        shown = f"<{codes}> Tj" if run.places is None else _placed(run, run.places, codes, size)
        if run.fake_bold:
            shown = f"2 Tr {size * _FAKE_BOLD:.4g} w {shown} 0 Tr"
        return f"/{name} {size} Tf {shown}"

    def lines(self, lines: Lines) -> None:
        for text in lines.texts():
            self.text(text)

    def rule(self, rule: Rule) -> None:
        self.parts.append(f"{_fill(rule.colour)} {self._box(rule.x, rule.y, rule.width, rule.height)} f")

    def bars(self, bars: Bars) -> None:
        boxes = [
            (bars.x, bars.y + at * bars.module, bars.height, width * bars.module)
            if bars.turned
            else (bars.x + at * bars.module, bars.y, width * bars.module, bars.height)
            for at, width in code128.bars(bars.content)
        ]
        self._boxes(boxes)

    def matrix(self, code: Matrix) -> None:
        rows = symbols.rows(code.symbology, code.content, code.columns, code.level)
        x, y, size = code.x, code.y, code.module
        self._boxes(
            [(x + a * size, y + b * size, c * size, d * size) for a, b, c, d in symbols.black_runs(rows)]
        )

    def picture(self, picture: Picture) -> None:
        entries = (
            f"/ImageMask true/Width {picture.width}/Height {picture.height}/Decode[1 0]/BitsPerComponent 1"
        )
        name = self.file.image(entries, picture.data, packed=False)
        self._image(name, picture)

    def photo(self, photo: Photo) -> None:
        across, down = photo.pixels
        entries = f"/Width {across}/Height {down}/ColorSpace/{photo.space}/BitsPerComponent {photo.bits}"
        name = self.file.image(f"{entries}/Filter/{photo.filter}{photo.parms}", photo.data, packed=True)
        self._image(name, photo)

    def _image(self, name: str, at: Picture | Photo) -> None:
        colour = "1 g" if isinstance(at, Picture) and at.white else "0 g"
        a, b, c, d, e, f = _TURNS[at.turn if isinstance(at, Photo) else 0]
        x, y, wide, high = at.x, self.height - at.y - at.height, at.width, at.height
        box = f"{a * wide} {b * high} {c * wide} {d * high} {x + e * wide} {y + f * high}"
        self.parts.append(f"q {colour} {box} cm /{name} Do Q")

    def _boxes(self, boxes: Sequence[tuple[float, float, float, float]]) -> None:
        bottom = self.height
        self.parts.append(
            "0 g " + " ".join([f"{x} {bottom - y - h} {w} {h} re" for x, y, w, h in boxes]) + " f"
        )

    def _box(self, x: int, y: int, width: int, height: int) -> str:
        return f"{x} {self.height - y - height} {width} {height} re"


_DRAWERS: dict[type, Callable[[_Drawing, Any], None]] = {
    Text: _Drawing.text,
    Lines: _Drawing.lines,
    Rule: _Drawing.rule,
    Bars: _Drawing.bars,
    Matrix: _Drawing.matrix,
    Picture: _Drawing.picture,
    Photo: _Drawing.photo,
}


def _fill(colour: Colour | None) -> str:
    return " ".join(f"{part / 255:.4g}" for part in colour) + " rg" if colour else "0 g"


def _placed(run: Run, places: tuple[Place, ...], codes: str, size: int) -> str:
    """Shaped glyphs with their shifts; text that runs rightward in a span that says it in reading order.

    Readers put leftward text into reading order themselves, by its places on the paper.
    """
    parts: list[str] = []
    row: list[str] = []
    rise = 0
    for at, (glyph, place) in enumerate(zip(run.glyphs, places, strict=True)):
        if place.up != rise:
            parts += [f"[{''.join(row)}] TJ", f"{place.up * size / 1000:.5g} Ts"]
            row, rise = [], place.up
        before, after = -place.right, run.face.advance(glyph) + place.right - place.advance
        row.append(f"{before or ''}<{codes[4 * at : 4 * at + 4]}>{after or ''}")
    parts += [f"[{''.join(row)}] TJ"] + ["0 Ts"] * bool(rise)
    if run.leftward:
        return " ".join(parts)
    text = run.text.encode("utf-16-be").hex()
    return f"/Span<</ActualText<feff{text}>>>BDC {' '.join(parts)} EMC"

"""Label files of every kind: told apart, turned, converted, merged."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

from .elements import DPI, ColourImage, Page
from .errors import Unconvertible
from .formats import raster
from .formats.pdf import write_pdf
from .formats.zpl import write_graphic, write_start
from .formats.zpl_reader import read_zpl

if TYPE_CHECKING:
    from PIL import Image

Size = tuple[float, float] | None
WORTH_TURNING = 1.05  # times as large
T = TypeVar("T")

_SIGNATURES = [
    (b"%PDF-", "PDF"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF8", "GIF"),
    (b"\xff\xd8\xff", "JPG"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"BM", "BMP"),
]
IMAGES = ("PNG", "GIF", "JPG", "TIFF", "BMP")
_FILE_ID = re.compile(rb"/ID\s?\[\s?<[0-9A-F]{32}>\s?<[0-9A-F]{32}>\s?\]")
_MADE_AT = re.compile(rb"/CreationDate\(D:[^()]*\)(?=/Creator\(PDFium\))")
_LABEL_START = re.compile(rb"\A\s*(?:[\^~][A-Z][^\0]*?)?\^XA")
PREVIEW_DPI = 150


def find_label_kind(data: bytes) -> str | None:
    """PDF, ZPL, PNG, GIF, JPG, TIFF or BMP from the first bytes, None for anything else."""
    # Some carriers put a byte order mark or a line end before a PDF or ZPL.
    start = data[:1024].removeprefix(b"\xef\xbb\xbf")
    label_kind = next((kind for mark, kind in _SIGNATURES if start.startswith(mark)), None)
    if label_kind or _LABEL_START.match(start):
        return label_kind or "ZPL"
    return "PDF" if start.lstrip().startswith(b"%PDF-") else None


def count_pages(data: bytes) -> int:
    """How many labels a file holds.

    Errors: Unconvertible when it is not a label file.
    """
    kind = _check_known(data)
    if kind == "ZPL":
        return len(re.findall(rb"\^XA", data))
    if kind != "PDF":
        return int(getattr(raster.open_image(data), "n_frames", 1))
    with raster.open_pdf(data) as document:
        return len(document)


def _check_known(data: bytes) -> str:
    kind = find_label_kind(data)
    if kind is None:
        raise Unconvertible(f"This is not a label file that can be read; it begins with {data[:8]!r}.")
    return kind


def convert(data: bytes, to: str, *, dpi: int = DPI, size_in: Size = (4, 6), turn: int = 0) -> bytes:
    """The same label as PDF, ZPL or PNG; a file that is of that kind already comes back unchanged.

    Units: `dpi` is the printer's (also that of ZPL which is read), `size_in` is width and height in
           inches to fit pages into; None keeps their own size. `turn` is for images that become PDF:
           clockwise, in degrees.
    Errors: Unconvertible, among others for several pages into one PNG, for ZPL that was not written here and
            for a turn of anything else; ValueError for a turn by another angle than a right one.
    """
    kind, to = _check_known(data), to.upper()
    if to not in _TARGETS:
        raise Unconvertible(f"Labels are converted to PDF, ZPL or PNG, not to {to}.")
    if turn and (kind not in IMAGES or to != "PDF"):
        raise Unconvertible(f"Only images that become PDF are turned; this one is {kind} and becomes {to}.")
    if turn:
        return _convert_images(data, dpi, size_in, _check_turn(turn))
    return data if kind == to else _TARGETS[to](data, kind, dpi, size_in)


def _convert_to_pdf(data: bytes, kind: str, dpi: int, size_in: Size) -> bytes:
    if kind == "ZPL":
        return write_pdf([_resize_page(page, size_in) for page in read_zpl(data, dpi)])
    return _convert_images(data, dpi, size_in)


def _convert_images(data: bytes, dpi: int, size_in: Size, turn: int | None = None) -> bytes:
    """Pages of images; without a `turn` those that lie on their side are turned as they fit."""
    photos = [
        photo._replace(turn=choose_turn(photo.pixels, size_in) if turn is None else turn)
        for photo in raster.read_photos(data)
    ]
    return write_pdf([_draw_photo_page(photo, size_in, dpi) for photo in photos])


def choose_turn(size: tuple[float, float], paper: Size) -> int:
    """By how many degrees, clockwise, something is turned to come out larger on a paper: 0 or 90."""
    if paper is None:
        return 0
    lying = min(paper[0] / size[0], paper[1] / size[1])
    turned = min(paper[0] / size[1], paper[1] / size[0])
    return 90 if turned > lying * WORTH_TURNING else 0


def _resize_page(page: Page, size_in: Size) -> Page:
    """The page as wide as asked for: its dots stay, what a dot measures changes."""
    return replace(page, dpi=round(page.width / size_in[0])) if size_in else page


def _convert_to_png(data: bytes, kind: str, dpi: int, size_in: Size) -> bytes:
    if (count := count_pages(data)) != 1:
        raise Unconvertible(f"This file holds {count} labels; a PNG holds one.")
    return _render_labels(data, kind, dpi, size_in, False, lambda image: raster.write_png(image, dpi))[0]


def draw_preview(data: bytes, *, dpi: int = PREVIEW_DPI, size_in: Size = (4, 6)) -> bytes:
    """The first label of a file as a PNG, to look at.

    Errors: Unconvertible when it is not a label file, or printer language of somebody else.
    """
    kind = _check_known(data)
    return _render_labels(data, kind, dpi, size_in, False, lambda image: raster.write_png(image, dpi))[0]


def _convert_to_zpl(data: bytes, kind: str, dpi: int, size_in: Size) -> bytes:
    return "".join(_render_labels(data, kind, dpi, size_in, True, _write_zpl_page)).encode("ascii")


def _write_zpl_page(image: Image.Image) -> str:
    field = write_graphic(image.width, raster.pack_black_rows(image))
    return f"{write_start(image.width, image.height)}^FO0,0{field}^FS\n^XZ\n"


_TARGETS: dict[str, Callable[[bytes, str, int, Size], bytes]] = {
    "PDF": _convert_to_pdf,
    "PNG": _convert_to_png,
    "ZPL": _convert_to_zpl,
}


def _render_labels(
    data: bytes, kind: str, dpi: int, size_in: Size, grey: bool, use: Callable[[Image.Image], T]
) -> list[T]:
    """What is made of the image of every label; one image is held at a time."""
    if kind in IMAGES:
        images = raster.iterate_frames(data)
        return [use(_fit_image(image, size_in, dpi) if size_in else image) for image in images]
    if kind == "ZPL":
        data = _convert_to_pdf(data, kind, dpi, size_in)
    return raster.render_pages(data, dpi, size_in, grey, lambda image: use(raster.flatten_image(image)))


def _fit_image(image: Image.Image, size_in: tuple[float, float], dpi: int) -> Image.Image:
    turned = raster.turn_right(image) if choose_turn(image.size, size_in) else image
    return raster.fit(turned, *_count_dots(size_in, dpi))


def _count_dots(size_in: tuple[float, float], dpi: int) -> tuple[int, int]:
    return round(size_in[0] * dpi), round(size_in[1] * dpi)


def _draw_photo_page(photo: ColourImage, size_in: Size, dpi: int) -> Page:
    """A photo on a page of its own, as large as the page allows and in its middle."""
    wide, high = photo.pixels if photo.turn % 180 == 0 else reversed(photo.pixels)
    width, height = _count_dots(size_in, dpi) if size_in else (wide, high)
    scale = min(width / wide, height / high)
    across, down = round(wide * scale), round(high * scale)
    x, y = (width - across) // 2, (height - down) // 2
    return Page(width, height, (photo._replace(x=x, y=y, width=across, height=down),), dpi)


def _check_turn(degrees: int) -> int:
    if degrees % 90:
        raise ValueError(f"Labels are turned by multiples of 90 degrees, not by {degrees}.")
    return degrees % 360


def merge(labels: Sequence[bytes], to: str = "PDF") -> bytes:
    """All pages of all labels in one file, in the order given; labels of another kind are converted.

    Errors: Unconvertible naming the place of the label (from 0) that cannot be; ValueError for no labels.
    """
    if not labels:
        raise ValueError("There are no labels to merge.")
    converted = [_convert(label, to, index) for index, label in enumerate(labels)]
    if len(converted) == 1:
        return converted[0]
    if to.upper() == "ZPL":
        return b"".join(label if label.endswith(b"\n") else label + b"\n" for label in converted)
    if to.upper() == "PDF":
        return _join(converted)
    raise Unconvertible(
        f"{len(converted)} labels do not go into one {to.upper()} file; a PDF or ZPL holds several."
    )


def _convert(label: bytes, to: str, index: int) -> bytes:
    try:
        converted = convert(label, to)
        count_pages(converted)
    except Unconvertible as error:
        raise Unconvertible(f"Label {index}: {error}") from error
    return converted


def _join(labels: Sequence[bytes]) -> bytes:
    out = BytesIO()
    with raster.open_pdf(labels[0]) as book:
        for label in labels[1:]:
            with raster.open_pdf(label) as part:
                book.import_pages(part)
        book.save(out)
    return make_repeatable(out.getvalue())


def make_repeatable(pdf: bytes) -> bytes:
    """The file with an identifier made from its contents and no time: PDFium writes others every time."""
    pdf = _MADE_AT.sub(lambda match: b" " * len(match.group()), pdf, count=1)
    matches = list(_FILE_ID.finditer(pdf))
    if not matches:
        return pdf
    start, end = matches[-1].span()
    mark = sha256(pdf[:start]).hexdigest()[:32].upper().encode("ascii")
    return pdf[:start] + b"/ID[<%b><%b>]" % (mark, mark) + pdf[end:]

"""PNG files go into PDF pages as they are where a PDF can take them, and through their pixels where not."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageFilter

from shipcli.drawing import Unconvertible, convert
from shipcli.drawing.formats.png import SIGNATURE, read_photo, write

from .samples import image

DOT = {"1": 0, "L": 70, "RGB": (200, 30, 60), "P": 3, "RGBA": (0, 0, 0, 255), "LA": (0, 255)}


def picture(mode: str, **options: object) -> bytes:
    """A white picture with a dark box; 93 dots wide, so that rows of bits do not end with a byte."""
    drawn = Image.new(mode, (93, 40), "white" if mode != "P" else 0)
    drawn.paste(DOT[mode], (10, 5, 40, 30))
    out = BytesIO()
    drawn.save(out, "PNG", **options)
    return out.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">L", len(content)) + name + content + struct.pack(">L", zlib.crc32(name + content))


def made(rows: bytes, *, interlaced: int = 0, bits: int = 8, more: bytes = b"") -> bytes:
    """A grey picture of 4 by 2 dots with these filtered rows."""
    header = struct.pack(">2L5B", 4, 2, bits, 0, 0, 0, interlaced)
    packed = chunk(b"IDAT", zlib.compress(rows))
    return SIGNATURE + chunk(b"IHDR", header) + more + packed + chunk(b"IEND", b"")


def test_a_written_picture_has_every_dot_where_it_was() -> None:
    drawn = image(picture("1"))
    again = image(write(*drawn.size, drawn.tobytes()))
    assert (again.mode, again.size) == ("1", (93, 40))
    assert ImageChops.difference(again.convert("L"), drawn.convert("L")).getbbox() is None


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_a_plain_picture_goes_in_as_it_is_and_looks_the_same(mode: str) -> None:
    data = picture(mode)
    assert read_photo(data) is not None
    shown = image(convert(convert(data, "PDF", size_in=None), "PNG", size_in=None)).convert("RGB")
    apart = ImageChops.difference(shown, image(data).convert("RGB")).convert("L")
    assert shown.size == (93, 40)
    softened = apart.point([0] * 40 + [255] * 216).filter(ImageFilter.MinFilter(3))  # edges, by PDFium
    assert softened.getbbox() is None


@pytest.mark.parametrize("mode", ["P", "RGBA", "LA"])
def test_palettes_and_transparency_go_through_pixels(mode: str) -> None:
    assert read_photo(picture(mode)) is None
    assert convert(picture(mode), "PDF").startswith(b"%PDF")


def test_a_colour_that_is_seen_through_goes_through_pixels() -> None:
    assert read_photo(picture("L", transparency=70)) is None


def test_interlaced_rows_go_through_pixels() -> None:
    assert read_photo(made(b"\0abcd\0abcd", interlaced=1)) is None


@pytest.mark.parametrize(
    "rows",
    [b"\0abcd", b"\0abcd\0abcd\0", b"\0abcd\x05abcd", b""],
    ids=["a row short", "a byte more", "an unknown filter", "nothing"],
)
def test_rows_that_are_not_what_the_header_says_do_not_go_in(rows: bytes) -> None:
    assert read_photo(made(b"\0abcd\4abcd")) is not None
    assert read_photo(made(rows)) is None


def test_a_damaged_picture_is_refused() -> None:
    data = bytearray(picture("L"))
    data[len(data) // 2] ^= 0xFF
    assert read_photo(bytes(data)) is None
    with pytest.raises(Unconvertible):
        convert(bytes(data), "PDF")


def test_a_picture_that_was_cut_short_is_refused() -> None:
    data = picture("L")[:-30]
    assert read_photo(data) is None
    with pytest.raises(Unconvertible):
        convert(data, "PDF")

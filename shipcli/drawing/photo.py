"""Picture files as marks of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import compress

from . import png, raster
from .elements import Photo

if TYPE_CHECKING:
    from PIL import Image


def read_photos(data: bytes) -> list[Photo]:
    """Every picture of a file, on white paper; where they stand and how large is left at nothing.

    The compressed rows of a PNG stay as they are where a PDF can take them.
    Errors: Unconvertible when it cannot be read.
    """
    whole = png.read_photo(data) if data.startswith(png.SIGNATURE) else None
    return [whole] if whole else [_make_photo(image) for image in raster.iterate_frames(data)]


def read_small_photo(data: bytes, most: tuple[int, int]) -> Photo:
    """The first picture of a file with at most so many pixels across and down.

    Errors: Unconvertible when it cannot be read.
    """
    image = next(raster.iterate_frames(data))
    image.thumbnail(most)
    return _make_photo(image)


def _make_photo(image: Image.Image) -> Photo:
    space = "DeviceRGB" if image.mode == "RGB" else "DeviceGray"
    bits = 1 if image.mode == "1" else 8
    return Photo(0, 0, 0, 0, image.size, space, bits, "FlateDecode", compress(image.tobytes(), 6))

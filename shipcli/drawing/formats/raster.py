"""From PDF and image files to pixels, and from pixels to black-and-white rows.

PDFium may not be entered by two threads at once, so everything that calls it holds one lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from math import ceil
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import compress

from shipcli.drawing import symbols
from shipcli.drawing.elements import Bitmap, ColourImage, Matrix, Page, Text
from shipcli.drawing.errors import Unconvertible
from shipcli.drawing.text.shaping import shape

from . import png
from .pdf import write_pdf

if TYPE_CHECKING:
    from PIL import Image

_PDFIUM = RLock()
_THRESHOLD = 128
MOST_PAGES = 2000  # of one file that are drawn
MOST_PIXELS = 50_000_000  # of one page: a letter page at 600 dots per inch has 34 million
T = TypeVar("T")


@contextmanager
def open_pdf(data: bytes) -> Iterator[Any]:
    """A PDF opened in PDFium, with PDFium held for this thread.

    Errors: Unconvertible when PDFium cannot read it.
    """
    import pypdfium2

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise Unconvertible(f"This PDF cannot be read: {error}.") from error
        try:
            yield document
        finally:
            document.close()


def render_pages(
    data: bytes,
    dpi: int,
    size_in: tuple[float, float] | None,
    grey: bool,
    use: Callable[[Image.Image], T],
) -> list[T]:
    """What is made of the image of every page of a PDF; one image is held at a time.

    Units: `size_in` in inches is the size that pages are scaled into; None keeps their own.
    Errors: Unconvertible for more pages, or larger ones, than are drawn.
    """
    with open_pdf(data) as document:
        check_pages(len(document))
        return [use(_render_closing(page, dpi, size_in, grey)) for page in document]


def check_pages(count: int) -> None:
    """Errors: Unconvertible for more pages than are drawn."""
    if count > MOST_PAGES:
        raise Unconvertible(f"This file holds {count:,} labels; {MOST_PAGES:,} are drawn at most.")


def check_pixels(width: float, height: float) -> None:
    """Errors: Unconvertible for a page of more pixels than are drawn."""
    if width * height > MOST_PIXELS:
        size = f"{width:,.0f} by {height:,.0f}"
        raise Unconvertible(f"A label of this file has {size} pixels; {MOST_PIXELS:,} are drawn at most.")


def _render_closing(page: Any, dpi: int, size_in: tuple[float, float] | None, grey: bool) -> Image.Image:
    image = render_page(page, dpi, size_in, grey=grey)
    page.close()
    return image


def render_page(
    page: Any, dpi: int, size_in: tuple[float, float] | None = None, *, grey: bool = True
) -> Image.Image:
    """The image of a page; whoever opened its document holds PDFium.

    Errors: Unconvertible for a page of more pixels than are drawn.
    """
    width, height = page.get_size()
    scale = dpi / 72
    if size_in:
        scale = min(size_in[0] * dpi / width, size_in[1] * dpi / height)
    check_pixels(width * scale, height * scale)
    # A little less: PDFium rounds up, and a page of 1800.0000001 pixels would get a line more.
    bitmap = page.render(scale=scale * (1 - 1e-9), grayscale=grey)
    # The copy owns its pixels: PDFium's are released here, under the lock, and not by the garbage collector.
    image: Image.Image = bitmap.to_pil().copy()
    bitmap.close()
    return image


def open_image(data: bytes) -> Image.Image:
    """An image file.

    Errors: Unconvertible when it is broken.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        image = Image.open(BytesIO(data))
        check_pixels(*image.size)
        image.load()
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise Unconvertible(f"This image cannot be read: {error}.") from error
    return image


def iterate_frames(data: bytes) -> Iterator[Image.Image]:
    """Every picture of an image file (a TIFF or GIF may hold several), on white paper; black and white stays
    so.

    Errors: Unconvertible for more pictures, or larger ones, than are drawn.
    """
    from PIL import ImageSequence

    image = open_image(data)
    check_pages(int(getattr(image, "n_frames", 1)))
    for frame in ImageSequence.Iterator(image):
        check_pixels(*frame.size)
        yield frame.copy() if frame.mode == "1" else flatten_image(frame.copy())


def flatten_image(image: Image.Image) -> Image.Image:
    """The image without transparency, in grey ("L") when it has no colour, else in "RGB"."""
    from PIL import Image

    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode in ("I", "I;16", "F"):
        return image.convert("I").point(lambda value: value / 256).convert("L")
    if image.has_transparency_data:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
        image = paper
    image = image.convert("RGB")
    return image if _has_colour(image) else image.getchannel("G")


def _has_colour(image: Image.Image) -> bool:
    from PIL import ImageChops

    red, green, blue = image.split()
    apart = ImageChops.difference(red, green), ImageChops.difference(green, blue)
    return any(bool(part.getbbox()) for part in apart)


def read_photos(data: bytes) -> list[ColourImage]:
    """Every picture of a file, on white paper; their places and sizes on a page are left at 0.

    The compressed rows of a PNG stay as they are where a PDF can take them.
    Errors: Unconvertible when it cannot be read.
    """
    whole = png.read_photo(data) if data.startswith(png.SIGNATURE) else None
    return [whole] if whole else [_make_photo(image) for image in iterate_frames(data)]


def read_small_photo(data: bytes, most: tuple[int, int]) -> ColourImage:
    """The first picture of a file with at most so many pixels across and down.

    Errors: Unconvertible when it cannot be read.
    """
    image = next(iterate_frames(data))
    image.thumbnail(most)
    return _make_photo(image)


def _make_photo(image: Image.Image) -> ColourImage:
    image = _reduce_to_black_and_white(image)
    space = "DeviceRGB" if image.mode == "RGB" else "DeviceGray"
    bits = 1 if image.mode == "1" else 8
    return ColourImage(0, 0, 0, 0, image.size, space, bits, "FlateDecode", compress(image.tobytes(), 6))


def _reduce_to_black_and_white(image: Image.Image) -> Image.Image:
    """The image with a bit a dot if it is black and white: as a GIF it is read with eight."""
    from PIL.Image import Dither

    if image.mode != "L":
        return image
    reduced = image.convert("1", dither=Dither.NONE)
    return reduced if reduced.convert("L").tobytes() == image.tobytes() else image


def pack_black_rows(image: Image.Image) -> bytes:
    """The image in rows of whole bytes, 1 for black."""
    return image.convert("L").point([255] * _THRESHOLD + [0] * (256 - _THRESHOLD), "1").tobytes()


def write_png(image: Image.Image, dpi: int) -> bytes:
    """The image as a PNG file that knows its resolution."""
    out = BytesIO()
    image.save(out, "PNG", dpi=(dpi, dpi), compress_level=6)
    return out.getvalue()


def turn_right(image: Image.Image) -> Image.Image:
    """The image turned clockwise by a quarter, dot by dot."""
    from PIL import Image

    return image.transpose(Image.Transpose.ROTATE_270)


def fit(image: Image.Image, width: int, height: int) -> Image.Image:
    """The image in the middle of a white page; scaled only when it does not fit or is clearly too small."""
    from PIL import Image

    scale = min(width / image.width, height / image.height)
    if image.size == (width, height):
        return image
    if not 1 <= scale < 1.1:
        image = flatten_image(image)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        image = image.resize(size, Image.Resampling.LANCZOS if scale < 2 else Image.Resampling.NEAREST)
    if image.size == (width, height):
        return image
    page = Image.new(image.mode, (width, height), "white")
    page.paste(image, ((width - image.width) // 2, (height - image.height) // 2))
    return page


def _render_picture(page: Page, x: int, y: int) -> Bitmap:
    def rows(image: Image.Image) -> bytes:
        return pack_black_rows(image.crop((0, 0, page.width, page.height)))

    (dots,) = render_pages(write_pdf([page]), page.dpi, None, True, rows)
    return Bitmap(x, y, page.width, page.height, dots)


@lru_cache(maxsize=1024)
def render_text(text: Text) -> Bitmap:
    """A line of text as the bundled fonts show it, for printers without its letters."""
    above, below = text.size // 5, text.size * 2 // 5
    wide = shape(text.text, text.bold).width * text.size // 1000 + 1
    slack = max(0, text.width - wide)
    x = text.x + {"L": 0, "C": slack // 2, "R": slack}[text.align]
    across = (wide + 7) // 8 * 8
    moved = Text(0, above, text.size, text.text, bold=text.bold)
    picture = _render_picture(Page(across, above + text.size + below, (moved,)), x, text.y - above)
    return picture._replace(white=text.white)


@lru_cache(maxsize=64)
def render_code(code: Matrix) -> Bitmap:
    """A two-dimensional code for printers that cannot make it themselves."""
    rows = symbols.encode_rows(code.symbology, code.content, code.columns, code.level)
    size = ceil(code.module * len(rows[0])), ceil(code.module * len(rows))
    return _render_picture(Page(*size, (code._replace(x=0, y=0),)), code.x, code.y)


def scale_picture(picture: Bitmap, ratio: float, *_: int) -> Bitmap:
    """The picture in dots of another resolution."""
    from PIL import Image

    across = (picture.width + 7) // 8 * 8
    image = Image.frombytes("1", (across, picture.height), picture.data).convert("L")
    image = image.crop((0, 0, picture.width, picture.height)).point(lambda value: 255 - value)
    size = scale_side(picture.width, ratio), scale_side(picture.height, ratio)
    rows = pack_black_rows(image.resize(size, Image.Resampling.LANCZOS))
    x, y = round(picture.x * ratio), round(picture.y * ratio)
    return picture._replace(x=x, y=y, width=size[0], height=size[1], data=rows)


def scale_side(side: float, ratio: float) -> int:
    """A side in dots of another resolution: at least one."""
    return max(1, round(side * ratio))

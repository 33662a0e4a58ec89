"""ZPL II read back into pages, as far as `zpl` writes it.

It is no printer: a command or a parameter that this package does not write itself is refused by name.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from zlib import decompressobj
from zlib import error as ZlibError

from shipcli.drawing import code128
from shipcli.drawing.elements import (
    LABEL_HEIGHT,
    LABEL_WIDTH,
    Bars,
    Bitmap,
    Element,
    Matrix,
    Page,
    Rule,
    Text,
)
from shipcli.drawing.errors import Unconvertible

from .raster import check_pages

_COMMAND = re.compile(r"\^(A0|[A-Z][A-Z0-9])([^^~]*)")
_DIGITS = re.compile(r"\d+")
_HEX = re.compile(rb"_([0-9A-Fa-f]{2})")
_LARGEST_GRAPHIC = 1 << 25
_MOST_PICTURES = 1 << 27  # bytes of all graphics of a file
_LAST_DOT = 32_000  # as far as printers count
_WORDS = ("FD", "FX", "GF", "FH")  # whose digits measure nothing
_SKIPPED = {"CI": "28", "LH": "0,0", "LS": "0", "PQ": "1", "MM": "T"}


@dataclass(frozen=True)
class ZplField:
    """What the commands since the last ^FS said about the next field."""

    x: int = 0
    y: int = 0
    size: int = 0
    width: int = 0
    align: str = "L"
    reverse: bool = False
    hexadecimal: bool = False
    code: str = ""
    parameters: tuple[str, ...] = ()
    data: str = ""


@dataclass
class Reading:
    """The pages so far and the state that a printer would hold."""

    pages: list[Page] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    width: int = LABEL_WIDTH
    height: int = LABEL_HEIGHT
    module: int = 2
    pictures: int = 0  # bytes
    field: ZplField = ZplField()


def read_zpl(data: bytes, dpi: int) -> list[Page]:
    """The pages of a ZPL file.

    Errors: Unconvertible for anything that this package does not write.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unconvertible("This ZPL is not UTF-8 text; only ZPL written here can be drawn.") from error
    reading, at = Reading(), 0
    for command in _COMMAND.finditer(text):
        _check_blank(text[at : command.start()])
        _obey(reading, command[1], command[2].strip("\r\n") if command[1] == "FD" else command[2].strip())
        at = command.end()
    _check_blank(text[at:])
    if not reading.pages:
        raise Unconvertible("This ZPL holds no label (^XA to ^XZ).")
    return [replace(page, dpi=dpi) for page in reading.pages]


def _check_blank(text: str) -> None:
    if text.strip():
        raise Unconvertible(f"Only ZPL written here can be drawn; {text.strip()[:20]!r} is not.")


def _obey(reading: Reading, name: str, parameters: str) -> None:
    skipped = _SKIPPED[name].split(",") if name in _SKIPPED else None
    if skipped and parameters.split(",")[: len(skipped)] == skipped:
        return
    pattern, action = _ACTIONS.get(name, (None, None))
    match = pattern.fullmatch(parameters) if pattern else None
    if match is None or action is None:
        raise Unconvertible(
            f"Only ZPL written here can be drawn; the command ^{name}{parameters[:20]} is not."
        )
    if name not in _WORDS:
        _check_dots(name, parameters)
    action(reading, match)


def _check_dots(name: str, parameters: str) -> None:
    """Errors: Unconvertible for a measure that no label has."""
    if any(len(digits) > 9 or int(digits) > _LAST_DOT for digits in _DIGITS.findall(parameters)):
        raise Unconvertible(
            f"The command ^{name}{parameters[:20]} leaves the label: it has {_LAST_DOT:,} dots at most."
        )


Action = Callable[[Reading, re.Match[str]], None]


def _begin(reading: Reading, _: re.Match[str]) -> None:
    reading.elements, reading.field = [], ZplField()


def _end(reading: Reading, _: re.Match[str]) -> None:
    check_pages(len(reading.pages) + 1)
    reading.pages.append(Page(reading.width, reading.height, tuple(reading.elements)))


def _set_measure(reading: Reading, match: re.Match[str]) -> None:
    """Set what the pattern names: the width or height of the label, or the width of a bar."""
    for name, digits in match.groupdict().items():
        setattr(reading, name, int(digits))


def _set_origin(reading: Reading, match: re.Match[str]) -> None:
    reading.field = ZplField(int(match[1]), int(match[2]))


def _set_font(reading: Reading, match: re.Match[str]) -> None:
    reading.field = replace(reading.field, size=int(match[1]))


def _set_frame(reading: Reading, match: re.Match[str]) -> None:
    reading.field = replace(reading.field, width=int(match[1]), align=match[2])


def _reverse(reading: Reading, _: re.Match[str]) -> None:
    reading.field = replace(reading.field, reverse=True)


def _set_hexadecimal(reading: Reading, _: re.Match[str]) -> None:
    reading.field = replace(reading.field, hexadecimal=True)


def _make_code_action(name: str) -> Action:
    def remember(reading: Reading, match: re.Match[str]) -> None:
        reading.field = replace(
            reading.field, code=name, parameters=tuple(part or "" for part in match.groups())
        )

    return remember


def _set_field_data(reading: Reading, match: re.Match[str]) -> None:
    data = match[0]
    if reading.field.hexadecimal:
        data = _HEX.sub(lambda escape: bytes([int(escape[1], 16)]), data.encode()).decode("utf-8", "replace")
    reading.field = replace(reading.field, data=data)


def _close(reading: Reading, _: re.Match[str]) -> None:
    field = reading.field
    if field.code or field.data:
        reading.elements.append(_ELEMENTS[field.code](reading, field))
    reading.field = ZplField()


def _read_text(_: Reading, field: ZplField) -> Element:
    return Text(field.x, field.y, field.size, field.data, field.width, field.align, False, field.reverse)


def _read_rule(reading: Reading, field: ZplField) -> Element:
    width, height, thick = map(int, field.parameters)
    if thick < min(width, height):
        _count_picture(reading, (width + 7) // 8 * height)
        return _draw_outline(field.x, field.y, width, height, thick)
    return Rule(field.x, field.y, width, height)


def _draw_outline(x: int, y: int, width: int, height: int, thick: int) -> Element:
    """A frame as a picture: the rows of a box with a hole in it."""
    from PIL import Image

    image = Image.new("1", (width, height), 1)
    image.paste(0, (thick, thick, width - thick, height - thick))
    return Bitmap(x, y, width, height, image.tobytes())


def _read_bars(reading: Reading, field: ZplField) -> Element:
    if field.data[:2] not in (">:", ">;"):
        raise Unconvertible(
            "Only ZPL written here can be drawn; this ^BC leaves its code set to the printer."
        )
    turn, height = field.parameters
    return Bars(field.x, field.y, reading.module, int(height), code128.read_zpl_data(field.data), turn == "R")


def _read_datamatrix(_: Reading, field: ZplField) -> Element:
    return Matrix(field.x, field.y, int(field.parameters[0]), "datamatrix", field.data)


def _read_qr(_: Reading, field: ZplField) -> Element:
    if not field.data.startswith("MA,"):
        raise Unconvertible("Only ZPL written here can be drawn; this ^BQ asks for another error correction.")
    return Matrix(field.x, field.y, int(field.parameters[0]), "qr", field.data[3:])


def _read_pdf417(reading: Reading, field: ZplField) -> Element:
    _, level, columns = map(int, field.parameters)
    return Matrix(field.x, field.y, reading.module, "pdf417", field.data, columns, level)


def _read_picture(reading: Reading, field: ZplField) -> Element:
    total, width, packed, check = field.parameters
    _count_picture(reading, min(int(total), _LARGEST_GRAPHIC))
    data = unpack(packed, check, min(int(total), _LARGEST_GRAPHIC))
    if len(data) != int(total) or len(data) % int(width):
        raise Unconvertible("A graphic (^GFA) is not as long as it says.")
    return Bitmap(field.x, field.y, 8 * int(width), len(data) // int(width), data, field.reverse)


def _count_picture(reading: Reading, size: int) -> None:
    """Errors: Unconvertible when all pictures together are larger than labels need."""
    reading.pictures += size
    if reading.pictures > _MOST_PICTURES:
        raise Unconvertible(f"The graphics of this ZPL have more than {_MOST_PICTURES:,} bytes.")


def unpack(packed: str, check: str, most: int) -> bytes:
    """The rows of a Z64 graphic, at most one byte more than `most`.

    Errors: Unconvertible when its CRC or its compression is wrong.
    """
    if binascii.crc_hqx(packed.encode("ascii"), 0) != int(check, 16):
        raise Unconvertible("A graphic (^GFA) is damaged: its check sum is wrong.")
    try:
        return decompressobj().decompress(base64.b64decode(packed), most + 1)
    except (ZlibError, binascii.Error) as error:
        raise Unconvertible(f"A graphic (^GFA) is damaged: {error}.") from error


_ELEMENTS: dict[str, Callable[[Reading, ZplField], Element]] = {
    "": _read_text,
    "GB": _read_rule,
    "BC": _read_bars,
    "BX": _read_datamatrix,
    "BQ": _read_qr,
    "B7": _read_pdf417,
    "GF": _read_picture,
}
_ACTIONS: dict[str, tuple[re.Pattern[str], Action]] = {
    name: (re.compile(pattern, re.DOTALL), action)
    for name, pattern, action in [
        ("XA", "", _begin),
        ("XZ", "", _end),
        ("PW", r"(?P<width>\d+)", _set_measure),
        ("LL", r"(?P<height>\d+)", _set_measure),
        ("FO", r"(\d+),(-?\d+)", _set_origin),
        ("A0", r"N,(\d+),\1", _set_font),
        ("FB", r"(\d+),1,0,([LCR])", _set_frame),
        ("FR", "", _reverse),
        ("FH", "_?", _set_hexadecimal),
        ("FD", ".*", _set_field_data),
        ("FS", "", _close),
        ("FX", ".*", lambda reading, match: None),
        ("BY", r"(?P<module>\d+)", _set_measure),
        ("GB", r"(\d+),(\d+),(\d+)", _make_code_action("GB")),
        ("BC", r"([NR]),(\d+),N,N,N,N", _make_code_action("BC")),
        ("BX", r"N,(\d+),200,,,,.,1", _make_code_action("BX")),
        ("BQ", r"N,2,(\d+)", _make_code_action("BQ")),
        ("B7", r"N,(\d+),(\d+),(\d+),,N", _make_code_action("B7")),
        ("GF", r"A,(\d+),\1,(\d+),:Z64:([A-Za-z0-9+/=]+):([0-9A-Fa-f]{4})", _make_code_action("GF")),
    ]
}

"""ZPL of others for a printer of another resolution: its measures are counted in the other dots.

Text and codes stay what they are, graphics are drawn anew. A command whose measures are not known is refused.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from zlib import decompressobj
from zlib import error as ZlibError

from shipcli.drawing.elements import Bitmap
from shipcli.drawing.errors import Unconvertible

from .raster import scale_picture
from .zpl import write_graphic

LEAST_MODULE = 2  # dots of the narrowest bar: thinner ones blur on thermal paper
USUAL_MODULE, USUAL_HEIGHT = 2, 10  # of bars whose label does not say (^BY)
WIDEST = 1.1  # times its width that a bar may grow by rounding
_LARGEST_GRAPHIC = 1 << 24  # bytes
_COMMAND = re.compile(r"([\^~])([A-Z][A-Z0-9@])([^^~]*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,5}")
_GRAPHIC = re.compile(r"A,(\d{1,8}),(\d{1,8}),(\d{1,5}),(.*)", re.DOTALL | re.IGNORECASE)
# Of each command, which of its parameters are dots.
_DOTS: Mapping[str, tuple[int, ...]] = {
    "FO": (0, 1), "FT": (0, 1), "LH": (0, 1), "LS": (0,), "LT": (0,), "PW": (0,), "LL": (0,),
    "GB": (0, 1, 2), "GC": (0, 1), "GD": (0, 1, 2), "GE": (0, 1, 2), "FB": (0, 2, 4), "TB": (1, 2),
    "CF": (1, 2), "BY": (2,), "BC": (1,), "B1": (2,), "B2": (1,), "B3": (2,), "B4": (1,), "B5": (1,),
    "B8": (1,), "B9": (1,), "BA": (1,), "BE": (1,), "BI": (1,), "BJ": (1,), "BK": (2,), "BL": (1,),
    "BM": (2,), "BP": (2,), "BS": (1,), "BU": (1,), "BZ": (1,), "BR": (3, 4),
}  # fmt: skip
# Which are the dots of a code's narrowest part.
_MODULES: Mapping[str, tuple[int, ...]] = {
    "BY": (0,), "BQ": (2,), "BX": (1,), "BO": (1,), "B0": (1,), "B7": (1,), "BF": (1,), "BR": (2,),
}  # fmt: skip
_WITHOUT_MEASURES = frozenset({
    "XA", "XZ", "FD", "FS", "FH", "FR", "FX", "FN", "FV", "FP", "FW", "FC", "CI", "CV", "SN", "SF", "MM",
    "MN", "MT", "MD", "MC", "PQ", "PR", "PO", "PM", "PP", "LR", "SD", "JU", "JS", "JZ", "ID", "BD",
})  # fmt: skip
_FONT = "A"  # begins the command of every font: its height and width follow the turn


def scale_commands(data: bytes, ratio: float) -> bytes:
    """The file with its measures times a ratio.

    Errors: Unconvertible for commands that can't be measured anew, and for bars that would be too fine.
    """
    text = data.decode("latin-1")
    if not _COMMAND.search(text):
        raise Unconvertible("This ZPL holds no command.")
    module = max(LEAST_MODULE, round(USUAL_MODULE * ratio))
    usual = f"^BY{module},3,{round(USUAL_HEIGHT * ratio)}"
    scaled = _COMMAND.sub(lambda match: _scale_command(match, ratio), text)
    return re.sub(r"\^XA", f"^XA{usual}", scaled, count=1, flags=re.IGNORECASE).encode("latin-1")


def _scale_command(match: re.Match[str], ratio: float) -> str:
    sign, name, parameters = match.groups()
    word = name.upper()
    if sign == "^" and word == "GF":
        return _scale_graphic(parameters, ratio)
    if sign == "^" and (word in _DOTS or word in _MODULES or word[0] == _FONT):
        return f"^{name}{_scale_parameters(word, parameters, ratio)}"
    if word not in _WITHOUT_MEASURES:
        raise Unconvertible(f"The command {sign}{name} can't be measured for another resolution.")
    return match[0]


def _scale_parameters(word: str, parameters: str, ratio: float) -> str:
    dots = (1, 2) if word[0] == _FONT else _DOTS.get(word, ())
    scalers: dict[int, Callable[[str, float], str]] = dict.fromkeys(dots, _scale_dots)
    scalers |= dict.fromkeys(_MODULES.get(word, ()), _scale_module)
    parts = parameters.split(",")
    return ",".join(scalers[at](part, ratio) if at in scalers else part for at, part in enumerate(parts))


def _scale_dots(part: str, ratio: float) -> str:
    return _NUMBER.sub(lambda match: _keep_sign(int(match[0]), ratio), part, count=1)


def _keep_sign(value: int, ratio: float) -> str:
    """A measure in other dots; what is something stays something."""
    return str(round(value * ratio) or (value > 0) - (value < 0))


def _scale_module(part: str, ratio: float) -> str:
    """Errors: Unconvertible if the narrowest part of a code would be too fine."""

    def scale(match: re.Match[str]) -> str:
        exact = int(match[0]) * ratio
        module = round(exact) if round(exact) <= exact * WIDEST else int(exact)
        if module < LEAST_MODULE and exact < int(match[0]):
            raise Unconvertible(f"The bars would be less than {LEAST_MODULE} dots wide.")
        return str(max(module, 1))

    return _NUMBER.sub(scale, part, count=1)


# -- graphics --------------------------------------------------------------------------------------


def _scale_graphic(parameters: str, ratio: float) -> str:
    """Errors: Unconvertible for a graphic that is not of letters, or is damaged."""
    match = _GRAPHIC.fullmatch(parameters.strip())
    if match is None:
        raise Unconvertible("A graphic (^GF) can't be read: only those written in letters can.")
    total, width = int(match[2]), int(match[3])
    if not 0 < total <= _LARGEST_GRAPHIC or not width or total % width:
        raise Unconvertible("A graphic (^GFA) is not as long as it says.")
    rows = _unpack(match[4], total, width).ljust(total, b"\0")[:total]
    picture = scale_picture(Bitmap(0, 0, 8 * width, total // width, rows, False), ratio)
    return write_graphic(picture.width, picture.data)


def _unpack(data: str, total: int, width: int) -> bytes:
    packed = data.strip()
    if not packed.startswith((":Z64:", ":B64:")):
        return _read_letters(packed, total, width)
    try:
        content = base64.b64decode(packed[5:].rpartition(":")[0])
        return decompressobj().decompress(content, total) if packed.startswith(":Z64:") else content
    except (ValueError, ZlibError) as error:
        raise Unconvertible(f"A graphic (^GFA) is damaged: {error}.") from error


def _read_letters(data: str, total: int, width: int) -> bytes:
    """Hexadecimal rows, in which G to Y and g to z repeat what follows, and `,` `!` `:` end a row."""
    rows, row, count, length = list[str](), "", 0, 2 * width
    for letter in data:
        if letter in ",!":
            row, count = row.ljust(length, "0" if letter == "," else "F"), 0
        elif letter == ":":
            row = rows[-1] if rows else "0" * length
        elif letter in "0123456789ABCDEFabcdef":
            row, count = row + letter * max(count, 1), 0
        elif letter.isspace():
            continue
        elif "G" <= letter <= "Y" or "g" <= letter <= "z":
            count += ord(letter) - 70 if letter.isupper() else (ord(letter) - 102) * 20
        else:
            raise Unconvertible(f"A graphic (^GFA) is damaged: {letter!r} is in it.")
        while len(row) >= length:
            rows.append(row[:length])
            row = row[length:]
        if len(rows) * width > total:
            raise Unconvertible("A graphic (^GFA) is longer than it says.")
    return bytes.fromhex("".join(rows))

"""Labels written as ZPL II: the printer's own font and barcodes, graphics for what it has no letters for."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any
from zlib import compress

from shipcli.drawing import code128
from shipcli.drawing.elements import Bars, Bitmap, Matrix, Page, Rule, Text

from .raster import render_code, render_text

_RESERVED = re.compile("[\0-\x1f^~_\x7f]")
# Anything but Latin-1 letters and signs that a field may hold as they are.
_SPECIAL = re.compile("[^ -\\]`-}\xa1-\xac\xae-\xff]")
_TURN = {False: "N", True: "R"}


def write_zpl(page: Page) -> str:
    """One label, from ^XA to ^XZ."""
    fields = "".join([_WRITERS[type(element)](element) for element in page.elements])
    return f"{write_start(page.width, page.height)}{fields}^XZ\n"


def write_start(width: int, height: int) -> str:
    """The beginning of a label of this size; ^CI28 says that its data are UTF-8."""
    return f"^XA^CI28^LH0,0^PW{width}^LL{height}\n"


def _write_data(text: str) -> str:
    """The field data; what a printer would take for a command goes in as hexadecimal."""
    return "^FH^FD" + _escape(text) if _RESERVED.search(text) else "^FD" + text


def _escape(text: str) -> str:
    return _RESERVED.sub(lambda match: f"_{ord(match[0]):02X}", text)


def _write_text(text: Text) -> str:
    x, y, size, content, width, align, _, white = text
    hexadecimal = ""
    if _SPECIAL.search(content):
        if not _is_latin1(content):
            return _write_picture(render_text(text))
        hexadecimal, content = "^FH", _escape(content)
    if align == "L" and not white:
        return f"^FO{x},{y}^A0N,{size},{size}{hexadecimal}^FD{content}^FS\n"
    frame = f"^FB{width},1,0,{align}" if align != "L" else ""
    return f"^FO{x},{y}^A0N,{size},{size}{frame}{'^FR' if white else ''}{hexadecimal}^FD{content}^FS\n"


def _is_latin1(text: str) -> bool:
    return text.isprintable() and max(text) <= "\xff"


def _write_rule(rule: Rule) -> str:
    # A light colour would print black: draw its outline instead.
    thick = 3 if rule.colour and sum(rule.colour) > 480 else min(rule.width, rule.height)
    return f"^FO{rule.x},{rule.y}^GB{rule.width},{rule.height},{thick}^FS\n"


def _write_bars(bars: Bars) -> str:
    turn = _TURN[bars.turned]
    data = code128.write_zpl_data(bars.content)
    return f"^FO{bars.x},{bars.y}^BY{bars.module}^BC{turn},{bars.height},N,N,N,N{_write_data(data)}^FS\n"


def _write_matrix(code: Matrix) -> str:
    writer = _NATIVE.get(code.symbology)
    if writer is None or not code.content.isascii():
        return _write_picture(render_code(code))
    return f"^FO{code.x},{code.y}{writer(code)}^FS\n"


def _write_datamatrix(code: Matrix) -> str:
    # The last but one parameter is the escape character of ^BX: one that the content does not use.
    escape = next(c for c in "|\\`!#$%&" if c not in code.content)
    return f"^BXN,{code.module},200,,,,{escape},1{_write_data(code.content)}"


def _write_qr(code: Matrix) -> str:
    return f"^BQN,2,{code.module}{_write_data('MA,' + code.content)}"


def _write_pdf417(code: Matrix) -> str:
    return f"^BY{code.module}^B7N,{3 * code.module},{code.level},{code.columns},,N{_write_data(code.content)}"


_NATIVE: dict[str, Callable[[Matrix], str]] = {
    "datamatrix": _write_datamatrix,
    "qr": _write_qr,
    "pdf417": _write_pdf417,
}


def _write_picture(picture: Bitmap) -> str:
    turned = "^FR" if picture.white else ""
    return f"^FO{picture.x},{picture.y}{turned}{write_graphic(picture.width, picture.data)}^FS\n"


def write_graphic(width: int, data: bytes) -> str:
    """A ^GFA field: rows compressed as Z64 (zlib, base64 and a CRC of the base64 text)."""
    packed = base64.b64encode(compress(data, 9))
    check = binascii.crc_hqx(packed, 0)
    return f"^GFA,{len(data)},{len(data)},{(width + 7) // 8},:Z64:{packed.decode('ascii')}:{check:04X}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    Text: _write_text,
    Rule: _write_rule,
    Bars: _write_bars,
    Matrix: _write_matrix,
    Bitmap: _write_picture,
}

"""Barcodes: what the tables promise holds against an independent reader."""

from __future__ import annotations

import random
import string

import pytest
import zxingcpp
from PIL import Image, ImageOps

from shipcli.drawing import Unprintable, code128, symbols


def _read(matrix: list[list[bool]], scale: int = 4) -> zxingcpp.Barcode:
    picture = Image.new("L", (len(matrix[0]), len(matrix)))
    picture.putdata([0 if cell else 255 for row in matrix for cell in row])
    large = picture.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)
    (found,) = zxingcpp.read_barcodes(ImageOps.expand(large, 60, 255), text_mode=zxingcpp.TextMode.Plain)
    return found


def _drawn(text: str) -> list[list[bool]]:
    row = [False] * code128.count_modules(text)
    for at, width in code128.list_bars(text):
        row[at : at + width] = [True] * width
    return [row] * 30


@pytest.mark.parametrize("symbology", ["code128", "pdf417", "datamatrix", "qr", "aztec", "maxicode"])
def test_a_matrix_reads_as_its_content(symbology: str) -> None:
    rows = symbols.encode_rows(symbology, "1Z12345E0205271688")
    assert _read([[not cell for cell in row] for row in rows]).text == "1Z12345E0205271688"


@pytest.mark.parametrize(("symbology", "content"), [("rune", "1"), ("qr", "")])
def test_what_is_no_code_is_refused(symbology: str, content: str) -> None:
    with pytest.raises(ValueError, match="not a barcode|at least one"):
        symbols.encode_rows(symbology, content)


def test_code_128_of_any_text_is_read_back_and_as_wide_as_measured() -> None:
    dice = random.Random(128)
    for length in range(1, 36):
        text = "".join(
            dice.choice(string.digits * 3 + string.ascii_letters + " -^~>_") for _ in range(length)
        )
        text = text.strip() or "A"
        assert _read(_drawn(text)).text == text
        assert code128.read_zpl_data(code128.write_zpl_data(text)) == text


def test_code_128_packs_digits() -> None:
    assert code128.count_modules("9" * 34) == 11 * (17 + 2) + 13
    assert code128.write_zpl_data("AB123456") == ">:AB>5123456"
    assert code128.write_zpl_data("123456A") == ">;123456>6A"
    assert code128.write_zpl_data("12A") == ">:12A"


def test_code_128_is_never_wider_than_in_one_code_set() -> None:
    for text in ("1234567", "A1234567", "1A2345B678901C", "123456789012345"):
        assert code128.count_modules(text) <= 11 * (len(text) + 2) + 13


def test_code_128_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(Unprintable, match="Code 128"):
        code128.count_modules("a\tb")
    with pytest.raises(ValueError, match="at least one"):
        code128.count_modules("")


@pytest.mark.parametrize("symbology", ["qr", "datamatrix", "pdf417", "aztec"])
@pytest.mark.parametrize("length", [1, 9, 20, 60, 110])
def test_a_code_is_never_larger_than_its_fit(symbology: str, length: int) -> None:
    dice = random.Random(length)
    for letters in (string.digits, string.ascii_uppercase + " ", string.printable[:90], "é"):
        content = "".join(dice.choice(letters) for _ in range(length))
        fit = symbols.fit(symbology, content, 460, 252)
        picture = symbols.encode_rows(symbology, content, fit.columns, fit.level)
        assert len(picture[0]) * fit.module <= fit.width <= 460
        assert len(picture) * fit.module <= fit.height <= 252


def test_equal_rows_below_each_other_share_their_rectangles() -> None:
    assert symbols.list_black_runs((b"\0\0\1", b"\0\0\1", b"\1\0\0")) == [(0, 0, 2, 2), (1, 2, 2, 1)]

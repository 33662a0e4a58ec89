"""Code 128: from text to code sets, to bar widths, and to what a ZPL printer wants to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from .errors import Unprintable

# Widths of bar, space, bar, space, bar, space per symbol value 0-105 (ISO/IEC 15417, table 1).
PATTERNS = (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132"
    "122231113222123122123221223211221132221231213212223112312131311222321122321221312212"
    "322112322211212123212321232121111323131123131321112313132113132311211313231113231311"
    "112133112331132131113123113321133121313121211331231131213113213311213131311123311321"
    "331121312113312311332111314111221411431111111224111422121124121421141122141221112214"
    "112412122114122411142112142211241211221114413111241112134111111242121142121241114212"
    "124112124211411212421112421211212141214121412121111143111341131141114113114311411113"
    "411311113141114131311141411131211412211214211232"
)
STOP = "2331112"
TO_C, TO_B, START_B, START_C = 99, 100, 104, 105

# A run of digits pays for the change to set C and back from six digits on, from four at either end.
_DIGITS = re.compile(r"((?=\d{4})(?:\A(?:\d\d)++|(?:\d\d){2,}+\Z|(?:\d\d){3,}+(?!\d\Z)))")
# In ^BC data these three would be read as printer commands or as code set changes.
_INVOCATIONS = str.maketrans({">": ">0", "^": "><", "~": ">="})


def split_code_sets(text: str) -> list[str]:
    """The text cut into characters for code set B, pairs of digits for C, B and so on; some are empty."""
    if not (text.isascii() and text.isprintable()):
        bad = next(c for c in text if not (c.isascii() and c.isprintable()))
        raise Unprintable(bad, text, "Code 128 symbol")
    if not text:
        raise ValueError("A Code 128 needs at least one character.")
    return _DIGITS.split(text)


def count_modules(text: str) -> int:
    """How many modules wide the symbol is, quiet zones left out."""
    parts = split_code_sets(text)
    symbols = len(text) - sum(map(len, parts[1::2])) // 2
    return 11 * (symbols + len(parts) - parts.count("") + 1) + 13


def list_values(text: str) -> list[int]:
    """The symbol values from start to check symbol."""
    values: list[int] = []
    for at, part in enumerate(split_code_sets(text)):
        if not part:
            continue
        start, change = (START_C, TO_C) if at % 2 else (START_B, TO_B)
        values.append(change if values else start)
        values += encode_pairs(part) if at % 2 else [ord(letter) - 32 for letter in part]
    return add_check_symbol(values)


def encode_pairs(digits: str) -> list[int]:
    """The symbol values of pairs of digits, for code set C."""
    return [int(digits[at : at + 2]) for at in range(0, len(digits), 2)]


def add_check_symbol(values: Sequence[int]) -> list[int]:
    """The symbol values with the check symbol behind them."""
    return [*values, (values[0] + sum(at * value for at, value in enumerate(values))) % 103]


def list_bars(text: str) -> list[tuple[int, int]]:
    """Every bar as (offset, width) in modules."""
    return list_value_bars(list_values(text))


def list_value_bars(values: Sequence[int]) -> list[tuple[int, int]]:
    """The bars of symbol values and of the stop symbol behind them, likewise."""
    patterns = "".join(PATTERNS[6 * value : 6 * value + 6] for value in values)
    widths = [int(width) for width in patterns + STOP]
    return list(zip(accumulate(widths, initial=0), widths, strict=False))[::2]


def write_zpl_data(text: str) -> str:
    """The text for ^BC with its code set changes spelled out, so that it prints as wide as measured here."""
    parts = split_code_sets(text)
    changed = [
        (">5" if at % 2 else ">6") + part.translate(_INVOCATIONS) for at, part in enumerate(parts) if part
    ]
    return (">:" if parts[0] else ">;") + "".join(changed)[2:]


def read_zpl_data(data: str) -> str:
    """The text from which `write_zpl_data` made this data."""
    bare = re.sub(r">[:;56]", "", data)
    return bare.replace(">0", ">").replace("><", "^").replace(">=", "~")

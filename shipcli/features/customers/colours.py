"""A shop's colour, and what is readable on it: contrasts as the guidelines of the web count them (WCAG)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shipcli.models import Invalid

ENOUGH = 4.5  # level AA, for text of any size
STEPS = 50
_HEX = re.compile(r"#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


@dataclass(frozen=True)
class Colour:
    """Red, green and blue from 0 to 255."""

    red: int
    green: int
    blue: int

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        """How bright it seems, from 0 to 1."""
        red, green, blue = (_linearise(part / 255) for part in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def mix(self, other: Colour, share: float) -> Colour:
        """This colour with a share of another one."""
        pairs = ((self.red, other.red), (self.green, other.green), (self.blue, other.blue))
        return Colour(*(round(mine + (its - mine) * share) for mine, its in pairs))


BLACK, WHITE = Colour(0, 0, 0), Colour(255, 255, 255)


def _linearise(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def read_colour(text: str) -> Colour:
    """Read `#0a7` or `#00aa77`.

    Errors: Invalid.
    """
    match = _HEX.fullmatch(text.strip())
    if match is None:
        raise Invalid("color", f"{text!r} is no colour such as #00aa77")
    digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    return Colour(*(int(digits[start : start + 2], 16) for start in (0, 2, 4)))


def compute_contrast(first: Colour, second: Colour) -> float:
    """The contrast of two colours, from 1 to 21."""
    bright, dark = sorted((first.luminance, second.luminance), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def choose_ink(ground: Colour) -> Colour:
    """Black or white, whichever is better read on a colour; one of them always is."""
    return max((BLACK, WHITE), key=lambda ink: compute_contrast(ink, ground))


def make_readable(colour: Colour, ground: Colour) -> Colour:
    """The colour, made darker or brighter until it can be read as text on a ground."""
    ink = choose_ink(ground)
    mixed = (colour.mix(ink, step / STEPS) for step in range(STEPS + 1))
    return next((each for each in mixed if compute_contrast(each, ground) >= ENOUGH), ink)

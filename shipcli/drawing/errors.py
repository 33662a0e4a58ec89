"""What drawing and converting may refuse, as errors that name the reason."""

from __future__ import annotations


class Unprintable(ValueError):
    """A character that no bundled font (or no barcode of the kind asked for) can show."""

    def __init__(self, character: str, text: str, medium: str = "bundled font") -> None:
        self.character = character
        self.code_point = f"U+{ord(character):04X}"
        self.text = text
        super().__init__(f"No {medium} has {character!r} ({self.code_point}), in {text!r}.")


class Unconvertible(ValueError):
    """A label file that cannot be turned into the format asked for."""

"""Forms: what a browser or `curl -F` sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TYPES = ("multipart/form-data", "application/x-www-form-urlencoded")


@dataclass(frozen=True, slots=True)
class FormField:
    """One field: its bytes, and the name of the file they came from."""

    content: bytes
    filename: str = ""

    @property
    def text(self) -> str:
        """The bytes as text."""
        return self.content.decode("utf-8", "replace")


Form = Mapping[str, FormField]

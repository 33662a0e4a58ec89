"""What stands in for standard input."""

from __future__ import annotations

import io


class Typed(io.TextIOWrapper):
    """Standard input as a pipe would give it."""

    def __init__(self, text: str) -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8")

"""What the docstrings of all commands say first, read from a file: help and completion import no command.

`help_index.json` is generated (`python -m tests.cli.help_index`) and checked by a test.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

FILE = Path(__file__).with_suffix(".json")


class IndexedHelp(TypedDict):
    """The first sentence of a command, and its first example, without the comment lines before it."""

    help: str
    example: str


def read_help(*path: str) -> IndexedHelp:
    """What is said of a command."""
    return _load_index()[" ".join(path)]


@cache
def _load_index() -> dict[str, IndexedHelp]:
    index: dict[str, IndexedHelp] = json.loads(FILE.read_text("utf-8"))
    return index

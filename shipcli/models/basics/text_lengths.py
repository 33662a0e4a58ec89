"""How long the texts of a request may be where its model gives no maximum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shipcli.models.basics.problems import join

LONGEST_TEXT = 20_000  # characters
LONGEST_KEY = 255
# What may be as large as a request: templates with their data, and files as base64 text.
LARGE_FIELDS = frozenset({"template", "data", "doc_file", "label", "invoice"})


def find_long_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the paths of texts and of keys that are too long, at any depth, each with the reason."""
    match value:
        case str() if len(value) > LONGEST_TEXT:
            yield path, f"must have at most {LONGEST_TEXT} characters"
        case list():
            for index, item in enumerate(value):
                yield from find_long_texts(item, f"{path}[{index}]")
        case dict():
            for name, item in value.items():
                if len(name) > LONGEST_KEY:
                    yield path or name[:LONGEST_KEY], f"must have keys of at most {LONGEST_KEY} characters"
                elif name not in LARGE_FIELDS:
                    yield from find_long_texts(item, join(path, name))

"""Writes the index of every carrier of this project: `python -m tests.carriers.index`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from shipcli.carrier import registry
from shipcli.carrier.index import NAME, gather_facts, write_index


def indexes() -> Iterator[tuple[Path, str]]:
    """Where the index of each carrier lies, and what it should say."""
    for slug in sorted(registry._find_folders()):
        kind = registry.get(slug)
        yield Path(inspect.getfile(kind)).parent / NAME, write_index(gather_facts(kind))


def main() -> None:
    for path, text in indexes():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(f"written: {path}")


if __name__ == "__main__":
    main()

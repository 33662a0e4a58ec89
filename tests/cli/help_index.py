"""Writes the index of help texts from the docstrings of all commands: `python -m tests.cli.help_index`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from shipcli.cli import command_loader, command_table
from shipcli.cli.help_index import FILE


def list_paths() -> Iterator[tuple[str, ...]]:
    for row in command_table.NOUNS:
        yield from ((row.name, verb.name) for verb in row.verbs)
        if not row.verbs:
            yield (row.name,)


def write_index() -> str:
    """What the file should say."""
    return json.dumps({" ".join(path): _index(path) for path in list_paths()}, indent=1) + "\n"


def _index(path: tuple[str, ...]) -> dict[str, str]:
    command = command_loader.build(path)
    assert command is not None
    examples = (line for line in command.examples if not line.startswith("#"))
    return {"help": (command.help or "").splitlines()[0], "example": next(examples, "")}


def main() -> None:
    if not FILE.is_file() or FILE.read_text("utf-8") != write_index():
        FILE.write_text(write_index(), "utf-8")
        print(f"written: {FILE}")


if __name__ == "__main__":
    main()

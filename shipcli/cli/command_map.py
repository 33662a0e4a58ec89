"""Which commands run which operations of the API, from the table of commands and the operation table."""

from __future__ import annotations

from typing import Any

from shipcli.cli import command_table
from shipcli.operations.table import OPERATIONS, UNPUBLISHED


def map_commands() -> list[dict[str, Any]]:
    """Every command with the ids of the operations it runs; none if it works on this machine only.

    Errors: KeyError for a command that names an unknown operation.
    """
    ids = {row.name: row.id for row in (*OPERATIONS, *UNPUBLISHED)}
    return [
        {
            "command": " ".join(path),
            "help": text,
            "operations": [
                ids[name] for name in command_table.list_calls(path) if name != command_table.EVERYWHERE
            ],
            "deprecated": deprecated,
        }
        for path, text, deprecated in _list_commands()
    ]


def _list_commands() -> list[tuple[tuple[str, ...], str, bool]]:
    found: list[tuple[tuple[str, ...], str, bool]] = []
    for row in command_table.NOUNS:
        if not row.verbs:
            found.append(((row.name,), row.help, False))
        found += [((row.name, verb.name), verb.help, bool(verb.instead)) for verb in row.verbs]
    return found

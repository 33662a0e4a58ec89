"""Which commands run which operations of the API, from the table of commands and the operation table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shipcli.cli.command_table import EVERYWHERE, NOUNS, Noun, Verb, list_calls
from shipcli.cli.help_index import read_help
from shipcli.operations.control_plane import CONTROL
from shipcli.operations.table import SERVED


def map_commands() -> list[dict[str, Any]]:
    """Every command with the ids of the operations it runs; none if it works on this machine only.

    Errors: KeyError for a command that names an unknown operation.
    """
    ids = {row.name: row.id for row in (*SERVED, *CONTROL)}
    return [
        {
            "command": " ".join(path),
            "help": row.title if isinstance(row, Noun) else read_help(*path)["help"],
            "operations": [ids[name] for name in list_calls(path) if name != EVERYWHERE],
            "deprecated": isinstance(row, Verb) and bool(row.instead),
        }
        for path, row in _list_commands()
    ]


def _list_commands() -> Iterator[tuple[tuple[str, ...], Noun | Verb]]:
    for noun in NOUNS:
        if not noun.verbs:
            yield (noun.name,), noun
        for verb in noun.verbs:
            yield (noun.name, verb.name), verb

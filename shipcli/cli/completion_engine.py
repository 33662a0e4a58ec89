"""What can stand next in a line, for the shells: nouns and verbs from the table, names from the store."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

from shipcli.cli import command_table
from shipcli.cli.global_options import BY_NAME, CommandLine, read_line

COMPLETE, WORD, DESCRIBED = "_SHIPCLI_COMPLETE", "_SHIPCLI_WORD", "described"
Choice = tuple[str, str]


def answer(argv: Sequence[str], environ: Mapping[str, str]) -> int:
    """Print the choices, one per line, with their help where the shell shows it; always ends well."""
    words = [*argv, environ[WORD]] if WORD in environ else list(argv) or [""]
    with_help = environ[COMPLETE] == DESCRIBED
    for value, help in choices(words):
        sys.stdout.write(f"{value}\t{help}\n" if with_help else f"{value}\n")
    return 0


def choices(words: Sequence[str]) -> list[Choice]:
    """What the last word may become."""
    before, word = words[:-1], words[-1]
    known = BY_NAME.get(before[-1]) if before else None
    if known and known.choices:
        found: Iterable[Choice] = ((value, "") for value in known.choices)
    else:
        found = _next(before, word)
    return [(value, help) for value, help in found if value.startswith(word)]


def _next(before: Sequence[str], word: str) -> Iterable[Choice]:
    line = _read(before, word.startswith("-"))
    if line is None:
        return []
    row = command_table.noun(line.path[0]) if line.path else None
    if word.startswith("-"):
        return _options(line.path)
    if word.startswith("@"):
        return [("@last", "the last one this terminal named"), ("@-2", "the one before")]
    if not line.path:
        return [(one.name, one.help) for one in command_table.NOUNS if not one.hidden]
    if row and row.verbs and (len(line.path) == 1 or (row.default and not line.rest and len(before) == 1)):
        return [(verb.name, verb.help) for verb in row.verbs if not verb.hidden]
    from shipcli.cli.completion_values import list_values

    return list_values(line, before[-1])


def _read(before: Sequence[str], with_options: bool) -> CommandLine | None:
    from shipcli.models.errors import ShipcliError

    try:
        return read_line(before, _owned if with_options else _owns_nothing)
    except ShipcliError:
        return None


def _owns_nothing(path: tuple[str, ...]) -> dict[str, bool]:
    return {}


def _owned(path: tuple[str, ...]) -> dict[str, bool]:
    from shipcli.cli.command_loader import list_own_options

    return list_own_options(path)


def _options(path: tuple[str, ...]) -> list[Choice]:
    own: list[Choice] = []
    row = command_table.noun(path[0]) if path else None
    if row and (len(path) > 1 or not row.verbs):
        from shipcli.cli.command_loader import build

        command = build(path)
        for param in command.params if command else ():
            help = getattr(param, "help", None) or ""
            own += [(name, help) for name in (*param.opts, *param.secondary_opts) if name.startswith("--")]
    return [*own, *((name, "") for name in BY_NAME if name.startswith("--"))]

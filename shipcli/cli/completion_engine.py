"""Completion for the shells: nouns and verbs from the table, names from the store."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.cli import command_table
from shipcli.cli.console.stderr import escape_line
from shipcli.cli.global_options import BY_NAME, FORMAT, VALUE, CommandLine, read_line
from shipcli.cli.help_index import read_help
from shipcli.cli.late_imports import import_late

if TYPE_CHECKING:
    from typer.core import TyperCommand

COMPLETE, WORD, DESCRIBED = "_SHIPCLI_COMPLETE", "_SHIPCLI_WORD", "described"
Choice = tuple[str, str]


def answer(argv: Sequence[str], environ: Mapping[str, str]) -> int:
    """Print the choices, one per line, with their help if the shell shows it; never fails."""
    words = [*argv, environ[WORD]] if WORD in environ else list(argv) or [""]
    with_help = environ[COMPLETE] == DESCRIBED
    for choice in list_choices(words):
        value, help = map(escape_line, choice)
        sys.stdout.write(f"{value}\t{help}\n" if with_help else f"{value}\n")
    return 0


def list_choices(words: Sequence[str]) -> list[Choice]:
    """The possible completions of the last word."""
    before, word = list(words[:-1]), words[-1]
    if word == "=":
        before, word = [*before, word], ""
    if before[-1:] == ["="]:  # bash parts words there
        before = before[:-1]
    name, sign, value = word.partition("=")
    if sign and name.startswith("--"):
        return [(f"{name}={text}", help) for text, help in _fit(_list_next([*before, name], value), value)]
    return _fit(_list_next(before, word), word)


def _fit(choices: Iterable[Choice], word: str) -> list[Choice]:
    return [(value, help) for value, help in choices if value.startswith(word)]


def _list_next(before: Sequence[str], word: str) -> Iterable[Choice]:
    if before and before[-1] in BY_NAME and BY_NAME[before[-1]].action in (VALUE, FORMAT):
        return [(value, "") for value in BY_NAME[before[-1]].choices]
    line = _read(before, word.startswith("-"))
    if line is None:
        return []
    row = command_table.find_noun(line.path[0]) if line.path else None
    if word.startswith("-"):
        return _list_options(line.path)
    if word.startswith("@"):
        return [("@last", "the last one this terminal named"), ("@-2", "the one before")]
    if not line.path:
        return [(noun.name, noun.title) for noun in command_table.NOUNS if not noun.hidden]
    if row and row.verbs and (len(line.path) == 1 or (row.default and not line.rest and len(before) == 1)):
        return [(verb.name, read_help(row.name, verb.name)["help"]) for verb in row.verbs if not verb.hidden]
    return _list_param_values(before, word)


def _list_param_values(before: Sequence[str], word: str) -> Iterable[Choice]:
    """The values of the option or argument that is being typed; in a comma list those of the last item."""
    from shipcli.cli import opening
    from shipcli.cli.command_loader import build

    with import_late():
        from shipcli.cli.completion_values import list_values

    line = _read(before, with_options=True)
    command = build(line.path) if line else None
    if line is None or command is None:
        return []
    param = _find_param(command, line.rest)
    if param is None:
        return []
    run = opening.start(replace(line.options, no_input=True, yes=False))  # nothing is agreed to yet
    try:
        done = word.rpartition(",")[0]
        choices = list(list_values(param, word[len(done) :].lstrip(","), [*line.path, *line.rest]))
    finally:
        run.close()
    previous = done.split(",")
    return [(f"{done},{value}" if done else value, help) for value, help in choices if value not in previous]


def _find_param(command: TyperCommand, typed: Sequence[str]) -> Any:
    """The option whose value comes next, else the argument; None if there is neither."""
    valued = [param for param in command.params if not getattr(param, "is_flag", False)]
    options = {name: param for param in valued for name in param.opts if name.startswith("-")}
    arguments = [param for param in valued if param.param_type_name == "argument"]
    words = iter(typed)
    for word in words:
        if word in options and next(words, None) is None:
            return options[word]
        if not word.startswith("-") and arguments and arguments[0].nargs == 1:
            arguments = arguments[1:]
    return arguments[0] if arguments else None


def _read(before: Sequence[str], with_options: bool) -> CommandLine | None:
    """Read the words so far; None if they are wrong. Knowing a command's own options needs its import."""
    from shipcli.models.basics.errors import ShipcliError

    def list_options(path: tuple[str, ...]) -> dict[str, bool]:
        if not with_options:
            return {}
        from shipcli.cli.command_loader import list_own_options

        return list_own_options(path)

    try:
        return read_line(before, list_options)
    except ShipcliError:
        return None


def _list_options(path: tuple[str, ...]) -> list[Choice]:
    choices: list[Choice] = []
    row = command_table.find_noun(path[0]) if path else None
    if row and (len(path) > 1 or not row.verbs):
        from shipcli.cli.command_loader import build
        from shipcli.cli.help_pages import read_help_text

        command = build(path)
        for param in command.params if command else ():
            help = read_help_text(getattr(param, "help", None))
            choices += [
                (name, help) for name in (*param.opts, *param.secondary_opts) if name.startswith("--")
            ]
    return [*choices, *((name, "") for name in BY_NAME if name.startswith("--"))]

"""Commands made from the table: the one that runs is imported and built, the others are a name and a line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from shipcli.cli import command_table
from shipcli.cli.help_index import read_help
from shipcli.cli.help_pages import MAX_EXAMPLES, HelpedCommand, HelpPage, split_docstring
from shipcli.cli.late_imports import import_late
from shipcli.cli.verbs import Command, spread_options

ROOT_EXAMPLES = (
    "shipcli quote 02134 --weight 1.2kg          # what each carrier asks",
    "shipcli ship 1042 --weight 2lb6oz --cheapest -p",
    "shipcli track @last",
)
MAKER = "shipcli.cli.stored_nouns"
CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class CommandGroup(HelpPage, TyperGroup):
    """A list of commands that is only ever shown: a command that runs is built without it.

    `panels` are the headings under which commands stand, by command.
    """

    def __init__(
        self,
        name: str,
        help: str,
        rows: Mapping[str, str],
        panels: Mapping[str, str],
        examples: tuple[str, ...] = (),
    ) -> None:
        self._panels, mode = panels, choose_markup()
        commands = {
            row: TyperCommand(row, help=text, rich_markup_mode=mode, rich_help_panel=panels.get(row))
            for row, text in rows.items()
        }
        super().__init__(
            name=name,
            help=help,
            commands=dict(commands),
            rich_markup_mode=mode,
            context_settings=CONTEXT_SETTINGS,
        )
        self.examples = examples

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The plain form: each heading with its commands."""
        for panel in dict.fromkeys(self._panels.get(name, "Commands") for name in self.commands):
            with formatter.section(panel):
                formatter.write_dl([
                    (name, command.get_short_help_str(formatter.width))
                    for name, command in self.commands.items()
                    if self._panels.get(name, "Commands") == panel
                ])  # fmt: skip


def choose_markup() -> Any:
    """Help is drawn with rich on a terminal only: its import costs more than everything else."""
    return "rich" if sys.stdout.isatty() else None


def make_root_group() -> CommandGroup:
    """The group of all nouns."""
    shown = [row for row in command_table.NOUNS if not row.hidden]
    rows = {row.name: row.title for row in shown}
    panels = {row.name: command_table.GROUPS[row.group] for row in shown}
    return CommandGroup(
        "shipcli", "Ship parcels with many carriers from one place.", rows, panels, ROOT_EXAMPLES
    )


def make_noun_group(row: command_table.Noun) -> CommandGroup:
    """The group of a noun's verbs, with the first example of each of the first that have any."""
    pages = {verb.name: read_help(row.name, verb.name) for verb in row.verbs if not verb.hidden}
    rows = {name: page["help"] for name, page in pages.items()}
    examples = islice(filter(None, (page["example"] for page in pages.values())), MAX_EXAMPLES)
    return CommandGroup(row.name, f"{row.title}.", rows, {}, tuple(examples))


@cache
def build(path: tuple[str, ...]) -> TyperCommand | None:
    """The command at a path, whose module is imported; None if the table has none."""
    row = command_table.find_noun(path[0])
    verb = row.verb(path[1]) if row and len(path) > 1 else None
    if row is None or (row.verbs and verb is None):
        return None
    with import_late():
        function = _import_command(row, verb.name if verb else row.name)
    app = typer.Typer(
        add_completion=False, rich_markup_mode=choose_markup(), context_settings=CONTEXT_SETTINGS
    )
    description, examples = split_docstring(function.__doc__)
    declare = app.command(cls=HelpedCommand, help=description, deprecated=bool(verb and verb.instead))
    declare(spread_options(function))
    command = typer.main.get_command(app)
    assert isinstance(command, HelpedCommand)
    command.examples = examples
    return command


def _import_command(row: command_table.Noun, name: str) -> Command:
    """The function of a command; the one of a stored noun is made without a module of its own."""
    from shipcli.cli.stored_noun_table import STORED_NOUNS

    noun, command = STORED_NOUNS.get(row.name), None
    if noun and name in noun.verbs:
        command = import_module(MAKER).make_command(noun, name)
    made: Command = command or import_module(row.path).verb[name]
    return made


def list_own_options(path: tuple[str, ...]) -> dict[str, bool]:
    """The option names that a command declares itself, and whether each takes a value."""
    command = build(path)
    if command is None:
        return {}
    return {
        name: not (getattr(param, "is_flag", False) or getattr(param, "count", False))
        for param in command.params
        for name in (*param.opts, *param.secondary_opts)
        if name.startswith("-")
    }

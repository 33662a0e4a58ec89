"""Commands made from the table: the one that runs is imported and built, the others are a name and a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, Signature, signature
from itertools import islice
from typing import Any, NamedTuple, TypeVar, get_type_hints, overload

import typer
from typer.core import TyperCommand, TyperGroup

from shipcli.cli import command_table
from shipcli.cli.help_pages import MAX_EXAMPLES, HelpedCommand, HelpPage, split_docstring

Command = Callable[..., None]
F = TypeVar("F", bound=Command)
ROOT_EXAMPLES = (
    "shipcli quote 02134 --weight 1.2kg          # what each carrier asks",
    "shipcli ship 1042 --weight 2lb6oz --cheapest -p",
    "shipcli track @last",
)
CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LateCommand(NamedTuple):
    """A command that is made when it is needed; its docstring is known beforehand."""

    text: str
    make: Callable[[], Command]


def set_parameters(function: Callable[..., None], parameters: Iterable[Parameter]) -> Command:
    """Give a function these parameters, in the form that typer reads."""
    signature = Signature(list(parameters))
    function.__signature__ = signature  # type: ignore[attr-defined]  # what inspect, and so typer, asks for first
    function.__annotations__ = {
        name: parameter.annotation for name, parameter in signature.parameters.items()
    }
    return function


def spread_options(function: Command) -> Command:
    """A command in which each field of a parameter that is a dataclass is an option of its own."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    if not groups:
        return function

    def run(**values: Any) -> None:
        made = {name: group(**{field.name: values.pop(field.name) for field in fields(group)})
                for name, group in groups.items()}  # fmt: skip
        function(**values, **made)

    options = [
        option.replace(kind=Parameter.KEYWORD_ONLY)
        for name, param in signature(function).parameters.items()
        for option in (
            _list_fields(groups[name]) if name in groups else [param.replace(annotation=hints[name])]
        )
    ]
    return set_parameters(run, options)


def _list_fields(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]


class Verbs(dict[str, Command | LateCommand]):
    """The commands of a module by verb: `@verb`, or `@verb("list")` where a Python name must differ."""

    def function(self, name: str) -> Command:
        """The function that implements a verb."""
        command = self[name]
        return command.make() if isinstance(command, LateCommand) else spread_options(command)

    def docstring(self, name: str) -> str:
        """The docstring of a verb."""
        command = self[name]
        return command.text if isinstance(command, LateCommand) else command.__doc__ or ""

    @overload
    def __call__(self, name: str) -> Callable[[F], F]:
        """Register under this name."""

    @overload
    def __call__(self, name: F) -> F:
        """Register under the function's own name."""

    def __call__(self, name: str | F) -> F | Callable[[F], F]:
        if not isinstance(name, str):
            self[name.__name__.replace("_", "-")] = name
            return name

        def register(function: F) -> F:
            self[name] = function
            return function

        return register


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
    rows = {row.name: row.help for row in shown}
    panels = {row.name: command_table.GROUPS[row.group] for row in shown}
    return CommandGroup(
        "shipcli", "Ship parcels with many carriers from one place.", rows, panels, ROOT_EXAMPLES
    )


def make_noun_group(row: command_table.Noun) -> CommandGroup:
    """The group of a noun's verbs."""
    rows = {verb.name: verb.help for verb in row.verbs if not verb.hidden}
    return CommandGroup(row.name, f"{row.help}.", rows, {}, _list_examples(row))


def _list_examples(row: command_table.Noun) -> tuple[str, ...]:
    """The first example of each of the first commands that have any."""
    commands = import_module(row.path).verb
    pages = (split_docstring(commands.docstring(verb.name))[1] for verb in row.verbs if not verb.hidden)
    first = (next((line for line in page if not line.startswith("#")), "") for page in pages)
    return tuple(islice(filter(None, first), MAX_EXAMPLES))


@cache
def build(path: tuple[str, ...]) -> TyperCommand | None:
    """The command at a path, whose module is imported; None if the table has none."""
    row = command_table.find_noun(path[0])
    verb = row.verb(path[1]) if row and len(path) > 1 else None
    if row is None or (row.verbs and verb is None):
        return None
    commands, name = import_module(row.path).verb, verb.name if verb else row.name
    app = typer.Typer(
        add_completion=False, rich_markup_mode=choose_markup(), context_settings=CONTEXT_SETTINGS
    )
    description, examples = split_docstring(commands.docstring(name))
    declare = app.command(cls=HelpedCommand, help=description, deprecated=bool(verb and verb.instead))
    declare(commands.function(name))
    command = typer.main.get_command(app)
    assert isinstance(command, HelpedCommand)
    command.examples = examples
    return command


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

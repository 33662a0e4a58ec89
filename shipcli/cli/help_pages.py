"""Help pages: the sentence, the options, examples, and where the global options are explained.

A command's examples stand in its docstring, after a line that says `Examples:`, as they are typed. Words
after `#` say what a line does. Every one is run by tests/cli/console/test_help_examples.py.

An option that sets a field of an object says what the reference of the API says of it: its text is the
name of the field after `FIELD`, and the sentence is read when a page is shown.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperOption

HEADING = "Examples:"
FIELD = "="
FURTHER = "Options of every command (--json, -o FILE, --dry-run, -y, --api-url): shipcli options"
MAX_EXAMPLES = 3  # on the page of a noun


def split_docstring(text: str | None) -> tuple[str, tuple[str, ...]]:
    """The description in a docstring, and its lines of examples."""
    description, _, examples = inspect.cleandoc(text or "").partition(f"\n{HEADING}\n")
    return description.strip(), tuple(inspect.cleandoc(examples).splitlines())


def write_docstring(sentence: str, examples: Iterable[str]) -> str:
    """The docstring of a command that is made: its sentence and lines of examples."""
    return "\n".join([sentence, "", HEADING, *(line.rstrip() for line in examples)])


def say_field(name: str) -> str:
    """The text of an option that sets a field, `Model.field` or `field` as in the tables of sentences."""
    return FIELD + name


def read_help_text(text: str | None) -> str:
    """What an option says."""
    if not text or not text.startswith(FIELD):
        return text or ""
    from shipcli.models.sentences import list_sentences

    return list_sentences()[text.removeprefix(FIELD)].replace("`", "")


class HelpPage:
    """The end of a help page, in the plain form and in that of a terminal."""

    examples: tuple[str, ...] = ()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for param in self.params:  # type: ignore[attr-defined]
            if isinstance(param, TyperOption):
                param.help = read_help_text(param.help)
        super().format_help(ctx, formatter)  # type: ignore[misc]  # a command is its other base class
        if self.examples:
            formatter.write(f"\n{HEADING}\n")
            formatter.write("".join(f"  {line}".rstrip() + "\n" for line in self.examples))
        formatter.write(f"\n{FURTHER}\n")


class HelpedCommand(HelpPage, TyperCommand):
    """A command whose page shows its examples, and `TEXT` for a value without a word of its own."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for param in self.params:
            if param.type.name == "str" and isinstance(param, TyperOption):
                param.metavar = param.metavar or "TEXT"

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The line of usage without typer's braces around required arguments."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

"""Help pages: the sentence, the options, examples, and where the global options are explained.

A command's examples stand in its docstring, after a line that says `Examples:`, as they are typed. Words
after `#` say what a line does. Every one is run by tests/cli/console/test_help_examples.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperOption

HEADING = "Examples:"
FURTHER = "Options of every command (--json, -o FILE, --dry-run, -y, --api-url): shipcli options"
MAX_EXAMPLES = 3  # on the page of a noun


def split_docstring(text: str | None) -> tuple[str, tuple[str, ...]]:
    """The description in a docstring, and its lines of examples."""
    description, _, examples = inspect.cleandoc(text or "").partition(f"\n{HEADING}\n")
    return description.strip(), tuple(inspect.cleandoc(examples).splitlines())


def write_docstring(sentence: str, examples: Iterable[str]) -> str:
    """The docstring of a command that is made: its sentence and lines of examples."""
    return "\n".join([sentence, "", HEADING, *(line.rstrip() for line in examples)])


class HelpPage:
    """The end of a help page, in the plain form and in that of a terminal."""

    examples: tuple[str, ...] = ()

    def format_help(self, ctx: Any, formatter: Any) -> None:
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

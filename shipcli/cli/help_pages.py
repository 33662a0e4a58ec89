"""Help pages: the sentence, the options, examples, and where the global options are explained.

A command's examples stand in its docstring, after a line that says `Examples:`, as they are typed. Words
after `#` say what a line does. Every one is run by tests/cli/console/test_help_examples.py.
"""

from __future__ import annotations

import inspect
import shlex
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption

HEADING = "Examples:"
FURTHER = "Options of every command (--json, -o FILE, --dry-run, -y, --api-url): shipcli options"
SHOWN = 3  # examples on the page of a noun


def split_docstring(text: str | None) -> tuple[str, tuple[str, ...]]:
    """The description in a docstring, and its lines of examples."""
    description, _, examples = inspect.cleandoc(text or "").partition(f"\n{HEADING}\n")
    return description.strip(), tuple(inspect.cleandoc(examples).splitlines())


def list_example_commands(lines: tuple[str, ...]) -> list[list[str]]:
    """The words of each example, as a shell would read them, without `shipcli` and comments."""
    read = (shlex.split(line, comments=True) for line in lines)
    return [words[1:] for words in read if words]


class _HelpPage:
    """The end of a help page, in the plain form and in that of a terminal."""

    examples: tuple[str, ...] = ()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)  # type: ignore[misc]  # a command stands beside it in the line of classes
        if self.examples:
            formatter.write(f"\n{HEADING}\n")
            formatter.write("".join(f"  {line}".rstrip() + "\n" for line in self.examples))
        formatter.write(f"\n{FURTHER}\n")


class HelpedCommand(_HelpPage, TyperCommand):
    """A command whose page shows its examples, and `TEXT` for a value without a word of its own."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for param in self.params:
            if param.type.name == "str" and isinstance(param, TyperOption):
                param.metavar = param.metavar or "TEXT"

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The line of usage without typer's braces around required arguments."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class HelpedGroup(_HelpPage, TyperGroup):
    """A list of commands whose page shows some examples of them."""

    def __init__(self, *, examples: tuple[str, ...], **given: Any) -> None:
        super().__init__(**given)
        self.examples = examples

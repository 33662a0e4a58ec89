"""What an import did with each column of a file, and what it changed or left out of cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from shipcli.cli.console.output import show_list
from shipcli.cli.console.stderr import note, warn, write
from shipcli.cli.console.tables import measure_terminal
from shipcli.cli.current_run import get_run
from shipcli.features.files import import_notes
from shipcli.models.basics.text import count_text
from shipcli.readers import column_uses

if TYPE_CHECKING:
    from shipcli.readers.cells import CellError
    from shipcli.readers.mapping import MappedFile

COLUMNS = ("column", "field", "first_value")
IGNORED = "ignored"
MOST_NOTES = 20
INDENT, WIDEST = "  ", 100


def list_columns(table: MappedFile) -> list[Mapping[str, str]]:
    """Every column of a file: the fields that it fills, if any, and its first value."""
    return [
        dict(zip(COLUMNS, (use.header, ", ".join(use.fields) or IGNORED, use.first_value), strict=True))
        for use in column_uses.list_uses(table)
    ]


def show_columns(table: MappedFile) -> None:
    """A line for each column of a file."""
    show_list(list_columns(table), COLUMNS)


def note_columns(table: MappedFile) -> None:
    """Say which column fills which field, a few to a line, and name the columns that are ignored."""
    uses = column_uses.list_fields(table)
    read = [f"{header} -> {', '.join(fields)}" for header, fields in uses.items() if fields]
    ignored = [header for header, fields in uses.items() if not fields]
    note(f"{count_text(len(read), 'column')} read")
    if not get_run().options.quiet:
        for line in _lay_out(read, min(measure_terminal(), WIDEST)):
            write(line)
    if ignored:
        note(import_notes.describe_ignored(ignored))


def _lay_out(texts: Sequence[str], width: int) -> list[str]:
    """Texts in as many even columns as there is room for, read line by line."""
    longest = max(map(len, texts), default=0)
    count = max((width - len(INDENT)) // (longest + len(INDENT)), 1)
    rows = (texts[at : at + count] for at in range(0, len(texts), count))
    return [INDENT + INDENT.join(text.ljust(longest) for text in row).rstrip() for row in rows]


def warn_of_notes(notes: Iterable[CellError]) -> None:
    """Tell what of the cells was changed or left out; many alike are told as one."""
    texts = import_notes.describe_notes(notes)
    for text in texts[:MOST_NOTES]:
        warn(text)
    if len(texts) > MOST_NOTES:
        warn(f"{len(texts) - MOST_NOTES} more notes: --check tells all of them")

"""What an import says of a file beside its errors: columns that nothing reads, cells changed or left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from shipcli.models import Message
from shipcli.models.basics.text import count_text
from shipcli.readers import column_uses

if TYPE_CHECKING:
    from shipcli.readers.cells import CellError
    from shipcli.readers.mapping import MappedFile

CODE = "import_note"
MOST_NAMED = 12  # columns
MOST_KEPT = 100  # notes of a batch
_QUOTED = re.compile(r"""\A(?:'[^']*'|"[^"]*") """)


def describe_notes(notes: Iterable[CellError]) -> list[str]:
    """A sentence for each note; many alike are told as one."""
    groups: dict[tuple[str, str], list[CellError]] = {}
    for cell in notes:
        groups.setdefault((cell.column, _QUOTED.sub("", cell.reason)), []).append(cell)
    return [_describe_group(cells) for cells in groups.values()]


def _describe_group(cells: list[CellError]) -> str:
    others = f" and {count_text(len(cells) - 1, 'more row')}" if len(cells) > 1 else ""
    return f"row {cells[0].row}{others}, {cells[0].column}: {cells[0].reason}"


def describe_ignored(headers: list[str]) -> str:
    """The columns that an import ignores."""
    named = ", ".join(headers[:MOST_NAMED]) + (", ..." if len(headers) > MOST_NAMED else "")
    return f"{count_text(len(headers), 'column')} ignored: {named}"


def list_messages(table: MappedFile, notes: Iterable[CellError]) -> list[Message] | None:
    """The messages of a batch about its file; None if there are none."""
    ignored = [header for header, fields in column_uses.list_fields(table).items() if not fields]
    texts = [describe_ignored(ignored)] if ignored else []
    texts += describe_notes([*table.list_misnamed(), *notes])
    left = len(texts) - MOST_KEPT
    texts[MOST_KEPT:] = [count_text(left, "more note")] if left > 0 else []
    return [Message(code=CODE, message=text) for text in texts] or None

"""Tables for a terminal, drawn with rich. Nothing in the data is taken for markup or a control sequence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.cells import fields, plain, shown
from shipcli.cli.console.paths import look_up
from shipcli.cli.console.stderr import one_line

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from shipcli.cli.console.formats import CommandResult

WHOLE = ("id", "tracking_number", "reference")  # columns that are copied from the screen: never broken


def draw(answer: CommandResult, *, color: bool, width: int | None = None) -> str:
    """The text of a table: a line per row, or per field of a single object; empty columns are left out."""
    from rich.console import Console

    rows = [plain(row) for row in answer.rows]
    if not answer.single and not rows:
        return ""
    console = Console(file=sys.stdout, no_color=not color, force_terminal=color, width=width, highlight=False)
    table = (
        _fields(rows[0], answer.columns) if answer.single else _rows(rows, answer.columns, console.width // 2)
    )
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def _rows(rows: Sequence[Any], columns: Sequence[str], half: int) -> Table:
    """The names in the first column are not broken either, unless they leave less than half of the line."""
    table = _empty()
    paths = list(columns) or [path for path, _ in fields(rows[0])] if rows else []
    cells = {path: [_cell(look_up(row, path), path) for row in rows] for path in paths}
    filled = {path: column for path, column in cells.items() if any(column)}
    for at, (path, column) in enumerate(filled.items()):
        whole = path.split(".")[-1] in WHOLE or (at == 0 and max(map(len, column)) <= half)
        table.add_column(heading(path), overflow="fold", no_wrap=whole)
    for line in zip(*filled.values(), strict=True):
        table.add_row(*line)
    return table


def _fields(row: Any, columns: Sequence[str]) -> Table:
    table = _empty(header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    pairs = [(path, look_up(row, path)) for path in columns] or fields(row)
    for path, value in pairs:
        text = _cell(value, path)
        if text:
            table.add_row(one_line(path), text)
    return table


def _empty(*, header: bool = True) -> Table:
    from rich.table import Table

    return Table(box=None, show_header=header, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")


def heading(path: str) -> str:
    """The title of a column: `recipient.city` gives RECIPIENT CITY."""
    return one_line(path).replace("_", " ").replace(".", " ").upper()


def _cell(value: Any, path: str) -> Text:
    from rich.text import Text

    return Text(one_line(shown(value, path)))

"""Tables for a terminal. Nothing in the data is interpreted as markup or a control sequence.

A list has one line for each row: columns fall away from the least wanted one, text ends in an ellipsis, and
no word is broken.
"""

from __future__ import annotations

import io
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shipcli.cli.console.cells import convert_to_plain, flatten_fields, show_cell
from shipcli.cli.console.list_views import ListColumn, make_path_columns
from shipcli.cli.console.paths import look_up
from shipcli.cli.console.stderr import escape_line

if TYPE_CHECKING:
    from rich.table import Table

    from shipcli.cli.console.formats import CommandResult

GAP = "  "
MIN_SENTENCE = 14  # characters of a sentence on a line
PADDING = (0, len(GAP), 0, 0)
WIDEST = 10**9  # no line is cut by rich: what is shown has been fitted
Column = tuple[ListColumn, list[str], int]  # with its cells, and its width


def draw(result: CommandResult, *, color: bool, width: int | None = None) -> str:
    """Draw a table: a line per row, or per field of a single object; empty columns are left out."""
    rows = [convert_to_plain(row) for row in result.rows]
    if result.view or not result.single:
        columns = result.view or make_path_columns(result.columns or _list_paths(rows))
        return draw_list(rows, columns, color=color, width=width or measure_terminal())
    return _draw_object(rows[0], result, color=color, width=width or measure_terminal())


def measure_terminal() -> int:
    """The width of the terminal in characters."""
    return shutil.get_terminal_size().columns


# -- lists -----------------------------------------------------------------------------------------


def draw_list(
    rows: Sequence[Any], columns: Sequence[ListColumn], *, color: bool, width: int, heading: bool = True
) -> str:
    """Draw a line for each row below a heading, not wider than the terminal if possible.

    A sentence in the last column goes on below.
    """
    from rich.table import Table
    from rich.text import Text

    filled = (_read(column, rows) for column in columns)
    fitted = _fit([column for column in filled if column], width)
    if not fitted:
        return ""
    table = Table(box=None, pad_edge=False, padding=PADDING, show_header=heading, header_style="bold")
    for column, _, size in fitted:
        goes_on = column.open and column is fitted[-1][0]
        table.add_column(
            Text(column.title), width=max(size, MIN_SENTENCE) if goes_on else size, no_wrap=not goes_on,
            overflow="fold" if goes_on else "ellipsis", justify="right" if column.right else "left",
        )  # fmt: skip
    for cells in zip(*(cells for _, cells, _ in fitted), strict=True):
        table.add_row(*map(Text, cells))
    return _render(table, color)


def _render(table: Table, color: bool) -> str:
    """Render a table whose columns have been fitted to the terminal."""
    from rich.console import Console

    buffer = io.StringIO()
    console = Console(
        file=buffer, width=WIDEST, height=1, force_terminal=color, color_system="standard" if color else None,
        legacy_windows=False,
    )  # fmt: skip
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in buffer.getvalue().split("\n")[:-1])


def _read(column: ListColumn, rows: Sequence[Any]) -> Column | None:
    """A column with its cells; None if all of them are empty."""
    titled = replace(column, title=escape_line(column.title))  # a query names its columns freely
    cells = [escape_line(column.read(row)) for row in rows]
    size = max(map(_measure_text, [titled.title, *cells]), default=0)
    return (titled, cells, size) if any(cells) else None


def _fit(columns: list[Column], width: int) -> list[Column]:
    """The columns that have room: the least wanted go until the others fit, cut where they may be.

    A sentence becomes narrow before it goes: `no_label` tells nobody what lacks one.
    """
    while (
        len(columns) > 1 and sum(_measure_least(column) + len(GAP) for column in columns) - len(GAP) > width
    ):
        at = columns.index(max(reversed(columns), key=lambda column: column[0].rank))
        column, cells, size = columns[at]
        if column.open and column.least > MIN_SENTENCE:
            columns[at] = (replace(column, least=MIN_SENTENCE), cells, size)
        else:
            del columns[at]
    spare = width - sum(_measure_least(column) + len(GAP) for column in columns) + len(GAP)
    fitted: list[Column] = []
    for column, cells, size in columns:
        extra = min(size - _measure_least((column, cells, size)), max(spare, 0))
        spare -= extra
        fitted.append((column, cells, _measure_least((column, cells, size)) + extra))
    return fitted


def _measure_least(column: Column) -> int:
    """The least width of a column."""
    definition, _, size = column
    return min(size, max(definition.least, len(definition.title))) if definition.least else size


def _measure_text(text: str) -> int:
    """How many columns of the terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _list_paths(rows: Sequence[Any]) -> list[str]:
    return [path for path, _ in flatten_fields(rows[0])] if rows else []


# -- one object ------------------------------------------------------------------------------------


def _draw_object(row: Any, result: CommandResult, *, color: bool, width: int) -> str:
    """Draw a line per field, or those of its card, long text wrapped; a word is never broken, so that links
    stay links.
    """
    from rich.table import Table
    from rich.text import Text

    pairs = [(path, look_up(row, path)) for path in result.columns] or flatten_fields(row)
    texts = result.card(row) if result.card else [(path, show_cell(value, path)) for path, value in pairs]
    shown = [(escape_line(name), escape_line(text)) for name, text in texts if text]
    room = max(width - max((_measure_text(name) for name, _ in shown), default=0) - len(GAP), MIN_SENTENCE)
    table = Table.grid(padding=PADDING)
    for name, text in shown:
        lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
        table.add_row(Text(name, "bold"), Text("\n".join(lines)))
    return _render(table, color)

"""Tables for a terminal. Nothing in the data is interpreted as markup or a control sequence.

A list has one line for each row: columns fall away from the least wanted one, text ends in an ellipsis, and
no word is broken.
"""

from __future__ import annotations

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
    from shipcli.cli.console.formats import CommandResult

GAP = "  "
MIN_SENTENCE = 14  # characters of a sentence on a line
ELLIPSIS = "…"
BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
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


def draw_list(rows: Sequence[Any], columns: Sequence[ListColumn], *, color: bool, width: int) -> str:
    """Draw a heading and a line for each row, not wider than the terminal if possible."""
    filled = [column for definition in columns if (column := _read(definition, rows))]
    fitted = _fit(filled, width)
    if not fitted:
        return ""
    head = _join_cells([_draw_cell(column.title, column, size) for column, _, size in fitted])
    lines = [f"{BOLD}{head}{PLAIN}" if color else head]
    for at in range(len(rows)):
        lines += _draw_row([(column, cells[at], size) for column, cells, size in fitted])
    return "\n".join(lines) + "\n"


def _draw_row(cells: Sequence[tuple[ListColumn, str, int]]) -> list[str]:
    """Draw the line of a row; a sentence in its last column continues below."""
    *others, (last, text, size) = cells
    before = [_draw_cell(value, column, width) for column, value, width in others]
    if not last.open or _measure_text(text) <= size:
        return [_join_cells([*before, _draw_cell(text, last, size)])]
    indent = " " * sum(len(GAP) + width for _, _, width in others)
    first, *remaining = textwrap.wrap(text, max(size, MIN_SENTENCE))
    return [_join_cells([*before, first]), *(f"{indent}{line}" for line in remaining)]


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


def _draw_cell(text: str, column: ListColumn, size: int) -> str:
    """Draw a text in its column, cut off if it is too long."""
    if _measure_text(text) > size:
        while text and _measure_text(text) > size - 1:
            text = text[:-1]
        text = f"{text.rstrip()}{ELLIPSIS}"
    blank = " " * (size - _measure_text(text))
    return blank + text if column.right else text + blank


def _join_cells(cells: Sequence[str]) -> str:
    return GAP.join(cells).rstrip()


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
    pairs = [(path, look_up(row, path)) for path in result.columns] or flatten_fields(row)
    texts = result.card(row) if result.card else [(path, show_cell(value, path)) for path, value in pairs]
    shown = [(escape_line(path), escape_line(text)) for path, text in texts]
    names = max((_measure_text(name) for name, text in shown if text), default=0)
    room = max(width - names - len(GAP), MIN_SENTENCE)
    lines: list[str] = []
    for name, text in shown:
        first, *remaining = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
        if text:
            blank = " " * (names - _measure_text(name))
            lines.append(f"{f'{BOLD}{name}{PLAIN}' if color else name}{blank}{GAP}{first}")
        lines += [f"{' ' * names}{GAP}{line}" for line in remaining]
    return "".join(f"{line}\n" for line in lines)

"""A report on a terminal: a table per section with its total, and its picture as bars."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from shipcli.cli.console.list_views import ListColumn
from shipcli.cli.console.stderr import escape_line
from shipcli.cli.console.tables import draw_list, measure_terminal
from shipcli.documents.report_cells import list_bars, list_lines

if TYPE_CHECKING:
    from decimal import Decimal

    from shipcli.models.report import Report, ReportSection

BLOCK, PARTS, PLAIN_BLOCK = "█", " ▏▎▍▌▋▊▉", "#"
LONGEST_NAME = 28
NARROWEST = 10
LEAST = 10  # characters of a text that is cut; numbers never are
RANKS = {"money": 2, "text": 3, "count": 4, "share": 5}  # the last ones fall away first
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


def draw_report(report: Report, *, color: bool, charts: bool, encoding: str = "utf-8") -> str:
    """The whole report as text, not wider than the terminal: columns fall away before a number is cut."""
    days = report.first if report.first == report.last else f"{report.first} to {report.last}"
    parts = [_draw_heading(f"{report.title}, {days}", color)]
    for section in report.sections:
        parts += _draw_section(section, color)
        parts += _draw_chart(section, color, encoding) if charts else ()
    return "".join([*parts, *(f"{escape_line(note)}\n" for note in report.notes)])


def _draw_heading(text: str, color: bool) -> str:
    shown = escape_line(text)
    return f"{BOLD}{shown}{NORMAL}\n" if color else f"{shown}\n"


def _draw_section(section: ReportSection, color: bool) -> Iterator[str]:
    yield "\n"
    yield _draw_heading(section.title, color)
    yield draw_list(list_lines(section), list(_list_columns(section)), color=color, width=measure_terminal())


def _list_columns(section: ReportSection) -> Iterator[ListColumn]:
    """The columns of a table; the first says what a row is about and stays longest."""
    for place, column in enumerate(section.columns):
        is_text, rank = column.kind == "text", RANKS[column.kind] if place else 1
        yield ListColumn(
            column.title, itemgetter(place), rank=rank, least=LEAST if is_text else 0, right=not is_text
        )


def _draw_chart(section: ReportSection, color: bool, encoding: str) -> Iterator[str]:
    bars = list_bars(section)
    if section.chart and bars:
        yield "\n"
        yield _draw_heading(section.chart.title, color)
        yield from (f"{line}\n" for line in draw_bars(bars, measure_terminal(), encoding))


def draw_bars(bars: list[tuple[str, Decimal, str]], width: int, encoding: str = "utf-8") -> list[str]:
    """A line per bar: name, bar, value; eighths of a character show small differences, if there are any."""
    from rich.cells import cell_len  # as `tables` does: only for what is drawn

    is_fine = _has_blocks(encoding)
    names = [escape_line(name)[:LONGEST_NAME] for name, _, _ in bars]
    left, right = max(map(cell_len, names)), max(len(text) for _, _, text in bars)
    room = max(width - left - right - 4, NARROWEST)
    most = max(length for _, length, _ in bars) or 1
    return [
        f"{' ' * (left - cell_len(name))}{name}  {_draw_bar(float(length / most) * room, is_fine)} {text}"
        for name, (_, length, text) in zip(names, bars, strict=True)
    ]


def _has_blocks(encoding: str) -> bool:
    """Whether a terminal with this encoding shows blocks."""
    try:
        return bool(f"{BLOCK}{PARTS}".encode(encoding))
    except UnicodeEncodeError:
        return False


def _draw_bar(long: float, is_fine: bool) -> str:
    if not is_fine:
        return PLAIN_BLOCK * round(long)
    whole, part = int(long), int((long - int(long)) * len(PARTS))
    return f"{BLOCK * whole}{PARTS[part] if part else ''}"

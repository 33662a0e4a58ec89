"""A report on a terminal: a table per section with its total, and its picture as bars."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from shipcli.cli.console.stderr import escape_line
from shipcli.cli.console.tables import measure_terminal
from shipcli.documents.report_cells import list_bars, list_lines

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.console import Console

    from shipcli.models.report import Report, ReportSection

BLOCK, PARTS = "█", " ▏▎▍▌▋▊▉"
LONGEST_NAME = 28
NARROWEST = 10


def draw_report(report: Report, *, color: bool, charts: bool) -> str:
    """The whole report as text, not wider than the terminal."""
    from rich.console import Console

    text = io.StringIO()
    console = Console(
        file=text, width=measure_terminal(), force_terminal=color, highlight=False, markup=False
    )
    days = report.first if report.first == report.last else f"{report.first} to {report.last}"
    console.print(f"{report.title}, {days}", style="bold")
    for section in report.sections:
        _draw_section(console, section, charts=charts)
    for note in report.notes:
        console.print(note)
    return text.getvalue()


def _draw_section(console: Console, section: ReportSection, *, charts: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for column in section.columns:
        table.add_column(column.title, justify="left" if column.kind == "text" else "right")
    lines = list_lines(section)
    for place, line in enumerate(lines):
        is_total = bool(section.total) and place == len(lines) - 1
        table.add_row(*(Text(escape_line(cell)) for cell in line), style="bold" if is_total else None)
    console.print()
    console.print(escape_line(section.title), style="bold")
    console.print(table)
    bars = list_bars(section) if charts else []
    if section.chart and bars:
        console.print()
        console.print(section.chart.title, style="bold")
        for text in draw_bars(bars, console.width):
            console.print(text, soft_wrap=True)


def draw_bars(bars: list[tuple[str, Decimal, str]], width: int) -> list[str]:
    """A line per bar: name, bar, value; eighths of a character show small differences."""
    names = [escape_line(name)[:LONGEST_NAME] for name, _, _ in bars]
    left, right = max(map(len, names)), max(len(text) for _, _, text in bars)
    room = max(width - left - right - 4, NARROWEST)
    most = max(length for _, length, _ in bars) or 1
    return [
        f"{name.rjust(left)}  {_draw_bar(float(length / most) * room)} {text}"
        for name, (_, length, text) in zip(names, bars, strict=True)
    ]


def _draw_bar(long: float) -> str:
    whole, part = int(long), int((long - int(long)) * len(PARTS))
    return f"{BLOCK * whole}{PARTS[part] if part else ''}"

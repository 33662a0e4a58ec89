"""How the values of reports are read and written: amounts, counts and shares."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.documents.amounts import format_money
from shipcli.models.basics.reference import count_decimals

if TYPE_CHECKING:
    from shipcli.models.report import ReportColumn, ReportSection

TOTAL = "Total"


def read_number(value: Any) -> Decimal | None:
    """A number of a report, also where it came over HTTP as text."""
    return None if value is None or value == "" else Decimal(str(value))


def format_value(column: ReportColumn, value: Any, currency: str) -> str:
    """A value as people read it; an empty one is a dash."""
    if column.kind == "text":
        return str(value if value is not None else "")
    number = read_number(value)
    if number is None:
        return "-"
    if column.kind == "money":
        return format_money(round(number, count_decimals(currency) if currency else 2), currency)
    return f"{number:.0%}" if column.kind == "share" else f"{number:,.0f}"


def list_lines(section: ReportSection) -> list[list[str]]:
    """The rows of a section as texts, with the total last where it has one."""
    lines = [
        [format_value(column, row.get(column.name), section.currency) for column in section.columns]
        for row in section.rows
    ]
    return [*lines, make_total_line(section)] if section.total else lines


def make_total_line(section: ReportSection) -> list[str]:
    """The total under the columns that have one."""
    line = [
        format_value(column, section.total[column.name], section.currency)
        if column.name in section.total
        else ""
        for column in section.columns
    ]
    return [TOTAL, *line[1:]] if not line[0] else line


def list_bars(section: ReportSection) -> list[tuple[str, Decimal, str]]:
    """The bars of a section's picture: name, length and the text beside it."""
    chart = section.chart
    if chart is None:
        return []
    column = next(column for column in section.columns if column.name == chart.value)
    return [
        (str(row[chart.label]), number, format_value(column, number, section.currency))
        for row in section.rows
        if (number := read_number(row.get(chart.value))) is not None
    ]

"""Reports: sections of figures, each in one currency at most, and the picture that goes with them."""

from __future__ import annotations

from typing import Any, Literal

from shipcli.models.base import NO_ITEMS, NO_KEYS, ListOrNull, Model, Object

Kind = Literal["text", "count", "money", "share"]


class ReportColumn(Model):
    """A column: its name in rows, its heading, and how its values are written."""

    name: str
    title: str
    kind: Kind = "text"


class ReportChart(Model):
    """A picture of a section: bars of one column along another."""

    title: str
    label: str
    value: str
    over_time: bool = False


class ReportSection(Model):
    """Rows with the same columns; amounts are in the currency, which is empty where there are none."""

    title: str
    currency: str = ""
    columns: ListOrNull[ReportColumn] = NO_ITEMS
    rows: ListOrNull[dict[str, Any]] = NO_ITEMS
    total: Object = NO_KEYS
    chart: ReportChart | None = None


class Report(Model):
    """A report on the days from `first` to `last`, both included."""

    name: str
    title: str
    first: str
    last: str
    sections: ListOrNull[ReportSection] = NO_ITEMS
    notes: ListOrNull[str] = NO_ITEMS

"""Costs by carrier, service, zone, country, week, day or article: the store adds up, pandas shapes.

Each currency has a section of its own: amounts of two are never added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shipcli.features.reports.sales import TABLE, read_units
from shipcli.models import Invalid, suggest_nearest
from shipcli.models.report import Kind, ReportChart, ReportColumn, ReportSection
from shipcli.store.query import at_least, at_most, equal

if TYPE_CHECKING:
    import pandas

    from shipcli.features.core.app import App

MOST_SPANS = 60
WEEK, SKU = "week", "sku"
BY: Mapping[str, str] = {
    "carrier": "Carrier", "service": "Service", "zone": "Zone", "country": "Country", WEEK: "Week",
    "day": "Day", SKU: "Article",
}  # fmt: skip
SUMS = {
    "charge": ("sum", "charge"),
    "parcels": ("sum", "parcels"),
    "labels": ("count distinct", "shipment_id"),
}
MEASURES: tuple[tuple[str, str, Kind], ...] = (
    ("labels", "Labels", "count"), ("voided", "Voided", "count"), ("parcels", "Parcels", "count"),
    ("spend", "Spend", "money"), ("per_parcel", "A parcel", "money"), ("share", "Share", "share"),
)  # fmt: skip
SUMMED = ("labels", "voided", "parcels", "spend", "per_parcel")


def check_by(names: Sequence[str]) -> list[str]:
    """The columns to group by.

    Errors: Invalid naming the nearest.
    """
    for name in names:
        if name not in BY:
            raise Invalid(
                "by", f"{name!r} is nothing to group by.{suggest_nearest(name, BY)} Known: {', '.join(BY)}"
            )
    return list(dict.fromkeys(names))


def make_sections(
    app: App, by: Sequence[str], first: date, last: date, chart: ReportChart | None = None
) -> list[ReportSection]:
    """A section per currency, that of most labels first, with what was sold in these days by these columns.

    Articles share parcels: by article the spend is told for each label that has it.
    """
    unit = "labels" if SKU in by else "parcels"
    frame = load_frame(app, by, first, last)
    if frame.empty:
        return []
    totals = {
        row["currency"]: row for row in _write_rows(load_frame(app, (), first, last), ("currency",), unit)
    }
    sections = [
        _make_section(str(currency), list(_write_rows(some, by, unit)), totals[currency or "-"], by, chart)
        for currency, some in frame.groupby("currency", sort=True)
    ]
    return sorted(sections, key=lambda section: -section.total["labels"])


def load_frame(app: App, by: Sequence[str], first: date, last: date) -> pandas.DataFrame:
    """Labels, parcels and units by these columns and the currency; voided ones count apart."""
    import pandas

    stored = ["day" if name == WEEK else name for name in by]
    columns = [*dict.fromkeys(stored), "currency", "is_void"]
    rows = [row for span in _list_spans(first, last) for row in _group_span(app, columns, span)]
    frame = pandas.DataFrame(rows, dtype=object)
    if frame.empty:
        return frame
    if WEEK in by:
        frame[WEEK] = [_find_week(str(day)) for day in frame["day"]]
    return _count_voided(frame, [*by, "currency"])


def _list_spans(first: date, last: date) -> Iterator[tuple[date, date]]:
    """The days in at most so many spans: the store holds the rows of one while it groups them."""
    step = (last - first).days // MOST_SPANS + 1
    for start in range(first.toordinal(), last.toordinal() + 1, step):
        yield date.fromordinal(start), date.fromordinal(min(start + step - 1, last.toordinal()))


def _group_span(app: App, columns: Sequence[str], span: tuple[date, date]) -> list[dict[str, Any]]:
    """The sums of some days; a shipment has one day, so that counts of several spans add up."""
    where = [
        equal("test_mode", app.test_mode),
        at_least("day", span[0].isoformat()),
        at_most("day", span[1].isoformat()),
    ]
    return app.store.group(TABLE, columns, SUMS, where)


def _find_week(day: str) -> str:
    """The Monday of a day's week."""
    moment = date.fromisoformat(day)
    return date.fromordinal(moment.toordinal() - moment.weekday()).isoformat()


def _count_voided(frame: pandas.DataFrame, keys: list[str]) -> pandas.DataFrame:
    """One row per group: what was kept is counted and added up, what was voided is only counted."""
    is_void = frame["is_void"].astype(bool)
    frame = frame.assign(
        voided=frame["labels"].where(is_void, 0),
        labels=frame["labels"].where(~is_void, 0),
        parcels=frame["parcels"].where(~is_void, 0),
        charge=frame["charge"].where(~is_void, 0).fillna(0),
    )
    sums = frame[[*keys, "labels", "voided", "parcels", "charge"]].groupby(keys, sort=True)
    return sums.sum().reset_index()


def _make_section(
    currency: str,
    rows: list[dict[str, Any]],
    total: Mapping[str, Any],
    by: Sequence[str],
    chart: ReportChart | None,
) -> ReportSection:
    """A label with several articles counts for each of them, and once in the total."""
    if list(by) in ([WEEK], ["day"]):
        rows = _fill_gaps(rows, by[0])
    for row in rows:
        row["share"] = float(row["spend"] / total["spend"]) if total["spend"] else None
    return ReportSection(
        title=currency or "No price known",
        currency=currency,
        columns=[*(ReportColumn(name=name, title=BY[name]) for name in by), *list_measures(by)],
        rows=rows if WEEK in by or "day" in by else sorted(rows, key=lambda row: -row["spend"]),
        total={name: total[name] for name in SUMMED},
        chart=chart,
    )


def _fill_gaps(rows: Sequence[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The rows with those of weeks or days in between in which nothing was sold."""
    step, places = 7 if name == WEEK else 1, {date.fromisoformat(row[name]): row for row in rows}
    empty = {"labels": 0, "voided": 0, "parcels": 0, "spend": Decimal(0), "per_parcel": None}
    days = map(date.fromordinal, range(min(places).toordinal(), max(places).toordinal() + 1, step))
    return [places.get(day) or {name: day.isoformat(), **empty} for day in days]


def list_measures(by: Sequence[str]) -> list[ReportColumn]:
    """The columns that every report of costs has; by article parcels are not counted."""
    columns = [ReportColumn(name=name, title=title, kind=kind) for name, title, kind in MEASURES]
    if SKU not in by:
        return columns
    return [
        column.model_copy(update={"title": "A label"}) if column.name == "per_parcel" else column
        for column in columns
        if column.name != "parcels"
    ]


def _write_rows(frame: pandas.DataFrame, by: Sequence[str], unit: str) -> Iterator[dict[str, Any]]:
    for cells in frame.to_dict("records"):
        spend, count = read_units(cells["charge"]), int(cells[unit])
        yield {
            **{name: cells[name] or "-" for name in by},
            "labels": int(cells["labels"]),
            "voided": int(cells["voided"]),
            "parcels": int(cells["parcels"]),
            "spend": spend,
            "per_parcel": _divide(spend, count),
        }


def _divide(amount: Decimal, count: int) -> Decimal | None:
    return (amount / count).quantize(Decimal("0.01")) if count else None

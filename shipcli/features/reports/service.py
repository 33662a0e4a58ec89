"""The reports by name; each is sections of figures for some days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.core.dates import find_first_instant, find_local_day
from shipcli.features.core.dates import read_day as read_typed_day
from shipcli.features.core.filters import split_words
from shipcli.features.paper.printing.sheet import PRINTED as PRINTED_STATE
from shipcli.features.reports.bills import make_bill_sections
from shipcli.features.reports.delivery import OnTime, count_on_time, list_late
from shipcli.features.reports.figures import BY, SKU, WEEK, check_by, make_sections
from shipcli.features.reports.sales import catch_up
from shipcli.models import Invalid, NotFound
from shipcli.models.report import Report, ReportChart, ReportColumn, ReportSection
from shipcli.store.query import at_least, at_most, equal

if TYPE_CHECKING:
    from shipcli.features.core.app import App

DAYS = 30
LATE_REPORT, NOTHING_LATE = "late", "No parcel is past its estimated day."
Days = tuple[date, date]
Maker = Callable[["App", Days, Sequence[str]], list[ReportSection]]


def make_report(app: App, name: str, *, by: str = "", first: str = "", last: str = "") -> Report:
    """A report: on the last thirty days, or on one day for `day`, unless others are named.

    Errors: NotFound for another report; Invalid for days that can't be read, or nothing to group by.
    """
    if name not in REPORTS:
        raise NotFound("report", name, message=f"There is no report {name!r}. Known: {', '.join(REPORTS)}.")
    title, maker, usual = REPORTS[name]
    days = _read_days(app, first, last, 1 if name == "day" else DAYS)
    groups = check_by(split_words(by)) or list(usual)
    catch_up(app)
    sections = maker(app, days, groups)
    notes = [] if sections else [NOTHING_LATE if name == LATE_REPORT else "Nothing in these days."]
    return Report(
        name=name,
        title=title,
        first=days[0].isoformat(),
        last=days[1].isoformat(),
        sections=sections,
        notes=notes,
    )


def _read_days(app: App, first: str, last: str, usual: int) -> Days:
    today = find_local_day(app.now())
    end = read_typed_day(last, today, "last") if last else today
    start = read_typed_day(first, today, "first") if first else end - timedelta(days=usual - 1)
    if start > end:
        raise Invalid("first", f"{start} is after {end}.")
    return start, end


# -- the reports -----------------------------------------------------------------------------------


def _report_spend(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    chart = ReportChart(
        title=f"Spend a {by[0]}", label=by[0], value="spend", over_time=by[0] in (WEEK, "day")
    )
    return make_sections(app, by, *days, chart)


def _report_cost(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    chart = (
        ReportChart(
            title=f"Cost of a {'label' if by[0] == SKU else 'parcel'} by {BY[by[0]].lower()}",
            label=by[0],
            value="per_parcel",
        )
        if len(by) == 1
        else None
    )
    return make_sections(app, by, *days, chart)


def _report_bills(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    return make_bill_sections(app, *days)


PUNCTUAL = (
    ReportColumn(name="carrier", title="Carrier"),
    ReportColumn(name="delivered", title="Delivered", kind="count"),
    ReportColumn(name="judged", title="With a promised day", kind="count"),
    ReportColumn(name="on_time", title="On time", kind="count"),
    ReportColumn(name="share", title="On-time share", kind="share"),
)  # fmt: skip


def _report_carriers(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    """Costs by carrier, then how punctual each one was."""
    chart = ReportChart(title="Cost of a parcel by carrier", label="carrier", value="per_parcel")
    sections = make_sections(app, by, *days, chart if len(by) == 1 else None)
    counts = count_on_time(app, *days)
    if counts:
        rows = [_write_punctual(name, counts[name]) for name in sorted(counts)]
        picture = ReportChart(title="On time by carrier", label="carrier", value="share")
        sections.append(ReportSection(title="On time", columns=list(PUNCTUAL), rows=rows, chart=picture))
    return sections


def _write_punctual(carrier: str, count: OnTime) -> dict[str, Any]:
    return {
        "carrier": carrier,
        "delivered": count.delivered,
        "judged": count.judged,
        "on_time": count.on_time,
        "share": count.share,
    }


LATE = (
    ReportColumn(name="tracking_number", title="Number"), ReportColumn(name="carrier", title="Carrier"),
    ReportColumn(name="status", title="Status"), ReportColumn(name="due", title="Due"),
    ReportColumn(name="days_late", title="Days late", kind="count"),
    ReportColumn(name="reference", title="Reference"),
    ReportColumn(name="to", title="To"), ReportColumn(name="country", title="Country"),
)  # fmt: skip


def _report_late(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    """What is late now, whenever it was sent."""
    rows = list(list_late(app))
    return [ReportSection(title="Past their day", columns=list(LATE), rows=rows)] if rows else []


PRINTED = (
    ReportColumn(name="printer", title="Printer"), ReportColumn(name="caller", title="Printed by"),
    ReportColumn(name="labels", title="Labels", kind="count"),
    ReportColumn(name="papers", title="Papers", kind="count"),
)  # fmt: skip
OPEN = (ReportColumn(name="what", title="Open"), ReportColumn(name="number", title="Number", kind="count"))


def _report_day(app: App, days: Days, by: Sequence[str]) -> list[ReportSection]:
    """What was bought, who printed it where, and what is not on paper yet."""
    sections = make_sections(app, by, *days)
    printed = _list_printed(app, days)
    if printed:
        sections.append(ReportSection(title="Printed", columns=list(PRINTED), rows=printed))
    where = {"test_mode": app.test_mode, "status": "purchased", "printed": False}
    unprinted = app.store.count_rows("shipments", where)
    if unprinted:
        rows = [{"what": "bought, not printed", "number": unprinted}]
        sections.append(ReportSection(title="To be done", columns=list(OPEN), rows=rows))
    return sections


def _list_printed(app: App, days: Days) -> list[dict[str, Any]]:
    first, end = (find_first_instant(day) for day in (days[0], days[1] + timedelta(days=1)))
    where = [
        equal("test_mode", app.test_mode),
        equal("state", PRINTED_STATE),
        at_least("created_at", first),
        at_most("created_at", end - timedelta(microseconds=1)),
    ]
    papers: Counter[tuple[str, str]] = Counter()
    labels: Counter[tuple[str, str]] = Counter()
    by = ("printer", "bench", "caller", "kind")
    for row in app.store.group("print_jobs", by, {"jobs": ("count distinct", "number")}, where):
        key = (str(row["printer"]), str(row["bench"] or row["caller"]))
        papers[key] += row["jobs"]
        labels[key] += row["jobs"] if row["kind"] == "label" else 0
    return [
        {"printer": key[0], "caller": key[1], "labels": labels[key], "papers": papers[key]}
        for key in sorted(papers)
    ]


REPORTS: Mapping[str, tuple[str, Maker, Sequence[str]]] = {
    "day": ("The day's work", _report_day, ("carrier",)),
    "spend": ("Spend", _report_spend, (WEEK,)),
    "cost": ("Costs", _report_cost, ("carrier", "service")),
    "zones": ("Costs by zone", _report_cost, ("zone",)),
    "carriers": ("Carriers", _report_carriers, ("carrier",)),
    LATE_REPORT: ("Late parcels", _report_late, ()),
    "bills": ("Bills of carriers", _report_bills, ()),
}

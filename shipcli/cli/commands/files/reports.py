"""`shipcli reports`: what was spent, what a parcel costs, who is late, what carriers billed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.rate_options import split_values
from shipcli.cli.console import report_view
from shipcli.cli.console.files import check_target, write_whole
from shipcli.cli.console.output import show, show_list, show_text
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.documents import report_pdf, report_workbook
from shipcli.features.core import dates
from shipcli.features.paper import stationery
from shipcli.features.reports import service

if TYPE_CHECKING:
    from shipcli.models import Report

verb = Verbs()
PDF, WORKBOOK = ".pdf", ".xlsx"
OTHER_SHEETS = frozenset({".xls", ".xlsm", ".ods"})
SPAN = re.compile(r"(\d{1,4})\s*([dwmy])")
SPAN_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
WORDS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
STRUCTURED = frozenset({"json", "yaml", "pick", "jq", "template"})


@dataclass(frozen=True)
class ReportDays:
    """The days of a report."""

    last: Annotated[
        str | None,
        typer.Option("--last", metavar="30d", help="The last days: 30d, 6w, 12m, 1y, week, month."),
    ] = None
    since: Annotated[str | None, typer.Option("--since", metavar="DAY", help="From this day on.")] = None
    until: Annotated[str | None, typer.Option("--until", metavar="DAY", help="To this day, included.")] = None


By = Annotated[
    list[str] | None,
    typer.Option(
        "--by", metavar="FIELD,..", help="Group by carrier, service, zone, country, week, day or sku."
    ),
]
Chart = Annotated[bool, typer.Option("--chart", help="Draw bars below the table.")]


@verb
def day(days: ReportDays, by: By = None, chart: Chart = False) -> None:
    """Show the day's work: labels, spend and voids, who printed, and what is not printed yet.

    Examples:
    shipcli reports day
    shipcli reports day --since 2026-11-26 --until 2026-11-26
    """
    _report("day", days, by, chart=chart)


@verb
def spend(days: ReportDays, by: By = None, chart: Chart = False) -> None:
    """Show what was spent, week by week.

    Examples:
    shipcli reports spend --last 12w --chart
    shipcli reports spend --by day -o spend.xlsx
    """
    _report("spend", days, by, chart=chart)


@verb
def cost(days: ReportDays, by: By = None, chart: Chart = False) -> None:
    """Show what labels and parcels cost, by carrier and service or what --by names.

    Amounts in several currencies are never added up: each has a table of its own.

    Examples:
    shipcli reports cost --by carrier,zone --last 30d
    shipcli reports cost --by country -o costs.pdf
    """
    _report("cost", days, by, chart=chart)


@verb
def zones(days: ReportDays, by: By = None, chart: Chart = False) -> None:
    """Show what a parcel costs by zone; where a carrier names none, home and abroad.

    Examples:
    shipcli reports zones --chart
    shipcli reports zones --by carrier,zone --csv
    """
    _report("zones", days, by, chart=chart)


@verb
def carriers(days: ReportDays, by: By = None, chart: Chart = False) -> None:
    """Show what each carrier cost, and how many of its parcels came by the promised day.

    Examples:
    shipcli reports carriers --last month --chart
    shipcli reports carriers -o carriers.pdf
    """
    _report("carriers", days, by, chart=chart)


@verb
def late() -> None:
    """Show the parcels that are under way past their estimated day.

    Examples:
    shipcli reports late
    shipcli reports late --csv
    """
    _report("late", ReportDays(), None, chart=False)


@verb
def bills(days: ReportDays) -> None:
    """Compare quotes, prices and the bills of carriers, and show what to dispute.

    `import invoices` reads the lines of a bill.

    Examples:
    shipcli import invoices bill.csv --check
    shipcli reports bills --last 60d
    shipcli reports bills -o disputes.xlsx
    """
    _report("bills", days, None, chart=False)


def _report(name: str, days: ReportDays, by: list[str] | None, *, chart: bool) -> None:
    target = _find_target()
    first, last = _read_days(days)
    report = ask(service.make_report, name, by=",".join(split_values(by)), first=first, last=last)
    if target is None:
        _show(report, charts=chart)
    elif not would(f"write {target}"):
        write_whole(target, _write(report, target.suffix.lower()))
        note(f"wrote {target}")


def _find_target() -> Path | None:
    """The PDF or workbook that the line names; none for anything else.

    Errors: Usage if it can't be written.
    """
    options = get_run().options
    target = Path(options.output or "-")
    if target.suffix.lower() in OTHER_SHEETS:
        raise Usage(f"-o {target}: a report is written as {WORKBOOK}, {PDF}, .csv, .json or .yaml")
    if target.suffix.lower() not in (PDF, WORKBOOK):
        return None
    if options.format:
        raise Usage(f"--{options.format} and -o {target} can't be used together")
    check_target(target, "-o", (PDF, WORKBOOK))
    return target


def _read_days(days: ReportDays) -> tuple[str, str]:
    """The first and the last day, empty for the usual ones.

    Errors: Usage for days that are named twice, or a span that can't be read.
    """
    if days.last and days.since:
        raise Usage("--last and --since can't be used together")
    if not days.last:
        return days.since or "", days.until or ""
    end = dates.find_local_day(get_run().gateway.now())
    if days.until:
        end = dates.read_day(days.until, end, "--until")
    return (end - timedelta(days=_read_span(days.last, end) - 1)).isoformat(), end.isoformat()


def _read_span(text: str, end: date) -> int:
    word = text.strip().lower()
    match = SPAN.fullmatch(word)
    count = int(match[1]) * SPAN_DAYS[match[2]] if match else WORDS.get(word, 0)
    if not 0 < count <= end.toordinal():
        raise Usage(f"--last {text}: a span such as 30d, 6w, 12m, 1y, week or month")
    return count


def _show(report: Report, *, charts: bool) -> None:
    options = get_run().options
    is_terminal = sys.stdout.isatty() and options.output in (None, "-")
    if options.format in STRUCTURED or Path(options.output or "").suffix in (".json", ".yaml"):
        show(report)
    elif (is_terminal and not (options.format or options.columns)) or charts:
        color = get_run().colors(sys.stdout)
        text = report_view.draw_report(report, color=color, charts=charts, encoding=sys.stdout.encoding)
        show_text(text)
    else:
        show_list(list(_list_rows(report)), _list_columns(report))
        for text in report.notes:
            note(text)


def _list_columns(report: Report) -> list[str]:
    """The columns of all sections, each once, after what the section is about."""
    names = [column.name for section in report.sections for column in section.columns]
    return list(dict.fromkeys(["section", "currency", *names]))


def _list_rows(report: Report) -> Iterator[dict[str, Any]]:
    """The rows of all sections without totals, which would be added again."""
    for section in report.sections:
        for row in section.rows:
            yield {"section": section.title, "currency": section.currency, **row}


def _write(report: Report, ending: str) -> bytes:
    if ending == WORKBOOK:
        return report_workbook.write_workbook(report)
    paper = stationery.make_stationery(get_run().local_app, "report", None).paper
    printed = f"{get_run().gateway.now().astimezone():%Y-%m-%d %H:%M}"
    return report_pdf.write_report_pdf(report, paper, printed)

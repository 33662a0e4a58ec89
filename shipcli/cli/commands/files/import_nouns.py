"""`shipcli import`: orders, trackers, invoices and data templates; shipments are in `import_shipments`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shipcli.cli.commands.files.data_templates import templates
from shipcli.cli.commands.files.import_file import (
    FileName,
    Given,
    Maps,
    OldMap,
    ProductList,
    Sheet,
    all_maps,
    open_rows,
)
from shipcli.cli.commands.files.import_run import ImportCommand, carry_out
from shipcli.cli.commands.files.import_shipments import DUPLICATES, one_of, targets, verb
from shipcli.cli.console.formats import names
from shipcli.cli.current_run import current
from shipcli.cli.gateway import ask

Check = Annotated[bool, typer.Option("--check", help="Only check the file; store nothing.")]
Rejects = Annotated[
    Path | None,
    typer.Option("--rejects", metavar="OUT", help="Go on with what is good; write bad rows here."),
]
Summary = Annotated[
    Path | None,
    typer.Option("--summary", metavar="OUT", help="What became of every row: .json, .csv, .xlsx."),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="DAY", help="Rows of this day and later; @NAME goes on from the last run."
    ),
]
OnDuplicate = Annotated[
    str, typer.Option("--on-duplicate", metavar="WAY", help="What is known: skip, update or error.")
]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="COL,..", help="Columns that tell orders apart (Order number, source)."),
]

verb(templates)


@verb
def orders(
    file: FileName,
    sheet: Sheet = None,
    check: Check = False,
    map: Maps = None,
    template: OldMap = None,
    given: Given = None,
    products: ProductList = None,
    key: Key = None,
    since: Since = None,
    on_duplicate: OnDuplicate = "skip",
    rejects: Rejects = None,
    summary: Summary = None,
) -> None:
    """Import orders from a file; rows with the same order number are one order."""
    from shipcli.features.spreadsheets.order_import import OrderPlan, check_orders, import_orders

    one_of("--on-duplicate", on_duplicate, DUPLICATES)
    targets(None, rejects, summary)
    day = _day("orders", "order_date", since)
    table = open_rows("orders", file, sheet, all_maps(map, template), given, products, day)
    plan = OrderPlan(
        on_duplicate=on_duplicate,  # type: ignore[arg-type]  # one of DUPLICATES
        keep_good=rejects is not None,
        key=tuple(names(key)),
        units=current().known.units,
    )
    job = ImportCommand(
        "orders",
        lambda rows: ask(check_orders, rows, plan, warn=True),
        lambda rows, tell: ask(import_orders, rows, plan, progress=tell),
        check,
        rejects,
        summary,
        since,
    )
    carry_out(table, job)


@verb
def trackers(
    file: FileName,
    sheet: Sheet = None,
    check: Check = False,
    map: Maps = None,
    template: OldMap = None,
    given: Given = None,
    on_duplicate: OnDuplicate = "skip",
    rejects: Rejects = None,
    summary: Summary = None,
) -> None:
    """Import trackers from a file; update asks the carriers of known numbers again."""
    from shipcli.features.spreadsheets.tracker_import import TrackerPlan, check_trackers, import_trackers

    one_of("--on-duplicate", on_duplicate, DUPLICATES)
    targets(None, rejects, summary)
    plan = TrackerPlan(on_duplicate, rejects is not None)  # type: ignore[arg-type]  # one of DUPLICATES
    job = ImportCommand(
        "trackers",
        lambda rows: ask(check_trackers, rows, plan),
        lambda rows, tell: ask(import_trackers, rows, plan, progress=tell),
        check,
        rejects,
        summary,
    )
    carry_out(open_rows("trackers", file, sheet, all_maps(map, template), given), job)


@verb
def invoices(
    file: FileName,
    sheet: Sheet = None,
    check: Check = False,
    map: Maps = None,
    template: OldMap = None,
    given: Given = None,
    since: Since = None,
    rejects: Rejects = None,
    summary: Summary = None,
) -> None:
    """Import lines of carrier invoices; each is noted with its shipment, once."""
    from shipcli.features.spreadsheets.invoice_import import InvoicePlan, check_invoices, import_invoices

    targets(None, rejects, summary)
    plan = InvoicePlan(rejects is not None)
    job = ImportCommand(
        "invoice lines",
        lambda rows: ask(check_invoices, rows, plan),
        lambda rows, tell: ask(import_invoices, rows, plan, progress=tell),
        check,
        rejects,
        summary,
        since,
    )
    day = _day("billing", "invoice_date", since)
    carry_out(open_rows("billing", file, sheet, all_maps(map, template), given, None, day), job)


def _day(what: str, field: str, since: str | None) -> tuple[str, str] | None:
    """The first day wanted: a date, or for `@name` the newest day of the last run."""
    if since is None:
        return None
    if since.startswith("@"):
        from shipcli.features.core.checkpoints import read_cursor

        return field, read_cursor(current().own, f"import {what}", since[1:]) or ""
    from shipcli.features.core.dates import day_named

    return field, day_named(since, current().own.now().date(), "since").isoformat()

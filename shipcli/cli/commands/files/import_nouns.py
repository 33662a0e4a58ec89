"""`shipcli import`: orders, trackers, invoices and data templates; shipments are in `importing`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.commands.files.data_templates import templates
from shipcli.cli.commands.files.import_run import ImportCommand, carry_out
from shipcli.cli.commands.files.import_shipments import (
    DUPLICATES,
    FileName,
    Sheet,
    names,
    one_of,
    targets,
    verb,
)
from shipcli.cli.current_run import current
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.models.json import number_text

if TYPE_CHECKING:
    from shipcli.imports.mapping import Mapped

Check = Annotated[bool, typer.Option("--check", help="Only check the file; store nothing.")]
Template = Annotated[
    str | None,
    typer.Option("--map", "--template", metavar="NAME", help="A data template: shopify, etsy, your own, ..."),
]
Given = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="For rows that leave a field empty: weight=0.5kg."),
]
ProductList = Annotated[
    Path | None,
    typer.Option("--products", metavar="FILE", help="Goods by SKU: weight, HS number, origin."),
]
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
    template: Template = None,
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
    table = _table("orders", file, sheet, template, given, products, _day("orders", "order_date", since))
    plan = OrderPlan(
        on_duplicate=on_duplicate,  # type: ignore[arg-type]  # one of DUPLICATES
        keep_good=rejects is not None,
        key=names(key),
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
    template: Template = None,
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
    carry_out(_table("trackers", file, sheet, template, given), job)


@verb
def invoices(
    file: FileName,
    sheet: Sheet = None,
    check: Check = False,
    template: Template = None,
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
    carry_out(
        _table("billing", file, sheet, template, given, None, _day("billing", "invoice_date", since)), job
    )


# -- the file --------------------------------------------------------------------------------------


def _table(
    resource_type: str,
    file: Path,
    sheet: str | None,
    template: str | None,
    given: Sequence[str] | None,
    products: Path | None = None,
    since: tuple[str, str] | None = None,
) -> Mapped:
    """The file under the default headers."""
    from dataclasses import replace

    from shipcli.features.spreadsheets.templates import map_file
    from shipcli.imports.mapping import products_of
    from shipcli.imports.tables import DataFile

    goods = products_of(DataFile.open(products)) if products else None
    table = map_file(
        current().own,
        DataFile.open(file, sheet),
        resource_type,
        template=template,
        given=_given(given),
        products=goods,
    )
    if since and since[0] not in table.sources:
        raise Usage(f"--since needs the column of {since[0]}, which {file} lacks")
    return replace(table, since=since)


def _given(items: Sequence[str] | None) -> dict[str, str]:
    """Values of fields; `weight=500g` gives the weight and its unit.

    Errors: Usage for words other than FIELD=VALUE; Invalid for a wrong weight, or one that says no unit.
    """
    found: dict[str, str] = {}
    for item in items or ():
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise Usage(f"--set {item}: write FIELD=VALUE")
        found[name] = value
    for name in [name for name in found if name.endswith("weight")]:
        found |= _weight(name, found[name], found.get(f"{name}_unit"))
    return found


def _weight(name: str, text: str, unit: str | None) -> dict[str, str]:
    from shipcli.models.units import parse_weight

    value, unit = parse_weight(text, (unit or current().config["weight_unit"]).upper())
    return {name: number_text(value), f"{name}_unit": unit}


def _day(what: str, field: str, since: str | None) -> tuple[str, str] | None:
    """The first day wanted: a date, or for `@name` the newest day of the last run."""
    if since is None:
        return None
    if since.startswith("@"):
        from shipcli.features.core.checkpoints import read_cursor

        return field, read_cursor(current().own, f"import {what}", since[1:]) or ""
    from shipcli.features.core.dates import day_named

    return field, day_named(since, current().own.now().date(), "since").isoformat()

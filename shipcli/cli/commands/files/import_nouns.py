"""`shipcli import`: orders, trackers, invoices and data templates; shipments are in `import_shipments`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shipcli.cli.commands.files.data_templates import templates
from shipcli.cli.commands.files.import_file import (
    DUPLICATES,
    FileName,
    ImportOptions,
    OnDuplicate,
    check_choice,
)
from shipcli.cli.commands.files.import_run import ImportCommand, Outputs, carry_out
from shipcli.cli.commands.files.import_shipments import verb
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.usage_errors import Usage
from shipcli.features.core import checkpoints, dates
from shipcli.features.files import engine, writing
from shipcli.readers import examples

TYPES = ("shipments", "orders", "products", "trackers", "addresses")
OF_NOUNS = ("products", "addresses")  # whose own noun imports them
SHOWN = ("column", "field", "needed", "example")
Type = Annotated[
    str, typer.Argument(metavar="TYPE", help="shipments, orders, products, trackers or addresses.")
]


def columns(type: Type) -> None:
    """List every column that a file may have.

    `--map` and `--set` take the names of fields.

    Examples:
    shipcli import columns shipments
    shipcli import columns products
    """
    check_choice("import columns", type, TYPES)
    show_list(examples.list_example_columns(type), SHOWN)


def example(
    type: Type,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="A .csv or .xlsx file.")
    ] = None,
) -> None:
    """Write an example file that can be imported.

    Examples:
    shipcli import example shipments -o parcels.csv
    shipcli import example products -o goods.xlsx
    """
    check_choice("import example", type, TYPES)
    path = output or Path(f"example-{type}.csv")
    if path.exists():
        raise Usage(f"{path} is there already: say another name with -o")
    headers, rows = examples.list_example_rows(type)
    if would(f"write {path}"):
        return
    writing.write_table(path, headers, rows)
    command = f"{type} import" if type in OF_NOUNS else f"import {type}"
    note(f"wrote {path}; try it: shipcli {command} {path} --check")


Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="DAY", help="Only rows from this day on; @NAME continues after the last run."
    ),
]

verb(templates)
verb(columns)
verb(example)


@verb
def orders(
    file: FileName,
    options: ImportOptions,
    products: Annotated[
        Path | None,
        typer.Option(
            "--products", metavar="FILE", help="File of products by SKU: weight, HS code, origin, value."
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="COL,..", help="Columns that identify an order (Order number, source)."
        ),
    ] = None,
    since: Since = None,
    on_duplicate: OnDuplicate = "skip",
) -> None:
    """Import orders from a file; rows with the same order number are one order.

    Examples:
    shipcli import orders orders.csv --check
    shipcli import orders shop.csv --map shopify --set weight=0.5kg
    """
    check_choice("--on-duplicate", on_duplicate, DUPLICATES)
    job = ImportCommand("orders", Outputs(options.rejects, options.summary), cursor=since)
    plan = engine.ImportPlan(
        on_duplicate=on_duplicate,  # type: ignore[arg-type]  # one of DUPLICATES
        keep_good=options.rejects is not None,
        key=tuple(split_names(key)),
        units=get_run().ship_defaults.units,
    )
    day = _read_first_day("orders", "order_date", since)
    table = options.open_table("orders", file, products, day)
    carry_out(table, plan, job, only_check=options.check)


@verb
def trackers(
    file: FileName,
    options: ImportOptions,
    on_duplicate: OnDuplicate = "skip",
) -> None:
    """Import trackers from a file.

    With --on-duplicate update the carriers are asked again about known numbers.

    Examples:
    shipcli import trackers trackers.csv
    shipcli import trackers trackers.csv --on-duplicate update
    """
    check_choice("--on-duplicate", on_duplicate, DUPLICATES)
    job = ImportCommand("trackers", Outputs(options.rejects, options.summary))
    plan = engine.ImportPlan(on_duplicate, options.rejects is not None)  # type: ignore[arg-type]  # one of DUPLICATES
    table = options.open_table("trackers", file)
    carry_out(table, plan, job, only_check=options.check)


@verb
def invoices(
    file: FileName,
    options: ImportOptions,
    since: Since = None,
) -> None:
    """Import lines of carrier invoices and store each with its shipment, once.

    Examples:
    shipcli import invoices bill.csv --check
    shipcli import invoices bill.csv --map carrier=Network --dry-run
    """
    job = ImportCommand("invoice lines", Outputs(options.rejects, options.summary), cursor=since)
    day = _read_first_day("billing", "invoice_date", since)
    table = options.open_table("billing", file, None, day)
    carry_out(table, engine.ImportPlan(keep_good=options.rejects is not None), job, only_check=options.check)


def _read_first_day(what: str, field: str, since: str | None) -> tuple[str, str] | None:
    """The first day wanted: a date, or for `@name` the newest day of the last run."""
    if since is None:
        return None
    if since.startswith("@"):
        return field, checkpoints.read_cursor(get_run().local_app, f"import {what}", since[1:]) or ""

    return field, dates.read_day(since, dates.find_local_day(get_run().local_app.now()), "since").isoformat()

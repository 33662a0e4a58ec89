"""`shipcli import columns` and `shipcli import example`: what a file may have, and a file that has it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shipcli.cli.commands.import_file import check_choice
from shipcli.cli.console.output import show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.usage_errors import Usage
from shipcli.features.files import writing
from shipcli.readers import examples

TYPES = ("shipments", "orders", "products", "trackers")
SHOWN = ("column", "field", "needed", "example")
Type = Annotated[str, typer.Argument(metavar="TYPE", help="shipments, orders, products or trackers.")]


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
    command = "products import" if type == "products" else f"import {type}"
    note(f"wrote {path}; try it: shipcli {command} {path} --check")

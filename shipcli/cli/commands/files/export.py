"""`shipcli export`: files under the default headers, which `shipcli import` reads back.

Numbers for shops are in `export_tracking`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.arguments.rate_options import split_values
from shipcli.cli.commands.files.export_tracking import tracking
from shipcli.cli.console.files import check_target
from shipcli.cli.console.output import show_sheet
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.files import export, writing

if TYPE_CHECKING:
    from shipcli.features.files.export import ExportSheet

verb = Verbs()
verb(tracking)
XLSX, SPREADSHEETS = ".xlsx", (".xlsx", ".xls")


@dataclass(frozen=True)
class ExportOptions:
    """What is exported, and whether as a spreadsheet."""

    xlsx: Annotated[bool, typer.Option("--xlsx", help="Write a spreadsheet, to the file named with -o.")] = (
        False
    )
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status", metavar="STATUS", help="Only these statuses, or all; repeat it or use commas."
        ),
    ] = None
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="FIELD,..", help="Leave out these fields.")
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="DATE",
            help="Only what changed since then; @NAME: since the last export of that name.",
        ),
    ] = None


@verb
def orders(options: ExportOptions) -> None:
    """Export orders, one row per line item; by default fulfilled and delivered ones.

    Examples:
    shipcli export orders --status all
    shipcli export orders --xlsx -o orders.xlsx
    """
    _export("orders", options)


@verb
def shipments(options: ExportOptions) -> None:
    """Export shipments, one row each; by default bought, moving and delivered ones.

    Examples:
    shipcli export shipments -o shipped.csv
    shipcli export shipments --since @nightly --exclude options
    """
    _export("shipments", options)


@verb
def trackers(options: ExportOptions) -> None:
    """Export trackers, one row each.

    Examples:
    shipcli export trackers
    shipcli export trackers --xlsx -o trackers.xlsx
    """
    _export("trackers", options)


def _export(what: str, options: ExportOptions) -> None:
    target = _choose_target(options.xlsx)
    if would(f"export {what} to {target or 'standard output'}"):
        return
    selection = export.ExportRequest(
        split_values(options.status), split_values(options.exclude), options.since
    )
    sheet = ask(export.export, what, selection)
    if target and target.suffix.lower() in SPREADSHEETS:
        _write(sheet, target)
    else:
        show_sheet(sheet.rows, sheet.headers)
    sheet.finish()


def _choose_target(xlsx: bool) -> Path | None:
    """The file to write; none for standard output.

    Errors: Usage for a spreadsheet without a name, or a name that does not fit.
    """
    options = get_run().options
    target = Path(options.output) if options.output not in (None, "-") else None
    if xlsx and target is None:
        raise Usage("a spreadsheet needs a file: -o FILE.xlsx")
    if xlsx and options.format:
        raise Usage(f"--xlsx and --{options.format} can't be used together")
    if target:
        check_target(target, "-o", (XLSX,) if xlsx else ())
    return target


def _write(sheet: ExportSheet, target: Path) -> None:
    writing.write_table(target, sheet.headers, sheet.rows)
    note(f"wrote {target}")

"""`shipcli import`: files into the store, and bought when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.rate_options import Carriers, Currency, MaxTotal, carriers_of, upper
from shipcli.cli.command_loader import Verbs
from shipcli.cli.commands.files.import_file import (
    FileName,
    Given,
    Maps,
    OldMap,
    Sheet,
    all_maps,
    note_left_out,
    open_rows,
    with_hint,
)
from shipcli.cli.console.files import check_target, write_whole
from shipcli.cli.console.formats import names
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note, warn, write
from shipcli.cli.current_run import current
from shipcli.cli.flows.repeated_lines import put_out, tell_stop
from shipcli.cli.gateway import ask
from shipcli.cli.usage_errors import Usage
from shipcli.features.core.interruption import defer_interruption
from shipcli.models import Invalid, NotFound
from shipcli.models.json import dumpb

if TYPE_CHECKING:
    from shipcli.features.core.row_results import CheckResult
    from shipcli.features.spreadsheets.shipment_import import Plan, Result, RowResult
    from shipcli.imports.mapping import Mapped
    from shipcli.imports.tables import Rows
    from shipcli.models.units import Units

verb = Verbs()
RULES = ("cheapest", "fastest", "service")
DUPLICATES = ("skip", "update", "error")
REASON = "Reason"
MOST_SHOWN = 20
INVALID = 6


@verb
def shipments(
    file: FileName,
    sheet: Sheet = None,
    map: Maps = None,
    given: Given = None,
    check: Annotated[bool, typer.Option("--check", help="Only check the file; store nothing.")] = False,
    buy: Annotated[
        str | None, typer.Option("--buy", metavar="RULE", help="Buy labels: cheapest, fastest or service.")
    ] = None,
    carrier: Carriers = None,
    merge: Annotated[
        Path | None,
        typer.Option("--merge", metavar="OUT", help="All labels of the file as one .pdf or .zpl."),
    ] = None,
    rejects: Annotated[
        Path | None,
        typer.Option("--rejects", metavar="OUT", help="Go on with good rows; write bad ones here."),
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option("--summary", metavar="OUT", help="What became of every row: .json, .csv, .xlsx."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="COL,..", help="The columns that tell rows apart (Reference)."),
    ] = None,
    on_duplicate: Annotated[
        str, typer.Option("--on-duplicate", metavar="WAY", help="A known row: skip, update or error.")
    ] = "skip",
    currency: Currency = None,
    max_total: MaxTotal = None,
    template: OldMap = None,
    carriers: Annotated[list[str] | None, typer.Option("--carriers", hidden=True)] = None,
    labels: Annotated[Path | None, typer.Option("--labels", hidden=True)] = None,
) -> None:
    """Import shipments from a file; with --buy their labels are bought."""
    merge = merge or labels
    targets(merge, rejects, summary)
    plan = read_plan(buy, key, on_duplicate, [*(carrier or ()), *(carriers or ())], currency, max_total)
    table = open_rows("shipments", file, sheet, all_maps(map, template), given)
    plan = replace(plan, keep_good=rejects is not None, shipper=_shipper(table))
    with with_hint(table):
        _run(table, plan, merge, rejects, summary, only_check=check)


def _run(
    table: Mapped,
    plan: Plan,
    merge: Path | None,
    rejects: Path | None,
    summary: Path | None,
    *,
    only_check: bool,
) -> None:
    from shipcli.features.spreadsheets.shipment_import import import_shipments

    if only_check:
        raise typer.Exit(report_check(table, plan, rejects))
    if not consent(table, plan):
        return
    with progress() as tell, defer_interruption():
        result = ask(import_shipments, table, plan, progress=tell)
    write_files(table, result, merge, rejects, summary)
    report(table, result, merge)
    raise typer.Exit(result.exit_code)


def read_plan(
    buy: str | None,
    key: str | None,
    on_duplicate: str,
    carriers: Sequence[str],
    currency: str | None,
    max_total: str | None,
) -> Plan:
    """What the options say.

    Errors: Usage; Invalid for a wrong budget.
    """
    from shipcli.features.shipments.rate_selection import Budget
    from shipcli.features.spreadsheets.shipment_import import Plan

    one_of("--buy", buy, RULES)
    one_of("--on-duplicate", on_duplicate, DUPLICATES)
    return Plan(
        buy=buy,  # type: ignore[arg-type]  # one of RULES
        key=tuple(names(key)),
        on_duplicate=on_duplicate,  # type: ignore[arg-type]  # one of DUPLICATES
        carriers=tuple(carriers_of(carriers)),
        currency=upper(currency) or current().known.currency,
        budget=Budget.read(max_total) if max_total else Budget(),
        units=_units(),
    )


def _units() -> Units:
    """The units of cells without one: those of the settings, else those of the file format."""
    from shipcli.models.units import KILOGRAMS, Units

    usual = current().known.units
    return Units(usual.weight or KILOGRAMS.weight, usual.size or KILOGRAMS.size)


def _shipper(table: Mapped) -> Mapping[str, Any] | None:
    """The default shipper, for rows that name none; said when no row can name one."""
    from shipcli.imports.headers import SHIPMENTS

    try:
        found = current().known.shipper()
    except (Invalid, NotFound):
        return None
    if not any(SHIPMENTS[name] in table.headers for name in SHIPMENTS if name.startswith("shipper_")):
        parts = (found.get(name) for name in ("company_name", "person_name", "city", "state_code"))
        note(f"the file names no shipper: parcels leave from {', '.join(str(one) for one in parts if one)}")
    return found


def one_of(option: str, value: str | None, known: Sequence[str]) -> None:
    """Errors: Usage naming what may be said."""
    if value is not None and value not in known:
        raise Usage(f"{option} {value}: say one of {', '.join(known)}")


def targets(merge: Path | None, rejects: Path | None, summary: Path | None) -> None:
    """Refuse names that can't be written before anything is done.

    Errors: Usage.
    """
    allowed = (
        ("--merge", merge, (".pdf", ".zpl")),
        ("--rejects", rejects, (".csv", ".xlsx")),
        ("--summary", summary, (".json", ".csv", ".xlsx")),
    )
    for option, path, endings in allowed:
        if path:
            check_target(path, option, endings)


# -- checking ----------------------------------------------------------------------------------


def report_check(table: Rows, plan: Plan, rejects: Path | None) -> int:
    """Print what is wrong with a file; the exit code."""
    from shipcli.features.spreadsheets import shipment_import

    return tell_check(table, ask(shipment_import.check, table, plan, warn=True), rejects)


def tell_check(table: Rows, checked: CheckResult, rejects: Path | None) -> int:
    """Print what was found wrong with a file; the exit code."""
    if rejects:
        write_rejects(table, checked, rejects)
    if current().options.format in ("json", "ndjson", "yaml"):
        show(
            {
                "file": table.name,
                "rows": checked.rows,
                "good": checked.good,
                "wrong": [one.plain() for one in checked.wrong],
                "warnings": [one.plain() for one in checked.warnings],
            }
        )
    else:
        for one in checked.warnings:
            warn(f"row {one.row}, {one.column}: {one.reason}")
        if checked.wrong:
            show_list([one.plain() for one in checked.wrong], ("row", "column", "reason"))
        note(f"{checked.good} of {checked.rows} rows are good; nothing was stored")
    return INVALID if checked.wrong else 0


def consent(table: Rows, plan: Plan) -> bool:
    """Ask before money is spent; false for a dry run.

    Errors: Invalid naming every bad cell; Usage when nobody can be asked.
    """
    dry, asks = current().options.dry_run, plan.buy and not current().options.yes
    if not dry and not asks:
        return True
    from shipcli.features.core.row_results import refuse
    from shipcli.features.spreadsheets import shipment_import

    checked = ask(shipment_import.check, table, plan)
    if not plan.keep_good:
        refuse(checked)
    known = ask(shipment_import.known_states, checked.keys)
    open_rows = checked.good - sum(state != "draft" for state in known.values())
    if plan.buy is None:
        return not would(f"store {open_rows} shipments of {table.name}")
    limit = f"up to {plan.budget.limit}" if plan.budget.limit else None
    what = f"buy {open_rows} labels ({plan.buy}) for {table.name}{_assumed(table, plan)}"
    if would(f"{what} {limit or ''}".strip()):
        return False
    confirm(what, limit)
    return True


def _assumed(table: Rows, plan: Plan) -> str:
    """What is taken for the unit of the weights of a file that has no column for it."""
    from shipcli.imports.headers import SHIPMENTS

    unit = str(plan.units.weight).lower()
    return "" if SHIPMENTS["parcel_weight_unit"] in table.headers else f", weights in {unit}"


# -- telling -----------------------------------------------------------------------------------

Tell = Callable[[int, int, "RowResult | None"], None]


@contextmanager
def progress() -> Iterator[Tell]:
    """A bar on a terminal, nothing in a pipe."""
    import sys

    if not sys.stderr.isatty() or current().options.quiet:
        from shipcli.features.core.row_results import show_nothing

        yield show_nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("importing", total=None)

        def tell(done: int, total: int, row: RowResult | None) -> None:
            bar.update(task, completed=done, total=total)

        yield tell


def report(table: Mapped, result: Result, labels: Path | None) -> None:
    """The outcome on standard output, what failed on standard error."""
    bought = [row for row in result.rows if row.status == "purchased"]
    with put_out(bought):
        _show(table, result, labels)
    note_left_out(table)
    tell_stop(result.stopped, bought=len(bought), left=result.count("waiting"))


def _show(table: Rows, result: Result, labels: Path | None) -> None:
    if current().options.format is None:
        for row in [row for row in result.rows if row.status in ("failed", "needs_attention")][:MOST_SHOWN]:
            write(f"row {row.row}: {row.status}: {row.message}")
        show(totals(table, result, labels))
    else:
        show({**totals(table, result, labels), "results": [row.plain() for row in result.rows],
              "wrong": [one.plain() for one in result.checked.wrong]})  # fmt: skip


def totals(table: Rows, result: Result, labels: Path | None) -> dict[str, Any]:
    """Counts by status, money by currency."""
    counts = {row.status: result.count(row.status) for row in result.rows}
    spent: dict[str, Decimal] = {}
    for row in result.rows:
        if row.status == "purchased" and row.total_charge is not None:
            spent[str(row.currency)] = spent.get(str(row.currency), Decimal(0)) + row.total_charge
    by_carrier: dict[str, int] = {}
    for row in result.rows:
        if row.status == "purchased":
            by_carrier[str(row.carrier)] = by_carrier.get(str(row.carrier), 0) + 1
    return {
        "file": table.name,
        "rows": result.checked.rows,
        "bad_rows": result.checked.rows - result.checked.good,
        **counts,
        "spent": spent,
        "carriers": by_carrier,
        "labels": str(labels) if labels and "purchased" in counts else None,
    }


# -- files -------------------------------------------------------------------------------------


def write_files(
    table: Rows, result: Result, labels: Path | None, rejects: Path | None, summary: Path | None
) -> None:
    from shipcli.features.spreadsheets.shipment_import import bought_shipments

    if labels:
        bought = ask(bought_shipments, result.rows)
        if bought:
            from shipcli.features.papers.labels import merge_labels

            write_whole(labels, ask(merge_labels, bought, labels.suffix[1:].upper()))
        else:
            note("no label was bought, so there is nothing to merge")
    if rejects:
        write_rejects(table, result.checked, rejects)
    if summary:
        write_summary(table, result, labels, summary)


def write_rejects(table: Rows, checked: CheckResult, path: Path) -> None:
    """The bad rows in their own columns, and why; no file when there is none."""
    from shipcli.imports.writing import write_table

    if not checked.wrong:
        path.unlink(missing_ok=True)
        return
    reasons: dict[int, list[str]] = {}
    for one in checked.wrong:
        reasons.setdefault(one.row, []).append(f"{one.column}: {one.reason}")
    columns = [name for name in table.source.headers if name]
    rows = ({**row.cells, REASON: "; ".join(reasons[row.number])} for row in checked.bad_rows)
    write_table(path, [*columns, REASON], rows)
    note(f"{len(checked.bad_rows)} bad rows are in {path}")


def write_summary(table: Rows, result: Result, labels: Path | None, path: Path) -> None:
    from shipcli.features.spreadsheets.shipment_import import SUMMARY
    from shipcli.imports.writing import write_table

    if path.suffix.lower() == ".json":
        body = {
            **totals(table, result, labels),
            "digest": table.digest,
            "exit_code": result.exit_code,
            "results": [row.plain() for row in result.rows],
            "wrong": [one.plain() for one in result.checked.wrong],
        }
        write_whole(path, dumpb(body, indent=True) + b"\n")
    else:
        write_table(path, SUMMARY, (row.plain() for row in result.rows))

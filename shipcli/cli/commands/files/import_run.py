"""One run of an import: checked or carried out, reported, and recorded; the same for every kind of file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shipcli.cli.commands.files.import_columns import (
    list_columns,
    note_columns,
    show_columns,
    warn_of_notes,
)
from shipcli.cli.commands.files.import_file import add_column_hint, list_left_out_options
from shipcli.cli.console.files import check_target, write_whole
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.progress import show_progress
from shipcli.cli.console.prompts import confirm, would
from shipcli.cli.console.stderr import note, warn, write
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.customs_gaps import ADD_COLUMN, warn_of_customs_gaps
from shipcli.cli.flows.repeated_lines import guard_output, report_stop
from shipcli.cli.gateway import ask
from shipcli.features.core import checkpoints, dates, row_results
from shipcli.features.core.interruption import defer_interruption
from shipcli.features.files import engine, row_handlers, writing
from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.json import dump_bytes
from shipcli.models.basics.text import count_text
from shipcli.readers import cells

if TYPE_CHECKING:
    from shipcli.features.core.row_results import CheckResult, Results
    from shipcli.features.files.engine import ImportPlan, RowHandler
    from shipcli.readers.cells import CellError
    from shipcli.readers.mapping import MappedFile

REASON = "Reason"
MOST_SHOWN = 20
UNNAMED = "a changed copy of the file buys them again; fill Reference, or name columns with --key"
EXPLAINED = ("failed", "needs_attention", "existing", "cancelled", "waiting")  # of these the reason is said


@dataclass(frozen=True)
class Outputs:
    """The files that a run writes beside its report.

    Errors: Usage, before anything is done, for names that can't be written.
    """

    rejects: Path | None = None
    summary: Path | None = None
    labels: Path | None = None

    def __post_init__(self) -> None:
        allowed = (
            ("--merge", self.labels, (".pdf", ".zpl")),
            ("--rejects", self.rejects, (".csv", ".xlsx")),
            ("--summary", self.summary, (".json", ".csv", ".xlsx")),
        )
        for option, path, endings in allowed:
            if path:
                check_target(path, option, endings)


def add_nothing(results: Results[Any]) -> dict[str, Any]:
    """No more totals."""
    return {}


@dataclass(frozen=True)
class ImportCommand:
    """One import: what it is of, what is said before it, and what of its results beyond the counts.

    Shapes: `question` gives what a run would do, and its limit, of a handler and a checked file; `asks` says
            that it needs consent; `totals` come after the counts; `after` sees the results before they are
            reported, `last` once they are.
    """

    what: str
    outputs: Outputs
    question: Callable[[RowHandler[Any], CheckResult], tuple[str, str | None]] | None = None
    asks: bool = False
    totals: Callable[[Results[Any]], Mapping[str, Any]] = add_nothing
    after: Callable[[RowHandler[Any], Results[Any]], None] | None = None
    last: Callable[[Results[Any]], None] | None = None
    columns: tuple[str, ...] = ()  # of the summary; those of every outcome else
    cursor: str | None = None


def carry_out(table: MappedFile, plan: ImportPlan, job: ImportCommand, *, only_check: bool) -> None:
    """Check, or import and tell what became of it."""
    with add_column_hint(table):
        handler = ask(row_handlers.open_rows, table.resource_type, table, plan)
    checked = engine.check_file(handler, warn=only_check)
    misnamed = [error for error in table.list_misnamed() if error.column not in plan.key]
    if only_check:
        checked = replace(checked, warnings=(*misnamed, *checked.notes, *checked.warnings))
    else:
        _warn_of(misnamed)
        warn_of_notes(checked.notes)
    if not (only_check or plan.keep_good):
        row_results.refuse(checked)
    if only_check or job.asks:
        _warn_of_gaps(handler, checked)
    if job.asks:
        _warn_of_unnamed(handler, checked)
    if only_check:
        raise typer.Exit(_report_check(table, checked, job.outputs.rejects))
    if not _ask_consent(table, job, handler, checked):
        return
    with show_progress("importing", checked.good) as tell, defer_interruption():
        results = engine.store_file(handler, checked, progress=lambda done, total, row: tell(done, total))
    _write_records(table, job, handler, results)
    _report(table, job, results)
    if job.last:
        job.last(results)
    raise typer.Exit(results.exit_code)


def _ask_consent(
    table: MappedFile, job: ImportCommand, handler: RowHandler[Any], checked: CheckResult
) -> bool:
    """Whether to go on; false for a dry run, and money is asked for.

    Errors: Usage when nobody can be asked.
    """
    if not get_run().options.dry_run and (not job.asks or get_run().options.yes):
        return True
    what, limit = f"store the {job.what} of {checked.good} rows of {table.name}", None
    if job.question:
        what, limit = job.question(handler, checked)
    if would(f"{what} {limit or ''}".strip()):
        return False
    confirm(what, limit)
    return True


def _warn_of_gaps(handler: RowHandler[Any], checked: CheckResult) -> None:
    """Count and name the rows that customs would ask about, but for those that were bought before."""
    left = handler.list_open({number: checked.keys[number] for number in checked.gaps})
    warn_of_customs_gaps("row", [(f"row {number}", checked.gaps[number]) for number in left], ADD_COLUMN)


def _warn_of_unnamed(handler: RowHandler[Any], checked: CheckResult) -> None:
    """Count the rows that a changed copy of the file would buy once more."""
    unnamed = handler.list_unnamed(checked.keys)
    left = handler.list_open(
        {number: checked.keys[number] for number in unnamed if number not in checked.bad}
    )
    if left:
        warn(f"{count_text(len(left), 'row')} without a reference: {UNNAMED}")


# -- telling ---------------------------------------------------------------------------------------


def _warn_of(odd: Iterable[CellError]) -> None:
    for error in odd:
        warn(f"row {error.row}, {error.column}: {error.reason}")


def _report_check(table: MappedFile, checked: CheckResult, rejects: Path | None) -> int:
    """Print what was found wrong with a file; the exit code."""
    if rejects:
        _write_rejects(table, checked, rejects)
    if get_run().options.format in ("json", "ndjson", "yaml"):
        show(
            {
                "file": table.name,
                "rows": checked.rows,
                "good": checked.good,
                "wrong": [error.to_dict() for error in checked.wrong],
                "warnings": [warning.to_dict() for warning in checked.warnings],
                "customs": [{"row": row, "gap": gap} for row, gap in checked.gaps.items()],
                "columns": list_columns(table),
            }
        )
    else:
        if get_run().options.format is None:
            show_columns(table)
        _warn_of(checked.warnings)
        if checked.wrong:
            show_list([error.to_dict() for error in checked.wrong], ("row", "column", "reason"))
        note(f"{checked.good} of {checked.rows} rows are good; nothing was stored")
    return Invalid.exit_code if checked.wrong else 0


def _report(table: MappedFile, job: ImportCommand, results: Results[Any]) -> None:
    """The outcome on standard output, what failed on standard error."""
    bought = [row for row in results.rows if row.status == "purchased"]
    with guard_output(bought):
        _show(table, job, results)
    list_left_out_options(table)
    note_columns(table)
    done = len(results.rows) - results.count("waiting")
    if job.asks:
        report_stop(results.stopped, bought=len(bought), left=results.count("waiting"))
    elif results.stopped:
        left = results.checked.good - sum(row.lines for row in results.rows)
        warn(f"interrupted: {done} {job.what} stored, {left} rows left; run the same line again to go on")


def _show(table: MappedFile, job: ImportCommand, results: Results[Any]) -> None:
    if get_run().options.format is None:
        for row in [row for row in results.rows if row.message and row.status in EXPLAINED][:MOST_SHOWN]:
            name = f", {row.reference}" if row.reference else ""
            write(f"row {row.row}{name}: {row.status}: {row.message}")
        show(_sum_totals(table, job, results))
    else:
        show({**_sum_totals(table, job, results), **_list_details(results)})


def _sum_totals(table: MappedFile, job: ImportCommand, results: Results[Any]) -> dict[str, Any]:
    counts = {row.status: results.count(row.status) for row in results.rows}
    return {
        "file": table.name,
        "rows": results.checked.rows,
        "bad_rows": results.checked.rows - results.checked.good,
        "left_out": table.skipped,
        **counts,
        **job.totals(results),
    }


def _list_details(results: Results[Any]) -> dict[str, Any]:
    return {
        "results": [row.to_dict() for row in results.rows],
        "wrong": [error.to_dict() for error in results.checked.wrong],
    }


# -- files -----------------------------------------------------------------------------------------


def _write_records(
    table: MappedFile, job: ImportCommand, handler: RowHandler[Any], results: Results[Any]
) -> None:
    """Write the files that were asked for, and how far a named run has come."""
    outputs = job.outputs
    if job.after:
        job.after(handler, results)
    if outputs.rejects:
        _write_rejects(table, results.checked, outputs.rejects)
    if outputs.summary:
        _write_summary(table, job, results, outputs.summary)
    if job.cursor and job.cursor.startswith("@") and table.newest and not (results.failed or results.stopped):
        _keep_place(table, job.cursor[1:])


def _keep_place(table: MappedFile, name: str) -> None:
    """Keep the day from which the next run goes on; it is not in the future, before which rows still come."""
    day = min(table.newest, dates.find_local_day(get_run().local_app.now()).isoformat())
    checkpoints.write_cursor(get_run().local_app, f"import {table.resource_type}", name, day)


def _write_rejects(table: MappedFile, checked: CheckResult, path: Path) -> None:
    """The bad rows in their own columns, and why; no file when there is none.

    A formula goes out as an error: as text, which it would be in that file, the next import would take it.
    """
    if not checked.wrong:
        path.unlink(missing_ok=True)
        return
    reasons: dict[int, list[str]] = {}
    for error in checked.wrong:
        reasons.setdefault(error.row, []).append(f"{error.column}: {error.reason}")
    columns = [name for name in table.source.headers if name and name != REASON]
    rows = (
        {name: cells.NO_VALUE if cells.is_formula(cell) else cell for name, cell in row.cells.items()}
        | {REASON: "; ".join(reasons[row.number])}
        for row in checked.bad_rows
    )
    writing.write_table(path, [*columns, REASON], rows)
    note(f"{len(checked.bad_rows)} bad rows are in {path}")


def _write_summary(table: MappedFile, job: ImportCommand, results: Results[Any], path: Path) -> None:
    if path.suffix.lower() != ".json":
        writing.write_table(path, job.columns or row_results.OUTCOME, (row.to_dict() for row in results.rows))
        return
    head = {**_sum_totals(table, job, results), "digest": table.digest, "exit_code": results.exit_code}
    write_whole(path, dump_bytes({**head, **_list_details(results)}, indent=True) + b"\n")

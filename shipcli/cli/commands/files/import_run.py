"""One run of an import: checked or carried out, reported, and recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from shipcli.cli.commands.files.import_file import note_left_out, with_hint
from shipcli.cli.commands.files.import_shipments import MOST_SHOWN, progress, tell_check, write_rejects
from shipcli.cli.console.files import write_whole
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import write
from shipcli.cli.current_run import current
from shipcli.models.json import dumpb

if TYPE_CHECKING:
    from shipcli.features.core.row_results import CheckResult, Outcome, Results
    from shipcli.imports.mapping import Mapped


@dataclass(frozen=True)
class ImportCommand:
    """One import: what it is of, how it is checked, how it is done, how it is asked to go."""

    what: str
    check: Callable[[Mapped], CheckResult]
    run: Callable[[Mapped, Any], Results[Outcome]]
    only_check: bool = False
    rejects: Path | None = None
    summary: Path | None = None
    cursor: str | None = None


def carry_out(table: Mapped, job: ImportCommand) -> None:
    """Check, or import and tell what became of it."""
    with with_hint(table):
        _carry_out(table, job)


def _carry_out(table: Mapped, job: ImportCommand) -> None:
    if job.only_check:
        raise typer.Exit(tell_check(table, job.check(table), job.rejects))
    if current().options.dry_run:
        raise typer.Exit(_dry_run(table, job))
    with progress() as tell:
        results = job.run(table, tell)
    if job.rejects:
        write_rejects(table, results.checked, job.rejects)
    if job.summary:
        _write_summary(table, results, job.summary)
    if job.cursor and job.cursor.startswith("@") and not results.count("failed"):
        _move_on(table, job.cursor[1:])
    _report(table, results)
    raise typer.Exit(results.exit_code)


def _move_on(table: Mapped, name: str) -> None:
    """Keep the newest day, so that the next run by this name goes on from it."""
    from shipcli.features.core.checkpoints import write_cursor

    if table.newest:
        write_cursor(current().own, f"import {table.resource_type}", name, table.newest)


def _dry_run(table: Mapped, job: ImportCommand) -> int:
    checked = job.check(table)
    if checked.wrong:
        return tell_check(table, checked, None)
    would(f"store the {job.what} of {checked.good} rows of {table.name}")
    return 0


def _report(table: Mapped, results: Results[Outcome]) -> None:
    """The outcome on standard output, what failed on standard error."""
    if current().options.format is None:
        for row in [row for row in results.rows if row.message][:MOST_SHOWN]:
            write(f"row {row.row}, {row.reference}: {row.status}: {row.message}")
        show(_totals(table, results))
    else:
        show({**_totals(table, results), "results": [row.plain() for row in results.rows],
              "wrong": [one.plain() for one in results.checked.wrong]})  # fmt: skip
    note_left_out(table)


def _totals(table: Mapped, results: Results[Outcome]) -> dict[str, Any]:
    counts = {row.status: results.count(row.status) for row in results.rows}
    return {
        "file": table.name,
        "rows": results.checked.rows,
        "bad_rows": results.checked.rows - results.checked.good,
        "left_out": table.skipped,
        **counts,
    }


def _write_summary(table: Mapped, results: Results[Outcome], path: Path) -> None:
    from shipcli.features.core.row_results import OUTCOME
    from shipcli.imports.writing import write_table

    rows = [row.plain() for row in results.rows]
    if path.suffix.lower() != ".json":
        write_table(path, OUTCOME, rows)
        return
    body = {
        **_totals(table, results),
        "digest": table.digest,
        "exit_code": results.exit_code,
        "results": rows,
        "wrong": [one.plain() for one in results.checked.wrong],
    }
    write_whole(path, dumpb(body, indent=True) + b"\n")

"""The run that a command belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shipcli.cli.session import Run

_runs: list[Run] = []


def begin(run: Run) -> None:
    """Make a run the current one."""
    _runs[:] = [run]


def get_run() -> Run:
    """The run this command belongs to.

    Errors: LookupError before one has begun.
    """
    if not _runs:
        raise LookupError("no command line runs")
    return _runs[0]

"""The import engine: a file is read and checked as a whole, then stored row by row.

A row handler knows one noun in one place: how its rows are read, what the store or a server knows of their
keys, and how they are stored. The command line imports with it, here or into a server, and the batches of the
API read their files with it. What was read to be checked is stored as it is; a long file is read once more
instead: to keep its rows takes too much memory, and on disk as long as to read them again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from shipcli.features.core.interruption import Interrupted, was_interrupted
from shipcli.features.core.row_results import (
    CheckResult,
    OnDuplicate,
    Progress,
    Results,
    RowErrors,
    refuse,
    show_nothing,
)
from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.defaults import USUAL_LABEL
from shipcli.features.shipments.rate_selection import Rule
from shipcli.models.basics.units import KILOGRAMS, Units
from shipcli.readers.cells import CellError
from shipcli.readers.tables import Row, Rows

if TYPE_CHECKING:
    from shipcli.features.core.row_results import RowOutcome

CHUNK = 200  # rows that are stored together
HELD = 2000  # rows that are kept as they were read, until they are stored


@dataclass(frozen=True)
class ImportPlan:
    """What to do with a file; the second half of the fields is for shipments only."""

    on_duplicate: OnDuplicate = "skip"
    keep_good: bool = False  # good rows go on although others are bad
    key: tuple[str, ...] = ()  # the columns that tell rows, or orders, apart
    units: Units = KILOGRAMS  # of weights and sizes without one; None refuses them

    buy: Rule | None = None
    carriers: tuple[str, ...] = ()
    currency: str | None = None
    budget: Budget = field(default_factory=Budget, compare=False)
    shipper: Mapping[str, Any] | None = None  # of rows that name none
    label_type: str = USUAL_LABEL


NO_PLAN = ImportPlan()


class ReadRow(Protocol):
    """The result of reading a row: its body or, if there are any, its wrong cells."""

    @property
    def row(self) -> Row:
        """The row."""

    @property
    def wrong(self) -> tuple[CellError, ...]:
        """Its wrong cells."""


ReadT = TypeVar("ReadT", bound=ReadRow)
ReadByT = TypeVar("ReadByT", bound=ReadRow, covariant=True)
ItemT = TypeVar("ItemT")


class RowReader(Protocol[ReadByT]):
    """Makes a body of a row."""

    def read(self, row: Row) -> ReadByT:
        """The body of a row, or all its wrong cells."""


class RowHandler(ABC, Generic[ReadT]):
    """How the rows of one noun are read, compared with what is known, and stored."""

    def __init__(self, table: Rows, plan: ImportPlan, reader: RowReader[ReadT]) -> None:
        self.table, self.plan, self._reader = table, plan, reader

    def read(self, rows: Iterable[Row]) -> Iterator[ReadT]:
        """Rows of the file, in their order."""
        return map(self._reader.read, rows)

    @abstractmethod
    def key(self, row: Row) -> str:
        """The key that tells a row, or the rows of one object, from others."""

    def list_notes(self, read: ReadT) -> Iterable[CellError]:
        """What of a good row's cells was changed or left out."""
        return ()

    def list_warnings(self, read: ReadT) -> Iterable[CellError]:
        """The warnings about a good row; they refuse nothing."""
        return ()

    def find_gap(self, read: ReadT) -> str | None:
        """What customs require that a good row lacks; None if nothing."""
        return None

    def list_open(self, keys: Mapping[int, str]) -> list[int]:
        """The rows with these keys that still need something done."""
        return list(keys)

    def list_unnamed(self, keys: Mapping[int, str]) -> list[int]:
        """The rows with these keys that are told apart by this file only: a changed file has new rows."""
        return []

    def compare(self, errors: RowErrors) -> None:
        """Report errors of rows that conflict with other rows, or with what is known of their keys."""

    def group(self, rows: Iterable[ReadT]) -> Iterator[list[ReadT]]:
        """The rows of one object after another."""
        return ([row] for row in rows)

    @abstractmethod
    def store(self, rows: Iterator[ReadT], results: Results[Any]) -> Iterator[Any]:
        """Store good rows; gives the result for each object."""


def check_file(handler: RowHandler[Any], *, warn: bool = False) -> CheckResult:
    """Read a whole file once and store nothing.

    Errors: Invalid if the file stops being a table further down, or lacks a column that tells rows apart.
    """
    errors, rows = RowErrors(handler.table), handler.read(handler.table)
    first = list(islice(rows, HELD + 1))
    for read in chain(first, rows):
        errors.enter(read.row.number, handler.key(read.row), read.wrong)
        if not read.wrong and (gap := handler.find_gap(read)):
            errors.gaps[read.row.number] = gap
        if not read.wrong:
            errors.notes += handler.list_notes(read)
        if warn and not read.wrong:
            errors.warnings += handler.list_warnings(read)
    handler.compare(errors)
    return replace(errors.sum_up(), reads=first if len(first) <= HELD else None)


def store_file(
    handler: RowHandler[Any], checked: CheckResult, *, progress: Progress = show_nothing
) -> Results[Any]:
    """Store the good rows of a file that was checked.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is stored.
    """
    if not handler.plan.keep_good:
        refuse(checked)
    bad = checked.bad
    results: Results[Any] = Results(checked)
    reads = handler.read(handler.table) if checked.reads is None else checked.reads
    good = (read for read in reads if read.row.number not in bad)
    done = 0
    for outcome in handler.store(stop_when_asked(good, results), results):
        results.rows.append(outcome)
        done += outcome.lines
        progress(done, checked.good, outcome)
    results.rows.sort(key=lambda outcome: outcome.row)
    return results


def import_file(handler: RowHandler[Any]) -> Results[Any]:
    """Check a file and store its rows.

    Errors: Invalid naming every bad cell, unless the plan keeps good rows; then nothing is stored.
    """
    return store_file(handler, check_file(handler))


def stop_when_asked(rows: Iterator[ItemT], results: Results[Any]) -> Iterator[ItemT]:
    """Give the rows until the process is asked to end."""
    for row in rows:
        if was_interrupted():
            results.stopped = results.stopped or Interrupted()
            return
        yield row


def store_in_chunks(
    rows: Iterator[ItemT], store: Callable[[Sequence[ItemT]], Iterable[RowOutcome]], size: int | None
) -> Iterator[Any]:
    """Store rows in chunks of this size (all at once for None) and give the results."""
    while chunk := list(islice(rows, size)):
        yield from store(chunk)

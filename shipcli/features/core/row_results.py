"""The check of a whole file before any of it is stored, and the result of each row afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, Literal, Protocol, TypeVar

from shipcli.features.core.interruption import Interrupted, was_interrupted
from shipcli.models import Invalid, LimitReached
from shipcli.readers.cells import CellError
from shipcli.readers.tables import Row, Rows

WORKERS = 4
OnDuplicate = Literal["skip", "update", "error"]
OUTCOME = ("row", "reference", "id", "status", "message")
TROUBLE = ("failed", "needs_attention")


@dataclass(frozen=True)
class CheckResult:
    """The result of checking a file: how many rows are good, and every bad cell."""

    rows: int
    good: int
    wrong: tuple[CellError, ...]
    keys: Mapping[int, str]
    bad_rows: tuple[Row, ...] = ()
    warnings: tuple[CellError, ...] = ()
    notes: tuple[CellError, ...] = ()  # what of the good rows' cells was changed or left out
    gaps: Mapping[int, str] = field(default_factory=dict)  # by good row, what customs would ask about
    reads: Sequence[Any] | None = None  # the rows read; None for a long file, which is read again

    @property
    def bad(self) -> set[int]:
        """The numbers of the bad rows."""
        return {cell.row for cell in self.wrong}


class RowErrors:
    """What is found while reading a file: the key of every row, and wrong cells."""

    def __init__(self, table: Rows) -> None:
        self.table = table
        self.keys: dict[int, str] = {}
        self.rows: dict[str, list[int]] = {}  # by key
        self.wrong: dict[int, list[CellError]] = {}
        self.warnings: list[CellError] = []
        self.notes: list[CellError] = []
        self.gaps: dict[int, str] = {}

    def enter(self, number: int, key: str, wrong: Sequence[CellError] = ()) -> None:
        """Add a row that was read."""
        self.keys[number] = key
        self.rows.setdefault(key, []).append(number)
        if wrong:
            self.wrong.setdefault(number, []).extend(wrong)

    def blame(self, number: int, column: str, reason: str) -> None:
        """Mark a row as wrong because of other rows, or of what is in the store."""
        self.wrong.setdefault(number, []).append(CellError(number, column, reason))

    def sum_up(self) -> CheckResult:
        """The result of the check; columns are named as in the file."""
        table, wrong = self.table, self.wrong
        bad = tuple(row for row in table.list_own_rows() if row.number in wrong) if wrong else ()
        cells = (cell for number in sorted(wrong) for cell in wrong[number])
        return CheckResult(
            len(self.keys),
            len(self.keys) - len(wrong),
            tuple(_add_labels(table, cells)),
            self.keys,
            bad,
            tuple(_add_labels(table, self.warnings)),
            tuple(_add_labels(table, self.notes)),
            {number: gap for number, gap in self.gaps.items() if number not in wrong},
        )


def _add_labels(table: Rows, cells: Iterable[CellError]) -> Iterator[CellError]:
    return (CellError(cell.row, table.label(cell.column), cell.reason) for cell in cells)


def refuse(checked: CheckResult) -> None:
    """Errors: Invalid, listing every bad cell by row and column, if there are any."""
    if checked.wrong:
        raise Invalid.many([(f"row {cell.row}, {cell.column}", cell.reason) for cell in checked.wrong])


def find_key_columns(table: Rows, names: Iterable[str]) -> tuple[str, ...]:
    """The headers of the named columns, as rows use them.

    Errors: Invalid for a column that the file does not have.
    """
    headers = {table.label(header): header for header in table.headers if header}
    headers |= {header: header for header in table.headers if header}
    for name in names:
        if name not in headers:
            raise Invalid("key", f"The file has no column {name!r}.")
    return tuple(headers[name] for name in names)


def join_cells(row: Row, headers: Sequence[str]) -> str:
    """The cells of several columns joined into one key; empty if any of them is empty."""
    parts = [row.cells.get(header, "") for header in headers]
    return "\x1f".join(parts) if all(parts) else ""


# -- the results of the rows -----------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """The result of a row, or of the rows that make one object; `row` is the first of them."""

    row: int
    reference: str
    status: str  # created, existing, updated, cancelled, failed
    id: str | None = None
    message: str | None = None
    lines: int = 1  # how many rows make the object

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OUTCOME}


class HasStatus(Protocol):
    """A row or an order that was processed."""

    @property
    def status(self) -> str:
        """How it ended."""


class RowOutcome(HasStatus, Protocol):
    """A row that was processed."""

    @property
    def row(self) -> int:
        """The first row of the object."""

    @property
    def lines(self) -> int:
        """How many rows make the object."""

    def to_dict(self) -> dict[str, Any]:
        """Its line of the summary."""


EndedT = TypeVar("EndedT", bound=HasStatus)
RowT = TypeVar("RowT", bound=RowOutcome)
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@dataclass(kw_only=True)
class EndedRun(Generic[EndedT]):
    """A finished (or stopped) run over rows or orders."""

    rows: list[EndedT] = field(default_factory=list)
    stopped: LimitReached | Interrupted | None = None

    def count(self, status: str) -> int:
        return sum(1 for row in self.rows if row.status == status)

    @property
    def failed(self) -> bool:
        """Whether anything failed."""
        return any(row.status in TROUBLE for row in self.rows)

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped.exit_code
        return 9 if self.failed else 0


@dataclass
class Results(EndedRun[RowT]):
    """The results of importing a checked file."""

    checked: CheckResult

    @property
    def failed(self) -> bool:
        return super().failed or bool(self.checked.wrong)


Progress = Callable[[int, int, Any], None]  # done, of how many, the row just done


def show_nothing(done: int, total: int, row: Any) -> None:
    """Show no progress."""


def do_at_once(
    items: Iterator[ItemT],
    work: Callable[[ItemT], ResultT],
    workers: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[ItemT, ResultT]]:
    """Yield every item with the result of its work, in order, working on several at once.

    If `stopped` says so, or the process is asked to end, work already started is finished and the remaining
    items stay in the iterator.
    """
    with ThreadPoolExecutor(max_workers=workers) as pool:
        while not (stopped() or was_interrupted()) and (window := list(islice(items, workers))):
            done = [work(window[0])] if workers == 1 else list(pool.map(work, window))
            yield from zip(window, done, strict=True)

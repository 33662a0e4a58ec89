"""A file read whole before anything of it is stored, and what became of its rows afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, Literal, Protocol, TypeVar

from shipcli.features.core.interruption import Interrupted, was_asked
from shipcli.models import Invalid, LimitReached
from shipcli.readers.cells import Wrong
from shipcli.readers.tables import Row, Rows

WORKERS = 4
OnDuplicate = Literal["skip", "update", "error"]
OUTCOME = ("row", "reference", "id", "status", "message")
TROUBLE = ("failed", "needs_attention")


@dataclass(frozen=True)
class CheckResult:
    """A file after its first reading: how many rows are good, and every bad cell."""

    rows: int
    good: int
    wrong: tuple[Wrong, ...]
    keys: Mapping[int, str]
    bad_rows: tuple[Row, ...] = ()
    warnings: tuple[Wrong, ...] = ()
    gaps: Mapping[int, str] = field(default_factory=dict)  # by row, what customs would ask about a good one
    reads: Sequence[Any] | None = (
        None  # the rows as they were read; None for a long file, which is read again
    )

    @property
    def bad(self) -> set[int]:
        """The numbers of the bad rows."""
        return {one.row for one in self.wrong}


class RowErrors:
    """What is found while a file is read: the key of every row, and wrong cells."""

    def __init__(self, table: Rows) -> None:
        self.table = table
        self.keys: dict[int, str] = {}
        self.rows: dict[str, list[int]] = {}  # by key
        self.wrong: dict[int, list[Wrong]] = {}
        self.warnings: list[Wrong] = []
        self.gaps: dict[int, str] = {}

    def enter(self, number: int, key: str, wrong: Sequence[Wrong] = ()) -> None:
        """A row was read."""
        self.keys[number] = key
        self.rows.setdefault(key, []).append(number)
        if wrong:
            self.wrong.setdefault(number, []).extend(wrong)

    def blame(self, number: int, column: str, reason: str) -> None:
        """A row is wrong for what stands in other rows, or in the store."""
        self.wrong.setdefault(number, []).append(Wrong(number, column, reason))

    def sum_up(self) -> CheckResult:
        """All of it; columns under the names the file gives them."""
        table, wrong = self.table, self.wrong
        bad = tuple(row for row in table.list_own_rows() if row.number in wrong) if wrong else ()
        cells = (cell for number in sorted(wrong) for cell in wrong[number])
        return CheckResult(
            len(self.keys),
            len(self.keys) - len(wrong),
            tuple(_label(table, cells)),
            self.keys,
            bad,
            tuple(_label(table, self.warnings)),
            {number: gap for number, gap in self.gaps.items() if number not in wrong},
        )


def _label(table: Rows, cells: Iterable[Wrong]) -> Iterator[Wrong]:
    return (Wrong(cell.row, table.label(cell.column), cell.reason) for cell in cells)


def refuse(checked: CheckResult) -> None:
    """Errors: Invalid naming every bad cell by row and column."""
    if checked.wrong:
        raise Invalid.many([(f"row {one.row}, {one.column}", one.reason) for one in checked.wrong])


def key_columns(table: Rows, names: Iterable[str]) -> tuple[str, ...]:
    """The headers by which rows hold the named columns.

    Errors: Invalid naming a column that is not there.
    """
    known = {table.label(header): header for header in table.headers if header}
    known |= {header: header for header in table.headers if header}
    for name in names:
        if name not in known:
            raise Invalid("key", f"The file has no column {name!r}.")
    return tuple(known[name] for name in names)


def join_cells(row: Row, headers: Sequence[str]) -> str:
    """The cells of several columns as one key; empty when one of them is."""
    parts = [row.cells.get(header, "") for header in headers]
    return "\x1f".join(parts) if all(parts) else ""


# -- what became of the rows -----------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of a row, or of the rows that make one object; `row` is the first of them."""

    row: int
    reference: str
    status: str  # created, existing, updated, cancelled, failed
    id: str | None = None
    message: str | None = None
    lines: int = 1  # how many rows make the object

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OUTCOME}


class HasStatus(Protocol):
    """A row or an order that was dealt with."""

    @property
    def status(self) -> str:
        """How it ended."""


class RowOutcome(HasStatus, Protocol):
    """A row that was dealt with."""

    @property
    def row(self) -> int:
        """The first row of the object."""

    @property
    def lines(self) -> int:
        """How many rows make the object."""

    def plain(self) -> dict[str, Any]:
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
        """Whether something of it was not done."""
        return any(row.status in TROUBLE for row in self.rows)

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped.exit_code
        return 9 if self.failed else 0


@dataclass
class Results(EndedRun[RowT]):
    """An import of a file that was checked before."""

    checked: CheckResult

    @property
    def failed(self) -> bool:
        return super().failed or bool(self.checked.wrong)


Progress = Callable[[int, int, Any], None]  # done, of how many, the row just done


def show_nothing(done: int, total: int, row: Any) -> None:
    """No progress is shown."""


def do_at_once(
    items: Iterator[ItemT],
    work: Callable[[ItemT], ResultT],
    workers: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[ItemT, ResultT]]:
    """Every item with what its work gave, in their order, several under way at once.

    When it is stopped, or the process is asked to end, what is under way is finished and the other items
    stay in the iterator.
    """
    with ThreadPoolExecutor(max_workers=workers) as pool:
        while not (stopped() or was_asked()) and (window := list(islice(items, workers))):
            done = [work(window[0])] if workers == 1 else list(pool.map(work, window))
            yield from zip(window, done, strict=True)

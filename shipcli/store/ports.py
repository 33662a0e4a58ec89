"""What an engine offers to the store: sessions, a pool of them, and the SQL that only it understands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from shipcli.clocks import Clock
    from shipcli.store.changes import MakeChange
    from shipcli.store.inspection import Inspection
    from shipcli.store.schema import Kind, Table

Match = tuple[str, list[Any]]
PATIENCE_S = 30.0
LAST_BACKUP = "last_backup"  # the fact in which a store records its path
MASTER_KEY = "master_key"  # the fact that says where its key is, with the fingerprint of the key


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """What a migration did; no backup means there was nothing to do, or that others make the backups."""

    before: int
    after: int
    backup: Path | None


@dataclass(frozen=True, slots=True)
class Risk:
    """Something about an engine that may cost a purchase, or that this program does not expect."""

    text: str
    hint: str
    is_loss: bool = False


class Dialect(Protocol):
    """The SQL that differs from engine to engine."""

    def match_text(self, kind: Kind, fields: Sequence[str], text: str) -> Match:
        """Match documents with this text anywhere in one of the fields, ignoring case."""

    def fold_case(self, column: str) -> str:
        """The column in the folded form that is used for case-insensitive comparison."""

    @property
    def skip_locked(self) -> str:
        """The ending of a select that takes rows which nobody else is taking."""

    def order_by(self, table: Table, column: str, *, descending: bool) -> str:
        """Sort by a column, empty values first in ascending order."""

    def disable_index(self, column: str) -> str:
        """The column, with its index disabled where that helps."""

    @property
    def counts_beside(self) -> bool:
        """Whether a page is read with the number of all matches: a statement costs more than its work."""

    @property
    def text_key(self) -> str:
        """The column that holds the seq of a document beside its searched text."""

    def continue_numbers(self, table: str) -> Sequence[str]:
        """The statements after which new rows get a seq behind those that the table holds."""

    def check_text(self, kind: Kind) -> str:
        """The statement that fails if the text index is damaged."""


class Session(Protocol):
    """Runs the statements of one thread; errors have a clear message."""

    @property
    def dialect(self) -> Dialect:
        """The SQL that differs from engine to engine."""

    @property
    def slot(self) -> int:
        """Which of the rows of a count the open transaction adds to; no other does at the same time."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement and return all its rows."""

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Run a statement that gives at most one row; returns that row or None."""

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; returns the number of rows it affected."""

    def insert(self, sql: str, values: Sequence[Any]) -> None:
        """Insert one row; Duplicate if its key is taken, after which the transaction goes on."""

    def add(self, sql: str, values: Sequence[Any]) -> int:
        """Insert one row and return its seq."""

    def next_number(self, counter: str, *, may_skip: bool) -> int:
        """The next number of a counter, from 1; one that may be skipped is, if the transaction fails."""

    def put_document(self, kind: Kind, id: str, make: MakeChange, *, may_be_new: bool) -> bool:
        """Save a document; whether it is new. `make` says what to write, given what is stored of it.

        It must not be asked about a new document unless that may be new.
        """

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows."""

    def ring(self) -> None:
        """Have those who listen hear of this transaction once it is committed, where the engine can."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Let several reads see the same state."""

    def transaction(self) -> AbstractContextManager[Any]:
        """Save all or nothing."""

    def version(self) -> int:
        """The version of the definitions; 0 if there are none."""

    def facts(self) -> dict[str, Any]:
        """The sizes in bytes and the engine."""


class RingListener(Protocol):
    """Hears when other processes ring."""

    def fileno(self) -> int:
        """The socket that becomes readable then."""

    def hear(self) -> bool:
        """Take in what has come; False if nothing will come any more."""

    def close(self) -> None:
        """Stop listening."""


class Engine(Protocol):
    """Opens stores of one kind."""

    def open_pool(self, place: str | Path, clock: Clock, migrates: bool, patience_s: float) -> Pool:
        """The sessions of the store at this place, which is made if it is missing.

        Errors: StoreTooNew, StoreOutdated, StoreError if the place cannot be used.
        """

    def open_ledger_pool(self, place: str | Path, patience_s: float) -> Pool:
        """The sessions of the ledger of simulated carriers at this place, which is made if it is missing."""

    def migrate(self, place: str | Path, now: datetime) -> MigrationResult:
        """Migrate a store to the version of this program."""

    def open_inspection(self, place: str | Path) -> AbstractContextManager[Inspection]:
        """Open the store, of any version, only to look.

        Errors: StoreError if it can't be read; Invalid for SQL that is wrong or does more than read.
        """

    def is_backup(self, file: Path) -> bool:
        """Whether a file is a backup of a store of this engine."""

    def has_tables(self, place: str | Path) -> bool:
        """Whether there is something at this place, of ours or not."""

    def find_foreign_table(self, place: str | Path) -> str:
        """The name of a table at this place that is not one of ours; empty if there is none."""

    def name_copy(self, place: str | Path) -> str | Path:
        """Where a copy for this place grows."""

    def publish_copy(self, copy: str | Path, place: str | Path) -> None:
        """Put a complete copy in its place, instead of an unused store that may be there; all or nothing."""


class Pool(Protocol):
    """The sessions of a process."""

    @property
    def place(self) -> str:
        """Where the store is, as people may see it: without a password."""

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a transaction open."""

    @property
    def takes_locks(self) -> bool:
        """Whether transactions take the locks that they name: they need none where one writes at a time."""

    @property
    def was_full(self) -> bool:
        """Whether a transaction of this process has found the disk full since the last `forget_full`."""

    def forget_full(self) -> None:
        """Note that the disk has room again."""

    def session(self) -> Session:
        """The session this thread reads with."""

    def changes(self) -> int:
        """A number that changes with commits of others."""

    def own_session(self) -> Session:
        """This thread's own session, whichever thread is writing."""

    def transaction(
        self, *, durable: bool = False, locks: Sequence[str] | None = None
    ) -> AbstractContextManager[Session]:
        """Run a transaction of this thread, committed at the end of the block.

        It holds these locks, or that of the whole store if none are named.
        """

    def batch(self) -> AbstractContextManager[None]:
        """Let the transactions of this thread share a commit; report none as done before the block ends."""

    def open_clock(self) -> Callable[[], float]:
        """The clock that leases are measured by: it only runs forward."""

    def listen(self) -> RingListener | None:
        """Listen to the transactions that ring; None if this engine or its connections can't.

        Errors: StoreError.
        """

    def write_backup(self, target: Path) -> None:
        """Copy what is committed into this file, and check the copy.

        Errors: StoreError if it can't be written, or if the store is damaged; nothing is replaced then.
        """

    def find_risks(self, now: datetime) -> list[Risk]:
        """Settings of the engine with which purchases may be lost, and others that are not expected."""

    def find_damage(self) -> list[str]:
        """List what is wrong with the tables themselves, one sentence each; empty if they are sound."""

    def close(self) -> None:
        """Close the connections of all threads."""

"""The only connection that writes: threads take turns, and those that queue for it share a commit."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shipcli.store.errors import StoreError, StoreFull
from shipcli.store.sqlite.session import SqliteSession

MOST = 32  # transactions per commit
SOON_S = 1.0


class CommitGroup:
    """Transactions that are committed or lost together; `error` says why they were lost."""

    def __init__(self, *, durable: bool) -> None:
        self.durable = durable
        self.parts = 0
        self.ended = threading.Event()
        self.error: StoreError | None = None

    def refuse_lost(self) -> None:
        """Errors: StoreError if the group was lost."""
        if self.error is not None:
            raise type(self.error)(self.error.message) from self.error


class Writer:
    """The session that writes in this process, whether it is taken, and what is not committed yet.

    A thread that ends its turn while others wait for theirs leaves the commit to them.
    """

    def __init__(
        self, path: Path, make_session: Callable[[], SqliteSession], check: Callable[[SqliteSession], None]
    ) -> None:
        """`check` is called at the start of every SQLite transaction; if it raises, that is rolled back."""
        self.path = path
        self.process = os.getpid()
        self.was_full = False
        self._make_session = make_session
        self._check = check
        self._session: SqliteSession | None = None
        self._group: CommitGroup | None = None
        self._turns = threading.Condition()
        self._is_taken = False
        self._waiting = 0

    @contextmanager
    def turn(self, patience_s: float | None = None) -> Iterator[SqliteSession]:
        """Wait for exclusive use of the session.

        Errors: StoreError if others write for too long.
        """
        self._take(patience_s)
        try:
            self._session = self._session or self._make_session()
            yield self._session
        finally:
            try:
                if self._group and (not self._waiting or self._group.parts >= MOST):
                    self.commit()
            finally:
                self._pass_on()

    def _take(self, patience_s: float | None) -> None:
        with self._turns:
            self._waiting += 1
            try:
                if not self._turns.wait_for(lambda: not self._is_taken, patience_s):
                    text = f"the store {self.path} is locked by a long write; try again when it is done"
                    raise StoreError(text)
                self._is_taken = True
            finally:
                self._waiting -= 1

    def _pass_on(self) -> None:
        with self._turns:
            self._is_taken = False
            self._turns.notify()

    @contextmanager
    def part(self, session: SqliteSession, *, durable: bool) -> Iterator[CommitGroup]:
        """Run a transaction within a turn; an error undoes it alone. Yields the group to commit it with."""
        group = self._join(session, durable)
        try:
            with session.part():
                yield group
            group.parts += 1
        except BaseException as error:
            self.was_full = self.was_full or isinstance(error, StoreFull)
            if not session.busy:  # SQLite rolled back everything by itself, as it may on a full disk
                self._end(group, _roll_back(session, error))
            raise

    def _join(self, session: SqliteSession, durable: bool) -> CommitGroup:
        """Return the open group or start one: whether to wait for the disk must be set at its beginning."""
        if self._group and durable and not self._group.durable:
            self.commit()
        if self._group is None:
            session.begin(durable=durable)
            try:
                self._check(session)
            except BaseException:
                session.give_up()
                raise
            self._group = CommitGroup(durable=durable)
        return self._group

    def commit(self) -> None:
        """Commit the open group, within a turn; those who wait for it learn whether it was saved."""
        if self._group is None or self._session is None:
            return
        try:
            self._session.commit()
        except StoreError as error:
            self._end(self._group, error)
        else:
            self._end(self._group)

    def _end(self, group: CommitGroup, error: StoreError | None = None) -> None:
        self._group = None
        self.was_full = self.was_full or isinstance(error, StoreFull)
        group.error = error
        group.ended.set()

    def wait_for(self, group: CommitGroup) -> None:
        """Wait until a group has ended.

        Errors: StoreError if it was lost.
        """
        while not group.ended.wait(SOON_S):
            with self.turn():  # the thread it was left to may have given up waiting
                pass
        group.refuse_lost()


def _roll_back(session: SqliteSession, why: BaseException) -> StoreError:
    """Roll back; the error for those whose transactions are lost because of someone else's."""
    session.give_up()
    if isinstance(why, StoreFull):
        return why
    return StoreError(f"the store {session.path} rolled back what was written; nothing was saved")

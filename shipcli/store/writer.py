"""The one connection that writes: threads have it by turns, and those that wait for it share a commit."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shipcli.store.engine import Session
from shipcli.store.errors import StoreError, StoreFull

MOST = 32  # transactions of one commit
SOON_S = 1.0


class CommitGroup:
    """Transactions that one commit keeps or loses; `error` says why it lost them."""

    def __init__(self, *, durable: bool) -> None:
        self.durable = durable
        self.parts = 0
        self.ended = threading.Event()
        self.error: StoreError | None = None

    def refuse_lost(self) -> None:
        """Errors: StoreError when it was lost."""
        if self.error is not None:
            raise type(self.error)(self.error.message) from self.error


class Writer:
    """The session that writes in this process, whose turn it is, and what is not committed yet.

    Whoever ends a turn while others wait for theirs leaves the commit to them.
    """

    def __init__(
        self, path: Path, make_session: Callable[[], Session], check: Callable[[Session], None]
    ) -> None:
        """`check` sees every transaction of SQLite that begins; what it raises ends that."""
        self.path = path
        self.process = os.getpid()
        self.was_full = False
        self._make_session = make_session
        self._check = check
        self._session: Session | None = None
        self._group: CommitGroup | None = None
        self._turns = threading.Condition()
        self._is_taken = False
        self._waiting = 0

    @contextmanager
    def turn(self, patience_s: float | None = None) -> Iterator[Session]:
        """Wait for the session, and have it alone.

        Errors: StoreError when others write for too long.
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
    def part(self, session: Session, *, durable: bool) -> Iterator[CommitGroup]:
        """A transaction in one's turn, which an error undoes alone; the group it is kept or lost with."""
        group = self._join(session, durable)
        try:
            with session.part():
                yield group
            group.parts += 1
        except BaseException as error:
            self.was_full = self.was_full or isinstance(error, StoreFull)
            if not session.busy:  # SQLite gave up all of it by itself, as it may on a full disk
                self._end(group, _loss(session, error))
            raise

    def _join(self, session: Session, durable: bool) -> CommitGroup:
        """The open group, or another: SQLite is told at the beginning whether the disk is waited for."""
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
        """End what is open, in one's turn; those who wait for it hear whether it was kept."""
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
        """Wait until it has ended.

        Errors: StoreError when it was lost.
        """
        while not group.ended.wait(SOON_S):
            with self.turn():  # whoever it was left to may have given up waiting
                pass
        group.refuse_lost()


def _loss(session: Session, why: BaseException) -> StoreError:
    """What those hear whose part was given up because of somebody else's."""
    session.give_up()
    if isinstance(why, StoreFull):
        return why
    return StoreError(f"the store {session.path} gave up what was written; nothing was saved")

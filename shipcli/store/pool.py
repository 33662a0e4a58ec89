"""Connections for many threads: each reads with its own, all write with one; none crosses a fork."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from shipcli.store.engine import PATIENCE_S, PartMark, Session
from shipcli.store.errors import StoreError, StoreFull
from shipcli.turns import here, hold, let_go

MOST = 32  # parts of one commit


class Pool:
    """A session per thread and process, closed with its thread, and one that writes for whoever has its turn.

    One writer keeps the pages it wrote in memory: a session that finds the file changed by another reads
    them anew. And threads that wait for each other wait for a lock, not by asking SQLite again and again;
    they share a commit.
    """

    def __init__(
        self,
        path: Path,
        patience_s: float = PATIENCE_S,
        begun: Callable[[Session], None] = lambda session: None,
    ) -> None:
        """`begun` is told of every transaction of SQLite that begins; what it raises ends that."""
        self.path = path
        self._begun = begun
        self._patience_s = patience_s
        self._local = _Local()
        self._all: weakref.WeakSet[Session] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._writer = WriteSession()

    def session(self) -> Session:
        """The session this thread reads with: the one that writes while it has its turn, else its own."""
        writing = self._local.writing
        return writing if writing is not None and writing.belongs_here() else self.own_session()

    def own_session(self) -> Session:
        """The session of this thread, whoever writes."""
        session = self._local.own
        if session is None or not session.belongs_here():
            session = self._local.own = self._made()
        return session

    @property
    def is_writing(self) -> bool:
        """Whether this thread has a transaction open."""
        return self._local.is_open and self.session().busy

    def transaction(self, *, durable: bool = False) -> AbstractContextManager[Session]:
        """A transaction of this thread, on the session that writes.

        Those that wait for their turn share one commit: each hands the open transaction on to the next, the
        last one ends it, and none goes on before that.
        Errors: StoreError, also when another thread writes for too long.
        """
        if self._writer.process != os.getpid():
            self._writer = WriteSession()
        return _Transaction(self, self._writer, durable=durable)

    @property
    def was_full(self) -> bool:
        """Whether a transaction of this process found no room on the disk, until that is forgotten."""
        return self._writer.was_full

    def forget_full(self) -> None:
        """There is room again."""
        self._writer.was_full = False

    def begin(self, writer: WriteSession, *, durable: bool) -> Part:
        """Begin a transaction of this thread, in its turn; `end` has to follow."""
        if not writer.take(self._patience_s):
            raise StoreError(f"the store {self.path} is locked by a long write; try again when it is done")
        hold()
        try:
            writer.session = self._local.writing = writer.session or self._made()
            part = writer.begin(writer.session, durable=durable, begun=self._begun)
            self._local.is_open = True
        except BaseException:
            self._pass_on(writer)
            raise
        return part

    def end(self, writer: WriteSession, part: Part, error: BaseException | None) -> None:
        """End it; an error undoes it. What is kept rests when this is over."""
        try:
            if error is None:
                writer.keep(part)
            else:
                writer.undo(part, error)
        finally:
            self._pass_on(writer)
        if error is None:
            writer.wait_for(part.shared)

    def _pass_on(self, writer: WriteSession) -> None:
        self._local.is_open = False
        self._local.writing = None
        let_go()
        writer.release()

    def _made(self) -> Session:
        session = Session(self.path, self._patience_s)
        with self._lock:
            self._all.add(session)
        return session

    def close(self) -> None:
        """Close the sessions of all threads."""
        with self._lock:
            for session in list(self._all):
                session.close()


class _Transaction:
    """What `with` opens and ends."""

    __slots__ = ("_durable", "_part", "_pool", "_writer")

    def __init__(self, pool: Pool, writer: WriteSession, *, durable: bool) -> None:
        self._pool, self._writer, self._durable = pool, writer, durable

    def __enter__(self) -> Session:
        self._part = self._pool.begin(self._writer, durable=self._durable)
        return self._part.session

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._pool.end(self._writer, self._part, error)


class _Local(threading.local):
    """What a thread has: its own session, in its turn the one that writes, an open transaction."""

    def __init__(self) -> None:
        self.own: Session | None = None
        self.writing: Session | None = None
        self.is_open = False


class CommitGroup:
    """A transaction of SQLite that several of ours are parts of, and how it ended."""

    def __init__(self, *, durable: bool) -> None:
        self.durable = durable
        self.parts = 0
        self.has_ended = False
        self.error: StoreError | None = None


class Part(NamedTuple):
    """A transaction of ours: the first of what several share has no mark to go back to."""

    session: Session
    shared: CommitGroup
    mark: PartMark | None


class WriteSession:
    """The session that writes, made with the first write; whose turn it is; what is not committed yet."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.session: Session | None = None
        self.was_full = False
        self._lock = threading.Lock()
        self._turns = threading.Condition(self._lock)
        self._ends = threading.Condition(self._lock)
        self._is_taken = False
        self._waiting = 0  # for a turn
        self._staying = 0  # for an end
        self._open: CommitGroup | None = None

    def take(self, patience_s: float) -> bool:
        """Wait for a turn; false when it does not come in time."""
        with self._lock:
            if self._is_taken and not self._comes(patience_s):
                return False
            self._is_taken = True
            return True

    def _comes(self, patience_s: float) -> bool:
        came = False
        self._waiting += 1
        try:
            came = self._turns.wait_for(lambda: not self._is_taken, patience_s)
        finally:
            self._waiting -= 1
            if not came:  # somebody may have counted on it
                self._ends.notify_all()
        return came

    def begin(self, session: Session, *, durable: bool, begun: Callable[[Session], None]) -> Part:
        """A transaction in one's turn: a part of the open one, else the first of another that `begun` checks.

        A durable one is no part of one that does not wait for the disk: SQLite decides that at the beginning.
        """
        if self._open is not None and durable and not self._open.durable:
            self._end()
        shared = self._open
        if shared is None:
            session.begin(durable=durable)
            shared = self._open = CommitGroup(durable=durable)
        try:
            if shared.parts:
                return Part(session, shared, session.begin_part())
            begun(session)
        except BaseException as error:
            self._give_up(session, shared, error)
            raise
        return Part(session, shared, None)

    def keep(self, part: Part) -> None:
        """Have what it wrote kept with the rest."""
        try:
            if part.mark is not None:
                part.session.keep_part()
        except BaseException as error:
            self.undo(part, error)
            raise
        part.shared.parts += 1

    def undo(self, part: Part, why: BaseException) -> None:
        """Have nothing of it kept."""
        try:
            if part.mark is not None:
                part.session.undo_part(part.mark)
        finally:
            self._give_up(part.session, part.shared, why)

    def _give_up(self, session: Session, shared: CommitGroup, why: BaseException) -> None:
        """End what is open, unless somebody else's part is left to be kept."""
        if not (shared.parts and session.busy):
            self._end(why)

    def release(self, *, at_last: bool = False) -> None:
        """Give up one's turn; `at_last`, with many parts, or with nobody to go on what is open ends here."""
        follow = self._waiting > 0 or here() is not None
        try:
            if self._open is not None and (at_last or not follow or self._open.parts >= MOST):
                self._end()
        finally:
            self._pass_on()

    def wait_for(self, shared: CommitGroup) -> None:
        """Wait until a transaction has ended; work that goes in turns lets the next go on meanwhile.

        Errors: StoreError when it was not kept.
        """
        turns, come = here(), partial(self._come_to_end, shared)
        if turns is None:
            come()
        else:
            turns.wait(lambda: shared.has_ended, come)
        if shared.error is not None:
            raise type(shared.error)(shared.error.message) from shared.error

    def _come_to_end(self, shared: CommitGroup) -> None:
        """Wait for the end; when nobody is left who would bring it about, it is here."""
        with self._lock:
            self._staying += 1
            try:
                self._ends.wait_for(lambda: shared.has_ended or not (self._is_taken or self._waiting))
            finally:
                self._staying -= 1
            if is_left := not shared.has_ended:
                self._is_taken = True
        if is_left:
            self.release(at_last=True)

    def _pass_on(self) -> None:
        with self._lock:
            self._is_taken = False
            if self._waiting:
                self._turns.notify()
            elif self._staying:
                self._ends.notify_all()

    def _end(self, why: BaseException | None = None) -> None:
        """End what is open, and tell all who wait for it; an error gives it up."""
        session, shared = self.session, self._open
        assert session is not None
        assert shared is not None
        self._open = None
        shared.error = _loss(session, why)
        try:
            if why is None:
                session.commit()
                shared.error = None
            else:
                session.give_up()
        except StoreError as error:
            shared.error = error
        finally:
            self.was_full = self.was_full or isinstance(shared.error, StoreFull)
            with self._lock:
                shared.has_ended = True
                if self._staying:
                    self._ends.notify_all()


def _loss(session: Session, why: BaseException | None) -> StoreError:
    """What is told to those whose part was given up because of somebody else's."""
    if isinstance(why, StoreFull):
        return StoreFull(why.message)
    return StoreError(f"the store {session.path} gave up what was written; nothing was saved")

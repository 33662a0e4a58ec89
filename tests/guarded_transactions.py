"""Transactions of tests: one that declares locks fails if it changes a document that it does not name, and if
it writes after an unnamed read of one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Self

from shipcli.store import store
from shipcli.store.transaction import Transaction

_WRITES = (
    "put",
    "delete",
    "mark",
    "insert",
    "insert_many",
    "add",
    "upsert",
    "upsert_many",
    "update",
    "take",
    "remove",
)
# An event may go to a webhook that was disabled a moment ago.
_ANY_TIME = frozenset({"webhook"})


class GuardedTransaction(Transaction):
    """A transaction that notes which documents were read without a lock of their name."""

    def __enter__(self) -> Self:
        super().__enter__()
        if self.find_locks and not self._before:  # this engine needs no locks, and has not looked for them
            try:
                self.locks = tuple(self.find_locks(self))
            except BaseException:
                self.__exit__(*sys.exc_info())
                raise
        return self

    def names(self, kind: str, id: str) -> bool:
        """Whether a document is locked."""
        return self.locks is None or f"{kind}/{id}" in self.locks

    def may_read(self, kind: str, id: str) -> bool:
        """Whether a document stays as it is read: the shipments of an order do by the lock of the order."""
        in_order = kind == "shipment" and any(name.startswith("order/") for name in self.locks or ())
        return self.names(kind, id) or in_order or kind in _ANY_TIME

    def get(self, kind: str, id: str, *choice: Any, **choices: Any) -> dict[str, Any] | None:
        if not self.may_read(kind, id):
            self.__dict__.setdefault("unnamed", []).append(f"{kind}/{id}")
        return super().get(kind, id, *choice, **choices)

    def put(self, kind: str, doc: Mapping[str, Any], **choices: Any) -> bool:
        _check_unread(self)
        is_new = super().put(kind, doc, **choices)
        assert is_new or self.names(kind, doc["id"]), f"{self.locks} changes {kind}/{doc['id']}"
        return is_new

    def delete(self, kind: str, id: str) -> bool:
        assert self.names(kind, id), f"{self.locks} deletes {kind}/{id}"
        return super().delete(kind, id)

    def mark(self, kind: str, ids: Sequence[str], values: Mapping[str, Any]) -> None:
        assert all(self.names(kind, id) for id in ids), f"{self.locks} marks {kind} {ids}"
        super().mark(kind, ids, values)


def _check_unread(tx: Transaction) -> None:
    unnamed = tx.__dict__.get("unnamed")
    assert not unnamed, f"a transaction that declares {tx.locks} writes after reading {unnamed}"


def _guard(name: str) -> Callable[..., Any]:
    write = getattr(Transaction, name)

    @wraps(write)
    def guarded(tx: GuardedTransaction, *values: Any, **named: Any) -> Any:
        _check_unread(tx)
        return write(tx, *values, **named)

    return guarded


def install() -> None:
    """Have every store of this process use guarded transactions."""
    for name in _WRITES:
        if name not in vars(GuardedTransaction):
            setattr(GuardedTransaction, name, _guard(name))
    store.Transaction = GuardedTransaction  # type: ignore[misc]

"""Transactions of tests: one that declares locks fails if it writes after an unnamed read of a document."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

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


class GuardedTransaction(Transaction):
    """A transaction that notes which documents were read without a lock of their name."""

    def get(self, kind: str, id: str, *choice: Any, **choices: Any) -> dict[str, Any] | None:
        if self.locks is not None and f"{kind}/{id}" not in self.locks:
            self.__dict__.setdefault("unnamed", []).append(f"{kind}/{id}")
        return super().get(kind, id, *choice, **choices)


def _guard(name: str) -> Callable[..., Any]:
    write = getattr(Transaction, name)

    @wraps(write)
    def guarded(tx: GuardedTransaction, *values: Any, **named: Any) -> Any:
        unnamed = tx.__dict__.get("unnamed")
        assert not unnamed, f"a transaction that declares {tx.locks} writes after reading {unnamed}"
        return write(tx, *values, **named)

    return guarded


def install() -> None:
    """Have every store of this process use guarded transactions."""
    for name in _WRITES:
        setattr(GuardedTransaction, name, _guard(name))
    store.Transaction = GuardedTransaction  # type: ignore[misc]

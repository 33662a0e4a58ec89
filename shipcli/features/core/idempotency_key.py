"""One keyed request as the store knows it: running, answered, or taken over by another one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli.features.core.processes import name_process
from shipcli.models.basics.errors import IdempotencyConflict

if TYPE_CHECKING:
    from shipcli.store.transaction import Transaction

RUNNING, DONE = "running", "done"
TAKEN_OVER = "Another request with this idempotency key has taken the place of this one; nothing was done"


@dataclass(frozen=True)
class IdempotencyKey:
    """One keyed request. `perform_once` claims it; the work stores the answer in its own transaction."""

    caller: str
    test_mode: bool
    operation: str
    key: str
    digest: str
    ticket: str = field(default="", compare=False)
    until: float = field(default=0.0, compare=False)  # on the steady clock: how long other processes wait
    goes_on: bool = field(default=False, compare=False)  # a refusal is not the end: more is tried

    @property
    def where(self) -> dict[str, Any]:
        return {
            "caller": self.caller, "test_mode": self.test_mode, "operation": self.operation, "key": self.key,
        }  # fmt: skip

    @property
    def record(self) -> str:
        """The name under which its answer is sealed."""
        return f"idempotency/{self.caller}/{self.test_mode}/{self.operation}/{self.key}"

    def to_dict(self) -> dict[str, Any]:
        return {**self.where, "digest": self.digest}

    def mark(self, **details: Any) -> dict[str, Any]:
        """What is stored in place of the answer while the request runs."""
        return {"owner": name_process(), "ticket": self.ticket, "until": self.until, **details}

    def mark_sent(self, tx: Transaction) -> None:
        """Record that a carrier may act from now on, so that an abandoned request is not sent again.

        Errors: IdempotencyConflict if another request has taken over the key.
        """
        self._check_held(tx)
        tx.update("idempotency", self.where, {"response": self.mark(sent=True)})

    def remember(self, tx: Transaction, response: Any, status: int = 200) -> None:
        """Store the answer to what a carrier did: it is true even if another request holds the key now."""
        tx.update("idempotency", self.where, {"state": DONE, "status": status, "response": response})

    def remember_made(self, tx: Transaction, response: Any) -> None:
        """Store the answer, in the transaction that does the work.

        Errors: IdempotencyConflict if another request has taken over the key; the work is rolled back.
        """
        self._check_held(tx)
        self.remember(tx, response)

    def mark_unsent(self, tx: Transaction) -> None:
        """Record that the carrier refused for good: the request may be sent again."""
        if self.read_mark(tx):
            tx.update("idempotency", self.where, {"response": self.mark()})

    def forget(self, tx: Transaction) -> None:
        """Release the key: nothing happened."""
        tx.remove("idempotency", self.where)

    def read_mark(self, tx: Transaction) -> dict[str, Any] | None:
        """What `mark` stored for this request; None if it was answered, or another has taken over the key."""
        rows = tx.select("idempotency", self.where)
        if not rows or rows[0]["state"] == DONE or rows[0]["response"].get("ticket") != self.ticket:
            return None
        return dict(rows[0]["response"])

    def _check_held(self, tx: Transaction) -> None:
        if self.read_mark(tx) is None:
            raise IdempotencyConflict(TAKEN_OVER)


def read_idempotency_key(plain: dict[str, Any] | None) -> IdempotencyKey | None:
    return IdempotencyKey(**plain) if plain else None


def list_key_locks(once: IdempotencyKey | None) -> list[str]:
    """What a transaction on the row of a keyed request declares."""
    return [once.record] if once else []

"""The same request twice is carried out once: keys of a caller, in a mode, for an operation.

The answer is remembered in the very transaction that made it true. Failures that never reached a carrier are
not remembered; a key whose first request still runs, or whose body differs, is a conflict. A request that
died after a carrier was asked is settled first, and never sent a second time by itself.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.models import IdempotencyConflict, Message, OutcomeUnknown, Refused, ShipcliError, json
from shipcli.services.app import later
from shipcli.services.process import alive, identity

if TYPE_CHECKING:
    from shipcli.services.app import App
    from shipcli.store.transaction import Transaction

RUNNING, DONE = "running", "done"
SEALED = "sealed"
KEPT_DAYS = 7
LOST = "The first request with this key was sent and its outcome is unknown. Look it up with the carrier"


@dataclass(frozen=True)
class Once:
    """One keyed request. `claim` it, do the work, and hand it to the transaction that finishes the work."""

    caller: str
    test_mode: bool
    operation: str
    key: str
    digest: str

    @property
    def where(self) -> dict[str, Any]:
        return {
            "caller": self.caller, "test_mode": self.test_mode, "operation": self.operation, "key": self.key,
        }  # fmt: skip

    @property
    def record(self) -> str:
        """The name under which its answer is sealed."""
        return f"idempotency/{self.caller}/{self.test_mode}/{self.operation}/{self.key}"

    def plain(self) -> dict[str, Any]:
        return {**self.where, "digest": self.digest}

    def mark_sent(self, tx: Transaction) -> None:
        """From here on a carrier may have acted: whoever finds the key abandoned must not send it again."""
        tx.update("idempotency", self.where, {"response": {"owner": identity(), "sent": True}})

    def remember(self, tx: Transaction, response: Any, status: int = 200) -> None:
        """Keep the answer, as part of the transaction that made it true."""
        tx.update("idempotency", self.where, {"state": DONE, "status": status, "response": response})

    def forget(self, tx: Transaction) -> None:
        """Give the key free: nothing happened."""
        tx.remove("idempotency", self.where)


def once(app: App, operation: str, key: str, body: Any) -> Once:
    """The keyed request of this caller."""
    digest = hashlib.sha256(json.dumpb(body, sort=True)).hexdigest()
    return Once(app.caller, app.test_mode, operation, key, digest)


def claim(app: App, request: Once) -> dict[str, Any] | None:
    """The remembered answer (a row with `status` and `response`), or None when the work is ours to do.

    Errors: IdempotencyConflict when the body differs or the first request still runs; OutcomeUnknown when the
            first request died after a carrier was asked and nobody can tell what became of it.
    """
    with app.store.transaction() as tx:
        first = _standing(app, tx, request)
        if first is None:
            tx.upsert("idempotency", _row(app, request))
            return None
    if first["state"] == DONE:
        return first
    return _after_death(app, request)


def _standing(app: App, tx: Transaction, request: Once) -> dict[str, Any] | None:
    """The first request of the key as far as it got; None when there is none or it left nothing behind.

    Errors: IdempotencyConflict.
    """
    known = tx.select("idempotency", request.where)
    if not known or known[0]["expires_at"] < app.now():
        return None
    first, mark = known[0], known[0]["response"] or {}
    if first["digest"] != request.digest:
        raise IdempotencyConflict()
    if first["state"] == RUNNING and not mark.get("abandoned") and alive(mark.get("owner", "")):
        raise IdempotencyConflict("The first request with this idempotency key is still running")
    return first if first["state"] == DONE or mark.get("sent") else None


def _row(app: App, request: Once) -> dict[str, Any]:
    return {
        **request.plain(), "state": RUNNING, "status": None, "response": {"owner": identity()},
        "created_at": app.now(), "expires_at": later(app, days=KEPT_DAYS),
    }  # fmt: skip


def _after_death(app: App, request: Once) -> dict[str, Any] | None:
    """What became of a request that asked a carrier and did not live to hear of it: settled, or unknown."""
    from shipcli.services.settling import settle_once

    if not settle_once(app, request):
        raise IdempotencyConflict("The first request with this idempotency key is still being settled")
    note = Message(code=OutcomeUnknown.code, message=LOST)
    with app.store.transaction() as tx:
        known = tx.select("idempotency", request.where)
        if not known:
            tx.upsert("idempotency", _row(app, request))
            return None
        if known[0]["state"] == DONE:
            return known[0]
        unknown = OutcomeUnknown([note])
        request.remember(tx, unknown.body(), unknown.status)
    raise unknown


def keyed(app: App, request: Once | None, work: Callable[[], Any]) -> Any:
    """Run the work under a key, or give the remembered answer.

    Work that finishes must `remember` inside its own transaction. A carrier's refusal is remembered here; any
    other error gives the key free, unless a carrier was asked: then it is left to be settled.
    """
    if request is None:
        return work()
    known = claim(app, request)
    if known is not None:
        return answer_of(known)
    try:
        return work()
    except BaseException as error:
        _record(app, request, error)
        raise


def remembering(
    app: App,
    request: Once | None,
    work: Callable[[], Any],
    *,
    status: int,
    acts: bool = False,
    secret: bool = False,
) -> Any:
    """The same for work that does not remember its answer by itself.

    The answer is kept right after the work. If the process dies in between, work that makes a carrier act
    counts as of unknown outcome; any other is done again. An answer that holds secrets is kept sealed.
    """
    if request is None:
        return work()

    def kept() -> Any:
        if acts:
            with app.store.transaction(durable=True) as tx:
                request.mark_sent(tx)
        try:
            answer = work()
        except ShipcliError as error:
            if acts and not isinstance(error, OutcomeUnknown):
                with app.store.transaction() as tx:  # a definite no: nobody acted
                    tx.update("idempotency", request.where, {"response": {"owner": identity()}})
            raise
        resting = _sealed(app, request, answer) if secret else answer
        with app.store.transaction() as tx:
            request.remember(tx, resting, status)
        return answer

    found = keyed(app, request, kept)
    return _opened(app, request, found) if isinstance(found, dict) and set(found) == {SEALED} else found


def _sealed(app: App, request: Once, answer: Any) -> dict[str, str]:
    return {SEALED: base64.b64encode(app.vault.seal(request.record, json.dumpb(answer))).decode()}


def _opened(app: App, request: Once, answer: dict[str, str]) -> Any:
    return json.loads(app.vault.open(request.record, base64.b64decode(answer[SEALED])))


def _record(app: App, request: Once, error: BaseException) -> None:
    """Keep what a failure means for the next request of the key."""
    with app.store.transaction() as tx:
        known = tx.select("idempotency", request.where)
        mark = (known[0]["response"] if known else None) or {}
        if known and known[0]["state"] == DONE:
            return
        if isinstance(error, Refused) and reached(error):
            request.remember(tx, error.body(), error.status)
        elif mark.get("sent") and not isinstance(error, Refused):
            tx.update("idempotency", request.where, {"response": {**mark, "abandoned": True}})
        else:
            request.forget(tx)


def answer_of(known: dict[str, Any]) -> Any:
    """The remembered result.

    Errors: Refused or OutcomeUnknown, as the first time.
    """
    if known["status"] >= 400:
        messages = [Message.model_validate(one) for one in known["response"]["messages"]]
        lost = any(message.code == OutcomeUnknown.code for message in messages)
        raise (OutcomeUnknown if lost else Refused)(messages, known["status"])
    return known["response"]


def reached(error: Refused) -> bool:
    """Whether a carrier heard of the request, or may have."""
    return isinstance(error, OutcomeUnknown) or any(one.code != "unreachable" for one in error.messages)


def from_plain(plain: dict[str, Any] | None) -> Once | None:
    return Once(**plain) if plain else None

"""The same request twice is carried out once: keys of an owner, in a mode, for an operation.

The answer is remembered in the very transaction that made it true. Failures that never reached a carrier are
not remembered; a key whose first request still runs, or whose body differs, is a conflict. A request that
died after a carrier was asked is settled first, and never sent a second time by itself.

Whoever carries out a request holds a ticket. A process knows which of its own tickets are under way; the
request of another one that lives has the time of a lease. Who is late and finds the key taken over writes
nothing and asks no carrier.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.features.core.app import later
from shipcli.features.core.processes import identity, is_alive
from shipcli.models import IdempotencyConflict, Message, OutcomeUnknown, Refused, ShipcliError, json
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.idempotency")
RUNNING, DONE = "running", "done"
SEALED = "sealed"
KEPT_DAYS = 7
AUTO = "auto"
LEASE_S = 300.0
LOST = "The first request with this key was sent and its outcome is unknown. Look it up with the carrier"
TAKEN_OVER = "Another request with this idempotency key has taken the place of this one; nothing was done"
_under_way: set[str] = set()  # the tickets of this process


@dataclass(frozen=True)
class IdempotencyKey:
    """One keyed request. `perform_once` claims it; the work hands it to the transaction that finishes it."""

    caller: str
    test_mode: bool
    operation: str
    key: str
    digest: str
    ticket: str = field(default="", compare=False)
    until: float = field(default=0.0, compare=False)  # on the steady clock: how long other processes wait

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

    def mark(self, **more: Any) -> dict[str, Any]:
        """What stands in the place of the answer while the request runs."""
        return {"owner": identity(), "ticket": self.ticket, "until": self.until, **more}

    def mark_sent(self, tx: Transaction) -> None:
        """From here on a carrier may have acted: whoever finds the key abandoned must not send it again.

        Errors: IdempotencyConflict when another request has taken the key over.
        """
        self._check_held(tx)
        tx.update("idempotency", self.where, {"response": self.mark(sent=True)})

    def remember(self, tx: Transaction, response: Any, status: int = 200) -> None:
        """Keep the answer to what a carrier did: it is true whoever holds the key by now."""
        tx.update("idempotency", self.where, {"state": DONE, "status": status, "response": response})

    def remember_made(self, tx: Transaction, response: Any) -> None:
        """Keep the answer, as part of the transaction that makes it true.

        Errors: IdempotencyConflict when another request has taken the key over: nothing is made then.
        """
        self._check_held(tx)
        self.remember(tx, response)

    def forget(self, tx: Transaction) -> None:
        """Give the key free: nothing happened."""
        tx.remove("idempotency", self.where)

    def _check_held(self, tx: Transaction) -> None:
        known = tx.select("idempotency", self.where)
        if not known or known[0]["state"] == DONE or known[0]["response"].get("ticket") != self.ticket:
            raise IdempotencyConflict(TAKEN_OVER)


class KeyedAnswer(NamedTuple):
    """What a request came to; the status is that of a failure that was remembered."""

    value: Any
    failed_with: int | None = None
    is_replay: bool = False


def once(app: App, operation: str, key: str, body: Any) -> IdempotencyKey:
    """The keyed request of this caller."""
    digest = digest_request(body)
    until = app.store.steady() + LEASE_S
    return IdempotencyKey(app.caller, app.test_mode, operation, key, digest, uuid.uuid4().hex, until)


def key_of(key: str, body: Any) -> str:
    """A key, or for `auto` one made from the body, so that it repeats."""
    return f"auto-{digest_request(body)[:40]}" if key == AUTO else key


def digest_request(asked: Any) -> str:
    """What tells a request from every other, whatever the order of its keys: 64 hexadecimal digits.

    Shapes: `asked` is plain data.
    """
    return hashlib.sha256(json.dumpb(asked, sort=True)).hexdigest()


# -- carrying out ----------------------------------------------------------------------------------


def perform_once(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> KeyedAnswer:
    """Run the work under its key, or give the remembered answer.

    Work that finishes must remember inside its own transaction. A carrier's refusal is remembered here; any
    other error gives the key free, unless a carrier was asked: then it is left to be settled.
    Errors: as `claim`, and those of the work.
    """
    with _carrying_out(request):
        known = claim(app, request)
        if known is not None:
            failed_with = known["status"] if known["status"] >= 400 else None
            return KeyedAnswer(_open(app, request, known["response"]), failed_with, is_replay=True)
        try:
            return KeyedAnswer(work())
        except BaseException as error:
            _record(app, request, error)
            raise


def perform_with_key(app: App, request: IdempotencyKey | None, work: Callable[[], Any]) -> Any:
    """The same for callers who want results and errors; work without a key is simply done.

    Doors claim keys, use-cases only remember; work that is being done under this very key goes on.
    Errors: also Refused and OutcomeUnknown as the first time.
    """
    if request is None or request.ticket in _under_way:
        return work()
    answer = perform_once(app, request, work)
    if answer.failed_with is None:
        return answer.value
    messages = [Message.model_validate(one) for one in answer.value["messages"]]
    lost = any(message.code == OutcomeUnknown.code for message in messages)
    raise (OutcomeUnknown if lost else Refused)(messages, answer.failed_with)


def remember_after(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> Any:
    """Work that stores nothing and sends nothing: its answer is kept afterwards."""
    answer = work()
    with app.store.transaction() as tx:
        request.remember_made(tx, answer)
    return answer


def send_once(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> Any:
    """Work that makes a carrier act: when the process dies before the answer is kept, nobody knows."""
    with app.store.transaction(durable=True) as tx:
        request.mark_sent(tx)
    try:
        answer = work()
    except ShipcliError as error:
        if not isinstance(error, OutcomeUnknown):
            with app.store.transaction() as tx:  # a definite no: nobody acted
                tx.update("idempotency", request.where, {"response": request.mark()})
        raise
    try:
        with app.store.transaction() as tx:
            request.remember(tx, answer)
    except StoreError:
        log.warning("the answer to a keyed request was not kept: its repetition is of unknown outcome")
    return answer


@contextmanager
def _carrying_out(request: IdempotencyKey) -> Iterator[None]:
    _under_way.add(request.ticket)
    try:
        yield
    finally:
        _under_way.discard(request.ticket)


def _record(app: App, request: IdempotencyKey, error: BaseException) -> None:
    """Keep what a failure means for the next request of the key.

    A store that can't be written keeps nothing; the key is free all the same, as nobody is at work on it.
    """
    try:
        with app.store.transaction() as tx:
            _record_in(tx, request, error)
    except StoreError as lost:
        log.warning("the end of a keyed request was not kept: %s", lost)


def _record_in(tx: Transaction, request: IdempotencyKey, error: BaseException) -> None:
    known = tx.select("idempotency", request.where)
    if not known or known[0]["state"] == DONE or known[0]["response"].get("ticket") != request.ticket:
        return
    mark = known[0]["response"]
    if isinstance(error, Refused) and has_reached_carrier(error):
        request.remember(tx, error.body(), error.status)
    elif mark.get("sent") and not isinstance(error, Refused):
        tx.update("idempotency", request.where, {"response": {**mark, "abandoned": True}})
    else:
        request.forget(tx)


# -- claiming --------------------------------------------------------------------------------------


def claim(app: App, request: IdempotencyKey) -> dict[str, Any] | None:
    """The remembered answer (a row with `status` and `response`), or None when the work is ours to do.

    Errors: IdempotencyConflict when the body differs or the first request still runs; OutcomeUnknown when the
            first request died after a carrier was asked and nobody can tell what became of it.
    """
    with app.store.transaction() as tx:
        first = _find_standing(app, tx, request)
        if first is None:
            tx.upsert("idempotency", _row(app, request))
            return None
    if first["state"] == DONE:
        return first
    return _after_death(app, request)


def _find_standing(app: App, tx: Transaction, request: IdempotencyKey) -> dict[str, Any] | None:
    """The first request of the key as far as it got; None when there is none or it left nothing behind.

    Errors: IdempotencyConflict.
    """
    known = tx.select("idempotency", request.where)
    if not known or known[0]["expires_at"] < app.now():
        return None
    first, mark = known[0], known[0]["response"] or {}
    if first["digest"] != request.digest:
        raise IdempotencyConflict()
    if first["state"] == RUNNING and _is_under_way(app, mark):
        raise IdempotencyConflict("The first request with this idempotency key is still running")
    return first if first["state"] == DONE or mark.get("sent") else None


def _is_under_way(app: App, mark: dict[str, Any]) -> bool:
    owner = mark.get("owner", "")
    if owner == identity():
        return mark.get("ticket") in _under_way
    return not mark.get("abandoned") and is_alive(owner) and mark.get("until", 0) > app.store.steady()


def _row(app: App, request: IdempotencyKey) -> dict[str, Any]:
    return {
        **request.plain(), "state": RUNNING, "status": None, "response": request.mark(),
        "created_at": app.now(), "expires_at": later(app, days=KEPT_DAYS),
    }  # fmt: skip


def _after_death(app: App, request: IdempotencyKey) -> dict[str, Any] | None:
    """What became of a request that asked a carrier and did not live to hear of it: settled, or unknown."""
    if not app.settlement.settle_once(app, request):
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


# -- answers ---------------------------------------------------------------------------------------


def seal_answer(app: App, request: IdempotencyKey | None, answer: Any) -> dict[str, str]:
    """An answer that holds secrets, as it is kept. Not to be asked for inside a transaction."""
    if request is None:
        return {}
    return {SEALED: base64.b64encode(app.vault.seal(request.record, json.dumpb(answer))).decode()}


def _open(app: App, request: IdempotencyKey, answer: Any) -> Any:
    if not isinstance(answer, dict) or set(answer) != {SEALED}:
        return answer
    return json.loads(app.vault.open(request.record, base64.b64decode(answer[SEALED])))


def has_reached_carrier(error: Refused) -> bool:
    """Whether a carrier heard of the request, or may have."""
    return isinstance(error, OutcomeUnknown) or any(one.code != "unreachable" for one in error.messages)


def from_plain(plain: dict[str, Any] | None) -> IdempotencyKey | None:
    return IdempotencyKey(**plain) if plain else None

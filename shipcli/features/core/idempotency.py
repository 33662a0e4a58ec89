"""Idempotency: a request sent twice is carried out once. Keys belong to a caller, a mode and an operation.

The answer is stored in the transaction that does the work. Failures that never reached a carrier are not
stored; a key whose first request is still running, or whose body differs, is a conflict. A request that
died after a carrier was asked is settled first, and is never sent again automatically.

Each running request holds a ticket. A process knows its own running tickets; a request of another live
process has until its lease expires. A request that finds its key taken over by another one writes nothing
and asks no carrier.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.features.core.app import make_expiry
from shipcli.features.core.idempotency_key import DONE, RUNNING, IdempotencyKey
from shipcli.features.core.processes import is_alive, name_process
from shipcli.models import (
    BilledAbove,
    IdempotencyConflict,
    Message,
    OutcomeUnknown,
    Refused,
    RefusedFields,
    ShipcliError,
    json,
)
from shipcli.store.errors import StoreError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.idempotency")
FAILURES = 400  # statuses from here on
TOO_MANY = "429"  # the code of a carrier that has too many requests: the same again may succeed
SEALED = "sealed"
KEPT_DAYS = 7
AUTO = "auto"
LEASE_S = 300.0
LOST = "The first request with this key was sent and its outcome is unknown. Look it up with the carrier"
_under_way: set[str] = set()  # the running tickets of this process


class RememberedResponse(NamedTuple):
    """The answer to a request; `failed_with` is the status if it is a stored failure."""

    value: Any
    failed_with: int | None = None
    is_replay: bool = False


def make_idempotency_key(
    app: App, operation: str, key: str, body: Any, *, goes_on: bool = False
) -> IdempotencyKey:
    """Make the keyed request of this caller, with a new ticket and lease."""
    digest = digest_request(body)
    until = app.store.steady() + LEASE_S
    return IdempotencyKey(app.caller, app.test_mode, operation, key, digest, uuid.uuid4().hex, until, goes_on)


def choose_key(key: str, body: Any) -> str:
    """The key; for `auto` one derived from the body, so that the same body gives the same key."""
    return f"auto-{digest_request(body)[:40]}" if key == AUTO else key


def digest_request(body: Any) -> str:
    """The hash that identifies a request, regardless of the order of its keys: 64 hexadecimal digits.

    Shapes: `body` is plain data.
    """
    return hashlib.sha256(json.dump_bytes(body, sort=True)).hexdigest()


# -- carrying out ----------------------------------------------------------------------------------


def perform_once(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> RememberedResponse:
    """Run the work under its key, or return the stored answer.

    Work that succeeds must store its answer in its own transaction. A carrier's refusal is stored here; any
    other error releases the key, unless a carrier was asked: then the request is left to be settled.
    Errors: those of `claim` and of the work.
    """
    with _hold_ticket(request):
        existing = claim(app, request)
        if existing is not None:
            failed_with = existing["status"] if existing["status"] >= FAILURES else None
            return RememberedResponse(_open(app, request, existing["response"]), failed_with, is_replay=True)
        try:
            return RememberedResponse(work())
        except BaseException as error:
            _store_failure(app, request, error)
            raise


def perform_with_key(app: App, request: IdempotencyKey | None, work: Callable[[], Any]) -> Any:
    """As `perform_once`, but return the result or raise the error; work without a key is simply run.

    The entry points claim keys, use cases only store answers; work already running under this key goes on.
    Errors: also Refused, OutcomeUnknown and BilledAbove, as they were raised the first time.
    """
    if request is None or request.ticket in _under_way:
        return work()
    answer = perform_once(app, request, work)
    if answer.failed_with is None:
        return answer.value
    raise read_failure(answer.value, answer.failed_with)


def find_answer(app: App, request: IdempotencyKey) -> Any:
    """Return the stored answer to a key; None if nothing was done with it. The key is not held afterwards.

    Errors: those of `claim`; a stored failure, as it was raised the first time.
    """
    if _find_standing(app, app.store, request) is None:
        return None
    with _hold_ticket(request):
        existing = claim(app, request)
        if existing is None:
            with app.store.transaction(locks=[request.record]) as tx:
                request.forget(tx)
            return None
    answer = _open(app, request, existing["response"])
    if existing["status"] >= FAILURES:
        raise read_failure(answer, existing["status"])
    return answer


def read_failure(body: Any, status: int) -> ShipcliError:
    """Return the error of a stored answer: a carrier's refusal, or a label that was voided again."""
    if "errors" in body:
        return BilledAbove(body["errors"][0]["message"])
    messages = [Message.model_validate(message) for message in body["messages"]]
    lost = any(message.code == OutcomeUnknown.code for message in messages)
    return (OutcomeUnknown if lost else Refused)(messages, status)


def remember_after(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> Any:
    """Run work that stores nothing and sends nothing, then store its answer."""
    answer = work()
    with app.store.transaction(locks=[request.record]) as tx:
        request.remember_made(tx, answer)
    return answer


def send_once(app: App, request: IdempotencyKey, work: Callable[[], Any]) -> Any:
    """Run work that makes a carrier act. If the process dies before storing the answer, it is unknown."""
    with app.store.transaction(durable=True, locks=[request.record]) as tx:
        request.mark_sent(tx)
    try:
        answer = work()
    except ShipcliError as error:
        if not isinstance(error, OutcomeUnknown):
            with app.store.transaction(
                locks=[request.record]
            ) as tx:  # a definite refusal: the carrier did nothing
                tx.update("idempotency", request.where, {"response": request.mark()})
        raise
    try:
        with app.store.transaction(locks=[request.record]) as tx:
            request.remember(tx, answer)
    except StoreError:
        log.warning("the answer to a keyed request was not kept: its repetition is of unknown outcome")
    return answer


@contextmanager
def _hold_ticket(request: IdempotencyKey) -> Iterator[None]:
    _under_way.add(request.ticket)
    try:
        yield
    finally:
        _under_way.discard(request.ticket)


def _store_failure(app: App, request: IdempotencyKey, error: BaseException) -> None:
    """Store what a failure means for the next request with the key.

    A store that was away is waited for. If it can't be written, nothing is stored; for this process the key
    is free anyway, as no request holds its ticket.
    """
    try:
        with app.store.transaction(durable=isinstance(error, StoreError), locks=[request.record]) as tx:
            _mark_failure(tx, request, error)
    except StoreError as lost:
        log.warning("the end of a keyed request was not kept: %s", lost)


def _mark_failure(tx: Transaction, request: IdempotencyKey, error: BaseException) -> None:
    mark = request.read_mark(tx)
    if mark is None:
        return
    is_last = not request.goes_on or isinstance(error, OutcomeUnknown)
    if isinstance(error, Refused) and is_last and has_reached_carrier(error):
        request.remember(tx, error.body(), error.status)
    elif mark.get("sent") and not isinstance(error, Refused):
        tx.update("idempotency", request.where, {"response": {**mark, "abandoned": True}})
    else:
        request.forget(tx)


# -- claiming --------------------------------------------------------------------------------------


def claim(app: App, request: IdempotencyKey) -> dict[str, Any] | None:
    """The stored answer (a row with `status` and `response`), or None if this request has to do the work.

    Errors: IdempotencyConflict if the body differs or the first request is still running; OutcomeUnknown if
            the first request died after a carrier was asked and its outcome can't be found out.
    """
    with app.store.transaction(locks=[request.record]) as tx:
        first = _find_standing(app, tx, request)
        if first is None:
            tx.upsert("idempotency", _make_row(app, request))
            return None
    if first["state"] == DONE:
        return first
    return _settle_abandoned(app, request)


def _find_standing(app: App, reader: Reader, request: IdempotencyKey) -> dict[str, Any] | None:
    """The row of the first request with the key; None if there is none, it expired, or it died unsent.

    Errors: IdempotencyConflict.
    """
    rows = reader.select("idempotency", request.where)
    if not rows or rows[0]["expires_at"] < app.now():
        return None
    first, mark = rows[0], rows[0]["response"] or {}
    if first["digest"] != request.digest:
        raise IdempotencyConflict()
    if first["state"] == RUNNING and _is_under_way(app, mark):
        raise IdempotencyConflict("The first request with this idempotency key is still running")
    return first if first["state"] == DONE or mark.get("sent") else None


def _is_under_way(app: App, mark: dict[str, Any]) -> bool:
    owner = mark.get("owner", "")
    if owner == name_process():
        return mark.get("ticket") in _under_way
    return not mark.get("abandoned") and is_alive(owner) and mark.get("until", 0) > app.store.steady()


def _make_row(app: App, request: IdempotencyKey) -> dict[str, Any]:
    return {
        **request.to_dict(), "state": RUNNING, "status": None, "response": request.mark(),
        "created_at": app.now(), "expires_at": make_expiry(app, days=KEPT_DAYS),
    }  # fmt: skip


def _settle_abandoned(app: App, request: IdempotencyKey) -> dict[str, Any] | None:
    """Settle a request that died after asking a carrier: the row of its answer, or None to do the work now.

    Errors: OutcomeUnknown if it could not be settled; IdempotencyConflict while another process settles it.
    """
    if not app.settle_request(request):
        raise IdempotencyConflict("The first request with this idempotency key is still being settled")
    note = Message(code=OutcomeUnknown.code, message=LOST)
    with app.store.transaction(locks=[request.record]) as tx:
        rows = tx.select("idempotency", request.where)
        if not rows:
            tx.upsert("idempotency", _make_row(app, request))
            return None
        if rows[0]["state"] == DONE:
            return rows[0]
        unknown = OutcomeUnknown([note])
        request.remember(tx, unknown.body(), unknown.status)
    raise unknown


# -- answers ---------------------------------------------------------------------------------------


def seal_answer(app: App, request: IdempotencyKey | None, answer: Any) -> dict[str, str]:
    """An answer that contains secrets, sealed for storing. Must not be called inside a transaction."""
    if request is None:
        return {}
    return {SEALED: base64.b64encode(app.vault.seal(request.record, json.dump_bytes(answer))).decode()}


def _open(app: App, request: IdempotencyKey, answer: Any) -> Any:
    if not isinstance(answer, dict) or set(answer) != {SEALED}:
        return answer
    return json.loads(app.vault.open(request.record, base64.b64decode(answer[SEALED])))


def has_reached_carrier(error: Refused) -> bool:
    """Whether a carrier decided on the request, or may have; one that asks to come again later did not."""
    codes = {message.code for message in error.messages}
    is_decided = TOO_MANY not in codes and bool(codes - {"unreachable", RefusedFields.code})
    return isinstance(error, OutcomeUnknown) or is_decided

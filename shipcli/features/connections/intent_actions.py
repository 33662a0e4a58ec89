"""Actions that a carrier must do only once, apart from purchases of shipments: voids, pickups, manifests.

As with purchases, the action is on disk before the carrier is asked, and its result is stored in the
transaction that ends it. What a dead process or a lost answer left open is taken over by one process. Voids,
cancellations and manifests are safe to repeat, as the carrier answers that they were done before. For a
pickup the carrier is asked whether it has it; if it can't tell, a person has to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.features.connections import accounts
from shipcli.features.connections.intent_states import (
    ATTENTION,
    DOUBTED_AT,
    OPEN,
    PURCHASE,
    RESOLVED,
    VOID,
)
from shipcli.features.connections.intents import (
    free_claim,
    free_key,
    make_owner_columns,
    take_over,
)
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks, read_idempotency_key
from shipcli.features.core.locks import check_holds, list_held
from shipcli.models import Conflict, Message, NoConnection, OutcomeUnknown, Refused
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

T = TypeVar("T")
TABLE = "intents"
PICKUP, PICKUP_CANCEL, MANIFEST = "pickup", "pickup_cancel", "manifest"
ASKED_AT = "asked_at"  # in the detail of an action: when it was last asked for in vain
SALE = "sale"  # a purchase of a label without a stored shipment
BUSY: Mapping[str, str] = {
    VOID: "The label of the shipment {} is being voided",
    PICKUP: "A pickup of the shipment {} is being booked",
    MANIFEST: "A manifest of the shipment {} is being made",
}  # why nothing else may be done with a shipment meanwhile


@dataclass(frozen=True)
class CarrierAction:
    """One action: what is to be done, for which object, through which connection, with which shipments.

    `details` hold what is needed to ask for it again; `once` is the keyed request that waits for it.
    """

    kind: str
    key: str
    object_id: str
    connection_id: str
    shipment_ids: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    once: IdempotencyKey | None = None

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> CarrierAction:
        draft = row["draft"]
        return cls(
            row["kind"],
            row["key"],
            row["object_id"],
            row["connection_id"],
            tuple(draft["shipment_ids"]),
            draft["details"],
            read_idempotency_key(draft["once"]),
        )

    def draft(self) -> dict[str, Any]:
        once = self.once.to_dict() if self.once else None
        return {"shipment_ids": list(self.shipment_ids), "details": dict(self.details), "once": once}


def announce(app: App, action: CarrierAction, account: Account) -> None:
    """Commit the action to disk: from here on it is carried out, refused or settled, never lost.

    Errors: Conflict while another action with one of its shipments is in progress.
    """
    with app.store.transaction(durable=True, locks=list_read(app, action)) as tx:
        check_holds(app, tx)
        check_free(app, tx, action.shipment_ids)
        if action.once:
            action.once.mark_sent(tx)
        tx.insert(TABLE, make_row(app, action, account))


def list_read(app: App, action: CarrierAction) -> list[str]:
    """What the announcement of an action reads, and declares."""
    shipments = (f"shipment/{shipment_id}" for shipment_id in action.shipment_ids)
    return [*list_held(app), *shipments, *list_key_locks(action.once)]


def make_row(app: App, action: CarrierAction, account: Account) -> dict[str, Any]:
    """Return the row of an action that is about to be carried out."""
    return {
        "key": action.key,
        "kind": action.kind,
        "object_id": action.object_id,
        "shipment_id": action.object_id if action.kind == VOID else None,
        "carrier_slug": account.slug,
        "connection_id": account.id,
        "draft": action.draft(),
        **make_owner_columns(app),
    }


def finish(tx: Transaction, action: CarrierAction, answer: Any, status: int = 200) -> None:
    """End an action, in the transaction that stores its result."""
    tx.remove(TABLE, {"key": action.key})
    if action.once:
        action.once.remember(tx, answer, status)


def remember_answer(app: App, once: IdempotencyKey | None, answer: Any, status: int = 200) -> None:
    """Store the answer of a finished action for another keyed request that asked for the same."""
    if once:
        with app.store.transaction(locks=list_key_locks(once)) as tx:
            once.remember(tx, answer, status)


def drop(app: App, action: CarrierAction) -> None:
    """End an action without a result: the carrier refused it, or never received it."""
    with app.store.transaction(locks=()) as tx:
        tx.remove(TABLE, {"key": action.key})


def postpone(app: App, action: CarrierAction) -> bool:
    """Note that an action failed just now; False if it is no longer open."""
    with app.store.transaction(locks=[f"intent/{action.key}"]) as tx:
        rows = tx.select(TABLE, {"key": action.key, "state": OPEN})
        for row in rows:
            detail = {
                DOUBTED_AT: app.now().isoformat(),
                **(row["detail"] or {}),
                ASKED_AT: app.now().isoformat(),
            }
            tx.update(TABLE, {"key": action.key}, {"detail": detail})
    return bool(rows)


def read_attempts(row: Mapping[str, Any]) -> tuple[datetime, datetime] | None:
    """When an action was first and last asked for in vain; None if it was not."""
    detail = row["detail"] or {}
    if ASKED_AT not in detail:
        return None
    return datetime.fromisoformat(detail[DOUBTED_AT]), datetime.fromisoformat(detail[ASKED_AT])


def mark_needs_attention(
    app: App, action: CarrierAction, account: Account | None, messages: Sequence[Message]
) -> OutcomeUnknown:
    """Leave an action to a person, who alone can find out its outcome; returns the error that says so."""
    who = {"carrier_name": account.slug, "carrier_id": account.carrier_id} if account else {}
    text = describe_unknown(action.kind, action.object_id)
    note = Message.model_validate({"code": OutcomeUnknown.code, "message": text, **who})
    unknown = OutcomeUnknown([*messages, note])
    detail = {"messages": [message.model_dump() for message in unknown.messages]}
    changes = {"state": ATTENTION, "updated_at": app.now(), "detail": detail}
    with app.store.transaction(durable=True, locks=list_key_locks(action.once)) as tx:
        tx.update(TABLE, {"key": action.key}, changes)
        if action.once:
            action.once.remember(tx, unknown.body(), unknown.status)
    return unknown


def find_account(app: App, action: CarrierAction) -> Account | None:
    """The account of an action; None if its connection was removed."""
    return accounts.open_account(app, action.connection_id)


def require_account(app: App, action: CarrierAction) -> Account:
    """The account of an action.

    Errors: NoConnection if its connection was removed.
    """
    account = find_account(app, action)
    if account is None:
        raise NoConnection.of(action.connection_id)
    return account


# -- open actions ------------------------------------------------------------------------------


def list_open_rows(app: App, reader: Reader) -> list[dict[str, Any]]:
    """The actions that have not ended, oldest first, without purchases; always few."""
    where = [one_of("state", (OPEN, ATTENTION)), equal("test_mode", app.test_mode)]
    rows = reader.select(TABLE, where, ("created_at", "key"))
    return [row for row in rows if row["kind"] != PURCHASE]


def list_shipment_rows(
    app: App, reader: Reader, kind: str, shipment_ids: Iterable[str]
) -> list[dict[str, Any]]:
    """The open actions of a kind that involve any of these shipments."""
    ids, rows = set(shipment_ids), list_open_rows(app, reader)
    return [row for row in rows if row["kind"] == kind and ids & set(row["draft"]["shipment_ids"])]


def list_object_rows(app: App, reader: Reader, kind: str, object_id: str) -> list[dict[str, Any]]:
    """The open actions of a kind for an object."""
    return [
        row for row in list_open_rows(app, reader) if (row["kind"], row["object_id"]) == (kind, object_id)
    ]


def find_busy(app: App, reader: Reader, shipment_ids: Iterable[str]) -> dict[str, str]:
    """The shipments among these that an open action involves, each with the reason it is busy."""
    ids = set(shipment_ids)
    rows = [row for row in list_open_rows(app, reader) if row["kind"] in BUSY]
    return {
        shipment_id: BUSY[row["kind"]].format(shipment_id)
        for row in rows
        for shipment_id in row["draft"]["shipment_ids"]
        if shipment_id in ids
    }


def check_free(app: App, reader: Reader, shipment_ids: Iterable[str]) -> None:
    """Errors: Conflict while an open action involves one of these shipments."""
    for reason in find_busy(app, reader, shipment_ids).values():
        raise Conflict(reason)


def settle_left_open(
    app: App, rows: Iterable[Mapping[str, Any]], settle: Callable[[App, CarrierAction], T]
) -> list[T]:
    """Settle actions that dead processes or lost answers left open; the result of each.

    Errors: Conflict if another process is settling one, or a person must enter its outcome; those of
            `settle`.
    """
    results = []
    for row in rows:
        if row["state"] == ATTENTION:
            raise Conflict(describe_unknown(row["kind"], row["object_id"]))
        if not take_over(app, dict(row)):
            raise Conflict("Another process is settling this right now")
        results.append(settle_taken(app, CarrierAction.of_row(row), settle))
    return results


def settle_actions_of(
    app: App, kind: str, shipment_ids: Iterable[str], settle: Callable[[App, CarrierAction], T | None]
) -> list[tuple[T, CarrierAction]]:
    """Settle the actions of a kind left open for any of these shipments; those with a result, and it.

    Errors: those of `settle_left_open`.
    """
    rows = list_shipment_rows(app, app.store, kind, shipment_ids)
    results = settle_left_open(app, rows, settle)
    return [(result, CarrierAction.of_row(row)) for result, row in zip(results, rows, strict=True) if result]


def settle_taken(app: App, action: CarrierAction, settle: Callable[[App, CarrierAction], T]) -> T:
    """Settle an action taken over from another process; if it has no result, its request's key is released.

    Errors: those of `settle`.
    """
    try:
        result = settle_action(app, action, settle)
    except OutcomeUnknown:
        raise
    except Refused:
        free_key(app, action.once)
        raise
    if result is None:
        free_key(app, action.once)
    return result


def settle_action(app: App, action: CarrierAction, settle: Callable[[App, CarrierAction], T]) -> T:
    """Carry out or settle an action of this process; if that fails, another process may take it over."""
    try:
        return settle(app, action)
    except BaseException:
        free_claim(app, action.key)
        raise


def claim_for_person(app: App, row: Mapping[str, Any]) -> CarrierAction:
    """Claim an action whose outcome a person enters.

    Errors: Conflict while a process is working on it.
    """
    if row["state"] == OPEN and not take_over(app, dict(row)):
        raise Conflict("It is still under way: wait until it has ended")
    return CarrierAction.of_row(row)


def record_no_effect(app: App, kind: str, object_id: str) -> None:
    """End an action that had no effect according to a person, and record that answer."""
    row = {"kind": kind, "object_id": object_id, "test_mode": app.test_mode, "state": RESOLVED}
    times = {"created_at": app.now(), "updated_at": app.now()}
    with app.store.transaction() as tx:
        tx.remove(TABLE, {"kind": kind, "object_id": object_id})
        tx.insert(TABLE, {"key": f"{kind}/{object_id}", **row, **times})


def was_recorded_without_effect(app: App, kind: str, object_id: str) -> bool:
    """Whether a person has already answered that the action had no effect."""
    row = {"kind": kind, "object_id": object_id, "test_mode": app.test_mode, "state": RESOLVED}
    return bool(app.store.select(TABLE, row))


def describe_unknown(kind: str, object_id: str) -> str:
    """The message that asks a person to enter an outcome that only they can find out."""
    noun, yes, no = WORDS[kind]
    return (
        f"It is not known what became of the {noun} {object_id}. Look with the carrier, then run: "
        f"shipcli {noun}s resolve {object_id} --{yes} or --{no}"
    )


WORDS: Mapping[str, Sequence[str]] = {
    VOID: ("shipment", "voided", "not-voided"),
    PICKUP: ("pickup", "booked CONFIRMATION", "not-booked"),
    MANIFEST: ("manifest", "made", "not-made"),
}

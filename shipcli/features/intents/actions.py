"""What a carrier is asked to do once, beside selling labels of stored shipments: voids, pickups, manifests.

As with purchases the wish is on disk before the carrier is asked, and its result is stored in one
transaction that ends it. What a dead process or a lost answer left open is taken over by one process. Asking
again is safe for voids, cancellations and forms, for the carrier says that it was done before. Of a pickup
the carrier is asked whether it knows it, and where it can't say, a person does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from shipcli.features.connections import accounts
from shipcli.features.core.idempotency import IdempotencyKey, from_plain
from shipcli.features.intents.service import free_key, let_go, make_owner_columns, take_over
from shipcli.features.intents.states import ATTENTION, OPEN, PURCHASE, RESOLVED, VOID
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
SALE = "sale"  # of a label without a stored shipment
BUSY: Mapping[str, str] = {
    VOID: "The label of the shipment {} is being voided",
    PICKUP: "A pickup of the shipment {} is being booked",
    MANIFEST: "A manifest of the shipment {} is being made",
}  # why nothing else is done with a shipment meanwhile


@dataclass(frozen=True)
class CarrierAction:
    """One wish: what is to be done, for which object, through which connection, with which shipments.

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
            from_plain(draft["once"]),
        )

    def draft(self) -> dict[str, Any]:
        once = self.once.plain() if self.once else None
        return {"shipment_ids": list(self.shipment_ids), "details": dict(self.details), "once": once}


def announce(app: App, action: CarrierAction, account: Account) -> None:
    """Commit the wish to disk: from here on it is carried out, refused or settled, never forgotten.

    Errors: Conflict while something else is under way with one of its shipments.
    """
    row = {
        "key": action.key,
        "kind": action.kind,
        "object_id": action.object_id,
        "shipment_id": action.object_id if action.kind == VOID else None,
        "carrier_slug": account.slug,
        "connection_id": account.id,
        "draft": action.draft(),
        **make_owner_columns(app),
    }
    with app.store.transaction(durable=True) as tx:
        check_free(app, tx, action.shipment_ids)
        if action.once:
            action.once.mark_sent(tx)
        tx.insert(TABLE, row)


def finish(tx: Transaction, action: CarrierAction, answer: Any, status: int = 200) -> None:
    """End a wish, as part of the transaction that stores what came of it."""
    tx.remove(TABLE, {"key": action.key})
    if action.once:
        action.once.remember(tx, answer, status)


def remember_answer(app: App, once: IdempotencyKey | None, answer: Any, status: int = 200) -> None:
    """Give a keyed request the answer of a wish that another one had, and that is fulfilled."""
    if once:
        with app.store.transaction() as tx:
            once.remember(tx, answer, status)


def drop(app: App, action: CarrierAction) -> None:
    """End a wish of which nothing came: the carrier refused, or never heard of it."""
    with app.store.transaction() as tx:
        tx.remove(TABLE, {"key": action.key})


def leave_to_people(
    app: App, action: CarrierAction, account: Account | None, said: Sequence[Message]
) -> OutcomeUnknown:
    """Nobody but a person can find out what became of a wish; the error that says so."""
    who = {"carrier_name": account.slug, "carrier_id": account.carrier_id} if account else {}
    text = attention_text(action.kind, action.object_id)
    note = Message.model_validate({"code": OutcomeUnknown.code, "message": text, **who})
    unknown = OutcomeUnknown([*said, note])
    detail = {"messages": [message.plain() for message in unknown.messages]}
    changes = {"state": ATTENTION, "updated_at": app.now(), "detail": detail}
    with app.store.transaction(durable=True) as tx:
        tx.update(TABLE, {"key": action.key}, changes)
        if action.once:
            action.once.remember(tx, unknown.body(), unknown.status)
    return unknown


def account_of(app: App, action: CarrierAction) -> Account | None:
    """The account a wish goes to; None when its connection is gone."""
    return accounts.open_account(app, action.connection_id)


def require_account(app: App, action: CarrierAction) -> Account:
    """The account a wish goes to.

    Errors: NoConnection when its connection is gone.
    """
    account = account_of(app, action)
    if account is None:
        raise NoConnection()
    return account


# -- what is open ------------------------------------------------------------------------------


def open_rows(app: App, reader: Reader) -> list[dict[str, Any]]:
    """What is not ended yet, oldest first, purchases left out; few, however much was done before."""
    where = [one_of("state", (OPEN, ATTENTION)), equal("test_mode", app.test_mode)]
    rows = reader.select(TABLE, where, ("created_at", "key"))
    return [row for row in rows if row["kind"] != PURCHASE]


def rows_with(app: App, reader: Reader, kind: str, shipment_ids: Iterable[str]) -> list[dict[str, Any]]:
    """What is open of a kind and is about some of these shipments."""
    wanted, rows = set(shipment_ids), open_rows(app, reader)
    return [row for row in rows if row["kind"] == kind and wanted & set(row["draft"]["shipment_ids"])]


def rows_of(app: App, reader: Reader, kind: str, object_id: str) -> list[dict[str, Any]]:
    """What is open of a kind for an object."""
    return [row for row in open_rows(app, reader) if (row["kind"], row["object_id"]) == (kind, object_id)]


def find_busy(app: App, reader: Reader, shipment_ids: Iterable[str]) -> dict[str, str]:
    """Of these shipments those that a carrier is asked something about, and what."""
    wanted = set(shipment_ids)
    rows = [row for row in open_rows(app, reader) if row["kind"] in BUSY]
    return {
        one: BUSY[row["kind"]].format(one)
        for row in rows
        for one in row["draft"]["shipment_ids"]
        if one in wanted
    }


def check_free(app: App, reader: Reader, shipment_ids: Iterable[str]) -> None:
    """Errors: Conflict while a carrier is asked something about one of these shipments."""
    for reason in find_busy(app, reader, shipment_ids).values():
        raise Conflict(reason)


def settle_left_open(
    app: App, rows: Iterable[Mapping[str, Any]], settle: Callable[[App, CarrierAction], T]
) -> list[T]:
    """Settle what dead processes, or answers that were lost, left open; what came of each.

    Errors: Conflict when another process is at it, or a person must say what became of it; those of `settle`.
    """
    found = []
    for row in rows:
        if row["state"] == ATTENTION:
            raise Conflict(attention_text(row["kind"], row["object_id"]))
        if not take_over(app, dict(row)):
            raise Conflict("Another process is settling this right now")
        found.append(settle_taken(app, CarrierAction.of_row(row), settle))
    return found


def settle_actions_of(
    app: App, kind: str, shipment_ids: Iterable[str], settle: Callable[[App, CarrierAction], T | None]
) -> list[tuple[T, CarrierAction]]:
    """What came of the wishes of a kind that were left open for some of these shipments.

    Errors: those of `settle_left_open`.
    """
    rows = rows_with(app, app.store, kind, shipment_ids)
    found = settle_left_open(app, rows, settle)
    return [(one, CarrierAction.of_row(row)) for one, row in zip(found, rows, strict=True) if one]


def settle_taken(app: App, action: CarrierAction, settle: Callable[[App, CarrierAction], T]) -> T:
    """Settle what another process left open; when nothing came of it, the key of its request is free again.

    Errors: those of `settle`.
    """
    try:
        found = settle_action(app, action, settle)
    except OutcomeUnknown:
        raise
    except Refused:
        free_key(app, action.once)
        raise
    if found is None:
        free_key(app, action.once)
    return found


def settle_action(app: App, action: CarrierAction, settle: Callable[[App, CarrierAction], T]) -> T:
    """A wish of this process, carried out or settled; if that breaks off, whoever comes next may go on."""
    try:
        return settle(app, action)
    except BaseException:
        let_go(app, action.key)
        raise


def take_for_a_person(app: App, row: Mapping[str, Any]) -> CarrierAction:
    """A wish of which a person says what became of it.

    Errors: Conflict while a process is at it.
    """
    if row["state"] == OPEN and not take_over(app, dict(row)):
        raise Conflict("It is still under way: wait until it has ended")
    return CarrierAction.of_row(row)


def say_nothing_came(app: App, kind: str, object_id: str) -> None:
    """End a wish of which a person says that nothing came of it, and keep that it was said."""
    row = {"kind": kind, "object_id": object_id, "test_mode": app.test_mode, "state": RESOLVED}
    times = {"created_at": app.now(), "updated_at": app.now()}
    with app.store.transaction() as tx:
        tx.remove(TABLE, {"kind": kind, "object_id": object_id})
        tx.insert(TABLE, {"key": f"{kind}/{object_id}", **row, **times})


def was_said_to_be_nothing(app: App, kind: str, object_id: str) -> bool:
    """Whether a person has said so before."""
    row = {"kind": kind, "object_id": object_id, "test_mode": app.test_mode, "state": RESOLVED}
    return bool(app.store.select(TABLE, row))


def attention_text(kind: str, object_id: str) -> str:
    """The text that asks a person to settle what only a person can."""
    noun, yes, no = WORDS[kind]
    return (
        f"It is not known what became of the {noun} {object_id}. Look with the carrier, then run: "
        f"shipcli {noun}s resolve {object_id} --{yes} or --{no}"
    )


WORDS: Mapping[str, Sequence[str]] = {
    PICKUP: ("pickup", "booked CONFIRMATION", "not-booked"),
    MANIFEST: ("manifest", "made", "not-made"),
}

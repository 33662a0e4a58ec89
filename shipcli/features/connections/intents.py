"""Intents: purchases are recorded before the carrier is asked, and each intent has one owner at a time."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from shipcli.carrier.wire.calls import Bought
from shipcli.features.book.drafts import number_parcels
from shipcli.features.connections.intent_states import (
    ATTENTION,
    DONE,
    DOUBTED_AT,
    FAILED,
    OPEN,
    PURCHASE,
    check_not_being_bought,
)
from shipcli.features.core.idempotency_key import IdempotencyKey, list_key_locks, read_idempotency_key
from shipcli.features.core.locks import check_holds, list_held
from shipcli.features.core.processes import is_alive, name_process
from shipcli.features.core.shipment_lookup import find_order_ids, list_draft_locks
from shipcli.models import Conflict, Message, Quote, Rate, Refused, ShipcliError, Shipment
from shipcli.store.errors import StoreError
from shipcli.store.query import differs, equal

if TYPE_CHECKING:
    from datetime import datetime

    from shipcli.features.connections.accounts import Account
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader
    from shipcli.store.transaction import Transaction

CLAIM_S = 300.0
FIXED_PARTS = ("shipper", "recipient", "customs")  # parcels may be weighed again when they are bought
RECORD_LOST = "record_lost"
GONE = "The shipment is not in the store any more"
log = logging.getLogger("shipcli.intents")
_freed: set[str] = set()  # keys of intents that this process stopped working on


class RecordLost(Conflict):
    """The store has no open record of a purchase under way: another process has ended it, or the store has
    gone back to an earlier state, as with a standby that was behind when it was promoted.
    """

    def __init__(self) -> None:
        super().__init__("The store has no open record of this purchase", code=RECORD_LOST)


@dataclass(frozen=True)
class Intent:
    """A purchase in progress: the shipment, the rate, and the keyed request that waits for it.

    Shapes: `invoice` is base64 text for the carrier; it is not stored, as it can be made again. `sent_at` is
            None for a purchase that this process makes just now. With `is_stored` the draft was read from
            the store, and must be there when it is bought. The label of an orphan is voided.
    """

    key: str
    shipment: Shipment
    rate: Rate
    once: IdempotencyKey | None = None
    invoice: str = field(default="", repr=False)
    bought: tuple[Bought, ...] = ()
    sent_at: datetime | None = None
    is_stored: bool = False
    is_orphan: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "shipment": self.shipment.model_dump(),
            "rate": self.rate.model_dump(),
            "once": self.once.to_dict() if self.once else None,
            "is_stored": self.is_stored,
            "is_orphan": self.is_orphan,
        }

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> Intent:
        draft = row["draft"]
        return cls(
            row["key"],
            Shipment.model_validate(draft["shipment"]),
            Rate.model_validate(draft["rate"]),
            read_idempotency_key(draft["once"]),
            bought=_read_all_bought(row),
            sent_at=row["created_at"],
            is_stored=draft.get("is_stored", False),
            is_orphan=draft.get("is_orphan", False),
        )


def announce(app: App, intent: Intent, account: Account) -> Intent:
    """Commit the intent to disk. From here on the purchase is either finished or settled, never lost.

    Errors: Conflict if the shipment is no longer a draft, is gone or was changed since it was read, or
            another purchase of it is in progress; Conflict naming an order in it that is cancelled;
            StoreFull.
    """
    app.store.check_room()  # the intent may fit in a full store, and the label not
    with app.store.transaction(durable=True, locks=lambda reader: list_read(reader, app, intent)) as tx:
        check_holds(app, tx)
        check_free(tx, intent.shipment, is_stored=intent.is_stored)
        if reason := explain_cancelled_order(tx, intent.shipment):
            raise Conflict(reason)
        intent = replace(intent, shipment=number_parcels(tx, intent.shipment))
        if intent.once:
            intent.once.mark_sent(tx)
        tx.insert("intents", _make_row(app, intent, account))
    return intent


def announce_again(app: App, intent: Intent, account: Account) -> Intent:
    """Announce a purchase anew that was sent, and whose record the store has lost.

    If what it is for is gone as well, or bought by others, it becomes a shipment of its own, an orphan.
    Errors: StoreError.
    """
    try:
        return announce(app, intent, account)
    except Conflict as error:
        orphan = _make_orphan(app, intent, error.message)
    with app.store.transaction(durable=True, locks=()) as tx:
        tx.insert("intents", _make_row(app, orphan, account))
    return orphan


def _make_orphan(app: App, intent: Intent, reason: str) -> Intent:
    text = f"The store has lost the record of this purchase, of {intent.shipment.id}, so its label is voided"
    note = Message(code=RECORD_LOST, message=f"{text}: {reason}")
    shipment = intent.shipment
    changes = {"id": app.new_id("shp_"), "messages": [*shipment.messages, note]}
    return replace(intent, shipment=shipment.model_copy(update=changes), once=None, is_orphan=True)


def list_read(reader: Reader, app: App, intent: Intent) -> list[str]:
    """What the announcement of a purchase reads, and declares."""
    return [*list_held(app), *list_draft_locks(reader, intent.shipment, intent.once)]


def record_bought(app: App, intent: Intent, bought: Bought) -> None:
    """Record at once what a carrier has sold: whatever fails later, its number is known.

    The claim is renewed: parcels that are bought one by one may take longer than one claim lasts.
    Errors: RecordLost if there may be more parcels: they are not bought then.
    """
    with app.store.transaction(durable=True, locks=[f"intent/{intent.key}"]) as tx:
        rows = tx.select("intents", {"key": intent.key})
        if not rows and len(intent.shipment.parcels) > 1:
            raise RecordLost()
        detail = (rows[0]["detail"] if rows else None) or {}
        purchases = [*(detail.get("bought") or ()), write_bought(bought)]
        changes = {
            "detail": {**detail, "bought": purchases},
            "claimed_until": app.store.steady() + CLAIM_S,
            "updated_at": app.now(),
        }
        tx.update("intents", {"key": intent.key}, changes)


def list_bought(reader: Reader, key: str) -> tuple[Bought, ...]:
    """What was recorded as bought for a purchase, oldest first."""
    return _read_all_bought(reader.select("intents", {"key": key})[0])


def _read_all_bought(row: Mapping[str, Any]) -> tuple[Bought, ...]:
    return tuple(read_bought(document) for document in (row["detail"] or {}).get("bought") or ())


def write_bought(bought: Bought) -> dict[str, Any]:
    price = bought.selected_rate
    plain = {field.name: getattr(bought, field.name) for field in fields(bought)}
    return {**plain, "selected_rate": price.model_dump() if price else None, "meta": dict(bought.meta)}


def read_bought(plain: dict[str, Any]) -> Bought:
    price = plain.get("selected_rate")
    return Bought(**{**plain, "selected_rate": Quote.model_validate(price) if price else None})


def _make_row(app: App, intent: Intent, account: Account) -> dict[str, Any]:
    return {
        "key": intent.key,
        "kind": PURCHASE,
        "shipment_id": intent.shipment.id,
        "object_id": intent.shipment.id,
        "carrier_slug": account.slug,
        "connection_id": account.id,
        "draft": intent.to_dict(),
        **make_owner_columns(app),
    }


def make_owner_columns(app: App) -> dict[str, Any]:
    """The columns of a new row that hold its mode, state, owner and times."""
    return {
        "test_mode": app.test_mode,
        "state": OPEN,
        "claimed_by": name_process(),
        "claimed_until": app.store.steady() + CLAIM_S,
        "created_at": app.now(),
        "updated_at": app.now(),
        "detail": None,
    }


def check_free(tx: Transaction, draft: Shipment, *, is_stored: bool) -> None:
    """Errors: Conflict if the shipment is stored and no draft, was changed, is being bought, or is gone."""
    document = tx.get("shipment", draft.id)
    if is_stored and document is None:
        raise Conflict(GONE)
    if document and document["test_mode"] != draft.test_mode:
        raise Conflict("The shipment is one of the other mode")
    if document and document["status"] != "draft":
        raise Conflict(f"The shipment is {document['status']} and cannot be purchased again")
    check_not_being_bought(tx, draft.id)
    stored = Shipment.model_validate(document) if document else draft
    if any(getattr(stored, part) != getattr(draft, part) for part in FIXED_PARTS):
        raise Conflict("The shipment was changed since it was read: look at it, and buy it as it is now")


def explain_cancelled_order(reader: Reader, draft: Shipment) -> str | None:
    """Return why no label is bought for a shipment with lines of a cancelled order; None if it has none."""
    orders = (
        reader.get("order", order_id) for order_id in sorted(find_order_ids(reader, draft.order_line_ids))
    )
    numbers = (order["order_id"] for order in orders if order and order["status"] == "cancelled")
    return next((f"The order {number} is cancelled: no label is bought for it" for number in numbers), None)


def close_refused(app: App, intent: Intent, messages: Iterable[Message]) -> None:
    """Close an intent that the carrier refused: nothing was bought, a stored draft stays as it was."""
    detail = {"messages": [message.model_dump() for message in messages]}
    changes = {"state": FAILED, "updated_at": app.now(), "detail": detail, "draft": None}
    with app.store.transaction(locks=list_key_locks(intent.once)) as tx:
        tx.update("intents", {"key": intent.key}, changes)
        if intent.once:
            intent.once.mark_unsent(tx)


def end_intent(app: App, tx: Transaction, key: str, **changes: Any) -> None:
    """End a purchase, in the transaction that stores its result.

    Errors: RecordLost.
    """
    where = [equal("key", key), differs("state", DONE)]
    if not tx.update("intents", where, {**changes, "updated_at": app.now()}):
        raise RecordLost()


def leave_in_doubt(app: App, tx: Transaction, key: str, *, ask_again: bool) -> None:
    """Leave an intent to a person, and to the worker as well if the carrier can be asked again.

    Errors: RecordLost.
    """
    changes: dict[str, Any] = {"state": ATTENTION, "claimed_until": 0.0}
    if ask_again:
        rows = tx.select("intents", {"key": key})
        detail = (rows[0]["detail"] if rows else None) or {}
        changes["detail"] = {**detail, DOUBTED_AT: app.now().isoformat()}
    end_intent(app, tx, key, **changes)


def free_key(app: App, once: IdempotencyKey | None) -> None:
    """Release the key, as nothing was bought or done: the same keyed request may be sent again."""
    if once:
        with app.store.transaction(locks=list_key_locks(once)) as tx:
            once.forget(tx)


@contextmanager
def guard_purchase(app: App, key: str) -> Iterator[None]:
    """Run the work on a purchase; if an error of ours interrupts it, another process may continue it."""
    try:
        yield
    except Refused:  # the carrier's final answer, or a recorded unknown outcome: the work is over
        raise
    except ShipcliError:
        free_claim(app, key)
        raise


def free_claim(app: App, key: str) -> None:
    """Release an intent that this live process has stopped working on, so that it can be taken over.

    A store that is away is waited for. If it can't be written, only this process knows; others wait until the
    claim expires.
    """
    _freed.add(key)
    try:
        with app.store.transaction(durable=True, locks=()) as tx:
            tx.update("intents", {"key": key}, {"claimed_until": 0.0})
    except StoreError as error:
        log.warning("a purchase that broke off is not marked as such: %s", error)


def take_over(app: App, row: dict[str, Any]) -> bool:
    """Claim an intent whose owner is dead or whose claim has expired or ended; True for one process only."""
    is_claimed = row["claimed_until"] > app.store.steady() and row["key"] not in _freed
    if is_claimed and is_alive(row["claimed_by"]):
        return False
    mine = {"claimed_by": name_process(), "claimed_until": app.store.steady() + CLAIM_S}
    held = {name: row[name] for name in ("key", "state", "claimed_by", "claimed_until")}
    with app.store.transaction(locks=()) as tx:
        is_ours = tx.update("intents", held, mine) == 1
    if is_ours:
        _freed.discard(row["key"])
    return is_ours

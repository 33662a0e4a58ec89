"""Retention: removes old data after the number of days in the settings, and nothing unless they are set,
except what has expired: stored answers of idempotent requests, and OAuth codes.

An order or a shipment is finished when it is delivered or cancelled, a tracker when it is delivered.
Finished objects are removed once they have not changed for that long. A shipment stays as long as an order
that it covers: without it a delivered order would look unfulfilled, and could be shipped again. Orders
therefore go first. What imports know about their rows stays too, so that an old file buys no label again.
Logs are requests, exchanges with carriers, events and their deliveries; events being delivered are kept.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from shipcli.clocks import SandboxClock
from shipcli.events.outbox import DELIVER
from shipcli.features.connections.intent_states import DONE, FAILED, RESOLVED
from shipcli.features.core.repository import save
from shipcli.features.core.shipment_lookup import list_linked_orders
from shipcli.store.query import Filter, below, flag, one_of
from shipcli.store.schema import find_kind

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.transaction import Transaction

log = logging.getLogger("shipcli.retention")
LOGS = ("logs", "traces", "deliveries")
EXPIRING = ("idempotency", "oauth_codes")
LOG_DAYS = "log_retention_days"
# Objects removed in one transaction; other writers wait while it is open.
AT_ONCE = 100
Row = Mapping[str, Any]
Remove = Callable[["App", "Transaction", Row], bool]


@dataclass(frozen=True)
class RetentionRule:
    """A rule for a kind: the setting with the days, when an object is finished, and how it is removed.

    `remove` is given the object's row and returns whether it was removed.
    """

    setting: str
    kind: str
    finished: Filter
    remove: Remove


def is_on(app: App, setting: str) -> bool:
    """Return whether a setting in days is on, that is, not 0."""
    return int(app.config[setting]) > 0


def remove_old(app: App, stop: threading.Event | None = None) -> dict[str, int]:
    """Remove what is older than the settings allow, in both modes, and return how many of each.

    If `stop` is set it ends early, between two transactions; the next call continues. Nothing is old while
    the clock of a sandbox is virtual: one jump would remove everything.
    """
    if isinstance(app.clock, SandboxClock) and app.clock.is_virtual:
        return {}
    removed: dict[str, int] = {}
    ends = stop or threading.Event()
    for rule in RULES:
        if is_on(app, rule.setting):
            before = _find_cutoff(app, rule.setting)
            where = [rule.finished, below("created_at", before), below("updated_at", before)]
            removed[find_kind(rule.kind).plural] = _remove(app, rule.kind, where, rule.remove, ends)
    if is_on(app, LOG_DAYS) and not ends.is_set():
        before = _find_cutoff(app, LOG_DAYS)
        removed |= app.store.prune(before, LOGS)
        removed["events"] = _remove_events(app, before, ends)
    if any(removed.values()):
        log.info("removed %s", ", ".join(f"{number} {name}" for name, number in removed.items() if number))
    return removed


def remove_expired(app: App) -> None:
    """Remove what has expired, whatever the settings say."""
    app.store.prune(app.now(), EXPIRING)


def _find_cutoff(app: App, setting: str) -> datetime:
    return app.now() - timedelta(days=int(app.config[setting]))


def _remove(app: App, kind: str, where: Sequence[Filter], remove: Remove, stop: threading.Event) -> int:
    """Remove objects, each checked again in the transaction that removes it, and return how many."""
    removed = 0
    for ids in _iterate_ids(app, kind, where):
        if stop.is_set():
            break
        with app.store.transaction() as tx:
            rows = tx.select(find_kind(kind).plural, [one_of("id", ids), *where])
            removed += sum(remove(app, tx, row) for row in rows)
    return removed


def _iterate_ids(app: App, kind: str, where: Sequence[Filter]) -> Iterator[list[str]]:
    for mode in (True, False):
        ids = (str(document["id"]) for document in app.store.each(kind, where, mode))
        while chunk := list(islice(ids, AT_ONCE)):
            yield chunk


def _remove_events(app: App, before: datetime, stop: threading.Event) -> int:
    """Remove events by creation time, as they never change; those still being delivered stay."""
    waiting = {row["args"].get("event_id") for row in app.store.select("jobs", {"name": DELIVER})}

    def remove(app: App, tx: Transaction, row: Row) -> bool:
        return row["id"] not in waiting and tx.delete("event", row["id"])

    return _remove(app, "event", [below("created_at", before)], remove, stop)


# -- removing objects ------------------------------------------------------------------------------


def _remove_order(app: App, tx: Transaction, row: Row) -> bool:
    tx.remove("members", {"owner_id": row["id"]})
    tx.remove("order_shipments", {"order_id": row["id"]})
    return tx.delete("order", row["id"])


def _remove_shipment(app: App, tx: Transaction, row: Row) -> bool:
    if is_needed(tx, row) or _is_open(tx, row["id"]):
        return False
    for upload in tx.select("uploads", {"shipment_id": row["id"]}):
        tx.delete("upload", upload["id"])
    tx.remove("intents", {"shipment_id": row["id"]})
    tx.remove("members", {"owner_id": row["id"]})
    tx.remove("order_shipments", {"shipment_id": row["id"]})
    tx.remove("told_numbers", {"shipment_id": row["id"]})
    tx.remove("mails", {"shipment_id": row["id"]})
    tx.remove("sales", {"shipment_id": row["id"]})
    return tx.delete("shipment", row["id"])


def is_needed(tx: Transaction, row: Row) -> bool:
    """Return whether a stored order needs this shipment, and neither of them is cancelled."""
    if row["status"] == "cancelled":
        return False
    orders = (tx.get("order", id) for id in list_linked_orders(tx, row["id"]))
    return any(order and order["status"] != "cancelled" for order in orders)


def _is_open(tx: Transaction, shipment_id: str) -> bool:
    """Return whether an intent of the shipment is still to be settled."""
    rows = tx.select("intents", {"shipment_id": shipment_id})
    return any(row["state"] not in (DONE, FAILED, RESOLVED) for row in rows)


def _remove_tracker(app: App, tx: Transaction, row: Row) -> bool:
    """Remove a tracker and the link from its shipment, without changing the shipment's `updated_at`."""
    meta = (tx.get("tracker", row["id"]) or {}).get("meta") or {}
    shipment = tx.get("shipment", meta.get("shipment_id") or "")
    if shipment and shipment.get("tracker_id") == row["id"]:
        (columns,) = tx.select("shipments", {"id": shipment["id"]})
        unlinked, unchanged = {**shipment, "tracker_id": None}, {"updated_at": columns["updated_at"]}
        save(app, tx, "shipment", unlinked, "noted", columns=unchanged)
    return tx.delete("tracker", row["id"])


FINISHED = one_of("status", ("delivered", "cancelled"))
# Orders are removed before the shipments that cover them, shipments before the trackers they link to.
RULES: tuple[RetentionRule, ...] = (
    RetentionRule("order_retention_days", "order", FINISHED, _remove_order),
    RetentionRule("shipment_retention_days", "shipment", FINISHED, _remove_shipment),
    RetentionRule("tracker_retention_days", "tracker", flag("delivered", True), _remove_tracker),
)

"""The outbox: an event and its delivery jobs are written in the transaction that caused the event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from shipcli.events.envelope import is_wanted

if TYPE_CHECKING:
    from shipcli.store.jobs import Jobs
    from shipcli.store.transaction import Transaction

QUEUE = "webhooks/"  # followed by the webhook's id: each target has its own queue
DELIVER = "deliver"
# Pauses between attempts of one delivery: four times as long each time, at most six hours, three days in all.
PAUSES_S = tuple(min(5.0 * 4**number, 21_600.0) for number in range(18))
ATTEMPTS = 1 + len(PAUSES_S)


class EventSource(Protocol):
    """What emitting an event needs: mode, clock, ids and job queue."""

    @property
    def test_mode(self) -> bool:
        """The mode the event belongs to."""

    @property
    def jobs(self) -> Jobs:
        """The queue for deliveries."""

    def now(self) -> datetime:
        """The current time."""

    def new_id(self, prefix: str) -> str:
        """A new identifier."""


def emit(tx: Transaction, source: EventSource, name: str, data: Mapping[str, Any]) -> str:
    """Write an event, and queue a delivery for each current subscriber; returns the event's id.

    Shapes: `data` is the REST form of the object at this moment.
    """
    listeners = list_subscribers(tx, name, source.test_mode)
    event = {
        "id": source.new_id("evt_"),
        "object_type": "event",
        "type": name,
        "data": dict(data),
        "test_mode": source.test_mode,
        "pending_webhooks": len(listeners),
        "created_at": source.now().isoformat(),
    }
    tx.put("event", event, test_mode=source.test_mode)
    for webhook_id in listeners:
        deliver(tx, source, webhook_id, str(event["id"]))
    return str(event["id"])


def list_subscribers(tx: Transaction, name: str, test_mode: bool) -> list[str]:
    """The ids of the enabled webhooks of a mode that subscribe to an event, oldest first."""
    enabled = tx.columns("webhooks", ("created_at", "id"), {"test_mode": test_mode, "disabled": False})
    webhooks = (tx.get("webhook", webhook_id) for _, webhook_id in sorted(enabled))
    return [
        str(webhook["id"]) for webhook in webhooks if webhook and is_wanted(webhook["enabled_events"], name)
    ]


def deliver(tx: Transaction, source: EventSource, webhook_id: str, event_id: str) -> bool:
    """Queue an event for delivery to a subscriber; False if it is queued already."""
    args = {"webhook_id": webhook_id, "event_id": event_id}
    key = f"{webhook_id}/{event_id}"
    return source.jobs.enqueue(tx, name_queue(webhook_id), DELIVER, args, unique=key, max_attempts=ATTEMPTS)


def name_queue(webhook_id: str) -> str:
    """The name of a subscriber's queue."""
    return f"{QUEUE}{webhook_id}"

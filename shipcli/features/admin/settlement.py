"""Settles what dead processes and lost answers left open with carriers; any process may do it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import intent_actions
from shipcli.features.connections.intent_actions import MANIFEST, PICKUP, PICKUP_CANCEL, SALE, CarrierAction
from shipcli.features.connections.intent_states import OPEN, VOID
from shipcli.features.connections.intents import take_over
from shipcli.features.paper.label_requests import fetch_missing_label
from shipcli.features.pickups import bookings, manifest_creation
from shipcli.features.shipments import asking_again, proxy_sales, purchase, voids
from shipcli.models import ShipcliError

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey

log = logging.getLogger("shipcli.settling")
NUMBERED_AFTER = timedelta(minutes=1)  # as long as a flow waits for it
SETTLERS: Mapping[str, Callable[[App, CarrierAction], Any]] = {
    VOID: voids.carry_out,
    PICKUP: bookings.look_up,
    PICKUP_CANCEL: bookings.cancel_with_carrier,
    MANIFEST: manifest_creation.settle,
    SALE: proxy_sales.settle_sale,
}


def settle_all(app: App) -> None:
    """Settle what is open in this mode, purchases first. What can't be settled now stays open."""
    purchase.settle_open(app)
    asking_again.ask_again(app)
    settle_actions(app)
    number_labels(app)


def number_labels(app: App) -> None:
    """Fetch the labels of purchases that the carrier confirmed without a number, a minute later or more."""
    rows = app.store.select("shipments", {"tracking_number": None, "status": "purchased"})
    due = [row for row in rows if row["test_mode"] == app.test_mode and is_due(app, row)]
    for row in due:
        try:
            fetch_missing_label(app, row["id"])
        except ShipcliError as error:
            log.warning("the label of %s: %s", row["id"], error.message)


def is_due(app: App, row: Mapping[str, Any]) -> bool:
    return bool(row["updated_at"] <= app.now() - NUMBERED_AFTER)


def settle_actions(app: App, kinds: Iterable[str] = tuple(SETTLERS)) -> list[Any]:
    """Settle the open actions of these kinds, and return the results that are not None."""
    of_kinds = set(kinds)
    rows = [row for row in intent_actions.list_open_rows(app, app.store) if row["kind"] in of_kinds]
    settled = [_settle(app, row) for row in rows if row["state"] == OPEN and take_over(app, row)]
    return [result for result in settled if result is not None]


def _settle(app: App, row: Mapping[str, Any]) -> Any:
    """Settle an open action that was taken over, and return its result; None if that failed.

    A refusal ends it; after any other error it stays open. Errors are logged, so that the others are settled.
    """
    try:
        return intent_actions.settle_taken(app, CarrierAction.of_row(row), SETTLERS[row["kind"]])
    except ShipcliError as error:
        log.warning("%s of %s: %s", row["kind"], row["object_id"], error.message)
        return None


def settle_request(app: App, once: IdempotencyKey) -> bool:
    """Settle what a dead process left open for a keyed request; False if another process is settling it."""
    rows = [
        row for row in intent_actions.list_open_rows(app, app.store) if row["draft"]["once"] == once.to_dict()
    ]
    free = [row["state"] != OPEN or take_over(app, row) for row in rows]
    for row, is_ours in zip(rows, free, strict=True):
        if row["state"] == OPEN and is_ours:
            _settle(app, row)
    return purchase.settle_once(app, once) and all(free)

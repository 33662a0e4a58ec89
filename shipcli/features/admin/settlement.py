"""Settles what dead processes and lost answers left open with carriers; any process may do it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.connections import intent_actions
from shipcli.features.connections.intent_actions import MANIFEST, PICKUP, PICKUP_CANCEL, SALE, CarrierAction
from shipcli.features.connections.intent_states import OPEN, VOID
from shipcli.features.connections.intents import take_over
from shipcli.features.connections.pauses import is_over, is_time
from shipcli.features.paper.label_requests import fetch_missing_label
from shipcli.features.pickups import bookings, manifest_creation
from shipcli.features.shipments import asking_again, proxy_sales, purchase, voids
from shipcli.models import Message, OutcomeUnknown, ShipcliError

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
    settle_due(app)
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


def settle_due(app: App) -> None:
    """Settle the open actions whose time has come: at once, then with growing pauses while carriers fail."""
    for row in intent_actions.list_open_rows(app, app.store):
        if row["state"] == OPEN and is_due_action(row, app.now()) and take_over(app, row):
            _settle(app, row)


def is_due_action(row: Mapping[str, Any], now: datetime) -> bool:
    attempts = intent_actions.read_attempts(row)
    return attempts is None or is_time(*attempts, now)


def settle_actions(app: App, kinds: Iterable[str] = tuple(SETTLERS)) -> list[Any]:
    """Settle the open actions of these kinds, and return the results that are not None."""
    of_kinds = set(kinds)
    rows = [row for row in intent_actions.list_open_rows(app, app.store) if row["kind"] in of_kinds]
    settled = [_settle(app, row) for row in rows if row["state"] == OPEN and take_over(app, row)]
    return [result for result in settled if result is not None]


def _settle(app: App, row: Mapping[str, Any]) -> Any:
    """Settle an open action that was taken over, and return its result; None if that failed.

    A refusal ends it; after any other error it stays open, for some hours if a person can say what became of
    it. Errors are logged, so that the others are settled.
    """
    action = CarrierAction.of_row(row)
    try:
        return intent_actions.settle_taken(app, action, SETTLERS[row["kind"]])
    except OutcomeUnknown as error:
        log.warning("%s of %s: %s", row["kind"], row["object_id"], error.message)
        _put_off(app, row, action, error)
    except ShipcliError as error:
        log.warning("%s of %s: %s", row["kind"], row["object_id"], error.message)
        intent_actions.postpone(app, action)
    return None


def _put_off(app: App, row: Mapping[str, Any], action: CarrierAction, error: OutcomeUnknown) -> None:
    """Ask about an action again later; one that was asked about for some hours is left to a person."""
    give_up, attempts = ENDINGS.get(action.kind), intent_actions.read_attempts(row)
    is_open = intent_actions.postpone(app, action)
    if is_open and give_up and attempts and is_over(attempts[0], app.now()):
        give_up(app, action, error.messages)


def _leave_to_person(app: App, action: CarrierAction, messages: Sequence[Message]) -> None:
    account = intent_actions.find_account(app, action)
    intent_actions.mark_needs_attention(app, action, account, messages)


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


# How what no carrier could answer for hours is left to a person.
ENDINGS: Mapping[str, Callable[[App, CarrierAction, Sequence[Message]], Any]] = {
    PICKUP: _leave_to_person,
    MANIFEST: _leave_to_person,
    SALE: proxy_sales.give_up_sale,
}

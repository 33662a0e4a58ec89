"""Whatever dead processes and lost answers left open with carriers, settled; by whoever comes by."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.models import ShipcliError
from shipcli.services import actions, pickup_bookings, purchase, voids
from shipcli.services.actions import PICKUP, PICKUP_CANCEL, CarrierAction
from shipcli.services.intents import OPEN, VOID, take_over

if TYPE_CHECKING:
    from shipcli.services.app import App
    from shipcli.services.idempotency import Once

log = logging.getLogger("shipcli.settling")
SETTLERS: Mapping[str, Callable[[App, CarrierAction], Any]] = {
    VOID: voids.carry_out,
    PICKUP: pickup_bookings.look_up,
    PICKUP_CANCEL: pickup_bookings.call_off,
}


def settle_all(app: App) -> None:
    """Settle what is open of this mode, purchases first. What can't be settled now stays open."""
    purchase.settle_open(app)
    for row in actions.open_rows(app, app.store):
        settle_row(app, row)


def settle_row(app: App, row: dict[str, Any]) -> bool:
    """Take over one open action and settle it; False when another process has it."""
    if row["state"] != OPEN:
        return True
    if not take_over(app, row):
        return False
    try:
        actions.settle_taken(app, CarrierAction.of_row(row), SETTLERS[row["kind"]])
    except (
        ShipcliError
    ) as error:  # a refusal ended it, else it stays open: the others are settled all the same
        log.warning("%s of %s: %s", row["kind"], row["object_id"], error.message)
    return True


def settle_once(app: App, once: Once) -> bool:
    """Settle what a dead process left open of a keyed request; False when another process is at it."""
    rows = [row for row in actions.open_rows(app, app.store) if row["draft"]["once"] == once.plain()]
    settled = [purchase.settle_once(app, once), *(settle_row(app, row) for row in rows)]
    return all(settled)

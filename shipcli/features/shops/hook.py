"""The command of one's own that runs once for every shipment that is bought: the setting `on_shipped`.

The purchase only queues it; a worker runs it, with the shipment as JSON on standard input. A command that
fails or takes too long is tried again with growing pauses, and then stays among the failed jobs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.config import ON_SHIPPED, PROJECT_FILE
from shipcli.features.core.commands import CommandTimeout, run_command
from shipcli.features.shops.waiting import TABLE, TOLD, list_numbers
from shipcli.models import ShipcliError, Shipment
from shipcli.models.basics import json

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.saved_document import SavedDocument
    from shipcli.store.transaction import Transaction

QUEUE, RUN = "hooks", "run_shipped_hook"
PATIENCE_S = 30.0
LONGEST_REASON = 300


class HookFailed(ShipcliError):
    """The command ended with an error, or did not end."""

    code = "hook"


def follow(app: App, tx: Transaction, saved: SavedDocument) -> None:
    """Queue the command when a purchase ended with a label, once per shipment."""
    if saved.kind != "shipment" or saved.cause != "outcome" or saved.document["status"] != "purchased":
        return
    shipment_id = str(saved.document["id"])
    if not find_command(app):
        return
    row = {"shop": ON_SHIPPED, "shipment_id": shipment_id, "state": TOLD, "test_mode": app.test_mode,
           "at": app.now()}  # fmt: skip
    if tx.add(TABLE, row):
        app.jobs.enqueue(tx, QUEUE, RUN, {"shipment_id": shipment_id, "test_mode": app.test_mode})


def find_command(app: App) -> str:
    """The command; a settings file of the current folder can't name one, as folders are shared."""
    is_shared = Path(app.config.origin(ON_SHIPPED)).name == PROJECT_FILE
    return "" if is_shared else str(app.config[ON_SHIPPED])


def run_hook(app: App, shipment_id: str, patience_s: float = PATIENCE_S) -> None:
    """Run the command for a shipment; one that was removed or voided since needs none.

    Errors: HookFailed.
    """
    document, command = app.store.get("shipment", shipment_id, app.test_mode), find_command(app)
    if document is None or document["status"] == "cancelled":
        return
    if not command:
        raise HookFailed(f"the worker has no setting {ON_SHIPPED}")
    _run(command, json.dump_bytes(describe(app, document)), patience_s)


def describe(app: App, document: dict[str, Any]) -> dict[str, Any]:
    """What the command reads: the numbers as shops take them, and the shipment as the API shows it."""
    shipment = Shipment.model_validate(document)
    numbers = [number.model_dump() for number in list_numbers(app, shipment)]
    return {"type": "shipped", "test_mode": app.test_mode, "numbers": numbers, "shipment": document}


def _run(command: str, body: bytes, patience_s: float) -> None:
    try:
        code, said = run_command(command, body, patience_s)
    except CommandTimeout:
        raise HookFailed(f"the command did not end within {patience_s:g} s") from None
    if code:
        reason = " ".join(said.split())[-LONGEST_REASON:]
        raise HookFailed(f"the command ended with {code}: {reason or 'it said nothing'}")

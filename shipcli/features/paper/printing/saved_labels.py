"""Labels written to files: somebody has them to print, so nothing offers them for printing by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shipcli.features.paper.printing.print_jobs import TABLE
from shipcli.features.paper.printing.printers import LABEL
from shipcli.features.paper.printing.states import SAVED
from shipcli.store.query import equal, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App


def list_saved(app: App, shipment_ids: Sequence[str]) -> set[str]:
    """Return the shipments among these whose label was written to a file."""
    where = [one_of("object_id", shipment_ids), equal("kind", LABEL), equal("state", SAVED)]
    return {row["object_id"] for row in app.store.select(TABLE, where)}


def note_saved(app: App, shipment_ids: Sequence[str], place: str) -> None:
    """Store beside the print jobs that these labels were written to a file; it is noted once for each."""
    saved = list_saved(app, shipment_ids)
    unsaved = [shipment_id for shipment_id in dict.fromkeys(shipment_ids) if shipment_id not in saved]
    with app.store.transaction() as tx:
        rows = tx.select("shipments", [one_of("id", unsaved), equal("test_mode", app.test_mode)])
        numbers = {row["id"]: row["tracking_number"] for row in rows}
        for shipment_id in (shipment_id for shipment_id in unsaved if shipment_id in numbers):
            tx.insert(TABLE, {
                "number": tx.next_number(TABLE), "test_mode": app.test_mode, "kind": LABEL,
                "object_id": shipment_id, "title": numbers[shipment_id] or "", "state": SAVED,
                "printer": place, "format": "", "reason": None, "error": None, "copy": 0,
                "caller": app.caller, "bench": app.config["bench"] or None, "created_at": app.now(),
                "sent_at": None, "ended_at": app.now(),
            })  # fmt: skip

"""What the processes of a measurement do with a store."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shipcli.bootstrap import open_app
from shipcli.features.connections.token_store import StoreCounters
from shipcli.features.core.app import App
from shipcli.features.core.locks import hold_locks
from shipcli.models.basics.errors import Conflict
from shipcli.store.errors import CommitUnknown, StoreBusy
from shipcli.store.store import Store

AWAY_S = 0.02
KEPT = ("shp_a", "shp_b", "shp_c")


def open_measured(home: str, environ: dict[str, str]) -> App:
    """The app of a sandbox without connections."""
    return open_app(Path(home), sandbox=True, test_mode=True, environ=environ, carriers=None)


def write_shipment(id: str, count: int = 0) -> dict[str, Any]:
    """A small shipment."""
    recipient = {"person_name": "Ana Ruiz", "city": "Phoenix", "country_code": "US", "postal_code": "85004"}
    return {
        "id": id, "object_type": "shipment", "status": "draft", "recipient": recipient, "parcels": [],
        "reference": id, "options": {}, "metadata": {"count": count}, "meta": {}, "test_mode": True,
    }  # fmt: skip


def reserve_numbers(home: str, environ: dict[str, str], times: int) -> list[int]:
    """Take numbers of one series."""
    with closing(open_measured(home, environ)) as app:
        return [StoreCounters(app).reserve("race", 1)[0] for _ in range(times)]


def hold_in_turn(home: str, environ: dict[str, str], times: int) -> list[tuple[float, float]]:
    """Hold one lock again and again; from when to when."""
    spans = []
    with closing(open_measured(home, environ)) as app:
        while len(spans) < times:
            try:
                with hold_locks(app, ["race"], "taken"):
                    began = time.monotonic()
                    time.sleep(0.002)
                    spans.append((began, time.monotonic()))
            except Conflict:
                time.sleep(0.002)
    return spans


def change_shipments(home: str, environ: dict[str, str], times: int) -> int:
    """Count up in shipments that all change; how many changes were acknowledged."""
    with closing(open_measured(home, environ)) as app:
        for number in range(times):
            with app.store.transaction() as tx:
                id = KEPT[number % len(KEPT)]
                document = tx.get("shipment", id)
                assert document is not None
                tx.put("shipment", write_shipment(id, document["metadata"]["count"] + 1))
    return times


def add_shipments(home: str, environ: dict[str, str], times: int) -> float:
    """Add shipments; the seconds that took."""
    return _add(home, environ, times, 0.0)


def add_shipments_far(home: str, environ: dict[str, str], times: int) -> float:
    """The same with a transaction that waits within, as for a disk or a server far away."""
    return _add(home, environ, times, AWAY_S)


def _add(home: str, environ: dict[str, str], times: int, away_s: float) -> float:
    with closing(open_measured(home, environ)) as app:
        began = time.monotonic()
        for _ in range(times):
            with app.store.transaction(locks=()) as tx:
                tx.put("shipment", write_shipment(app.store.new_id("shp_")))
                time.sleep(away_s)
        return time.monotonic() - began


def hold_once(home: str, environ: dict[str, str], name: str, seconds: float) -> None:
    """Say that the lock is held, or that it was refused."""
    with closing(open_measured(home, environ)) as app:
        try:
            with hold_locks(app, [name], "taken"):
                print("holds", flush=True)
                time.sleep(seconds)
        except Conflict:
            print("refused", flush=True)


def add_and_note(place: str, prefix: str, noted: str) -> None:
    """Add shipments without end, and note each that was acknowledged; go on when the store is away.

    A commit whose answer was lost is read again, and repeated only if it was not saved.
    """
    store, number = None, 0
    with open(noted, "a", encoding="utf-8") as file:
        while True:
            id = f"shp_{prefix}{number}"
            try:
                store = store or Store.open(place, clock=lambda: datetime.now(UTC))
                if store.get("shipment", id) is None:
                    with store.transaction() as tx:
                        tx.put("shipment", write_shipment(id))
            except (StoreBusy, CommitUnknown):
                time.sleep(0.05)
                continue
            file.write(f"{id}\n")
            file.flush()
            number += 1

"""Exchanges with carriers, kept for people to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from shipcli.store import Store
from shipcli.store.traces import StoredTraces


@dataclass(frozen=True)
class Exchange:
    object_id: str | None
    started_at: datetime
    response: dict[str, Any]
    request: dict[str, Any] = field(
        default_factory=lambda: {"method": "POST", "url": "https://carrier.example"}
    )
    verb: str = "ship"
    connection_id: str = "car_1"
    carrier_name: str = "ups"
    carrier_id: str = "my-ups"
    test_mode: bool = True
    duration_ms: int = 12


def test_exchanges_are_read_by_object_and_newest_first(store: Store) -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    traces = StoredTraces(store)
    traces.record([])
    traces.record(
        [Exchange(f"shp_{n % 2}", start + timedelta(seconds=n), {"status": 200 + n}) for n in range(4)]
    )
    assert [row["status"] for row in traces.about("shp_1")] == [201, 203]
    assert [row["status"] for row in traces.latest(2)] == [203, 202]
    assert traces.latest(where={"status": 200})[0]["request"]["method"] == "POST"


def test_an_exchange_without_an_answer_has_no_status(store: Store) -> None:
    StoredTraces(store).record([Exchange(None, datetime(2026, 3, 1, tzinfo=UTC), {"error": "timed out"})])
    assert store.select("traces")[0]["status"] is None

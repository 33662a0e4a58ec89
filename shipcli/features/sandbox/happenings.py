"""What happened in a sandbox: events, with the outcomes of their deliveries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.models.sandbox_time import SandboxEvent
from shipcli.store.query import at_least, one_of

if TYPE_CHECKING:
    from shipcli.features.core.app import App

_AT_ONCE = 500


def find_last_event(app: App) -> int:
    """The position of the newest event; 0 if there is none."""
    rows = app.store.select("events", (), "-seq", 1)
    return int(rows[0]["seq"]) if rows else 0


def list_happenings(app: App, after: int) -> list[SandboxEvent]:
    """The events after a position, in both modes, in order."""
    rows = app.store.select("events", [at_least("seq", after + 1)], "seq")
    ids = [str(row["id"]) for row in rows]
    counts = _count_deliveries(app, ids)
    events = (app.store.get("event", id) for id in ids)
    return [_make_event(event, counts) for event in events if event]


def _make_event(event: dict[str, Any], counts: Counter[tuple[str, bool]]) -> SandboxEvent:
    data, id = event["data"], event["id"]
    return SandboxEvent(
        at=event["created_at"],
        type=event["type"],
        object_id=data.get("id"),
        status=data.get("status"),
        tracking_number=data.get("tracking_number"),
        delivered=counts[id, True],
        failed=counts[id, False],
    )


def _count_deliveries(app: App, event_ids: Sequence[str]) -> Counter[tuple[str, bool]]:
    chunks = (event_ids[start : start + _AT_ONCE] for start in range(0, len(event_ids), _AT_ONCE))
    rows = (row for chunk in chunks for row in app.store.select("deliveries", [one_of("event_id", chunk)]))
    return Counter((str(row["event_id"]), bool(row["ok"])) for row in rows)

"""Who is on time: parcels that are past their day, and the share of each carrier that came by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from shipcli.features.core.dates import find_first_instant, find_local_day
from shipcli.features.core.shipment_lookup import list_with_number
from shipcli.store.query import at_least, flag

if TYPE_CHECKING:
    from shipcli.features.core.app import App

DELIVERED = "delivered"
Document = Mapping[str, Any]


@dataclass
class OnTime:
    """How the parcels of a carrier came: `judged` are those with a promised day."""

    delivered: int = 0
    judged: int = 0
    on_time: int = 0

    @property
    def share(self) -> float | None:
        """The share that came by its day; None if no day was promised."""
        return self.on_time / self.judged if self.judged else None


def count_on_time(app: App, first: date, last: date) -> dict[str, OnTime]:
    """By carrier, what was delivered in these days; trackers are read one by one, only counts are kept."""
    counts: dict[str, OnTime] = {}
    # Events have the days of where they happened, which may begin before ours.
    where = [flag("delivered", True), at_least("updated_at", find_first_instant(first) - timedelta(days=1))]
    for tracker in app.store.each("tracker", where, app.test_mode):
        arrived, due = find_arrival(tracker), read_day(tracker.get("estimated_delivery"))
        if arrived is None or not first <= arrived <= last:
            continue
        row = counts.setdefault(str(tracker["carrier_name"]), OnTime())
        row.delivered += 1
        if due:
            row.judged += 1
            row.on_time += arrived <= due
    return counts


def find_arrival(tracker: Document) -> date | None:
    """The day of the delivery, by the newest event that says so."""
    days = (
        read_day(event.get("date"))
        for event in tracker.get("events") or ()
        if event.get("status") == DELIVERED
    )
    newest = (read_day(event.get("date")) for event in tracker.get("events") or ())
    return next((day for day in days if day), None) or next((day for day in newest if day), None)


def list_late(app: App) -> Iterator[dict[str, Any]]:
    """The parcels that are under way past their estimated day, the latest first."""
    today = find_local_day(app.now())
    rows = (
        _make_late(app, tracker, due, today)
        for tracker in app.store.each("tracker", [flag("delivered", False)], app.test_mode)
        if (due := read_day(tracker.get("estimated_delivery"))) and due < today
    )
    yield from sorted(rows, key=lambda row: -row["days_late"])


def _make_late(app: App, tracker: Document, due: date, today: date) -> dict[str, Any]:
    shipment = _find_shipment(app, str(tracker["tracking_number"]))
    recipient: Document = shipment.get("recipient") or {}
    return {
        "tracking_number": tracker["tracking_number"],
        "carrier": tracker["carrier_name"],
        "status": tracker["status"],
        "due": due.isoformat(),
        "days_late": (today - due).days,
        "reference": shipment.get("reference") or "",
        "to": recipient.get("person_name") or recipient.get("company_name") or "",
        "country": recipient.get("country_code") or "",
    }


def _find_shipment(app: App, number: str) -> Document:
    return next(list_with_number(app, app.store, number), {})


def read_day(text: Any) -> date | None:
    """The day of a text that begins with one."""
    try:
        return date.fromisoformat(str(text or "")[:10])
    except ValueError:
        return None

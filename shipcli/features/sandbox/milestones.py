"""When something happens next to the parcels that a sandbox watches."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from shipcli.carrier.simulation.bookings import LABEL
from shipcli.carrier.simulation.simulated_carrier import SEEN
from shipcli.carrier.simulation.tracking import Scan, simulate_tracking
from shipcli.store.query import at_least, flag

if TYPE_CHECKING:
    from shipcli.features.core.app import App

_LONGEST = timedelta(days=1000)  # no journey takes so long
Row = Mapping[str, Any]


class _Due(NamedTuple):
    at: datetime
    tracker_id: str
    test_mode: bool


class Milestones:
    """The next milestones of the trackers that are not delivered, in both modes, soonest first."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._due: list[_Due] = []
        self._journeys: dict[str, Sequence[datetime]] = {}
        self._slugs: dict[str, str] = {}
        self._newest = ""

    def notice_new(self) -> None:
        """Take up the trackers that were added since the last call."""
        where = [flag("delivered", False), at_least("id", f"{self._newest}\x01")]
        for row in self._app.store.select("trackers", where, "id"):
            self._newest = str(row["id"])
            self._journeys[row["id"]] = [scan.at for scan in list_scans(self._app, self._name_slug(row), row)]
            self.expect(row["id"], row["test_mode"], row["updated_at"])

    def expect(self, tracker_id: str, test_mode: bool, after: datetime) -> None:
        """Queue the next milestone of a tracker that was asked at this instant."""
        coming = next((at for at in self._journeys[tracker_id] if at > after), None)
        if coming:
            heapq.heappush(self._due, _Due(coming, tracker_id, test_mode))

    def find_next(self) -> datetime | None:
        """When the next milestone is."""
        return self._due[0].at if self._due else None

    def find_last(self, until: datetime) -> datetime:
        """When the last milestone up to an instant is, which must not be before the next one."""
        return max(due.at for due in self._due if due.at <= until)

    def take(self, until: datetime) -> list[_Due]:
        """Take the milestones up to an instant, soonest first."""
        taken = []
        while self._due and self._due[0].at <= until:
            taken.append(heapq.heappop(self._due))
        return taken

    def _name_slug(self, row: Row) -> str:
        id = str(row["connection_id"])
        if id not in self._slugs:
            connection = self._app.store.get("connection", id) or row
            self._slugs[id] = str(connection["carrier_name"])
        return self._slugs[id]


def list_scans(app: App, slug: str, tracker: Row) -> Sequence[Scan]:
    """All scans that the parcel of a tracker will ever have; none if the simulator does not know it."""
    number = str(tracker["tracking_number"])
    started = _find_start(app, slug, number)
    journey = simulate_tracking(number, started, started + _LONGEST, "", "") if started else None
    return journey.scans if journey else ()


def _find_start(app: App, slug: str, number: str) -> datetime | None:
    label = app.ledger.get(slug, LABEL, number)
    label = label or next(iter(app.ledger.find(slug, LABEL, identifier=number)), None)
    if label:
        return datetime.fromisoformat(label["bought_at"])
    seen = app.ledger.get(slug, SEEN, number)
    return datetime.fromisoformat(seen["at"]) if seen else None

"""What the tracking page of a parcel shows: how far it is, and nothing of whom and what door it goes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shipcli.features.connections.catalog import find_moving_carrier, name_carrier
from shipcli.features.customers.content import find_carrier_link, find_tracker
from shipcli.features.trackers.service import find_newest
from shipcli.models import Shipment, Tracker

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.models import TrackingEvent

HIDDEN = "…"
LEAST_WORD = 3  # shorter words of names are parts of too many others
MILESTONES = ("Label made", "On its way", "Out for delivery", "Delivered")
HEADLINES = {
    "pending": "The carrier waits for your parcel",
    "unknown": "There is no news of your parcel yet",
    "in_transit": "Your parcel is on its way",
    "out_for_delivery": "Your parcel is out for delivery",
    "ready_for_pickup": "Your parcel is ready to be picked up",
    "delivered": "Your parcel was delivered",
    "delivery_delayed": "Your parcel is late",
    "on_hold": "Your parcel is held up",
    "delivery_failed": "Your parcel could not be delivered",
    "cancelled": "This label was cancelled",
}
REACHED = {"in_transit": 1, "delivery_delayed": 1, "on_hold": 1, "out_for_delivery": 2, "ready_for_pickup": 2,
           "delivery_failed": 2, "delivered": 3}  # fmt: skip
PROBLEMS = frozenset({"on_hold", "delivery_delayed", "delivery_failed", "cancelled"})
SHIPMENT_STATUSES = {"purchased": "pending", "shipped": "in_transit", "needs_attention": "on_hold"}


@dataclass(frozen=True)
class ParcelStep:
    """A milestone; the last one that was reached is current."""

    title: str
    is_reached: bool
    is_current: bool


@dataclass(frozen=True)
class PublicScan:
    """One thing that a carrier said, in the local time of the place."""

    day: str
    time: str
    text: str
    place: str


@dataclass(frozen=True)
class PublicParcel:
    """A parcel as anyone with the link may see it."""

    number: str
    status: str
    headline: str
    has_problem: bool
    steps: Sequence[ParcelStep]
    scans: Sequence[PublicScan]
    expected: str
    carrier: str
    carrier_link: str
    destination: str


def find_parcel(app: App, number: str) -> PublicParcel | None:
    """The parcel with a number in the mode of the app; None if there is none any more."""
    shipment = _find_shipment(app, number)
    tracker = (find_tracker(app, shipment) if shipment else None) or find_newest(app, number)
    if shipment is None and tracker is None:
        return None
    slug = find_moving_carrier(shipment.carrier_name, shipment.meta) if shipment else ""
    carrier = name_carrier(app, slug or (tracker.carrier_name if tracker else ""))
    return _describe(number, carrier, shipment, tracker)


def _find_shipment(app: App, number: str) -> Shipment | None:
    rows = app.store.select("shipments", {"tracking_number": number, "test_mode": app.test_mode})
    newest = max((str(row["id"]) for row in rows), default="")
    document = app.store.get("shipment", newest, app.test_mode) if newest else None
    return Shipment.model_validate(document) if document else None


def _describe(number: str, carrier: str, shipment: Shipment | None, tracker: Tracker | None) -> PublicParcel:
    status = _find_status(shipment, tracker)
    to = shipment.recipient if shipment else None
    return PublicParcel(
        number=number,
        status=status,
        headline=HEADLINES.get(status, HEADLINES["in_transit"]),
        has_problem=status in PROBLEMS,
        steps=_list_steps(status),
        scans=_list_scans(shipment, tracker),
        expected=(tracker.estimated_delivery or "")
        if tracker and status not in ("delivered", "cancelled")
        else "",
        carrier=carrier,
        carrier_link=find_carrier_link(shipment, tracker),
        destination=", ".join(filter(None, (to.city, to.country_code))) if to else "",
    )


def _find_status(shipment: Shipment | None, tracker: Tracker | None) -> str:
    if shipment and shipment.status == "cancelled":
        return "cancelled"
    if tracker:
        return tracker.status
    return SHIPMENT_STATUSES.get(shipment.status, shipment.status) if shipment else "unknown"


def _list_steps(status: str) -> list[ParcelStep]:
    reached = REACHED.get(status, 0)
    return [ParcelStep(title, place <= reached, place == reached) for place, title in enumerate(MILESTONES)]


def _list_scans(shipment: Shipment | None, tracker: Tracker | None) -> list[PublicScan]:
    hide = make_hider(list_private_words(shipment, tracker))
    return [_show_scan(event, hide) for event in (tracker.events if tracker else ())]


def _show_scan(event: TrackingEvent, hide: Hider) -> PublicScan:
    text, place = hide(event.description or ""), hide(event.location or "")
    return PublicScan(event.date or "", event.time or "", text, place)


# -- what nobody else is to know -----------------------------------------------------------------------


class Hider:
    """Takes private words out of a text."""

    def __init__(self, pattern: re.Pattern[str] | None) -> None:
        self._pattern = pattern

    def __call__(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text


def make_hider(words: Sequence[str]) -> Hider:
    """What hides these words, whole ones only, however they are spelt."""
    longest_first = sorted(set(words), key=len, reverse=True)
    parts = [r"\s+".join(map(re.escape, word.split())) for word in longest_first]
    return Hider(re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE) if parts else None)


def list_private_words(shipment: Shipment | None, tracker: Tracker | None) -> list[str]:
    """The names and streets of a recipient as carriers may repeat them: whole, and the names word by word."""
    names = [name for name in _list_names(shipment, tracker) if name and name.strip()]
    words = [word.strip(".,") for name in names for word in name.split()]
    to = shipment.recipient if shipment else None
    streets = (to.address_line1, to.address_line2, to.email, to.phone_number) if to else ()
    return [*names, *(word for word in words if len(word) >= LEAST_WORD), *(each for each in streets if each)]


def _list_names(shipment: Shipment | None, tracker: Tracker | None) -> Iterator[str | None]:
    if shipment:
        yield from (shipment.recipient.person_name, shipment.recipient.company_name)
    if tracker and tracker.info:
        yield from (tracker.info.customer_name, tracker.info.signed_by)

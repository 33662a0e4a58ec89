"""Find out where a parcel is, from the stored tracker or from its carrier.

A fresh tracker is returned without loading a carrier or a model: this query is made all day long.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from shipcli.models.basics.errors import Invalid, NotFound
from shipcli.models.basics.text import name_object

if TYPE_CHECKING:
    from shipcli.features.core.app import App

Document = dict[str, Any]


class UnknownNumber(NotFound):
    """A number that no tracker or shipment has, and whose format does not identify its carrier.

    Shapes: `possible` are the carriers whose format it matches, with or without an account.
    """

    def __init__(self, word: str, *, possible: Sequence[str] = (), has_account: bool = True) -> None:
        names = " or ".join(possible)
        form = f", but it has the format of {names}" if possible else ""
        super().__init__("tracker", word, message=f"Nothing is known about {word}{form}")
        example = possible[0] if possible else "CARRIER"
        self.hint = f"name its carrier: shipcli track {word} --carrier {example}"
        if not has_account:
            self.hint = f"add an account to track it: shipcli connections add {possible[0]}"


class MistypedNumber(NotFound):
    """A number with the form of a carrier's and a wrong check digit."""

    def __init__(self, word: str, carriers: Sequence[str]) -> None:
        names = " or ".join(carriers)
        text = f"{word} is mistyped: it has the form of a number of {names}, and its check digit is wrong"
        super().__init__("tracker", word, message=text)
        self.hint = f"if it is right as it is: shipcli track {word!r} --carrier {carriers[0]}"


def track(app: App, word: str, *, carrier: str | None = None, anew: bool = False) -> Document:
    """Return the tracker for a number, id or shipment: the stored one while fresh, otherwise refreshed.

    An unknown number gets a new tracker, with the carrier given or that of the stored shipment.
    Errors: UnknownNumber if the carrier cannot be determined; NoConnection; Refused if the carrier does not
            know the number; Invalid if the shipment has no number yet.
    """
    tracker = find_stored(app, word)
    if tracker is not None:
        return tracker if not anew and is_fresh(app, tracker) else ask_carrier_now(app, tracker)
    shipment = find_object(app, "shipment", word)
    number, name = find_shipped_number(shipment) if shipment else (word, None)
    if not (carrier or name):
        raise UnknownNumber(word)
    return start_tracker(app, number, str(carrier or name))


def find_stored(app: App, word: str) -> Document | None:
    """Return the newest tracker that matches a number, an id, the beginning of an id, or its shipment."""
    tracker = find_object(app, "tracker", word)
    if tracker is not None:
        return tracker
    shipment = find_object(app, "shipment", word) or {}
    return app.store.get("tracker", shipment.get("tracker_id") or "", app.test_mode)


def find_object(app: App, kind: str, word: str) -> Document | None:
    """Return the newest object with this id, number or reference, else the only one whose id starts so."""
    named = app.store.find_prefix([kind], word, app.test_mode, 2)
    document = app.store.get(kind, named[0].id, app.test_mode) if named else None
    whole = document and word in (document["id"], document.get("tracking_number"), document.get("reference"))
    return document if whole or len(named) == 1 else None


def find_shipped_number(shipment: Document) -> tuple[str, str | None]:
    """Return a shipment's tracking number and the carrier that tracks it.

    Errors: Invalid if it has no number.
    """
    if not shipment["tracking_number"]:
        reason = f"The shipment {name_object(shipment)} is {shipment['status']}: it has no number yet"
        raise Invalid("tracking_number", reason)
    return shipment["tracking_number"], (shipment.get("meta") or {}).get("ext") or shipment["carrier_name"]


def is_fresh(app: App, tracker: Document) -> bool:
    """Return whether the tracker is recent enough not to ask the carrier again."""
    since = app.now() - timedelta(seconds=app.config["tracking_interval"])
    rows = app.store.select("trackers", {"id": tracker["id"]})
    times = (moment for row in rows for moment in (row["updated_at"], row["asked_at"]) if moment)
    return bool(tracker["delivered"] or any(moment > since for moment in times))


def ask_carrier_now(app: App, tracker: Document) -> Document:
    """Refresh a tracker from its carrier and return it."""
    from shipcli.features.trackers import service as trackers
    from shipcli.models import Tracker

    return trackers.refresh(app, [Tracker.model_validate(tracker)])[0].model_dump()


def start_tracker(app: App, number: str, carrier: str) -> Document:
    """Add a tracker for a number and return it."""
    from shipcli.features.trackers import service as trackers
    from shipcli.models import TrackingData

    data = TrackingData(tracking_number=number, carrier_name=carrier)
    return trackers.add_tracker(app, data).model_dump()

"""The carriers' ledger beside the store: what was sold, and what we know of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from tests.faults.scenario import Done, Figures

ATTENTION = "needs_attention"
RECOVERING = frozenset(
    {"canadapost", "generic", "ups", "usps"}
)  # the carriers that can be asked what they sold


@contextmanager
def opened(folder: Path) -> Iterator[App]:
    """The sandbox of a folder's home."""
    app = open_app(folder / "home", sandbox=True, environ={})
    try:
        yield app
    finally:
        app.close()


def live_labels(app: App) -> list[dict[str, Any]]:
    """What the carriers would bill."""
    found = ({**record, "number": key} for _, _, key, record in app.ledger.everything("label"))
    return [record for record in found if not record["voided_at"]]


def shipments(app: App) -> list[dict[str, Any]]:
    """All shipments of the store."""
    return list(app.store.each("shipment", (), app.test_mode))


def purchases(app: App, wanted: int) -> dict[str, int]:
    """What must not be after so many parcels were wished for, each with a reference of its own.

    Shapes: `twice` labels of a reference beyond the first; `lost` labels that are live and in no shipment;
            `missing` parcels without a label that no person is asked about; `open` intents; `attention`
            parcels that need a person because their carrier can't be asked; `needless` those whose can.
    """
    sold, known = live_labels(app), shipments(app)
    references = Counter(str(record["reference"]) for record in sold)
    waiting = [one for one in known if one["status"] == ATTENTION]
    asked_about = {one["reference"] for one in waiting}
    numbers = {one["tracking_number"] for one in known}
    found = {str(one["reference"]) for one in known if one["tracking_number"]} | asked_about
    lost = [one for one in sold if one["number"] not in numbers and one["reference"] not in asked_about]
    return {
        "twice": sum(count - 1 for count in references.values()),
        "lost": len(lost),
        "missing": wanted - len(found),
        "open": len(app.store.select("intents", {"state": "open"})),
        "attention": sum(one["carrier_name"] not in RECOVERING for one in waiting),
        "needless": sum(one["carrier_name"] in RECOVERING for one in waiting),
    }


def untold(app: App, done: Done) -> int:
    """The live labels of which nobody was told, and which nobody is asked to look up."""
    said = done.said
    asked_about = {one["reference"] for one in shipments(app) if one["status"] == ATTENTION}
    known = [one for one in live_labels(app) if one["reference"] not in asked_about]
    return sum(one["number"] not in said for one in known)


def examine_purchases(done: Done, wanted: int) -> Figures:
    """The figures of a line that buys so many parcels, and the labels nobody was told of."""
    with opened(done.folder) as app:
        found = purchases(app, wanted)
        is_over = done.second.code == 0 or found["attention"] or not done.first.was_killed
        return {**found, "untold": untold(app, done), "unfinished": not is_over}

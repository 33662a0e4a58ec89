"""Labels on paper: each once, or a person is asked whether it lies in the tray."""

from __future__ import annotations

from pathlib import Path

from shipcli.store.query import one_of
from tests.faults.samples import After, Parcels
from tests.faults.scenario import Done, Figures, Line, Scenario
from tests.faults.witness import live_labels, opened

SHIP = Line("ship", "--from-file", "{folder}/parcels.json", "--cheapest", "-y", "-p")
BUY = Line("ship", "--from-file", "{folder}/parcels.json", "--cheapest", "-y")
SLIP = Line("documents", "make", "slip", "SO-1", "--print", "--to", "desk")
TRAY = Line("printers", "add", "dock", "--to", "spool:{folder}/tray", "--format", "ZPL")


def _unsold(folder: Path) -> int:
    (folder / "tray").mkdir()
    return After(Parcels("generic", 2, label_type="ZPL"), (TRAY,))(folder)


def _bought(folder: Path) -> int:
    return After(_unsold, (BUY,))(folder)


def _bought_for_paper(folder: Path) -> int:
    tray = Line("printers", "add", "desk", "--to", "spool:{folder}/tray", "--format", "PDF")
    return After(_bought, (tray,))(folder)


def _examine_files(done: Done) -> Figures:
    """Files that were kept for a job that there is not."""
    with opened(done.folder) as app:
        kept = {str(row["owner_id"]) for row in app.store.select("files", {"name": "document"})}
        waiting = app.store.select("print_jobs", [one_of("state", ("waiting", "sending", "unknown"))])
        return {"stray": len(kept - {str(row["object_id"]) for row in waiting})}


def _examine(done: Done) -> Figures:
    """What must not be of two labels.

    Shapes: `twice` sheets of a label beyond the first; `missing` labels on no sheet that no job asks about.
    """
    with opened(done.folder) as app:
        doubted = {job["object_id"] for job in app.store.select("print_jobs", {"state": "unknown"})}
        numbers = {str(one["number"]) for one in live_labels(app)}
        shipments = [app.store.get("shipment", one, app.test_mode) or {} for one in doubted]
    asked_about = {str(one["tracking_number"]) for one in shipments}
    files = [file for file in (done.folder / "tray").iterdir() if not file.name.startswith(".")]
    sheets = [file.read_text("utf-8", "replace") for file in files]
    printed = {number: sum(number in sheet for sheet in sheets) for number in numbers}
    return {
        "twice": sum(count - 1 for count in printed.values() if count),
        "missing": sum(not count and number not in asked_about for number, count in printed.items()),
        "asked_about": len(asked_about),
    }


ASKED_ABOUT = frozenset({"asked_about"})
SCENARIOS = [
    Scenario("ship-print", _unsold, SHIP, _examine, accepted=ASKED_ABOUT),
    Scenario("print-unprinted", _bought, Line("print", "--unprinted", "-y"), _examine, accepted=ASKED_ABOUT),
    Scenario("print-document", _bought_for_paper, SLIP, _examine_files),
]

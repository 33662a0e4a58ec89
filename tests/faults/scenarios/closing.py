"""Labels taken back, collections booked and called off, days closed: once each, and known to the store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from shipcli.features.core.app import App
from shipcli.store.query import flag
from tests.faults.samples import ADDRESSES, SERVICES, After, Parcels
from tests.faults.scenario import Done, Figures, Line, Request, Scenario
from tests.faults.witness import live_labels, opened, shipments

SELLERS = ("ups", "usps", "canadapost", "generic")
CLOSERS = ("usps", "canadapost")  # they make forms and collect
ASKED = frozenset({"canadapost"})  # can be asked what they collect
TUESDAY = 1
WHEN = ("tuesday", "14:00-17:00")


def bought(carrier: str, *lines: Line, count: int = 1) -> After:
    """Labels of a carrier, and what is done with them before."""
    buy = Line("ship", "--from-file", "{folder}/parcels.json", "--service", SERVICES[carrier], "-y")
    return After(Parcels(carrier, count), (buy, *lines))


def left_open(app: App) -> dict[str, int]:
    """What is not ended, and what waits for a person."""
    states = [row["state"] for row in app.store.select("intents")]
    return {"open": states.count("open"), "attention": states.count("attention")}


def collections(app: App) -> list[dict[str, Any]]:
    """What the carriers send a driver for."""
    return [record for _, _, _, record in app.ledger.everything("pickup") if not record["cancelled_at"]]


def stored_pickups(app: App) -> list[str]:
    """The confirmation numbers of the collections that are to come, as the store knows them."""
    found = app.store.each("pickup", [flag("cancelled", False)], app.test_mode)
    return [str(one["confirmation_number"]) for one in found]


def _voided(done: Done) -> Figures:
    with opened(done.folder) as app:
        unknown = [one for one in shipments(app) if one["status"] != "cancelled"]
        return {"alive": len(live_labels(app)), "unknown": len(unknown), **left_open(app)}


def _voided_and_told(done: Done) -> Figures:
    """The same, and its key is answered."""
    return {**_voided(done), "unfinished": done.second.code}


@dataclass(frozen=True)
class Collected:
    """One collection is booked, and the store holds the shipments for it; or a person is asked."""

    is_certain: bool = True
    is_keyed: bool = False  # then the second run has the answer, or asks a person

    def __call__(self, done: Done) -> Figures:
        with opened(done.folder) as app:
            booked, known, left = collections(app), stored_pickups(app), left_open(app)
            free = [one for one in shipments(app) if not (one["meta"] or {}).get("pickup_id")]
        over = done.second.code == 0 or not done.first.was_killed
        settled = bool(known or left["attention"])
        return {
            "twice": max(len(booked) - 1, 0),
            "lost": sum(one["number"] not in known for one in booked) if not left["attention"] else 0,
            "missing": self.is_certain and over and not settled,
            "unheld": len(free) if known else 0,
            "unfinished": self.is_keyed and done.second.code != 0 and not left["attention"],
            **left,
        }


def _called_off(done: Done) -> Figures:
    with opened(done.folder) as app:
        held = [one for one in shipments(app) if (one["meta"] or {}).get("pickup_id")]
        known = stored_pickups(app)
        return {"coming": len(collections(app)), "known": len(known), "held": len(held), **left_open(app)}


def _closed(done: Done) -> Figures:
    with opened(done.folder) as app:
        waiting = [one for one in live_labels(app) if not one["manifested_at"]]
        unlisted = [one for one in shipments(app) if not (one["meta"] or {}).get("manifest_id")]
        forms = sum(1 for _ in app.ledger.everything("manifest"))
        kept = app.store.count("manifest")
        left = left_open(app)
    return {
        "waiting": len(waiting),
        "unlisted": len(unlisted),
        "twice": max(forms - 1, 0),
        "forms": max(kept - 1, 0),
        "unfinished": done.second.code,
        **left,
    }


@dataclass(frozen=True)
class DayOver:
    """The day is closed, and what it closed is collected."""

    def __call__(self, done: Done) -> Figures:
        closed = {**_closed(done), "unfinished": 0}  # on a Sunday nobody collects
        collected = Collected(is_certain=done.second.code == 0)(done)
        return {**closed, **collected, "twice": closed["twice"] + collected["twice"]}


def _person(carrier: str) -> frozenset[str]:
    return frozenset() if carrier in ASKED else frozenset({"attention"})


@dataclass(frozen=True)
class Keyed:
    """What is asked of the API about the shipments there are: a void, a pickup or a form."""

    what: str
    carrier: str

    def __call__(self, folder: Path) -> int:
        with opened(folder) as app:
            ids = sorted(str(one["id"]) for one in shipments(app))
        lists = {"carrier_name": self.carrier, "address": ADDRESSES[self.carrier][0], "shipment_ids": ids}
        collected = {"pickup_date": _tuesday(), "ready_time": "14:00", "closing_time": "17:00"}
        asked = {
            "void": Request("POST", f"/v1/shipments/{ids[0]}/cancel"),
            "manifest": Request("POST", "/v1/manifests", lists),
            "pickup": Request(
                "POST", f"/v1/pickups/{self.carrier}/schedule", {**collected, "tracking_numbers": ids}
            ),
        }
        return asked[self.what](folder)


def _tuesday() -> str:
    """The next one, which is no Sunday for anybody."""
    today = datetime.now(UTC).date()
    return (today + timedelta(days=7 - (today.weekday() - TUESDAY) % 7)).isoformat()


def _scenarios_of(carrier: str) -> list[Scenario]:
    """What is done with the labels of a carrier that makes forms and collects."""
    one, two, person = bought(carrier), bought(carrier, count=2), _person(carrier)
    book = Line("pickups", "schedule", carrier, *WHEN, "-y")
    call_off = Line("pickups", "cancel", "@last", "-y")
    over = Line("eod", "--pickup", WHEN[1], "-y")
    return [
        Scenario(f"pickup-{carrier}", one, book, Collected(), accepted=person),
        Scenario(f"pickup-cancel-{carrier}", bought(carrier, book), call_off, _called_off),
        Scenario(f"manifest-{carrier}", two, Line("manifests", "create", carrier, "-y"), _closed),
        Scenario(f"eod-{carrier}", two, Line("eod", "-y"), _closed),
        Scenario(f"eod-pickup-{carrier}", two, over, DayOver(), accepted=person),
        Scenario(f"keyed-manifest-{carrier}", two, Keyed("manifest", carrier), _closed),
        Scenario(
            f"keyed-pickup-{carrier}",
            one,
            Keyed("pickup", carrier),
            Collected(is_keyed=True),
            accepted=person,
        ),
    ]


def _printed(done: Done) -> Figures:
    """The day is closed, and each form lies in the tray once, or a person is asked whether it does."""
    sheets = sum(not file.name.startswith(".") for file in (done.folder / "tray").iterdir())
    with opened(done.folder) as app:
        forms = [str(one["id"]) for one in app.store.each("manifest", (), app.test_mode)]
        states = [row["state"] for row in app.store.select("print_jobs", {"kind": "manifest"})]
    asked_about = states.count("unknown")
    closed = _closed(done)
    return {
        **closed,
        "unfinished": 0 if asked_about else closed["unfinished"],
        "sheets_twice": max(sheets - len(forms), 0),
        "sheets_missing": max(len(forms) - sheets - asked_about, 0),
        "asked_about": asked_about,
    }


@dataclass(frozen=True)
class WithTray:
    """Two labels, and a printer that is a folder."""

    carrier: str

    def __call__(self, folder: Path) -> int:
        (folder / "tray").mkdir()
        tray = Line("printers", "add", "dock", "--to", "spool:{folder}/tray", "--format", "PDF")
        return bought(self.carrier, tray, count=2)(folder)


SCENARIOS = [
    Scenario(
        "eod-print-usps",
        WithTray("usps"),
        Line("eod", "-y", "--print"),
        _printed,
        accepted=frozenset({"asked_about"}),
    ),
    *(Scenario(f"void-{one}", bought(one), Line("void", "SO-1", "-y"), _voided) for one in SELLERS),
    *(Scenario(f"keyed-void-{one}", bought(one), Keyed("void", one), _voided_and_told) for one in SELLERS),
    *(scenario for carrier in CLOSERS for scenario in _scenarios_of(carrier)),
]

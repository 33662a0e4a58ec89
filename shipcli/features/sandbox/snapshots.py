"""Snapshots of a sandbox: its store, what its carriers sold, its clock and its counts, under a name.

What is restored replaces everything in place, while the sandbox runs. The state at the start is a snapshot
too: `reset` restores it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shipcli.clocks import SandboxClock
from shipcli.features.core.locks import CONDUCTOR, hold_locks
from shipcli.features.sandbox.clock import find_clock
from shipcli.features.sandbox.evidence import clear_requests
from shipcli.features.sandbox.faults import CACHE as FAULTS_CACHE
from shipcli.features.sandbox.running import check_name
from shipcli.models import Conflict, Invalid, NotFound, json
from shipcli.models.basics.store_url import is_store_url
from shipcli.models.sandbox_time import Snapshot
from shipcli.store.draws import COUNTS_FILE
from shipcli.store.sqlite.session import SqliteSession, make_private

if TYPE_CHECKING:
    from shipcli.features.core.app import App

START = "start"  # how the sandbox was when it began to serve
FOLDER, CLOCK_READING, LEDGER = "snapshots", "clock.json", "ledger.db"
PATIENCE_S, POLL_S = 30.0, 0.02


def save_snapshot(app: App, name: str) -> Snapshot:
    """Save the sandbox as it is now, in place of an earlier snapshot of that name.

    Errors: Invalid for a name that can't be used.
    """
    if name == START:
        raise Invalid("name", f"{START!r} is how the sandbox was at its start")
    return _save(app, check_name(name))


def save_start(app: App) -> None:
    """Save the sandbox as it is at its start: what a reset, and every new workspace, begins with.

    One in PostgreSQL has neither.
    """
    if not is_store_url(app.store.place):
        _save(app, START)


def list_snapshots(app: App) -> list[Snapshot]:
    """All snapshots, by name."""
    return [_describe(place) for place in sorted((app.home / FOLDER).glob("[!.]*")) if place.is_dir()]


def restore_snapshot(app: App, name: str) -> Snapshot:
    """Put everything back as it was when a snapshot was saved.

    Errors: NotFound; Conflict while a job does not end.
    """
    place = find_place(app, name)
    with _without_workers(app):
        for file in _list_databases(app):
            with closing(SqliteSession(place / file.name)) as saved, closing(SqliteSession(file)) as current:
                current.copy_from(saved)
        app.shared.pop(FAULTS_CACHE, None)
        _restore_counts(app, place)
        _restore_clock(find_clock(app), json.loads((place / CLOCK_READING).read_bytes()))
    return _describe(place)


def reset(app: App) -> Snapshot:
    """Put everything back as it was at the start.

    Errors: Conflict if the start was not saved.
    """
    if not (app.home / FOLDER / START).is_dir():
        raise Conflict("This sandbox was not started by `shipcli sandbox up`: its start was not saved")
    clear_requests(app)
    return restore_snapshot(app, START)


def remove_snapshot(app: App, name: str) -> Snapshot:
    """Remove a snapshot.

    Errors: NotFound.
    """
    place = find_place(app, name)
    snapshot = _describe(place)
    shutil.rmtree(place)
    return snapshot


def find_place(app: App, name: str) -> Path:
    """The folder of a snapshot.

    Errors: NotFound.
    """
    place = app.home / FOLDER / check_name(name)
    if not place.is_dir():
        raise NotFound("snapshot", name)
    return place


def _save(app: App, name: str) -> Snapshot:
    place = app.home / FOLDER / name
    draft = place.with_name(f".{name}")
    shutil.rmtree(draft, ignore_errors=True)
    for file in _list_databases(app):
        with closing(SqliteSession(file)) as current:
            current.copy_to(draft / file.name)
    if (app.home / COUNTS_FILE).exists():
        shutil.copy(app.home / COUNTS_FILE, draft / COUNTS_FILE)
    reading = find_clock(app).read()
    state = {"now": reading.now.isoformat(), "speed": reading.speed, "is_virtual": reading.is_virtual}
    (draft / CLOCK_READING).write_bytes(json.dump_bytes(state))
    shutil.rmtree(place, ignore_errors=True)
    draft.rename(place)
    return _describe(place)


def _describe(place: Path) -> Snapshot:
    state = json.loads((place / CLOCK_READING).read_bytes())
    size = sum(file.stat().st_size for file in place.iterdir())
    return Snapshot(name=place.name, now=state["now"], bytes=size)


def _list_databases(app: App) -> list[Path]:
    """The files of the store and the ledger, which exist from the first look on.

    Errors: Conflict for a sandbox that is not in files.
    """
    if is_store_url(app.store.place):
        raise Conflict("This sandbox is in PostgreSQL: only one in files has snapshots")
    list(app.ledger.everything("none"))
    return [Path(app.store.place), app.home / LEDGER]


@contextmanager
def _without_workers(app: App) -> Iterator[None]:
    """Wait until no job is under way, and let none be claimed in the block.

    Errors: Conflict if one does not end.
    """
    with hold_locks(app, [CONDUCTOR], "The clock is being moved by someone else"):
        end = time.monotonic() + PATIENCE_S
        while app.jobs.is_any_running():
            if time.monotonic() > end:
                raise Conflict("a job is under way and does not end")
            time.sleep(POLL_S)
        yield


def _restore_counts(app: App, place: Path) -> None:
    if (place / COUNTS_FILE).exists():
        with open(app.home / COUNTS_FILE, "r+b") as file:  # in place: other processes have it mapped
            file.write((place / COUNTS_FILE).read_bytes())


def _restore_clock(clock: SandboxClock, state: dict[str, Any]) -> None:
    if state["is_virtual"]:
        clock.show(datetime.fromisoformat(state["now"]), float(state["speed"]))
    else:
        clock.follow_real_time()


def copy_start(app: App, home: Path) -> None:
    """Make the folder of another sandbox that begins as this one did.

    Errors: Conflict if the start was not saved.
    """
    start = app.home / FOLDER / START
    if not start.is_dir():
        _save(app, START)
    target = home / app.home.name
    target.mkdir(parents=True, mode=0o700)
    for file in start.iterdir():
        make_private(target / file.name)
        shutil.copyfile(file, target / file.name)
    for name in ("master.key", "config.toml", "seed"):
        if (app.home / name).exists():
            shutil.copy(app.home / name, target / name)

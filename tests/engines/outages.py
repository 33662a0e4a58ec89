"""What a house loses while programs, the database or connections end in the middle of its work.

Each try does some work and lets something fail at another moment of it; then all must come to its end by
itself. The carriers' ledger says what was sold.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from shipcli.features.connections.intent_states import UNDER_WAY
from shipcli.features.core.app import App
from tests.cluster import PostgresServer
from tests.engines.house import SERVERS, WORKERS
from tests.engines.scene import PATIENCE_S, Scene, be_patient, open_scene
from tests.engines.trades import TRADES, Promises
from tests.features.conftest import live_labels
from tests.processes import wait_for

Outage = Callable[[Scene, int], None]
Figures = dict[str, int | float]
# Not part of what is wrong.
COUNTS = (
    "rows", "acknowledged", "slowest try, s", "told of again", "lost with the primary", "voided again",
)  # fmt: skip
RISK = "replication is asynchronous"


# -- what fails ------------------------------------------------------------------------------------


def kill_worker(scene: Scene, number: int) -> None:
    scene.restart(WORKERS[number % 2])


def kill_server(scene: Scene, number: int) -> None:
    scene.restart(SERVERS[number % 2])


def kill_database(scene: Scene, number: int) -> None:
    scene.databases[0].kill()
    scene.databases[0].start()


def cut_connections(scene: Scene, number: int) -> None:
    """All connections at once, or the one on which a commit is answered next."""
    assert scene.wire is not None
    if number % 2:
        scene.wire.cut_all()
    else:
        scene.wire.cut_at_answer(1)


def promote(scene: Scene, number: int, *, behind: bool) -> None:
    """End the primary, and let the standby go on, which was away if it is `behind`."""
    primary, standby = scene.databases
    end_database(primary)
    if behind:
        standby.start()
    standby.promote()
    scene.databases = [standby, primary]


def end_database(database: PostgresServer) -> None:
    """End all processes of a server at once, as a machine that stops does."""
    note = database.folder / "data" / "postmaster.pid"
    first = int(note.read_text().split()[0])
    children = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
    for pid in (first, *map(int, children)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    note.unlink()  # whoever stops the servers at the end would wait for it


FAULTS: dict[str, Outage] = {
    "worker": kill_worker,
    "server": kill_server,
    "postgres": kill_database,
    "cut": cut_connections,
    "promote": partial(promote, behind=False),
    "promote-async": partial(promote, behind=True),
}
PROMOTIONS = ("promote", "promote-async")


# -- tries -----------------------------------------------------------------------------------------


def measure_outages(
    faults: Sequence[str], trades: Sequence[str], tries: int
) -> Iterator[tuple[str, str, Figures]]:
    """What went wrong, by fault and work; all that are no counts are 0 if nothing did."""
    plain = [fault for fault in faults if fault not in PROMOTIONS]
    promotions = [[fault] for fault in faults if fault in PROMOTIONS]
    for group in (plain, *promotions) if plain else promotions:
        with open_scene(with_standby=group[0] in PROMOTIONS) as (scene, app):
            for fault in group:
                for trade in trades:
                    yield fault, trade, try_often(scene, app, fault, trade, tries)


def try_often(scene: Scene, app: App, fault: str, trade: str, tries: int) -> Figures:
    """Do the work so often while this fails; what was lost, bought twice or refused."""
    promises = Promises()
    name = f"{fault.removeprefix('promote-')}-{trade}"[:12]  # of a reference USPS keeps 30 characters
    told = len(scene.receiver.received)
    calm_s = measure_work(scene, promises, trade, f"{name}-calm")
    slowest_s, silent = 0.0, 0
    for number in range(tries):
        silent += prepare_standby(scene, fault)
        pause_s = calm_s * (number + 0.5) / tries
        outage = partial(FAULTS[fault], scene, number)
        took_s = measure_work(scene, promises, trade, f"{name}-{number}", outage, pause_s)
        slowest_s = max(slowest_s, took_s)
    wait_for(lambda: be_patient(lambda: is_done(app)), PATIENCE_S)
    arrived = Counter(each.id for each in scene.receiver.received[told:])
    figures: Figures = {"slowest try, s": slowest_s, "told of again": sum(arrived.values()) - len(arrived)}
    wrong = be_patient(lambda: compare(scene, app, promises, fault))
    return {**wrong, "no warning of the doctor": silent, **figures}


def measure_work(
    scene: Scene,
    promises: Promises,
    trade: str,
    name: str,
    outage: Callable[[], None] | None = None,
    pause_s: float = 0.0,
) -> float:
    """How long the work takes until its end, with an outage after a pause."""
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(TRADES[trade], scene, promises, name)
        if outage:
            time.sleep(pause_s)
            outage()
        work.result()
    return time.monotonic() - began


def prepare_standby(scene: Scene, fault: str) -> int:
    """Let a standby follow the primary, synchronously or away until it is needed; 1 if no doctor warns."""
    if fault not in PROMOTIONS:
        return 0
    scene.renew_standby()
    standby = scene.databases[1]
    names = "*" if fault == "promote" else ""
    scene.do_sql(f"alter system set synchronous_standby_names = '{names}'", "select pg_reload_conf()")
    wait_for(lambda: scene.do_sql("select count(*) from pg_stat_replication where state = 'streaming'"))
    silent = int(not has_right_warning(scene, fault))
    if fault == "promote-async":
        standby.stop()
    return silent


def has_right_warning(scene: Scene, fault: str) -> bool:
    """Whether the doctor says that a promoted standby may lack purchases if that is so, and only then."""
    line = scene.house.write_line("desk", "doctor")
    done = subprocess.run(line, env=scene.house.environ, capture_output=True, text=True, timeout=PATIENCE_S)
    return (RISK in done.stdout + done.stderr) == (fault == "promote-async")


def is_done(app: App) -> bool:
    """Whether nothing is left to do."""
    return not app.jobs.find() and not app.store.select("intents", {**UNDER_WAY, "test_mode": True})


def compare(scene: Scene, app: App, promises: Promises, fault: str) -> Figures:
    """Compare what was said and stored with what the carriers have sold.

    What was saved by a primary whose standby was behind may be lost, as the doctor says; a row of it is
    bought again, and the label that nobody knows of any more is not counted for it. One that a program still
    knows of is voided.
    """
    rows = app.store.columns("shipments", ("reference", "tracking_number"), {"status": "purchased"})
    stored = {str(number) for _, number in rows}
    sold = {name: set(numbers) for name, numbers in live_labels(app).items() if name in promises.references}
    unknown = {number for numbers in sold.values() for number in numbers} - stored
    told = {event["data"]["id"] for event in app.store.each("event")}
    lost = {name for name, number in promises.shipments.items() if number not in stored}
    lost |= {*promises.vanished, *(id for id in promises.orders if id not in told)}
    may_be_lost = fault == "promote-async"
    kept = {name: numbers & stored if may_be_lost else numbers for name, numbers in sold.items()}
    return {
        "rows": len(promises.references) or len(promises.orders),
        "acknowledged": len(promises.shipments) or len(promises.orders),
        "lost with the primary": len(unknown | lost) if may_be_lost else 0,
        "voided again": count_voided(app, promises),
        "sold twice": sum(len(numbers) > 1 for numbers in kept.values()),
        "not bought": sum(not sold.get(name) for name in promises.references),
        "sold, not stored": 0 if may_be_lost else len(unknown),
        "acknowledged, lost": 0 if may_be_lost else len(lost),
        "refused": len(promises.refusals),
        "unexpected errors": len(scene.list_surprises()),
        "wrong in db check": len(app.store.check()),
    }


def count_voided(app: App, promises: Promises) -> int:
    """The labels of these rows that carriers took back."""
    labels = [record for *_, record in app.ledger.everything("label") if record["voided_at"]]
    return sum(str(record["reference"]) in promises.references for record in labels)


def find_wrong(figures: Figures) -> Figures:
    """The figures that tell of something wrong."""
    return {name: figure for name, figure in figures.items() if figure and name not in COUNTS}

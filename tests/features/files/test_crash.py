"""Killed with SIGKILL at any moment and run again: never two live labels for one row.

The carriers' own ledger is the witness. Children are forked, so that a hundred starts cost little; each runs
the
import of the same file in the same home, as a cron job would.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shipcli.bootstrap import open_app
from shipcli.features.core.app import App
from shipcli.features.core.row_results import Results
from shipcli.features.files.engine import ImportPlan
from shipcli.features.shipments import purchase
from shipcli.features.shipments import service as shipments
from tests.features.conftest import live_labels, resolve
from tests.features.files.rows import row, table
from tests.features.importing import import_shipments
from tests.processes import wait_for

ROWS = 24
PLAN = ImportPlan(buy="cheapest")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def rows() -> list[dict[str, str]]:
    """A file whose rows go to several carriers: every third to one that can't recover, every third to one
    that can.
    """
    carriers = ("fedex", "generic", "")
    return [row(5 * n, Carrier=carriers[n % 3], Reference=f"SO-{n:04d}") for n in range(ROWS)]


def run(home: Path) -> Results[Any]:
    app = open_app(home, sandbox=True, environ={})
    try:
        return import_shipments(app, table(rows()), PLAN)
    finally:
        app.close()


def child(home: Path, before: Callable[[], None]) -> int:
    """Fork, run the import; the child's wait status."""
    pid = os.fork()
    if pid == 0:
        try:
            before()
            run(home)
        except BaseException:  # noqa: BLE001 - whatever happens, a child must not go on as a second test run
            os._exit(3)
        os._exit(0)
    return pid


def finished(pid: int) -> int:
    return os.waitpid(pid, 0)[1]


def die_at(name: str, on_call: int, *, after: bool) -> Callable[[], None]:
    """Kill this process at the n-th call of a function of the purchase, before or after it ran."""

    def patch() -> None:
        real: Any = getattr(purchase, name)
        calls = 0

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == on_call and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = real(*args, **kwargs)
            if calls == on_call and after:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        setattr(purchase, name, wrapper)

    return patch


def check(home: Path) -> dict[str, int]:
    """Run to the end, resolve what needs a person, and compare with the carriers' ledger; statuses
    counted.
    """
    run(home)
    app = open_app(home, sandbox=True, environ={})
    try:
        found = [
            shipments.get_shipment(app, row["shipment_id"]) for row in app.store.select("import_rows", {})
        ]
        counts = {
            status: sum(one.status == status for one in found) for status in {one.status for one in found}
        }
        live = live_labels(app)
        assert all(len(numbers) == 1 for numbers in live.values()), live
        for shipment in found:
            if shipment.status == "needs_attention":
                assert shipment.selected_rate is not None
                assert shipment.selected_rate.carrier_id not in ("generic", "canadapost")
                known = live.get(str(shipment.reference))
                resolve(app, shipment.id, bought=known[0] if known else None)
        run(home)
        return counts | {"after": _all_bought(app)}
    finally:
        app.close()


def _all_bought(app: App) -> int:
    again = [shipments.get_shipment(app, row["shipment_id"]) for row in app.store.select("import_rows", {})]
    assert {one.status for one in again} == {"purchased"}
    live = live_labels(app)
    assert {one.tracking_number for one in again} == {numbers[0] for numbers in live.values()}
    assert len(live) == ROWS
    return len(again)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "after"),
    [("announce", True), ("conclude", False), ("store_bought", True)],
    ids=["after the intent", "after the carrier answered", "before the result commit"],
)
def test_a_run_killed_at_a_named_point_is_finished_by_the_next(
    tmp_path: Path, where: str, after: bool
) -> None:
    home = tmp_path / "home"
    for number in (1, 2, 3):  # one row of each kind of carrier
        status = finished(child(home, die_at(where, number, after=after)))
        assert os.WIFSIGNALED(status)
    counts = check(home)
    assert counts["purchased"] >= ROWS - 3


@pytest.mark.slow
def test_a_run_killed_at_fifty_random_moments_is_finished_by_the_next(tmp_path: Path) -> None:
    chance = random.Random(20241206)
    kills, home_number, interrupted = 0, 0, 0
    while kills < 50:
        home = tmp_path / f"home{home_number}"
        home_number += 1
        for turn in range(10):
            pid = child(home, lambda: None)
            if turn % 2:  # every second blow falls once a purchase began, however slow the machine is
                wait_for(lambda home=home, pid=pid: purchases_under_way(home) or has_ended(pid))
            else:
                time.sleep(chance.uniform(0.02, 0.30))
            os.kill(pid, signal.SIGKILL)
            if os.WIFSIGNALED(finished(pid)):
                kills += 1
                interrupted += purchases_under_way(home)
            else:
                break  # it was done before the blow
        check(home)
    assert interrupted, "no blow fell into a purchase"


def has_ended(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def purchases_under_way(home: Path) -> int:
    """How many purchases were begun and not concluded."""
    app = open_app(home, sandbox=True, environ={})
    try:
        return len(app.store.select("intents", {"state": "open"}))
    finally:
        app.close()


@pytest.mark.slow
def test_two_runs_of_one_file_at_once_buy_every_row_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    open_app(home, sandbox=True, environ={}).close()
    children = [child(home, lambda: None) for _ in range(3)]
    assert [os.waitstatus_to_exitcode(finished(pid)) for pid in children] == [0, 0, 0]
    assert check(home)["after"] == ROWS

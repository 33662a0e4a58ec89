"""Processes that want the same at once: numbers, locks, documents, the name of a machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import pairwise
from multiprocessing import get_context
from typing import Any

from tests.engines import day_races, order_races, work
from tests.engines.places import MeasuredPlace

HOLD = "from tests.engines.work import hold_once; hold_once({!r}, {!r}, 'same', {})"
APART = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")


def run_all(run: Callable[..., Any], place: MeasuredPlace, processes: int, times: int) -> list[Any]:
    """Run a function in several processes at once."""
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(run, place.home, place.environ, times) for _ in range(processes)]
        return [each.result() for each in running]


def measure_races(place: MeasuredPlace, processes: int, times: int) -> dict[str, int]:
    """What went wrong: all are 0 if nothing did."""
    with closing(work.open_measured(place.home, place.environ)) as app:
        with app.store.transaction() as tx:
            for id in work.KEPT:
                tx.put("shipment", work.write_shipment(id))
        order_races.prepare(app)
        day_races.prepare(app)
        numbers = [each for taken in run_all(work.reserve_numbers, place, processes, times) for each in taken]
        spans = sorted(
            span for held in run_all(work.hold_in_turn, place, processes, times // 3) for span in held
        )
        changed = sum(run_all(work.change_shipments, place, processes, times))
        ended = {
            id: status
            for shipped in run_all(order_races.ship_shared, place, processes, times // 2)
            for id, status in shipped.items()
        }
        made = sum(run_all(order_races.create_numbered, place, processes, times))
        notes = sum(run_all(day_races.collect, place, processes, times // 3))
        run_all(day_races.import_rows, place, processes, times // 3)
        kept = sum((app.store.get("shipment", id) or {})["metadata"]["count"] for id in work.KEPT)
        return {
            "numbers twice": len(numbers) - len(set(numbers)),
            "holds that overlap": sum(first[1] > second[0] for first, second in pairwise(spans)),
            "changes lost": changed - kept,
            **order_races.list_wrong(app, ended),
            **day_races.list_wrong(app, notes),
            "orders with one number": made - times,
            "wrong in db check": len(app.store.check()),
        }


def measure_scale(place: MeasuredPlace, processes: int, times: int) -> dict[str, float]:
    """Shipments a second with one process, and with several; then with transactions that wait within."""
    figures: dict[str, float] = {}
    for name, run in (("", work.add_shipments), (", 20 ms away", work.add_shipments_far)):
        alone = times / max(run_all(run, place, 1, times))
        together = processes * times / max(run_all(run, place, processes, times))
        figures |= {
            f"1 process{name}, a second": alone,
            f"{processes} processes{name}, a second": together,
            f"ratio{name}": together / alone,
        }
    return figures


def can_be_apart() -> bool:
    """Whether a process may have a namespace of its own."""
    return (
        shutil.which(APART[0]) is not None
        and not subprocess.run([*APART, "true"], capture_output=True).returncode
    )


def measure_same_name(place: MeasuredPlace) -> dict[str, str]:
    """What a process is answered that wants the lock of one with the same host name in another namespace."""
    program = [sys.executable, "-c"]
    with subprocess.Popen(
        [*APART, *program, HOLD.format(place.home, place.environ, 60)], stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        first.stdout.readline()
        second = [*program, HOLD.format(place.home, place.environ, 0)]
        answer = subprocess.run(second, capture_output=True, text=True).stdout.strip()
        first.kill()
    return {"a lock held in another namespace": answer}

"""A fixed piece of work to measure against: machines differ, and one machine from minute to minute."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROWS = 60
# How far over a limit a measurement may be: 1 judges a change, more catches gross mistakes only.
SLACK = float(os.environ.get("BENCHMARK_SLACK", "1"))


def yardstick(folder: Path) -> Callable[[], None]:
    """Four transactions of small rows in a file, and as much plain Python as goes with them."""
    connection = sqlite3.connect(folder / "yardstick.db", isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table if not exists things (id text primary key, kind text, body text)")
    connection.execute("create index if not exists things_kind on things (kind)")
    count = iter(range(10**9))

    def work() -> None:
        for _ in range(4):
            connection.execute("begin immediate")
            for _ in range(ROWS // 4):
                number = next(count)
                body = json.dumps({f"field_{at}": f"value {at * number}" for at in range(30)})
                row = (f"thing_{number:012}", f"kind {number % 7}", body)
                connection.execute("insert into things values (?, ?, ?)", row)
                assert json.loads(body)["field_1"] == f"value {number}"
            connection.execute("commit")

    return work


def cost(work: Callable[[], Any], count: int = 1) -> float:
    """CPU seconds of all threads for one of `count` times."""
    start = time.process_time()
    for _ in range(count):
        work()
    return (time.process_time() - start) / count


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def against(
    ours: Callable[[], Any], theirs: Callable[[], Any], *, count: int, rounds: int
) -> tuple[float, float]:
    """What ours costs in seconds, and as a multiple of theirs: the middle of rounds taken in turns."""
    ours(), theirs()
    pairs = [(cost(ours, count), cost(theirs, count)) for _ in range(rounds)]
    return middle([mine for mine, _ in pairs]), middle([mine / other for mine, other in pairs])

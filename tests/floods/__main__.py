"""Mixed abuse beside an honest client: how long the client waits, what the server keeps, what it writes.

Usage: python -m tests.floods [--seconds S] [--p99-ms MS]

Everything goes to a sandbox server on loopback that this run starts and stops. Ends non-zero when the honest
client waits too long or is refused, when memory grows, or when the server's log does.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

from tests.api.running import Running
from tests.factories import RECIPIENT
from tests.floods.abuse import ABUSES, Step

MOST_GROWTH_MB, MOST_LOG_BYTES = 30, 1_000_000
PAUSE_S = 0.2
WARM_UP = 0.2  # part of the run after which memory is looked at: caches and pools are filled by then


@dataclass
class Report:
    """What was seen."""

    waits_ms: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ABUSES, 0))
    broken: list[str] = field(default_factory=list)


def abuse(server: Running, name: str, step: Step, until: float, report: Report) -> None:
    """One kind of abuse until the run ends; what a step left open is closed before the next."""
    while time.monotonic() < until:
        with ExitStack() as stack:
            try:
                step(server, stack)
            except OSError:  # the server hung up, as it should on some
                report.broken.append(name)
            report.steps[name] += 1
            time.sleep(PAUSE_S)


def ask_honestly(server: Running, until: float, report: Report) -> None:
    """Read and write as a shop would, and write down how long each took."""
    while time.monotonic() < until:
        for method, path, value in (
            ("GET", "/v1/addresses?limit=5", None),
            ("POST", "/v1/addresses", RECIPIENT),
        ):
            begun = time.monotonic()
            status, _ = server.ask(method, path, value)
            report.waits_ms.append((time.monotonic() - begun) * 1000)
            if status >= 400:
                report.refused.append(status)
        time.sleep(0.02)


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def percentile(values: Sequence[float], part: int) -> float:
    return statistics.quantiles(values, n=100)[part - 1]


def run(seconds: float, p99_ms: float) -> bool:
    """Whether the server held."""
    report = Report()
    with TemporaryFile("w+") as errors:
        server = Running("sandbox", "up", "--carriers", "all", "--port", "0", "--json", errors=errors)
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=abuse, args=(server, name, step, until, report))
                   for name, step in ABUSES.items()]  # fmt: skip
        threads.append(threading.Thread(target=ask_honestly, args=(server, until, report)))
        for thread in threads:
            thread.start()
        time.sleep(seconds * WARM_UP)
        before = resident_mb(server.process.pid)
        for thread in threads:
            thread.join()
        grown = resident_mb(server.process.pid) - before
        code = server.stop()
        log_bytes = errors.tell()
    p50, p99 = (percentile(report.waits_ms, part) for part in (50, 99))
    print(f"honest client: {len(report.waits_ms)} requests, p50 {p50:.0f} ms, p99 {p99:.0f} ms, "
          f"longest {max(report.waits_ms):.0f} ms, refused {len(report.refused)}")  # fmt: skip
    for name, count in report.steps.items():
        print(f"  {name}: {count} times, cut off {report.broken.count(name)} times")
    print(f"memory: {before:.0f} MB, grew by {grown:.0f} MB; log: {log_bytes} bytes; exit code {code}")
    held = p99 < p99_ms and not report.refused and grown < MOST_GROWTH_MB and log_bytes < MOST_LOG_BYTES
    return held and code == 0 and all(report.steps.values())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.floods", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--p99-ms", type=float, default=500, help="what the honest client may wait")
    options = parser.parse_args()
    held = run(options.seconds, options.p99_ms)
    print("the server held" if held else "the server did not hold")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.faults [SCENARIO...] [--grain effect] [--jobs N]`: the table "fault, tries, figures"."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from tests.faults.points import Grain
from tests.faults.reports import run_scenario
from tests.faults.scenario import scenarios


def main() -> int:
    """Run the scenarios that are named, or all; 1 when one found what must not be."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help="default: all")
    parser.add_argument("--grain", choices=("statement", "effect"), default="statement")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="scenarios at once"
    )
    options = parser.parse_args()
    names = [scenario.name for scenario in scenarios()]
    unknown = sorted(set(options.names) - set(names))
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}; there are {', '.join(names)}")
    return 0 if run_all(options.names or names, options.grain, options.jobs) else 1


def run_all(names: Iterable[str], grain: Grain, jobs: int) -> bool:
    """Print the report of each scenario as soon as it is there; whether all held."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        tries = [pool.submit(run_scenario, name, grain) for name in names]
        return False not in [show(*one.result()) for one in tries]


def show(line: str, broken: list[str]) -> bool:
    print("\n    ".join([line, *broken]), flush=True)
    return not broken


if __name__ == "__main__":
    sys.exit(main())

"""Figures of many processes, and of many shipments, on one store.

`python -m tests.engines races|crash|cpu|scale|growth|same-name`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from tests.cluster import MISSING, find_programs
from tests.engines import crashes, growth, outages, races
from tests.engines.costs import measure_costs
from tests.engines.places import MeasuredPlace, open_places
from tests.engines.trades import TRADES

ROWS = "rows"


def main() -> None:
    options = _read_options()
    if options.what == "crash":
        sys.exit(1 if _crash(options) else 0)
    with open_places() as places:
        if options.what == "growth":
            _show_growth(places[-1], options)
            return
        for place in places:
            if options.what == "races":
                figures: Mapping[str, Any] = races.measure_races(place, options.processes, options.times)
            elif options.what == "scale":
                figures = races.measure_scale(place, options.processes, options.times)
            elif options.what == "cpu":
                figures = measure_costs(place, options.times)
            elif races.can_be_apart():
                figures = races.measure_same_name(place)
            else:
                figures = {"skipped": "unshare can't be used here"}
            _show(place.engine, figures)


def _show_growth(place: MeasuredPlace, options: argparse.Namespace) -> None:
    """Show the microseconds of what is done as shipments become ten times as many, again and again."""
    if place.engine == "sqlite":
        print(f"skipped: {MISSING}")
        return
    for rows, figures in growth.measure_growth(place, options.rows, options.times):
        _show(f"{rows} shipments", figures)


def _crash(options: argparse.Namespace) -> int:
    """Show what went wrong; how many figures tell of it."""
    if find_programs() is None:
        print(f"skipped: {MISSING}")
        return 0
    wrong = 0
    if ROWS in options.work:
        wrong += _crash_writers(options)
    works = [work for work in options.work if work != ROWS]
    for fault, work, figures in outages.measure_outages(options.fault, works, options.tries):
        _show(f"{fault}, {work}", {"tries": options.tries, **figures})
        wrong += len(outages.find_wrong(figures))
    return wrong


def _crash_writers(options: argparse.Namespace) -> int:
    """Processes that only write rows, in every fault that they can meet."""
    wrong = 0
    kinds = [fault for fault in options.fault if fault in (*crashes.CRASHES, "promote")]
    for kind in kinds:
        figures = (
            crashes.measure_promotion() if kind == "promote" else crashes.measure_crashes(kind, options.tries)
        )
        _show(f"{kind}, {ROWS}", {"tries": 1 if kind == "promote" else options.tries, **figures})
        wrong += sum(figures.values()) - figures["acknowledged"]
    return wrong


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("what", choices=("races", "crash", "cpu", "scale", "growth", "same-name"))
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--times", type=int, default=60, help="how often, but for crashes")
    parser.add_argument("--tries", type=int, default=3, help="how many crashes of each kind")
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000], help="how many shipments")
    faults, works = tuple(outages.FAULTS), (ROWS, *TRADES)
    parser.add_argument("--fault", nargs="+", choices=faults, default=faults, help="only these crashes")
    parser.add_argument("--work", nargs="+", choices=works, default=works, help="only during this work")
    return parser.parse_args()


def _show(name: str, figures: Mapping[str, Any]) -> None:
    for what, figure in figures.items():
        shown = f"{figure:.1f}" if isinstance(figure, float) else figure
        print(f"{name:<28}{what:<36}{shown}")


if __name__ == "__main__":
    main()

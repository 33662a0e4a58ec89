"""Figures of many processes on one store: `python -m tests.engines races|crash|cpu|scale|same-name`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from tests.cluster import MISSING, find_programs
from tests.engines import crashes, races
from tests.engines.costs import measure_costs
from tests.engines.places import open_places


def main() -> None:
    options = _read_options()
    if options.what == "crash":
        _crash(options)
        return
    with open_places() as places:
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


def _crash(options: argparse.Namespace) -> None:
    if find_programs() is None:
        print(f"skipped: {MISSING}")
        return
    for kind in [options.kill] if options.kill else crashes.CRASHES:
        _show(f"{kind}, {options.times} times", crashes.measure_crashes(kind, options.times))
    if not options.kill:
        _show("promote", crashes.measure_promotion())


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("what", choices=("races", "crash", "cpu", "scale", "same-name"))
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--times", type=int, help="how often; by default 60, and 3 crashes")
    parser.add_argument("--kill", choices=tuple(crashes.CRASHES), help="only this crash, and no promotion")
    options = parser.parse_args()
    options.times = options.times or (3 if options.what == "crash" else 60)
    return options


def _show(name: str, figures: Mapping[str, Any]) -> None:
    for what, figure in figures.items():
        shown = f"{figure:.1f}" if isinstance(figure, float) else figure
        print(f"{name:<24}{what:<36}{shown}")


if __name__ == "__main__":
    main()

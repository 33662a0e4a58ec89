"""The report of a scenario, made by any process."""

from __future__ import annotations

from functools import cache

from tests.faults.children import Parent
from tests.faults.points import Grain
from tests.faults.scenario import Report, scenarios, try_all


def run_scenario(name: str, grain: Grain) -> tuple[str, list[str]]:
    """The row of a scenario, and what was broken in it."""
    (scenario,) = (scenario for scenario in scenarios() if scenario.name == name)
    report = try_all(scenario, grain, start_parent())
    return line_of(report), report.broken


@cache
def start_parent() -> Parent:
    """The parent of this process's tries, which ends with it."""
    return Parent().__enter__()


def line_of(report: Report) -> str:
    """A scenario's row: its name, its tries, and what was found in all of them."""
    figures = ", ".join(f"{name} {count}" for name, count in sorted(report.figures.items()))
    state = f"{len(report.broken)} BROKEN" if report.broken else "held"
    return f"{report.scenario.name:<28} {report.tries:>4} tries   {state:<12} {figures}"

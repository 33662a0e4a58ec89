"""Writes the scenarios into docs/sandbox.md and README.md: `python -m tests.guides.scenario_table`."""

from __future__ import annotations

import re
from pathlib import Path

from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import Scenario, list_scenarios
from shipcli.features.sandbox.scenario_matrix import get_magic, list_carriers

ROOT = Path(__file__).parents[2]
PAGE, README = ROOT / "docs" / "sandbox.md", ROOT / "README.md"
HEADING = "| name | magic value | what happens | status | HTTP | carriers |"
TABLE = re.compile(re.escape(HEADING) + r"\n(?:\|.*\n)*")


def write_table() -> str:
    """The table as it should stand in the page."""
    rows = [write_row(scenario) for scenario in list_scenarios().values()]
    return "\n".join([HEADING, "|---|---|---|---|---|---|", *rows, ""])


def write_row(scenario: Scenario) -> str:
    magic = get_magic(scenario)
    cells = (
        f"`{scenario.name}`" if scenario.kind != "data" else "",
        magic if scenario.kind == "data" or not magic else f"`{magic}`",
        scenario.effect,
        scenario.status,
        str(scenario.answer),
        count_carriers(scenario),
    )
    return f"| {' | '.join(cells)} |"


def count_carriers(scenario: Scenario) -> str:
    count = len(list_carriers(scenario))
    return "all" if count == len(registry.list_facts()) else str(count)


SUMMARY = "| value | what happens |"
SHORT = re.compile(re.escape(SUMMARY) + r"\n(?:\|.*\n)*")
SHOWN = (
    "delivered",
    "on_hold",
    "delivery_failed",
    "happy",
    "customs",
    "declined",
    "repriced",
    "no_rates",
    "mixed",
)


def write_summary() -> str:
    """The table as it should stand in the README: some of the scenarios."""
    scenarios = list_scenarios()
    rows = [f"| `{get_magic(scenarios[name])}` | {scenarios[name].effect} |" for name in SHOWN]
    return "\n".join([SUMMARY, "|---|---|", *rows, ""])


def write_readme() -> str:
    """What the README should say."""
    return SHORT.sub(lambda _: write_summary(), README.read_text("utf-8"))


def write_page() -> str:
    """What the page should say."""
    return TABLE.sub(lambda _: write_table(), PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
    README.write_text(write_readme(), "utf-8")
    print(f"written: {PAGE}, {README}")

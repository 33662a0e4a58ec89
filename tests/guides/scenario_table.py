"""Writes the table of scenarios in docs/sandbox.md: `python -m tests.guides.scenario_table`."""

from __future__ import annotations

import re
from pathlib import Path

from shipcli.carrier import registry
from shipcli.carrier.simulation.scenarios import Scenario, list_scenarios
from shipcli.features.sandbox.scenario_matrix import get_magic, list_carriers

PAGE = Path(__file__).parents[2] / "docs" / "sandbox.md"
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


def write_page() -> str:
    """What the page should say."""
    return TABLE.sub(lambda _: write_table(), PAGE.read_text("utf-8"))


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
    print(f"written: {PAGE}")

"""The table of scenarios in the guide is the one that the program has."""

from __future__ import annotations

from tests.guides.scenario_table import PAGE, write_page, write_table


def test_the_guide_has_every_scenario() -> None:
    text = PAGE.read_text("utf-8")
    assert write_table() in text, "run: python -m tests.guides.scenario_table"
    assert write_page() == text

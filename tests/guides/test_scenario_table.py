"""The table of scenarios in the guide is the one that the program has."""

from __future__ import annotations

from tests.guides.scenario_table import PAGE, README, write_page, write_readme, write_summary, write_table


def test_the_guide_has_every_scenario() -> None:
    text = PAGE.read_text("utf-8")
    assert write_table() in text, "run: python -m tests.guides.scenario_table"
    assert write_page() == text


def test_the_readme_has_some_of_them() -> None:
    text = README.read_text("utf-8")
    assert write_summary() in text, "run: python -m tests.guides.scenario_table"
    assert write_readme() == text

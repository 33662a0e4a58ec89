"""The tables of carriers say what the carriers themselves say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shipcli.carrier import registry
from tests.carriers import table

PAGE = (Path(__file__).parents[2] / "docs" / "carriers.md").read_text("utf-8")
COLUMNS = ("rating", "shipping", "tracking", "pickup", "manifest", "paperless")


def read_table() -> dict[str, set[str]]:
    """Slug to capabilities."""
    found: dict[str, set[str]] = {}
    for name, *cells, _ in table.rows_of(PAGE, table.OVERVIEW):
        can = {column for column, cell in zip(COLUMNS, cells, strict=True) if cell == "yes"}
        found |= dict.fromkeys(re.findall(r"`(\w+)`", name), can)
    return found


def test_every_carrier_is_listed_with_what_it_can_do() -> None:
    assert read_table() == {kind.slug: set(kind.capabilities()) for kind in registry.list_working()}


def test_the_tables_of_carriers_are_current() -> None:
    stale = [name for name, text, current in table.documents() if text != current]
    assert not stale, "write them anew: python -m tests.carriers.table"


def test_counts_stay_where_there_are_no_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "find_recorded", tmp_path.joinpath)
    rows = table.details({"ups": ["12", "10", "2"]})
    assert {row[0]: row[-table.CASES :] for row in rows}["`ups`"] == ["12", "10", "2"]


def test_only_the_rows_of_a_table_are_written_anew() -> None:
    text = "before\n\n| a | b |\n|---|---|\n| `x` | |\n\nafter\n"
    wanted = "before\n\n| a | b |\n|---|---|\n| `y` | yes |\n| `z` | |\n\nafter\n"
    assert table.with_rows(text, ["a", "b"], [["`y`", "yes"], ["`z`", ""]]) == wanted

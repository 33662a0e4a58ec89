"""The table of keys counts what it shows, and no line of ours takes more than twice as long as theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"
THOUGHT, KEY, CLICK = 1.35, 0.2, 1.3  # seconds, as the page says
ANSWERS = {"Enter": 1, "y": 2, "paste": 2}  # keys, Enter after a letter included
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and "`shipcli" in line
]


def of_ours(line: str, answers: list[str]) -> tuple[int, float]:
    """Keys and seconds of a line and its answers."""
    keys = len(line) + 1 + sum(ANSWERS[one] for one in answers)
    return keys, THOUGHT * (1 + len(answers)) + KEY * keys


def of_theirs(text: str) -> float | None:
    """The seconds of `3 clicks, paste [2]`; None for an empty cell."""
    found = re.fullmatch(r"(\d+) clicks(, paste)? \[\d+\]", text)
    if found is None:
        assert text == ""
        return None
    return int(found[1]) * (THOUGHT + CLICK) + bool(found[2]) * (THOUGHT + KEY * ANSWERS["paste"])


def test_there_are_ten_jobs() -> None:
    assert len({row[0] for row in ROWS}) == 10


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_job_counts_what_it_shows_and_takes_at_most_twice_their_time(row: list[str]) -> None:
    _, line, answers, keys, seconds, *theirs = row
    counted, took = of_ours(line.strip("`"), [one.strip() for one in answers.split(",") if one])
    assert (int(keys), float(seconds)) == (counted, round(took, 1))
    for cell, shown in zip(theirs[::2], theirs[1::2], strict=True):
        other = of_theirs(cell)
        assert shown == ("" if other is None else f"{other:.1f}")
        assert other is None or took <= 2 * other

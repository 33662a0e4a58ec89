"""Killed at every write and run once more: nothing twice, nothing lost, nothing left open."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.faults.children import Parent
from tests.faults.reports import line_of
from tests.faults.scenario import Scenario, scenarios, try_all

ALL = list(scenarios())
MOST_TRIES = 160  # of all scenarios together, half a minute of one core; `python -m tests.faults` makes all
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]


@pytest.fixture(scope="module")
def parent() -> Iterator[Parent]:
    with Parent() as started:
        yield started


@pytest.mark.parametrize("scenario", ALL, ids=lambda one: one.name)
def test_a_line_killed_at_any_write_is_finished_by_the_same_line(scenario: Scenario, parent: Parent) -> None:
    report = try_all(scenario, "effect", parent, MOST_TRIES // len(ALL))
    assert len(report.points) > 1, "nothing is written, so nothing is tried"
    assert not report.broken, "\n".join([line_of(report), *report.broken])

"""Scans and typing are told apart by how fast characters come, and nothing that was scanned is cut."""

from __future__ import annotations

import pytest

from shipcli.cli.station.bursts import BurstReader
from shipcli.workflows.station.steps import Entered


def enter(*parts: tuple[str, float], pause: float = 0.0, then: float = 0.001) -> tuple[Entered | None, str]:
    """What is entered by characters in parts, each with its gap; `pause` is before the last part."""
    reader, at = BurstReader(), 10.0
    for place, (text, gap) in enumerate(parts):
        at += pause if place and place == len(parts) - 1 else 0.0
        for letter in text:
            at += gap
            reader.add(letter, at)
    return reader.end(at + then), reader.text


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.02, 0.029])
def test_fast_characters_are_a_scan(gap: float) -> None:
    assert enter(("1042", gap)) == (Entered("1042"), "")


@pytest.mark.parametrize("gap", [0.05, 0.2, 0.8])
def test_slow_ones_are_typed(gap: float) -> None:
    assert enter(("2lb6oz", gap), then=0.2) == (Entered("2lb6oz", is_scan=False), "")


def test_a_line_typed_with_long_pauses_is_whole() -> None:
    assert enter(("2lb", 0.2), ("6oz", 0.2), pause=2.0, then=0.3) == (Entered("2lb6oz", is_scan=False), "")


def test_what_was_typed_before_a_scan_is_no_part_of_it() -> None:
    assert enter(("12", 0.2), ("1042", 0.001), pause=1.5) == (Entered("1042"), "12")


@pytest.mark.parametrize("delay", [0.05, 0.3, 0.9])
def test_a_scan_that_a_busy_machine_reads_late_is_whole(delay: float) -> None:
    assert enter(("1", 0.001), ("042SO", 0.001), pause=delay) == (Entered("1042SO"), "")


def test_one_character_is_typed_and_nothing_is_nothing() -> None:
    assert enter(("y", 0.001))[0] == Entered("y", is_scan=False)
    assert enter(("", 0.0)) == (None, "")

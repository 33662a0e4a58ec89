"""`shipcli locations`: what a terminal shows of a place, and what a wrong line is told."""

from __future__ import annotations

import pytest

from shipcli.cli.console.location_view import format_distance, format_opening_hours, format_purposes


def hours(*rows: tuple[str, str, str]) -> list[dict[str, str]]:
    return [{"day": day, "opens": opens, "closes": closes} for day, opens, closes in rows]


WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (hours(*((day, "09:00", "18:00") for day in WEEK[:5]), ("saturday", "10:00", "14:00")),
         "Mon-Fri 09:00-18:00, Sat 10:00-14:00"),
        (hours(*((day, "00:00", "23:59") for day in WEEK)), "24 hours"),
        (hours(("monday", "08:00", "12:00"), ("monday", "13:00", "17:00"), ("wednesday", "08:00", "12:00")),
         "Mon 08:00-12:00 13:00-17:00, Wed 08:00-12:00"),
        ([], ""),
    ],
)  # fmt: skip
def test_days_with_the_same_hours_are_shown_together(rows: list[dict[str, str]], text: str) -> None:
    assert format_opening_hours({"hours": rows}) == text


def test_distance_and_what_can_be_done_are_shown_in_words() -> None:
    row = {"distance": "0.4", "distance_unit": "MI", "drop_off": True, "pick_up": True}
    assert (format_distance(row), format_purposes(row)) == ("0.4 mi", "drop off, pick up")
    assert (format_distance({"distance": None}), format_purposes({"drop_off": True})) == ("", "drop off")

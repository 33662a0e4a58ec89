"""When something was scanned, and when a parcel is handed over."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from shipcli.carrier.wire.times import count_working_days, find_office_time, read_clock, read_day, read_moment


@pytest.mark.parametrize(
    ("text", "day", "clock"),
    [
        ("2025-03-04T09:05:00+01:00", "2025-03-04", "09:05 AM"),
        ("2025-03-04T23:30:07.55Z", "2025-03-04", "23:30 PM"),
        ("2025-03-04", "2025-03-04", "00:00 AM"),
        ("soon", None, None),
        (None, None, None),
    ],
)
def test_a_time_is_read_as_it_stands(text: str | None, day: str | None, clock: str | None) -> None:
    assert (read_day(text), read_clock(text)) == (day, clock)


def test_a_clock_has_the_form_that_is_asked_for() -> None:
    assert read_clock("2025-03-04T14:05:00", "%I:%M %p") == "02:05 PM"


def test_a_carrier_may_have_forms_of_its_own() -> None:
    forms = ("%m/%d/%Y %I:%M:%S %p", "%d-%m-%Y %H:%M")
    assert str(read_moment("8/19/2021 5:11:26 PM", *forms)) == "2021-08-19 17:11:26"
    assert str(read_moment("19-08-2021 17:11", *forms)) == "2021-08-19 17:11:00"
    assert read_moment("2021-08-19", *forms) is None


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("2025-03-04T09:00", "2025-03-04T09:00"),
        ("2025-03-04T16:45", "2025-03-04T16:45"),
        ("2025-03-04T17:01", "2025-03-05T10:00"),
        ("2025-03-04T07:30", "2025-03-05T10:00"),
        ("2025-03-07T18:00", "2025-03-10T10:00"),
        ("2025-03-08T11:00", "2025-03-10T10:00"),
    ],
)
def test_what_lies_outside_office_hours_moves_to_the_next_working_day(given: str, wanted: str) -> None:
    assert find_office_time(datetime.fromisoformat(given)) == datetime.fromisoformat(wanted)


@pytest.mark.parametrize(("start", "end", "days"), [(3, 4, 1), (7, 10, 1), (3, 17, 10), (7, 9, 0), (4, 3, 0)])
def test_days_on_the_way_are_counted_without_weekends(start: int, end: int, days: int) -> None:
    assert count_working_days(date(2025, 3, start), date(2025, 3, end)) == days

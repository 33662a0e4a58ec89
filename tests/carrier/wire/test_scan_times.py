"""When something was scanned, as carriers tell it."""

from __future__ import annotations

import pytest

from shipcli.carrier.wire.scan_times import read_clock, read_day, read_moment


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

"""The time at which a parcel is handed over."""

from __future__ import annotations

from datetime import datetime

import pytest

from shipcli.carrier import OptionTable, RequestOptions
from shipcli.carrier.office_hours import next_office_time
from shipcli.models import Invalid


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
    assert next_office_time(datetime.fromisoformat(given)) == datetime.fromisoformat(wanted)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"shipping_date": "2025-03-04T13:30"}, datetime(2025, 3, 4, 13, 30)),
        ({"shipment_date": "2025-03-04"}, datetime(2025, 3, 4, 10, 0)),
        ({}, None),
    ],
)
def test_a_day_without_a_time_is_its_morning(options: dict[str, str], wanted: datetime | None) -> None:
    assert RequestOptions(OptionTable(), options).ship_time() == wanted


def test_a_time_that_is_none_is_refused_by_its_name() -> None:
    with pytest.raises(Invalid, match=r"options\.shipping_date"):
        RequestOptions(OptionTable(), {"shipping_date": "soon"}).ship_time()

"""The time at which a parcel is handed over."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from shipcli.carrier import Option, OptionTable, RequestOptions
from shipcli.carrier.office_hours import count_working_days, find_office_time
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
    assert find_office_time(datetime.fromisoformat(given)) == datetime.fromisoformat(wanted)


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


@pytest.mark.parametrize(("start", "end", "days"), [(3, 4, 1), (7, 10, 1), (3, 17, 10), (7, 9, 0), (4, 3, 0)])
def test_days_on_the_way_are_counted_without_weekends(start: int, end: int, days: int) -> None:
    assert count_working_days(date(2025, 3, start), date(2025, 3, end)) == days


def test_a_list_of_papers_is_taken_whole_or_refused() -> None:
    table = OptionTable([Option(slug="papers", code="", type=dict)])
    assert RequestOptions(table, {"papers": [{"doc_id": "7"}]}).objects("papers", "doc_id") == [
        {"doc_id": "7"}
    ]
    assert RequestOptions(table, {}).objects("papers", "doc_id") == []
    for wrong in ({"doc_id": "7"}, ["7"], [{"doc_id": "7"}, {}]):
        with pytest.raises(Invalid, match="papers"):
            RequestOptions(table, {"papers": wrong}).objects("papers", "doc_id")

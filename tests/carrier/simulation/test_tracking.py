"""What happens to a parcel follows from its number and the time alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from shipcli.carrier.simulation.tracking import (
    ALIASES,
    JOURNEYS,
    SimulatedTracking,
    is_magic_number,
    simulate_tracking,
)

NOW = datetime(2025, 3, 3, 15, 0, tzinfo=UTC)


def seen(number: str, hours: float | None = None, now: datetime = NOW) -> SimulatedTracking | None:
    """A label bought so many hours ago, or a magic number seen for the first time."""
    first = now if is_magic_number(number) else None
    return simulate_tracking(
        number, first if hours is None else now - timedelta(hours=hours), now, "US", "GB"
    )


@pytest.mark.parametrize(
    ("hours", "status"),
    [(0, "pending"), (1.9, "pending"), (2, "in_transit"), (55, "in_transit"), (56, "out_for_delivery"),
     (61, "delivered"), (9999, "delivered")],
)  # fmt: skip
def test_a_bought_label_makes_the_happy_journey(hours: float, status: str) -> None:
    found = seen("1Z999", hours)
    assert found
    assert (found.status, found.delivered) == (status, status == "delivered")


def test_a_number_nobody_sold_is_unknown() -> None:
    assert seen("1Z999") is None


@pytest.mark.parametrize("number", ["SC99" + "0" * 8, "SC000000001", "SC00000000012", "sc0000000001"])
def test_what_only_looks_magic_is_unknown(number: str) -> None:
    assert seen(number) is None


@pytest.mark.parametrize(
    ("digits", "status"),
    [("00", "pending"), ("01", "in_transit"), ("02", "out_for_delivery"), ("03", "delivered"),
     ("04", "on_hold"), ("05", "delivery_delayed"), ("06", "ready_for_pickup"), ("07", "delivery_failed"),
     ("08", "unknown")],
)  # fmt: skip
def test_some_magic_numbers_are_where_they_are_at_once(digits: str, status: str) -> None:
    found = seen(f"SC{digits}00000042")
    assert found
    assert found.status == status


def test_a_magic_journey_goes_on_as_time_passes() -> None:
    found = simulate_tracking("SC1000000042", NOW, NOW + timedelta(hours=61), "US", "GB")
    assert found
    assert found.delivered


def test_every_alias_has_a_journey() -> None:
    assert all(seen(alias) for alias in ALIASES)


@pytest.mark.parametrize("digits", sorted(JOURNEYS))
def test_scans_come_in_order_and_never_from_the_future(digits: str) -> None:
    found = seen(f"SC{digits}00000599", 480, now=NOW + timedelta(days=20))
    times = [scan.at for scan in found.scans] if found else []
    assert times == sorted(times)
    assert all(at <= NOW + timedelta(days=20) for at in times)


def test_a_journey_only_grows_with_time() -> None:
    started = NOW - timedelta(hours=1)
    scans = [
        simulate_tracking("X1", started, NOW + timedelta(hours=step * 12), "US", "GB") for step in range(8)
    ]
    lengths = [len(one.scans) for one in scans if one]
    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]


def test_every_reader_sees_the_same() -> None:
    assert seen("SC1000000123") == seen("SC1000000123")


def test_scans_are_at_the_origin_first_and_at_the_destination_last() -> None:
    found = seen("1Z999", 100)
    assert found
    assert (found.scans[0].country, found.scans[-1].country) == ("US", "GB")

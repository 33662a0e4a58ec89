"""Rows of an answer in order."""

from __future__ import annotations

from shipcli.carrier.wire.rows import sort_newest_first


def test_rows_without_a_time_are_the_oldest() -> None:
    rows = [{"at": None, "n": 1}, {"at": "2025-03-01T09:00"}, {"n": 2}, {"at": "2025-03-02T09:00"}]
    ordered = sort_newest_first(rows, "at")
    assert [row.get("at") for row in ordered] == ["2025-03-02T09:00", "2025-03-01T09:00", None, None]

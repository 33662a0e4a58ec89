"""What every carrier promises of its limits: at the limit it prices and sells, one step over neither."""

from __future__ import annotations

from datetime import date

import pytest

from shipcli.carrier.limits import SOURCE_KINDS, ServiceLimits
from tests.carriers.bench import AnyCarrier, Bench
from tests.carriers.borders import (
    Counter,
    list_borders,
    list_faults,
    list_lanes,
)

ROUNDED = 6  # steps by which sides are over a limit whatever they were rounded to
HOME = ("US", "US")
FIRST_YEAR = 2026  # none is older


def test_a_limit_is_kept_at_the_price_and_at_the_purchase(carrier_class: AnyCarrier) -> None:
    rows = [row for row in carrier_class.limits.rows if not row.priced]
    assert [fault for row in rows for fault in list_faults(carrier_class, row)] == []


def test_a_simulator_refuses_what_its_adapter_would_not_send(
    carrier_class: AnyCarrier, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = carrier_class.limits.rows
    cases = [
        (where, one, border, services[0])
        for row in rows
        if any(map(row.covers, carrier_class.services.slugs())) and not row.priced
        for *where, services in list_lanes(carrier_class, row)
        for one in [Counter(carrier_class, (where[0], where[1]))]
        for border in list_borders(row, where[1], steps=ROUNDED)
        if border.name != "insured"
    ]
    monkeypatch.setattr(carrier_class, "limits", ServiceLimits())
    sold = [
        (where, border.name, service)
        for where, one, border, service in cases
        if one.buy(border.broken, service)[0]
    ]
    assert sold == []


def test_every_limit_says_where_and_when_it_was_read_and_is_of_a_service(carrier_class: AnyCarrier) -> None:
    offered = Bench(carrier_class, HOME).carrier().list_offered()
    for row in carrier_class.limits.rows:
        assert any(f"({kind})" in row.source for kind in SOURCE_KINDS), row
        assert date.fromisoformat(row.date).year >= FIRST_YEAR, row
        assert any(map(row.covers, offered)), row

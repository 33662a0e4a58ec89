"""Answers of simulators as templates in data."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from shipcli.carrier.simulation.answer_templates import fill
from shipcli.carrier.simulation.tracking import Scan

SCAN = Scan(datetime(2025, 3, 3, 9, 30, tzinfo=UTC), "delivered", "Delivered", "Memphis", "US")


@pytest.mark.parametrize(("template", "filled"), [
    ("{price}", Decimal("7.40")), ("{price} USD", "7.40 USD"), ("{none}", None), ("plain", "plain"), (5, 5),
    ("{scan.at:%H:%M}", "09:30"), ("{label[number]}", "T1"), ("{rows}", [1, 2]),
    (["{scan.city}"], ["Memphis"]),
    ({"a": {"b": "{scan.country}"}, "c": True}, {"a": {"b": "US"}, "c": True}),
])  # fmt: skip
def test_a_template_is_filled_and_a_field_alone_keeps_its_type(template: Any, filled: Any) -> None:
    values = {"price": Decimal("7.40"), "none": None, "scan": SCAN, "label": {"number": "T1"}, "rows": [1, 2]}
    assert fill(template, values) == filled


def test_a_field_without_a_value_is_a_mistake() -> None:
    for template in ("{nothing}", "a {nothing}", {"a": ["{nothing}"]}):
        with pytest.raises(KeyError):
            fill(template, {})

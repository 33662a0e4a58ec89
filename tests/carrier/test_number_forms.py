"""The forms of tracking numbers."""

from __future__ import annotations

import pytest

from shipcli.carrier import FEDEX


@pytest.mark.parametrize("number", ["794953535000", "776094337676", "122816215025810", "DT106798246430"])
def test_published_numbers_of_fedex_have_one_of_its_forms(number: str) -> None:
    assert any(form.fits(number) for form in FEDEX)


def test_a_digit_that_is_wrong_is_seen_in_a_number_of_fedex() -> None:
    assert not any(form.fits("776094337677") for form in FEDEX)

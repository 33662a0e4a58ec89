"""The forms of tracking numbers."""

from __future__ import annotations

import pytest

from shipcli.carrier import FEDEX, ONE_Z, POSTAL, WAYBILL, NumberForm

PUBLISHED = [
    (ONE_Z, "1Z5R89390357567127"), (ONE_Z, "1Z879E930346834440"), (ONE_Z, "1ZWA82900191640782"),
    (POSTAL, "RR473124829CN"), (WAYBILL, "7520067111"),
    *((form, number) for form, number in zip(
        (FEDEX[0], FEDEX[0], FEDEX[1], FEDEX[2]),
        ("794953535000", "776094337676", "122816215025810", "DT106798246430"), strict=True)),
]  # fmt: skip


@pytest.mark.parametrize(("form", "number"), PUBLISHED, ids=[number for _, number in PUBLISHED])
def test_published_numbers_have_their_form(form: NumberForm, number: str) -> None:
    assert form.fits(number)


@pytest.mark.parametrize(
    ("form", "number"), [(ONE_Z, "1Z5R89390357567128"), (FEDEX[0], "776094337677"), (WAYBILL, "7520067112")]
)
def test_a_digit_that_is_wrong_is_seen(form: NumberForm, number: str) -> None:
    assert not form.fits(number)

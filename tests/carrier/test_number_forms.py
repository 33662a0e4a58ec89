"""The forms of tracking numbers."""

from __future__ import annotations

import pytest

from shipcli.carrier import FEDEX, ONE_Z, POSTAL, WAYBILL, NumberForm, registry
from shipcli.carrier.number_forms import list_mistyped, list_number_carriers

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


@pytest.mark.parametrize(
    ("slug", "number"),
    [
        ("australiapost", "2JD5418133"),
        ("australiapost", "2JD541813301000870900"),
        ("australiapost", "ABC000128B4C7"),
        ("australiapost", "00123456789000123400"),
        ("australiapost", "ET123456785AU"),
        ("royalmail", "090367574000000FE1E1B"),
        ("royalmail", "FQ087430672GB"),
    ],
)
def test_a_post_takes_the_numbers_of_its_own_documents(slug: str, number: str) -> None:
    assert registry.get(slug).takes_number(number)
    assert not registry.get(slug).takes_number("1Z5R89390357567127")


@pytest.mark.parametrize(
    ("number", "slug"),
    [("RL924104147CH", "asendia_us"), ("FQ087430671GB", "royalmail"), ("ET123456789AU", "australiapost")],
)
def test_a_mistyped_number_of_a_post_is_handed_to_nobody(number: str, slug: str) -> None:
    assert list_number_carriers(number) == []
    assert list_mistyped(number) == [slug]

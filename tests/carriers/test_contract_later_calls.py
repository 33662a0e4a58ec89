"""What every carrier promises when one call goes wrong: nothing paid is lost, nothing is made up."""

from __future__ import annotations

import pytest

from tests.carriers.bench import AnyCarrier
from tests.carriers.errands import OF_TWO_PARCELS, carries_two
from tests.carriers.later_calls import (
    problems,
)
from tests.carriers.promises import needs

pytestmark = pytest.mark.usefixtures("impatient")


def listed(found: list[str]) -> str:
    return "\n".join(["", *found])


@needs("ship", network=True)
def test_no_call_that_goes_wrong_loses_a_paid_label(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "ship")
    assert not found, listed(found)


@needs("rate", "ship", network=True, when=carries_two)
def test_no_call_that_goes_wrong_loses_a_paid_label_of_two_parcels(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "ship", OF_TWO_PARCELS)
    assert not found, listed(found)


@needs("void", "ship", network=True)
def test_no_call_that_goes_wrong_makes_a_void_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "void")
    assert not found, listed(found)


@needs("rate", "void", "ship", network=True, when=carries_two)
def test_no_call_that_goes_wrong_makes_a_void_of_two_parcels_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "void", OF_TWO_PARCELS)
    assert not found, listed(found)


@needs("schedule_pickup", network=True)
def test_no_call_that_goes_wrong_makes_a_collection_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "schedule_pickup")
    assert not found, listed(found)


@needs("schedule_pickup", "update_pickup", network=True)
def test_no_call_that_goes_wrong_makes_a_change_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "update_pickup")
    assert not found, listed(found)


@needs("schedule_pickup", "cancel_pickup", network=True)
def test_no_call_that_goes_wrong_makes_a_cancellation_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "cancel_pickup")
    assert not found, listed(found)


@needs("manifest", "ship", network=True)
def test_no_call_that_goes_wrong_makes_a_form_that_is_none(carrier_class: AnyCarrier) -> None:
    found = problems(carrier_class, "manifest")
    assert not found, listed(found)

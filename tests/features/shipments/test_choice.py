"""Which rate is bought, and how much may be spent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest

from shipcli.features.shipments.budget import Budget
from shipcli.features.shipments.rate_selection import choose_rate, list_comparable
from shipcli.features.shipments.sale import Attempts
from shipcli.models import (
    Conflict,
    Invalid,
    LimitReached,
    NoConnection,
    OutcomeUnknown,
    Rate,
    Refused,
    ShipcliError,
    Shipment,
    Unreachable,
)
from tests.factories import RECIPIENT, SHIPPER


def rate(service: str, price: str, currency: str = "USD", days: int | None = 3) -> Rate:
    return Rate(
        id=f"rat_{service}_{price}", carrier_name="ups", carrier_id="ups", service=service,
        total_charge=Decimal(price), currency=currency, transit_days=days,
    )  # fmt: skip


def shipment(*rates: Rate, **options: Any) -> Shipment:
    return Shipment.model_validate(
        {"id": "shp_1", "shipper": SHIPPER, "recipient": RECIPIENT, "options": options, "rates": list(rates)}
    )


SLOW, FAST, SAME_DAY = rate("ground", "10"), rate("air", "30", days=1), rate("bike", "40", days=0)
UNSURE = rate("maybe", "5", days=None)
EURO = rate("euro", "1", "EUR")


def test_the_cheapest_and_the_fastest() -> None:
    assert choose_rate(shipment(FAST, SLOW), "cheapest") == SLOW
    assert choose_rate(shipment(SLOW, FAST), "fastest") == FAST


def test_the_same_day_is_the_fastest_and_no_promise_the_slowest() -> None:
    assert choose_rate(shipment(FAST, SAME_DAY, UNSURE), "fastest") == SAME_DAY
    assert choose_rate(shipment(UNSURE, SLOW), "fastest") == SLOW


def test_the_cheaper_of_two_equally_fast() -> None:
    other = rate("jet", "20", days=1)
    assert choose_rate(shipment(FAST, other), "fastest") == other


def test_a_named_service_at_its_lowest_price() -> None:
    twice = rate("ground", "9")
    assert choose_rate(shipment(SLOW, twice, FAST), "service", service="ground") == twice
    assert choose_rate(shipment(SLOW, FAST, preferred_service="air"), "service") == FAST


@pytest.mark.parametrize("service", [None, "boat"])
def test_a_service_that_is_not_offered(service: str | None) -> None:
    with pytest.raises(Invalid) as caught:
        choose_rate(shipment(SLOW), "service", service=service)
    assert (caught.value.code, caught.value.problems[0].field) == ("service_unavailable", "service")


def test_without_rates_there_is_nothing_to_choose() -> None:
    with pytest.raises(Invalid):
        choose_rate(shipment(), "cheapest")


def test_prices_in_several_currencies_are_compared_in_that_of_the_country_they_leave() -> None:
    assert choose_rate(shipment(EURO, SLOW, FAST), "cheapest") == SLOW


def test_prices_in_several_foreign_currencies_are_not_compared() -> None:
    pound = rate("pound", "1", "GBP")
    with pytest.raises(Invalid, match="EUR, GBP"):
        list_comparable(shipment(EURO, pound))


@pytest.mark.parametrize(("given", "options"), [("EUR", {}), ("eur", {}), (None, {"currency": "EUR"})])
def test_a_named_currency_is_compared_alone(given: str | None, options: dict[str, Any]) -> None:
    assert list_comparable(shipment(SLOW, EURO, **options), given) == [EURO]


def test_a_currency_in_which_nothing_is_quoted() -> None:
    with pytest.raises(Invalid, match="only in USD"):
        list_comparable(shipment(SLOW), "CAD")


@pytest.mark.parametrize(
    ("text", "most", "currency"),
    [("500", "500", None), ("500USD", "500", "USD"), (" 12.50 eur ", "12.50", "EUR")],
)
def test_a_budget_is_an_amount_and_perhaps_a_currency(text: str, most: str, currency: str | None) -> None:
    budget = Budget.read(text)
    assert (budget.most, budget.currency) == (Decimal(most), currency)


@pytest.mark.parametrize("text", ["", "USD", "-5", "1,000", "5 dollars", "500XYZ", "1e3"])
def test_a_budget_that_is_no_amount(text: str) -> None:
    with pytest.raises(Invalid):
        Budget.read(text)


def test_a_budget_is_spent_to_the_cent_and_no_further() -> None:
    budget = Budget.read("40USD")
    budget.reserve(SLOW)
    budget.reserve(FAST)
    with pytest.raises(LimitReached) as caught:
        budget.reserve(rate("x", "0.01"))
    assert caught.value.exit_code == 11
    assert budget.spent == 40


def test_what_was_refused_is_given_back() -> None:
    budget = Budget.read("10USD")
    budget.reserve(SLOW)
    budget.release(SLOW)
    budget.reserve(SLOW)
    assert budget.spent == 10


@contextmanager
def trying(budget: Budget, offer: Rate) -> Iterator[None]:
    """Try to buy a rate in the block."""
    attempts = Attempts(shipment(offer), budget, is_open=False)
    with attempts.next():
        attempts.reserve(offer)
        yield


@pytest.mark.parametrize(
    "error",
    [
        Invalid("recipient.city", "is missing"), Conflict("It is being bought"), NoConnection(), Refused([]),
        ShipcliError("nothing was done"), KeyboardInterrupt(), LimitReached("another limit"),
    ],
)  # fmt: skip
def test_every_error_that_says_nothing_was_bought_gives_the_price_back(error: BaseException) -> None:
    budget = Budget.read("10USD")
    with pytest.raises(type(error)), trying(budget, SLOW):
        raise error
    assert budget.spent == 0


@pytest.mark.parametrize("error", [OutcomeUnknown([]), Unreachable("the line is dead")])
def test_a_purchase_whose_outcome_nobody_knows_keeps_its_price(error: ShipcliError) -> None:
    budget = Budget.read("10USD")
    with pytest.raises(type(error)), trying(budget, SLOW):
        raise error
    assert budget.spent == 10


def test_a_purchase_keeps_its_price_and_the_next_one_is_stopped() -> None:
    budget = Budget.read("10USD")
    with trying(budget, SLOW):
        pass
    with pytest.raises(LimitReached), trying(budget, SLOW):
        pytest.fail("this must not be bought")
    assert budget.spent == 10


def test_without_a_limit_prices_in_any_currency_are_paid() -> None:
    budget = Budget()
    for one in (SLOW, EURO):
        with trying(budget, one):
            budget.count_spent(Decimal(5), "CHF")
    assert (budget.limit, budget.spent) == (None, 0)


def test_the_first_price_says_in_which_currency_a_budget_counts() -> None:
    budget = Budget.read("100")
    budget.reserve(SLOW)
    with pytest.raises(LimitReached, match="USD"):
        budget.reserve(EURO)


def test_threads_never_overspend() -> None:
    budget, refused = Budget.read("50USD"), []

    def work() -> None:
        try:
            budget.reserve(SLOW)
        except LimitReached:
            refused.append(1)

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (budget.spent, len(refused)) == (50, 15)

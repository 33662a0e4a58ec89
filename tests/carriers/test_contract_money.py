"""What every carrier promises of money: a number never goes out under another currency than its own."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from shipcli.carrier.catalogue_rows import MONEY
from shipcli.carrier.request_options import UNIFIED
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import Duty
from shipcli.models.basics.reference import list_currencies
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand
from tests.carriers.promises import needs
from tests.carriers.tap import Tap

WORTH, THEIRS = Decimal("4217.53"), "NOK"
CODE = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
MEASURES = frozenset({"latitude", "longitude"})  # numbers that are no money
NEAR = 400  # characters between an amount and the name of its currency


class Till:
    """One verb of a carrier on one lane, with goods in a currency that is nobody's at home."""

    def __init__(self, carrier_class: AnyCarrier, where: tuple[str, str], verb: str) -> None:
        self.bench, self.verb = Bench(carrier_class, where), verb
        self.request = ERRANDS[verb](self.bench)
        self.tap = Tap(self.bench)

    def ask(self, *worths: tuple[Decimal, str], options: dict[str, Any] | None = None) -> FlowOutcome[Any]:
        """The outcome with goods of these values, in each parcel and in the declaration."""
        request = self.request
        first = request.parcels[0].items[0]
        goods = [
            first.model_copy(update={"value_amount": amount, "value_currency": code, "quantity": 1})
            for amount, code in worths
        ]
        customs = request.customs and request.customs.model_copy(
            update={"commodities": goods, "duty": Duty(paid_by="recipient")}
        )
        parcels = [request.parcels[0].model_copy(update={"items": goods})]
        changed = request.model_copy(
            update={"parcels": parcels, "customs": customs, "options": {**request.options, **(options or {})}}
        )
        self.tap.sent.clear()
        return run_errand(self.bench, self.verb, changed)

    def sent(self) -> str:
        return "\n".join(f"{url} {body.decode(errors='replace')}" for _, url, body in self.tap.wires())


def list_codes_near(text: str, number: str) -> set[str]:
    """The currency named nearest to each place where a number stands."""
    known, found = list_currencies(), set()
    codes = [(match.start(), match[0]) for match in CODE.finditer(text) if match[0] in known]
    for match in re.finditer(rf"(?<!\d){re.escape(number)}(?!\d)", text):
        near = sorted((abs(at - match.start()), code) for at, code in codes)
        found |= {code for distance, code in near[:1] if distance < NEAR}
    return found


def places(carrier_class: AnyCarrier) -> list[tuple[tuple[str, str], str]]:
    lanes = filter(None, (lane(carrier_class), lane_abroad(carrier_class)))
    return [(where, verb) for where in lanes for verb in ("rate", "ship") if carrier_class.can(verb)]


@needs("ship", network=True)
def test_goods_go_out_in_their_own_currency_or_are_refused(carrier_class: AnyCarrier) -> None:
    for where, verb in places(carrier_class):
        till = Till(carrier_class, where, verb)
        outcome = till.ask((WORTH, THEIRS))
        text = till.sent()
        till.bench.close()
        assert list_codes_near(text, "4217.53") <= {THEIRS}, (where, verb)
        assert list_codes_near(text, "421753") <= {THEIRS}, (where, verb)
        sends = "4217.53" in text or "421753" in text
        if sends and THEIRS not in text:
            pytest.fail(f"{verb} {where}: an amount without its currency, {said(outcome)}")


@needs("ship", network=True)
def test_goods_in_two_currencies_are_never_added(carrier_class: AnyCarrier) -> None:
    for where, verb in places(carrier_class):
        till = Till(carrier_class, where, verb)
        till.ask((Decimal("311.07"), "USD"), (WORTH, THEIRS))
        text = till.sent()
        till.bench.close()
        assert "4528.60" not in text, (where, verb)
        assert "4528.6" not in text, (where, verb)
        assert list_codes_near(text, "4217.53") <= {THEIRS}, (where, verb)


@needs("ship", network=True)
def test_amounts_of_options_go_out_in_their_own_currency_or_are_refused(carrier_class: AnyCarrier) -> None:
    for (where, verb), name in product(places(carrier_class), list_amounts(carrier_class)):
        till = Till(carrier_class, where, verb)
        outcome = till.ask((Decimal(5), "USD"), options={name: "4217.53", "currency": THEIRS})
        text = till.sent()
        till.bench.close()
        sent = [number for number in ("4217.53", "421753") if number in text]
        for number in sent:
            assert list_codes_near(text, number) == {THEIRS}, (name, where, verb, said(outcome))


@needs("ship", network=True, when=lambda carrier: bool(list_amounts(carrier) and carrier.option_currency))
def test_an_amount_of_one_parcel_may_have_its_own_currency(carrier_class: AnyCarrier) -> None:
    where = lane(carrier_class)
    for name in list_amounts(carrier_class):
        till = Till(carrier_class, where, "ship")
        parcel = till.request.parcels[0].model_copy(update={"options": {name: "4217.53", "currency": THEIRS}})
        till.tap.sent.clear()
        run_errand(till.bench, "ship", till.request.model_copy(update={"parcels": [parcel]}))
        text = till.sent()
        till.bench.close()
        assert "4217.53" not in text
        assert "421753" not in text


def list_amounts(carrier_class: AnyCarrier) -> list[str]:
    """The options whose value is an amount of money."""
    rows = (*carrier_class.options, *(row for row in UNIFIED if row.slug in MONEY))
    return [row.slug for row in rows if row.type is Decimal and row.slug not in MEASURES]


@needs("ship", network=True)
def test_a_stated_rate_converts_once(carrier_class: AnyCarrier) -> None:
    where = lane_abroad(carrier_class) or lane(carrier_class)
    takes = carrier_class.goods_currencies
    if not takes or THEIRS in takes or where[0] == where[1]:
        return
    till = Till(carrier_class, where, "ship")
    refused = till.ask((WORTH, THEIRS))
    assert "customs.commodities" in said(refused)
    assert not till.tap.sent
    outcome = till.ask((WORTH, THEIRS), options={"exchange_rates": {THEIRS: f"0.0968{takes[0]}"}})
    text = till.sent()
    till.bench.close()
    assert "customs.commodities" not in said(outcome)
    assert "4217.53" not in text
    assert "408.26" in text  # 408.2569

"""What every carrier promises of its options: each is sent, is refused by name, or says why it is local."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from shipcli.carrier import Option
from shipcli.carrier.request_options import UNIFIED
from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import Customs, Payment, Quote, ShipmentRequest
from shipcli.models.basics.areas import crosses_customs
from shipcli.models.rate import PRICED_ONLY
from tests.carriers.bench import AnyCarrier, Bench, address, lane, parcel, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand
from tests.carriers.option_probes import (
    Place,
    find_silent_options,
    names,
    values,
    with_options,
)
from tests.carriers.promises import READERS_FAULT, needs

NONSENSE = ("banana", "2025-02-30")  # neither a word nor a day of anybody


@needs(network=True)
def test_every_option_reaches_the_wire_or_says_why_not(carrier_class: AnyCarrier) -> None:
    assert find_silent_options(carrier_class) == []


@needs("rate", "ship", network=True)
def test_every_option_of_a_declaration_reaches_the_wire(carrier_class: AnyCarrier) -> None:
    """Of a shipment that crosses a customs border: abroad, else to the forces or overseas."""
    rows = list(carrier_class.catalogue.customs_options) if carrier_class.catalogue else []
    if not rows:
        return
    place = Place(carrier_class, lane_abroad(carrier_class) or lane(carrier_class), "ship", {})
    if not crosses_customs(place.request.shipper, place.request.recipient):
        beyond = BEYOND[place.request.shipper.country_code]
        place.request = place.request.model_copy(
            update={"recipient": place.request.recipient.model_copy(update=beyond)}
        )
    place.request = place.request.model_copy(update={"customs": place.request.customs or Customs()})
    place.plain, _ = place.ask({})
    silent = [row.slug for row in rows if not declares(place, row)]
    place.bench.close()
    assert silent == []


# Places of a country beyond its customs border.
BEYOND = {
    "US": {"city": "FPO", "state_code": "AP", "postal_code": "96349"},
    "FR": {"country_code": "FR", "city": "Saint-Denis", "postal_code": "97400"},
}


def declares(place: Place, row: Option) -> bool:
    """Whether an option of the declaration makes a difference to what is sent."""
    plain = place.request
    customs = plain.customs.model_copy(update={"options": {row.slug: values(row)[0]}})
    place.request = plain.model_copy(update={"customs": customs})
    sent, _ = place.ask({})
    place.request = plain
    return bool(sent and sent != place.plain)


@pytest.mark.parametrize("word", ["insurance", "cash_on_delivery"])
@pytest.mark.parametrize("amount", [0, "0", "0.00"])
@needs("rate", "ship", network=True)
def test_an_amount_of_nothing_is_neither_insured_nor_collected(
    carrier_class: AnyCarrier, word: str, amount: Any
) -> None:
    """Tables have columns full of zeros."""
    place = Place(carrier_class, lane(carrier_class), "ship", {})
    sent, outcome = place.ask({word: amount})
    same = [len(one[2]) for one in sent] == [len(one[2]) for one in place.plain]  # TGE numbers each parcel
    place.bench.close()
    assert same, said(outcome)


UNIFIED_VALUES: Mapping[str, Any] = {
    "cash_on_delivery": 100,
    "dangerous_good": True,
    "declared_value": 100,
    "email_notification": True,
    "hold_at_location": True,
    "insurance": 100,
    "is_return": True,
    "paperless_trade": True,
    "saturday_delivery": True,
    "signature_confirmation": True,
}


def choose_priced(order: ShipmentRequest, quotes: Sequence[Quote]) -> ShipmentRequest:
    """The order of a service that is priced: its own, else the first."""
    services = [str(quote.service) for quote in quotes]
    return (
        order
        if not services or order.service in services
        else order.model_copy(update={"service": services[0]})
    )


@pytest.mark.parametrize("word", list(UNIFIED_VALUES))
@needs("rate", "ship")
def test_what_is_priced_is_not_refused_by_name_at_the_purchase(carrier_class: AnyCarrier, word: str) -> None:
    """Else the cheapest price would be one that nobody can buy; a quote that is one says so."""
    value = UNIFIED_VALUES[word]
    row = carrier_class.options.get(word) or UNIFIED.get(word)
    assert row
    priced_only = any(row.slug in one.options for one in carrier_class.limits.rows if one.priced)
    for where in filter(None, (lane(carrier_class), lane_abroad(carrier_class))):
        bench = Bench(carrier_class, where)
        asked, order = [with_options(ERRANDS[verb](bench), {word: value}) for verb in ("rate", "ship")]
        priced = run_errand(bench, "rate", asked)
        bought = run_errand(bench, "ship", choose_priced(order, priced.result or ()))
        bench.close()
        assert bool(priced.result and names(row, value, bought)) == priced_only, said(bought)
        assert all((PRICED_ONLY in (one.meta or {})) == priced_only for one in priced.result or ())


@pytest.mark.parametrize("word", ["is_return", "paperless_trade"])
@needs("ship")
def test_what_is_not_told_the_carrier_is_not_bought(carrier_class: AnyCarrier, word: str) -> None:
    """A return label that goes to the recipient is money lost; so are papers that nobody gets."""
    where = lane_abroad(carrier_class) or lane(carrier_class)
    place = Place(carrier_class, where, "ship", {})
    sent, outcome = place.ask({word: True})
    place.bench.close()
    told = sent != place.plain or "paperless" in carrier_class.capabilities()
    stays = word == "paperless_trade" and where[0] == where[1]
    assert names_option(word, outcome) or told or stays, said(outcome)


@needs("rate", "ship")
def test_an_option_that_needs_its_kind_is_refused_alone(carrier_class: AnyCarrier) -> None:
    """Of one parcel among several too: what another parcel holds says nothing of it."""
    for word in carrier_class.refused_alone:
        kinds = [row for row in carrier_class.options if row.kind_of == word]
        bench = Bench(carrier_class, lane(carrier_class))
        for verb in ("rate", "ship"):
            alone = with_options(ERRANDS[verb](bench), {word: 100})
            assert names_option(word, run_errand(bench, verb, alone))
            for row in kinds:
                named = with_options(alone, {row.slug: values(row)[0]})
                assert not names_option(word, run_errand(bench, verb, named)), row.slug
            parcels = [parcel("1.5", options={word: 100}), parcel("2.5", options={kinds[0].slug: "1"})]
            mixed = ERRANDS[verb](bench).model_copy(update={"parcels": parcels})
            assert names_option(word, run_errand(bench, verb, mixed))
        bench.close()


def names_option(word: str, outcome: FlowOutcome[Any]) -> bool:
    """Whether an option is refused by its name."""
    return outcome.failed and f"options.{word}:" in said(outcome)


@needs("rate", "ship", network=True)
def test_a_text_that_says_nothing_is_no_fault_of_the_simulator(carrier_class: AnyCarrier) -> None:
    bench = Bench(carrier_class, lane(carrier_class))
    texts = [(row.slug, text) for row in carrier_class.options if row.type is str for text in NONSENSE]
    for (slug, text), verb in product(texts, ("rate", "ship")):
        outcome = run_errand(bench, verb, with_options(ERRANDS[verb](bench), {slug: text}))
        assert READERS_FAULT not in said(outcome), (slug, text)
    bench.close()


@pytest.mark.parametrize("payer", ["recipient", "third_party"])
@needs("rate", "ship", network=True)
def test_who_pays_is_told_the_carrier_or_refused(carrier_class: AnyCarrier, payer: str) -> None:
    """The sender would be billed for what somebody else is to pay."""
    place = Place(carrier_class, lane(carrier_class), "ship", {})
    place.request = place.request.model_copy(update={"billing_address": address("CA", "Bill Payer")})
    plain, _ = place.ask({})
    place.request = place.request.model_copy(update={"payment": Payment(paid_by=payer)})
    sent, outcome = place.ask({})
    place.bench.close()
    assert sent != plain if sent else "payment." in said(outcome)


def test_an_option_that_is_local_says_why(carrier_class: AnyCarrier) -> None:
    silent = [row.slug for row in carrier_class.options if row.local is not None and not row.local.strip()]
    assert silent == []

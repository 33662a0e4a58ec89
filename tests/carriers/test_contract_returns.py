"""What every carrier promises of returns: sold once, the right way, and found again."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from shipcli.carrier.sending.jobs import FlowOutcome
from shipcli.models import Label, Quote, RateRequest, ShipmentRequest
from tests.carriers.bench import AnyCarrier, Bench, lane, said
from tests.carriers.errands import ERRANDS, lane_abroad, run_errand, two_parcels, void_of
from tests.carriers.option_probes import with_options
from tests.carriers.promises import needs, track

BACK = {"is_return": True}
IN_EUROPE = ("FR", "DE")


def quote_return(bench: Bench, *parcels: Any) -> FlowOutcome[list[Quote]]:
    question = with_options(ERRANDS["rate"](bench), BACK)
    changes = {"parcels": list(parcels)} if parcels else {}
    return run_errand(bench, "rate", question.model_copy(update=changes))


def describe_return(bench: Bench, *parcels: Any) -> ShipmentRequest:
    """The order of a return by the first service that is priced."""
    order = with_options(ERRANDS["ship"](bench), BACK)
    quotes = quote_return(bench, *parcels).result or []
    services = {"service": str(quotes[0].service)} if quotes else {}
    return order.model_copy(update={**services, **({"parcels": list(parcels)} if parcels else {})})


@pytest.fixture
def desk(carrier_class: AnyCarrier) -> Any:
    bench = Bench(carrier_class, find_lane_back(carrier_class))
    yield bench
    bench.close()


@cache
def find_lane_back(carrier_class: AnyCarrier) -> tuple[str, str]:
    """Where returns have a price: the usual lane, else one across a border, else the usual one backwards."""
    usual = lane(carrier_class)
    for where in filter(None, (usual, lane_abroad(carrier_class), IN_EUROPE, (usual[1], usual[0]))):
        bench = Bench(carrier_class, where)
        priced = not carrier_class.can("rate") or quote_return(bench).result
        bench.close()
        if priced:
            return where
    return lane(carrier_class)


def buy_return(bench: Bench) -> Label:
    outcome = run_errand(bench, "ship", describe_return(bench))
    assert outcome.result is not None, said(outcome)
    label: Label = outcome.result
    return label


def list_live(bench: Bench) -> list[str]:
    """The numbers of the labels that the carrier has sold and not taken back."""
    labels = bench.ledger.find(bench.carrier_class.slug, "label")
    return [str(label["number"]) for label in labels if not label["voided_at"]]


@needs("ship", "ship_return")
def test_a_return_is_sold_tracked_and_taken_back(desk: Bench) -> None:
    label = buy_return(desk)
    assert label.docs.get("label")
    assert label.tracking_number in list_live(desk) or label.shipment_identifier
    if desk.carrier_class.can("track"):
        tracked = track(desk, label.tracking_number)
        assert tracked.result, said(tracked)
    if desk.carrier_class.can("void"):
        request = void_of(desk, label)
        taken_back = desk.ask("void", request.model_copy(update={"options": {**request.options, **BACK}}))
        assert bool(taken_back.result) == (desk.carrier_class.why_returns_stay is None), said(taken_back)
        assert bool(list_live(desk)) == bool(taken_back.failed)


@needs("ship", "ship_return", "rate")
def test_a_return_of_two_parcels_is_bought_if_it_is_priced(desk: Bench) -> None:
    parcels = two_parcels()
    priced = quote_return(desk, *parcels)
    bought = run_errand(desk, "ship", describe_return(desk, *parcels))
    if desk.carrier_class.one_parcel or desk.carrier_class.one_parcel_back:
        assert "parcels: " in said(priced)
        assert "parcels: " in said(bought)
        return
    assert priced.result, said(priced)
    assert bought.result, said(bought)


@needs("ship", "ship_return", "recover")
def test_a_return_whose_answer_is_lost_is_found_and_bought_once(desk: Bench) -> None:
    order, key = describe_return(desk), f"{1:032x}"
    bought = desk.ask("ship", order, key=key)
    assert bought.result, said(bought)
    found = desk.ask("recover", order, key=key)
    assert found.failed or found.result.tracking_number == bought.result.tracking_number
    assert len(list_live(desk)) == 1


@needs("ship", "ship_return", "rate", when=lambda kind: bool(kind.services.returning))
def test_services_bring_back_what_they_are_for(desk: Bench) -> None:
    """What only brings goods back is no offer for goods that are sent, and the other way about."""
    services = desk.carrier_class.services
    sent = run_errand(desk, "rate", ERRANDS["rate"](desk))
    assert sent.result, said(sent)
    assert all(services.is_outward(quote.service) for quote in sent.result)
    back = quote_return(desk)
    assert back.result, said(back)
    assert all(services.brings_back(quote.service) for quote in back.result)
    outward = next((row.slug for row in services if not row.returns), None)
    if outward:
        order = with_options(ERRANDS["ship"](desk), BACK).model_copy(update={"service": outward})
        refusal = run_errand(desk, "ship", order)
        assert "service: " in said(refusal)
        assert list_live(desk) == []


@needs("rate", "ship_return", when=lambda kind: any(row.returns == "only" for row in kind.services))
def test_a_service_for_returns_is_priced_where_it_is_named(desk: Bench) -> None:
    names = {str(quote.service) for quote in quote_return(desk).result or ()}
    named = sorted(name for name in names if not desk.carrier_class.services.is_outward(name))
    question: RateRequest = ERRANDS["rate"](desk).model_copy(update={"services": named})
    priced = run_errand(desk, "rate", question)
    assert {str(quote.service) for quote in priced.result or ()} == set(named), said(priced)


BY_SHEETS = {"asendia": "CH", "spring": "DE"}  # whose returns have zones of the countries that they come from


@needs("ship_return", "rate", when=lambda kind: kind.slug in BY_SHEETS)
@pytest.mark.parametrize(("origin", "is_sold"), [("FR", True), ("US", False)])
def test_goods_come_back_to_the_account_from_the_countries_of_its_returns(
    carrier_class: AnyCarrier, origin: str, is_sold: bool
) -> None:
    bench = Bench(carrier_class, (origin, BY_SHEETS[carrier_class.slug]))
    priced = quote_return(bench)
    bench.close()
    assert bool(priced.result) is is_sold, said(priced)
    assert is_sold or "has no zone for US" in said(priced)


@needs("ship_return", "rate", when=lambda kind: kind.slug in BY_SHEETS)
def test_goods_do_not_come_back_to_another_country_than_the_accounts(carrier_class: AnyCarrier) -> None:
    home = BY_SHEETS[carrier_class.slug]
    bench = Bench(carrier_class, ("FR", "IT"))
    refusal = quote_return(bench)
    bench.close()
    assert f"brings returns to {home} only, not to IT" in said(refusal)

"""What every carrier promises of its prices: what has one can be bought.

A question that leaves out a part of an address is still priced, as `shipcli quote 02134` is: its purchase
asks for the rest by name, and some carriers price by weight alone. What the goods, parcels and options of a
shipment lack or have too much of is refused when its price is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from shipcli.models import Address, Parcel, Quote, RateRequest, ShipmentRequest
from shipcli.models.rate import PRICED_ONLY
from tests.carriers.bench import AnyCarrier, Bench, lane, parcel, said
from tests.carriers.errands import lane_abroad, lane_across_customs
from tests.carriers.promises import needs

NOTHING_DECLARED: Mapping[str, Any] = {"customs": None, "parcels": [parcel(items=[])]}
PLAIN_GOODS = {"title": "Mug", "quantity": 1, "weight": "0.2", "weight_unit": "KG"}
OPTIONS: tuple[Mapping[str, Any], ...] = (
    {"insurance": 100}, {"insurance": 60000}, {"cash_on_delivery": 100}, {"cash_on_delivery": 60000},
    {"signature_confirmation": True}, {"declared_value": 100}, {"saturday_delivery": True},
    {"dangerous_good": True}, {"hold_at_location": True},
)  # fmt: skip
# What is known at the purchase only: prices of such questions were recorded, or the carrier decides.
ASKED_LATER: Mapping[str, frozenset[str]] = {
    "dhl_express": frozenset({"no sides"}),
    "dhl_poland": frozenset({"no sides"}),
    "eshipper": frozenset({"no sides"}),
    "tnt": frozenset({"no sides"}),
}
WEIGHTS, LENGTHS = ("0.05", "19", "28", "40", "80", "300"), (100, 150, 260, 400)


class Draft(NamedTuple):
    """A shipment, and what is particular about it."""

    name: str
    body: dict[str, Any]


def list_drafts(bench: Bench) -> Iterator[Draft]:
    usual = bench.shipment()
    box: Parcel = usual["parcels"][0]
    there: Address = usual["recipient"]

    def draft(name: str, **changes: Any) -> Draft:
        return Draft(name, {**usual, **changes})

    yield from (draft("usual"), draft("no declaration", customs=None), draft("no goods", **NOTHING_DECLARED))
    yield draft("document", customs=None, parcels=[parcel(items=[], is_document=True)])
    if usual["customs"]:
        plain = {**usual["customs"], "commodities": [PLAIN_GOODS]}
        yield draft("goods of no value", parcels=NOTHING_DECLARED["parcels"], customs=plain)
    yield draft(
        "post office box",
        recipient=there.model_copy(update={"address_line1": "PO Box 12", "address_line2": None}),
    )
    yield draft("no email", recipient=there.model_copy(update={"email": None}))
    yield draft("no company", recipient=there.model_copy(update={"company_name": None}))
    yield from (draft(f"{kg} kg", parcels=[box.model_copy(update={"weight": Decimal(kg)})]) for kg in WEIGHTS)
    yield from (draft(f"{cm} cm", parcels=[box.model_copy(update={"length": Decimal(cm)})]) for cm in LENGTHS)
    yield draft("no sides", parcels=[box.model_copy(update={"length": None, "width": None, "height": None})])
    yield draft("no weight", parcels=[box.model_copy(update={"weight": None})])
    yield Draft("two parcels", bench.shipment(parcel(), parcel()))
    for option in OPTIONS:
        yield draft(f"{option}", options={**usual["options"], **option})


def price(bench: Bench, draft: Draft) -> list[str]:
    """The cheapest and the dearest service that is offered for sale."""
    quotes: list[Quote] = bench.ask("rate", RateRequest.model_validate(draft.body)).result or []
    sold = sorted(
        (one for one in quotes if PRICED_ONLY not in (one.meta or {})), key=lambda one: one.total_charge
    )
    return list(dict.fromkeys(str(one.service) for one in (*sold[:1], *sold[-1:])))


def list_unsold(carrier_class: AnyCarrier, where: tuple[str, str]) -> Iterator[str]:
    """What is offered on a lane and refused when it is bought, with the refusal."""
    bench = Bench(carrier_class, where)
    later = ASKED_LATER.get(carrier_class.slug, frozenset())
    for draft in (one for one in list_drafts(bench) if one.name not in later):
        for service in price(bench, draft):
            bench.purchases += 1
            body = {**draft.body, "service": service, "label_type": "PDF"}
            key = f"{bench.purchases:032x}"
            outcome = bench.ask("ship", ShipmentRequest.model_validate(body), key=key)
            if outcome.result is None:
                yield f"{'-'.join(where)}, {draft.name}, {service}: {said(outcome)}"
    bench.close()


@needs("rate", "ship", network=True)
def test_what_has_a_price_can_be_bought(carrier_class: AnyCarrier) -> None:
    lanes = (lane(carrier_class), lane_abroad(carrier_class), lane_across_customs(carrier_class))
    places = dict.fromkeys(where for where in lanes if where)
    assert [fault for where in places for fault in list_unsold(carrier_class, where)] == []


@needs("rate", "ship", network=True, when=lambda carrier_class: carrier_class.slug in ASKED_LATER)
def test_what_is_asked_for_later_is_refused_before_it_is_paid(carrier_class: AnyCarrier) -> None:
    """And nothing stands in the list that is not."""
    refused = set()
    for where in filter(None, (lane(carrier_class), lane_across_customs(carrier_class))):
        bench = Bench(carrier_class, where)
        for draft in list_drafts(bench):
            if draft.name in ASKED_LATER[carrier_class.slug]:
                request = {**draft.body, "service": price(bench, draft)[0], "label_type": "PDF"}
                outcome = bench.ask("ship", ShipmentRequest.model_validate(request))
                refused |= {draft.name} if outcome.result is None and outcome.messages else set()
        bench.close()
    assert refused == ASKED_LATER[carrier_class.slug]

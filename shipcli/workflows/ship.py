"""Ship a parcel in one step: choose the rate, check that the money may be spent, buy the label.

The face says what is wanted (`RateCriteria`) and who answers questions (`Prompter`). How a purchase is made
safe is another matter where it is made: by locks and intents here, by keys on a server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency import choose_key
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.second_labels import check_reference, hold_reference
from shipcli.features.shipments.ship import (
    KeyedRequest,
    buy_new,
    buy_stored,
    check_voidable,
    pick,
    read_offered_rate,
    select_by_currency,
    was_voided,
)
from shipcli.models import (
    NoConnection,
    RateRequestData,
    RateResponse,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentUpdateData,
)

if TYPE_CHECKING:
    from shipcli.features.shipments.budget import Reservation
    from shipcli.features.shipments.ship import Prompter, RateCriteria
    from shipcli.gateway.gateway import Gateway
    from shipcli.models import Rate, ShippingRequestData

VOID_REASON = "void_reason"  # in the metadata


def quote(gateway: Gateway, body: RateRequestData, currency: str | None = None) -> RateResponse:
    """The rates of all suitable connections, in one currency if it is named; nothing is stored.

    Errors: as `proxy.fetch_rates`; Invalid if there is no rate in the currency.
    """
    return select_by_currency(gateway.ask(proxy.fetch_rates, body), currency, gateway.defaults.currency)


def offer_again(gateway: Gateway, data: ShippingRequestData) -> Rate:
    """The named rate of an unstored shipment at its present price; unchanged if nobody quotes it again.

    Errors: Invalid if the rate is not among those of the request.
    """
    rate = read_offered_rate(data)
    fields = {name: value for name, value in data.given().items() if name in RateRequestData.model_fields}
    request = {**fields, "services": [rate.service], "carrier_ids": [rate.carrier_id]}
    try:
        rates = gateway.ask(proxy.fetch_rates, RateRequestData.model_validate(request)).rates
    except (NoConnection, Refused):
        return rate
    return min(rates, key=lambda offer: offer.total_charge, default=rate)


def ship_new(
    gateway: Gateway, data: ShipmentData, criteria: RateCriteria, prompter: Prompter, key: str | None = None
) -> Shipment:
    """Make and buy a shipment in one step; nothing is kept if the carrier refuses.

    Errors: as `buy_new` and `decide`.
    """
    request = {"shipment": data.plain(), "wish": criteria.plain()}
    return gateway.ask(
        buy_new, data, partial(decide, gateway, criteria, prompter), _make_keyed_request(key, request)
    )


def ship_stored(
    gateway: Gateway,
    shipment_id: str,
    criteria: RateCriteria,
    prompter: Prompter,
    *,
    parcel: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Shipment:
    """Buy a stored draft; weight and size of its parcel are replaced if they are given.

    Errors: as `buy_stored` and `decide`.
    """
    request = {"id": shipment_id, "parcel": dict(parcel or {}), "wish": criteria.plain()}
    choose = partial(decide, gateway, criteria, prompter)
    return gateway.ask(buy_stored, shipment_id, choose, parcel, _make_keyed_request(key, request))


def _make_keyed_request(key: str | None, request: Mapping[str, Any]) -> KeyedRequest | None:
    return KeyedRequest(choose_key(key, request), request) if key else None


@contextmanager
def decide(
    gateway: Gateway, criteria: RateCriteria, prompter: Prompter, draft: Shipment
) -> Iterator[Reservation]:
    """Choose the rate, within the budget and agreed to; the block then buys it.

    Errors: Invalid as `pick`, and naming what a purchase would refuse; LimitReached; AlreadyBought; Conflict
            while somebody else buys for the same reference; what the prompter raises.
    """
    check_purchase(draft)
    rate = pick(gateway.defaults, draft, criteria, prompter.choose)
    with criteria.budget.reserved(rate) as reserved:
        gateway.ask(check_reference, draft, again=prompter.again)
        prompter.agree(reserved.limit(draft), rate)
        with gateway.ask(hold_reference, draft):
            # Whoever was asked may have thought about it while somebody else bought.
            gateway.ask(check_reference, draft, again=prompter.again)
            yield replace(reserved, open=criteria.open)


def void_label(gateway: Gateway, shipment_id: str, reason: str | None = None) -> Shipment:
    """Void the label of a shipment with its carrier, once; the reason is kept in the metadata.

    Errors: NotFound; Conflict if there never was a label to void; Refused.
    """
    before = gateway.ask(shipments.get_shipment, shipment_id)
    check_voidable(before)
    voided = before if was_voided(before) else gateway.ask(shipments.cancel_shipment, shipment_id)
    if not reason or VOID_REASON in voided.metadata:
        return voided
    note = ShipmentUpdateData.model_validate({"metadata": {VOID_REASON: reason}})
    return gateway.ask(shipments.update_shipment, shipment_id, note)

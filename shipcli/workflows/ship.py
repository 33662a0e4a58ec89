"""Ship a parcel in one step: choose the rate, check that the money may be spent, buy the label.

The face says what is wanted (`RateCriteria`) and who answers questions (`Prompter`). What keeps a purchase
from being made twice is held where the store is: in this process, or on the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency import choose_key, digest_request
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.filters import SHIPMENTS
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.returns import RETURN_OF
from shipcli.features.shipments.sale import buy_draft
from shipcli.features.shipments.second_labels import refuse_second, refuse_second_return
from shipcli.features.shipments.ship import (
    buy_rate,
    check_voidable,
    find_bought,
    make_rated_draft,
    read_offered_rate,
    read_stored_draft,
    select_by_currency,
    select_rate,
    was_voided,
)
from shipcli.features.shipments.shorthand import fill_box
from shipcli.gateway.where import make_where
from shipcli.models import (
    NoConnection,
    ParcelPatch,
    RateRequestData,
    RateResponse,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentUpdateData,
)
from shipcli.models.purchase_steps import KeyedOperation, KeyedRequest, RatePurchase
from shipcli.workflows.gateway_sale import GatewaySale
from shipcli.workflows.lookup import list_returns

if TYPE_CHECKING:
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
    fields = {
        name: value
        for name, value in data.model_dump(exclude_unset=True).items()
        if name in RateRequestData.model_fields
    }
    request = {**fields, "services": [rate.service], "carrier_ids": [rate.carrier_id]}
    try:
        rates = gateway.ask(proxy.fetch_rates, RateRequestData.model_validate(request)).rates
    except (NoConnection, Refused):
        return rate
    return min(rates, key=lambda offer: offer.total_charge, default=rate)


@dataclass(frozen=True)
class BenchSale(GatewaySale):
    """The purchase of one parcel by a person: agreed to, and the only one of its reference."""

    prompter: Prompter
    keyed: KeyedRequest | None = None

    def choose(self, draft: Shipment) -> Rate:
        """The rate that fits the criteria, or that the person chooses."""
        check_purchase(draft)
        return select_rate(self.gateway.defaults, draft, self.criteria, self.prompter.choose)

    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Errors: AlreadyBought; what the prompter raises."""
        check_reference(self.gateway, draft, again=self.prompter.again)
        self.prompter.agree(draft, rate)

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft, bought once for its key.

        Its reference is checked again: somebody else may have bought while a person thought about it.
        """
        purchase = RatePurchase(
            draft=draft,
            rate=rate,
            again=self.prompter.again,
            keyed=self.keyed,
            has_others=self.is_open and len(draft.rates) > 1,
        )
        return self.gateway.ask(buy_rate, purchase)


def check_reference(gateway: Gateway, draft: Shipment, *, again: bool) -> None:
    """Errors: AlreadyBought if another shipment with the reference has a label, or another return of the same
    goods, unless `again` is set.
    """
    if again:
        return
    if draft.reference:
        rows = gateway.each("shipment", make_where(SHIPMENTS, {"reference": draft.reference}))
        refuse_second(draft, (row for row in rows if row["reference"] == draft.reference))
    if original := draft.metadata.get(RETURN_OF):
        refuse_second_return(draft, list_returns(gateway, [str(original)]))


def ship_new(
    gateway: Gateway, data: ShipmentData, criteria: RateCriteria, prompter: Prompter, key: str | None = None
) -> Shipment:
    """Make and buy a shipment in one step, once per key; nothing is stored before it is bought.

    Errors: as `make_rated_draft`, `find_earlier` and `buy_draft`; what the prompter raises.
    """
    request = {"shipment": data.model_dump(), "request": criteria.to_dict()}
    keyed = make_keyed_request("create_shipment", key, request)
    earlier = find_earlier(gateway, keyed)
    if earlier:
        return earlier
    draft = gateway.ask(make_rated_draft, data)
    return buy_draft(BenchSale(gateway, criteria, prompter, keyed), draft)


def ship_stored(
    gateway: Gateway,
    shipment_id: str,
    criteria: RateCriteria,
    prompter: Prompter,
    *,
    parcel: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Shipment:
    """Buy a stored draft, once per key; weight and size of its parcel are replaced if they are given.

    Errors: as `read_draft`, `find_earlier` and `buy_draft`; what the prompter raises.
    """
    request = {"id": shipment_id, "parcel": dict(parcel or {}), "request": criteria.to_dict()}
    keyed = make_keyed_request("purchase_shipment", key, request)
    earlier = find_earlier(gateway, keyed)
    if earlier:
        return earlier
    draft = read_draft(gateway, shipment_id, parcel)
    return buy_draft(BenchSale(gateway, criteria, prompter, keyed), draft)


def read_draft(gateway: Gateway, shipment_id: str, parcel: Mapping[str, Any] | None = None) -> Shipment:
    """A stored draft with its rates, as it would be bought with these facts of its parcel.

    Errors: as `read_stored_draft`.
    """
    facts = ParcelPatch.model_validate(fill_box(gateway.defaults, parcel)) if parcel else None
    return gateway.ask(read_stored_draft, shipment_id, facts)


def make_keyed_request(
    operation: KeyedOperation, key: str | None, request: Mapping[str, Any]
) -> KeyedRequest | None:
    """The request of a purchase with its key, if it has one; `auto` makes one of the request."""
    if not key:
        return None
    return KeyedRequest(operation=operation, key=choose_key(key, request), digest=digest_request(request))


def find_earlier(gateway: Gateway, keyed: KeyedRequest | None) -> Shipment | None:
    """What was bought with a key before.

    Errors: as `find_bought`.
    """
    return gateway.ask(find_bought, keyed).shipment if keyed else None


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

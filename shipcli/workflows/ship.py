"""Ship a parcel in one step: choose the rate, check that the money may be spent, buy the label.

The face says what is wanted (`RateCriteria`) and who answers questions (`Prompter`). How a purchase is made
safe is another matter where it is made: by locks and intents here, by keys on a server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shipcli.features.core.idempotency import choose_key
from shipcli.features.shipments import proxy
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.requirements import check_purchase
from shipcli.features.shipments.sale import buy_draft
from shipcli.features.shipments.second_labels import check_reference, hold_reference
from shipcli.features.shipments.ship import (
    KeyedRequest,
    buy_rate,
    check_voidable,
    drop_draft,
    open_new,
    open_stored,
    pick,
    read_offered_rate,
    select_by_currency,
    was_voided,
)
from shipcli.models import (
    NoConnection,
    OutcomeUnknown,
    RateRequestData,
    RateResponse,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentUpdateData,
    Unreachable,
)
from shipcli.workflows.gateway_sale import GatewaySale

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
    keyed_request: KeyedRequest | None = None

    def choose(self, draft: Shipment) -> Rate:
        """The rate that fits the criteria, or that the person chooses."""
        check_purchase(draft)
        return pick(self.gateway.defaults, draft, self.criteria, self.prompter.choose)

    def confirm(self, draft: Shipment, rate: Rate) -> None:
        """Errors: AlreadyBought; what the prompter raises."""
        self._check_reference(draft)
        self.prompter.agree(draft, rate)

    @contextmanager
    def hold(self, draft: Shipment) -> Iterator[None]:
        """Hold the reference; whoever was asked may have thought about it while somebody else bought."""
        with self.gateway.ask(hold_reference, draft):
            self._check_reference(draft)
            yield

    def _check_reference(self, draft: Shipment) -> None:
        self.gateway.ask(check_reference, draft, again=self.prompter.again)

    def buy(self, draft: Shipment, rate: Rate) -> Shipment:
        """The draft, bought once for its key."""
        has_others = self.is_open and len(draft.rates) > 1
        return self.gateway.ask(buy_rate, draft, rate, self.keyed_request, has_others=has_others)


def ship_new(
    gateway: Gateway, data: ShipmentData, criteria: RateCriteria, prompter: Prompter, key: str | None = None
) -> Shipment:
    """Make and buy a shipment in one step, once per key; no draft is left open if it is not bought.

    Errors: as `open_new` and `buy_draft`; what the prompter raises.
    """
    request = {"shipment": data.model_dump(), "wish": criteria.to_dict()}
    sale = BenchSale(gateway, criteria, prompter, _make_keyed_request("create_shipment", key, request))
    draft = gateway.ask(open_new, data, sale.keyed_request)
    if draft.status != "draft":
        return draft
    try:
        return buy_draft(sale, draft)
    except (OutcomeUnknown, Unreachable):
        raise  # it may have been bought
    except BaseException:
        gateway.ask(drop_draft, draft)
        raise


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

    Errors: as `open_stored` and `buy_draft`; what the prompter raises.
    """
    request = {"id": shipment_id, "parcel": dict(parcel or {}), "wish": criteria.to_dict()}
    sale = BenchSale(gateway, criteria, prompter, _make_keyed_request("purchase_shipment", key, request))
    draft = gateway.ask(open_stored, shipment_id, parcel, sale.keyed_request)
    return draft if draft.status != "draft" else buy_draft(sale, draft)


def _make_keyed_request(operation: str, key: str | None, request: Mapping[str, Any]) -> KeyedRequest | None:
    return KeyedRequest(operation, choose_key(key, request), request) if key else None


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

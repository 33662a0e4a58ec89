"""Purchases on another server of this API, in plain calls of its contract: make a draft, buy a rate of it.

Such a server knows no idempotency keys: it can't promise that a label is bought only once. A person is shown
the price before the draft is made; it is bought for no more, and cancelled if it is not bought.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shipcli.features.book.addresses import get_address
from shipcli.features.book.drafts import fill_dates
from shipcli.features.book.parcels import get_parcel, update_parcel
from shipcli.features.core.merge import drop_ids
from shipcli.features.shipments import proxy, ship
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import CEILING
from shipcli.features.shipments.price_ceiling import explain_voided
from shipcli.features.shipments.shorthand import find_only_parcel
from shipcli.models import (
    Conflict,
    Invalid,
    OutcomeUnknown,
    ParcelPatch,
    RateRequestData,
    Shipment,
    ShipmentData,
    ShipmentPurchaseData,
    ShipmentRateData,
    Unreachable,
)
from shipcli.models.basics.errors import ShipcliError
from shipcli.models.parts.stored import Reference, resolve_references
from shipcli.models.purchase_steps import BoughtBefore, KeyedRequest

if TYPE_CHECKING:
    from shipcli.gateway.http import HttpGateway
    from shipcli.models import Rate
    from shipcli.models.purchase_steps import RatePurchase

RATED_BY = ("shipper", "recipient", "parcels", "options", "payment", "customs", "reference", "return_address",
            "billing_address", "services", "carrier_ids")  # fmt: skip


# -- prices ----------------------------------------------------------------------------------------


def make_rated_draft(server: HttpGateway, data: ShipmentData) -> Shipment:
    """A shipment with rates that is not stored anywhere: it has no id."""
    services = data.services or ([data.service] if data.service else [])
    plain = resolve_references(data, lambda link: _read_stored(server, link))
    plain["options"] = fill_dates(server.now(), plain["options"], plain["shipper"])
    draft = Shipment.model_validate({**plain, "id": "", "services": services, "service": None})
    return _fetch_rates(server, draft, data.model_copy(update={"services": services}).model_dump())


def _fetch_rates(server: HttpGateway, draft: Shipment, plain: dict[str, Any]) -> Shipment:
    request = {name: plain[name] for name in RATED_BY if plain.get(name) is not None}
    answer = server.ask(proxy.fetch_rates, RateRequestData.model_validate(request))
    return draft.model_copy(update={"rates": answer.rates, "messages": answer.messages})


def _read_stored(server: HttpGateway, link: Reference) -> dict[str, Any]:
    """Errors: Invalid for what the API does not read by its id; NotFound."""
    readers = {"address": get_address, "parcel": get_parcel}
    if link.stored.kind not in readers:
        raise Invalid(link.path, "An id can't be looked up here on another server: spell it out.")
    return server.ask(readers[link.stored.kind], link.stored.id).model_dump()


def read_stored_draft(server: HttpGateway, shipment_id: str, parcel: ParcelPatch | None = None) -> Shipment:
    """A draft as it would be bought; with another weight it is rated without being changed.

    Errors: NotFound, Conflict when it is not a draft; those of the API.
    """
    draft = server.ask(shipments.get_shipment, shipment_id)
    if draft.status != "draft":
        raise ship.explain_not_a_draft(draft)
    if parcel is None:
        return draft if draft.rates else server.ask(shipments.fetch_rates, draft.id, ShipmentRateData())
    only = find_only_parcel(draft.parcels)
    changed = only.model_copy(update=parcel.model_dump(exclude_unset=True))
    draft = draft.model_copy(update={"parcels": [changed]})
    return _fetch_rates(server, draft, drop_ids(draft.model_dump()))


# -- buying ----------------------------------------------------------------------------------------


def find_bought(server: HttpGateway, keyed: KeyedRequest) -> BoughtBefore:
    """Nothing: such a server does not know what was bought with a key."""
    return BoughtBefore()


def buy_rate(server: HttpGateway, purchase: RatePurchase) -> Shipment:
    """Buy a draft at a rate, for no more than was agreed to; a new one is cancelled if it is not bought.

    Errors: those of the API; Conflict if it costs more now; Unreachable, and then it may have been bought.
    """
    draft, rate = purchase.draft, purchase.rate
    if draft.id:
        return _buy_at(server, _change_parcel(server, draft), rate, draft)
    made = server.ask(shipments.create_shipment, _make_body(draft))
    try:
        return _buy_at(server, made, rate, draft)
    except (OutcomeUnknown, Unreachable):
        raise  # it may have been bought
    except ShipcliError:
        _drop_draft(server, made)
        raise


def _make_body(draft: Shipment) -> ShipmentData:
    plain = drop_ids(draft.model_dump())
    return ShipmentData.model_validate(
        {name: plain[name] for name in ShipmentData.model_fields if plain.get(name) is not None}
    )


def _change_parcel(server: HttpGateway, draft: Shipment) -> Shipment:
    """A stored draft, as it is there or with the other parcel that was rated."""
    stored = server.ask(shipments.get_shipment, draft.id)
    if drop_ids(stored.model_dump()["parcels"]) == drop_ids(draft.model_dump()["parcels"]):
        return stored
    only = drop_ids(find_only_parcel(draft.parcels).model_dump())
    facts = {name: only[name] for name in ParcelPatch.model_fields if only.get(name) is not None}
    server.ask(update_parcel, str(find_only_parcel(stored.parcels).id), ParcelPatch.model_validate(facts))
    return server.ask(shipments.fetch_rates, draft.id, ShipmentRateData())


def _buy_at(server: HttpGateway, stored: Shipment, rate: Rate, draft: Shipment) -> Shipment:
    same = [offer for offer in stored.rates if offer.id == rate.id]
    chosen = same[0] if same else find_agreed_rate(stored, rate)
    return purchase_draft(server, stored.id, chosen, draft)


def find_agreed_rate(draft: Shipment, agreed: Rate) -> Rate:
    """The rate of a draft that matches what was agreed to.

    Errors: Conflict if it costs more now, or is no longer offered.
    """
    key = agreed.carrier_id, agreed.service
    rates = [rate for rate in draft.rates if (rate.carrier_id, rate.service) == key]
    if not rates:
        raise Conflict(f"{agreed.service} is not offered any more: run the command again")
    rate = min(rates, key=lambda offer: offer.total_charge)
    if is_dearer(rate, agreed):
        raise Conflict(f"The price is {rate.total_charge} {rate.currency} now: run the command again")
    return rate


def is_dearer(rate: Rate, agreed: Rate) -> bool:
    """Whether a rate costs more than was agreed to; one in another currency counts as more."""
    return rate.currency != agreed.currency or rate.total_charge > agreed.total_charge


def purchase_draft(server: HttpGateway, shipment_id: str, rate: Rate, draft: Shipment) -> Shipment:
    """Buy a stored draft for no more than it may cost, as the draft says.

    Errors: those of the API; Unreachable, and then it may have been bought.
    """
    ceiling = {name: value for name, value in draft.metadata.items() if name == CEILING}
    body = {"selected_rate_id": rate.id, **({"metadata": ceiling} if ceiling else {})}
    try:
        return server.ask(shipments.purchase_shipment, shipment_id, ShipmentPurchaseData.model_validate(body))
    except Unreachable as error:
        return look_up(server, shipment_id, error)


def look_up(server: HttpGateway, shipment_id: str, error: Unreachable) -> Shipment:
    """What became of a purchase whose answer was lost.

    Errors: that of the lost answer, if the server says nothing of it; OutcomeUnknown.
    """
    try:
        bought = server.ask(shipments.get_shipment, shipment_id)
    except ShipcliError:
        raise error from None
    if bought.status == "draft":
        raise error
    if bought.status == "needs_attention":
        raise OutcomeUnknown(bought.messages)
    return bought


def take_back(server: HttpGateway, shipment_id: str, *, most: str) -> Shipment:
    """Void a label that passes the budget of its run together with others.

    Errors: BilledAbove when it is voided; those of the API.
    """
    voided = server.ask(shipments.cancel_shipment, shipment_id)
    raise explain_voided(voided.model_copy(update={"metadata": {**voided.metadata, CEILING: most}}))


def _drop_draft(server: HttpGateway, draft: Shipment) -> None:
    """Cancel a draft that was not bought; an error here must not hide the first one."""
    try:
        if server.ask(shipments.get_shipment, draft.id).status == "draft":
            server.ask(shipments.cancel_shipment, draft.id)
    except ShipcliError:
        return

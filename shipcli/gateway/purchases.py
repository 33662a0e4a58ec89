"""Buy a shipment on a server: make a draft there, then buy one of its rates.

The server makes the draft and its rates in one request and buys in another, so that the price a person agrees
to is the price that is paid. A draft that nobody wanted in the end is cancelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.book.addresses import get_address
from shipcli.features.book.drafts import fill_dates
from shipcli.features.book.parcels import get_parcel, update_parcel
from shipcli.features.core.idempotency import digest_request
from shipcli.features.orders.fulfilment import PURCHASE_KEY
from shipcli.features.shipments import proxy, second_labels, ship
from shipcli.features.shipments import service as shipments
from shipcli.features.shipments.budget import CEILING, exceeds_ceiling
from shipcli.features.shipments.price_ceiling import explain_voided
from shipcli.features.shipments.shorthand import fill_box, find_only_parcel
from shipcli.gateway.where import ListFilter
from shipcli.models import (
    IdempotencyConflict,
    Invalid,
    OutcomeUnknown,
    ParcelPatch,
    RateRequestData,
    Refused,
    Shipment,
    ShipmentData,
    ShipmentPurchaseData,
    ShipmentRateData,
    Unreachable,
)
from shipcli.models.basics.errors import ShipcliError
from shipcli.models.parts.stored import Reference, resolve_references

if TYPE_CHECKING:
    from shipcli.features.shipments.ship import KeyedRequest
    from shipcli.gateway.http import HttpGateway
    from shipcli.models import Rate

RATED_BY = ("shipper", "recipient", "parcels", "options", "payment", "customs", "reference", "return_address",
            "billing_address", "services", "carrier_ids")  # fmt: skip
ASKED = "purchase_request"  # in the metadata beside the key: the digest of what was asked for


# -- prices ----------------------------------------------------------------------------------------


def make_rated_draft(server: HttpGateway, data: ShipmentData) -> Shipment:
    """A shipment with rates that is not stored anywhere."""
    body = {
        **data.model_dump(exclude_unset=True),
        "services": data.services or ([data.service] if data.service else []),
    }
    request = RateRequestData.model_validate({name: body[name] for name in RATED_BY if name in body})
    answer = server.ask(proxy.fetch_rates, request)
    plain = resolve_references(data, lambda link: _read_stored(server, link))
    plain["options"] = fill_dates(server.now(), plain["options"], plain["shipper"])
    return Shipment.model_validate(
        {**plain, "id": "", "rates": answer.rates, "messages": answer.messages, "service": None}
    )


def _read_stored(server: HttpGateway, link: Reference) -> dict[str, Any]:
    """Errors: Invalid for what the API does not read by its id; NotFound."""
    readers = {"address": get_address, "parcel": get_parcel}
    if link.stored.kind not in readers:
        raise Invalid(link.path, "An id can't be looked up here on another server: spell it out.")
    return server.ask(readers[link.stored.kind], link.stored.id).model_dump()


def read_stored_draft(
    server: HttpGateway, shipment_id: str, parcel: Mapping[str, Any] | None = None
) -> Shipment:
    """A draft as it would be bought; with another weight it is rated without being changed.

    Errors: NotFound, Conflict when it is not a draft; those of the API.
    """
    draft = _find_draft(server, shipment_id)
    if not parcel:
        return draft if draft.rates else _rate_draft(server, draft)
    patch = ParcelPatch.model_validate(fill_box(server.defaults, parcel))
    only = {**find_only_parcel(draft.parcels).model_dump(), **patch.model_dump(exclude_unset=True)}
    body = draft.model_copy(
        update={"parcels": [{key: value for key, value in only.items() if key != "id"}]}
    ).model_dump()
    request = RateRequestData.model_validate(
        {name: body[name] for name in RATED_BY if body[name] is not None}
    )
    answer = server.ask(proxy.fetch_rates, request)
    return draft.model_copy(update={"rates": answer.rates, "messages": answer.messages})


def _find_draft(server: HttpGateway, shipment_id: str) -> Shipment:
    draft = server.ask(shipments.get_shipment, shipment_id)
    if draft.status != "draft":
        raise ship.explain_not_a_draft(draft)
    return draft


def _rate_draft(server: HttpGateway, draft: Shipment) -> Shipment:
    return server.ask(shipments.fetch_rates, draft.id, ShipmentRateData())


# -- buying ----------------------------------------------------------------------------------------


def open_new(server: HttpGateway, data: ShipmentData, keyed_request: KeyedRequest | None = None) -> Shipment:
    """A new draft, or what an earlier run made with the same key.

    The key is kept in the metadata, so that any server can tell what was bought with it.
    Errors: those of the API; IdempotencyConflict when something else was asked with the key; OutcomeUnknown;
            BilledAbove if an earlier run bought it above its limit, and it was voided.
    """
    draft = _prepare_draft(server, data, keyed_request)
    return draft if draft.status == "draft" else _tell_outcome(draft)


def buy_rate(
    server: HttpGateway,
    draft: Shipment,
    rate: Rate,
    keyed_request: KeyedRequest | None = None,
    *,
    has_others: bool = False,
) -> Shipment:
    """Buy a draft at a rate; each of its rates has a key of its own.

    Errors: as `purchase`.
    """
    if keyed_request is None:
        return purchase(server, draft, rate, None)
    return purchase(server, draft, rate, f"{keyed_request.key}-{rate.id}", _make_marks(keyed_request))


def take_back(server: HttpGateway, shipment_id: str, most: str) -> Shipment:
    """Void a label that passes the budget of its run together with others.

    Errors: BilledAbove when it is voided; those of the API.
    """
    voided = server.ask(shipments.cancel_shipment, shipment_id)
    raise explain_voided(voided.model_copy(update={"metadata": {**voided.metadata, CEILING: most}}))


def _tell_outcome(shipment: Shipment) -> Shipment:
    """Return what an earlier run made with the same key; nothing is bought again at any rate.

    Errors: OutcomeUnknown while a person has to look it up with the carrier; BilledAbove if it was voided.
    """
    if shipment.status == "needs_attention":
        raise OutcomeUnknown(shipment.messages)
    if ship.was_voided(shipment) and exceeds_ceiling(shipment):
        raise explain_voided(shipment)
    return shipment


def _make_marks(keyed_request: KeyedRequest) -> dict[str, str]:
    """The metadata that tell with which key something was bought, and what was requested."""
    return {PURCHASE_KEY: keyed_request.key, ASKED: digest_request(keyed_request.request)[:32]}


def _check_same_request(shipment: Shipment, keyed_request: KeyedRequest) -> None:
    """Errors: IdempotencyConflict if a shipment was made with the key for another request."""
    digest = _make_marks(keyed_request)[ASKED]
    if shipment.metadata.get(ASKED, digest) != digest:
        raise IdempotencyConflict()


def _prepare_draft(server: HttpGateway, data: ShipmentData, keyed_request: KeyedRequest | None) -> Shipment:
    """A new draft, or what an earlier run made with the same key."""
    services = data.services or ([data.service] if data.service else [])
    unbought = data.model_copy(update={"service": None, "services": services})
    if keyed_request is None:
        return server.ask(shipments.create_shipment, unbought)
    key = keyed_request.key
    rows = server.each("shipment", ListFilter({"metadata_key": PURCHASE_KEY, "metadata_value": key}))
    existing = [Shipment.model_validate(row) for row in rows if row["metadata"].get(PURCHASE_KEY) == key]
    alive = [shipment for shipment in existing if shipment.status != "cancelled"]
    undone = next(
        (shipment for shipment in existing if ship.was_voided(shipment) and exceeds_ceiling(shipment)), None
    )
    if undone:
        raise explain_voided(undone)
    if alive:
        _check_same_request(alive[0], keyed_request)
        return alive[0]
    marked = unbought.model_copy(update={"metadata": {**data.metadata, **_make_marks(keyed_request)}})
    return create_draft(server, f"{key}-{len(existing)}", marked)


def create_draft(server: HttpGateway, key: str, data: ShipmentData) -> Shipment:
    """Make a draft with rates, once per key. A refusal that an earlier run got no longer counts.

    The server says a refusal again for as long as it knows the key. Two runs at once try the same keys in the
    same order, so that they share the draft.
    Errors: those of the API.
    """
    attempt = 0
    while True:
        try:
            return server.ask_once(f"{key}-{attempt}" if attempt else key, shipments.create_shipment, data)
        except Refused as error:
            if not error.is_replay:
                raise
            attempt += 1


def drop_draft(server: HttpGateway, draft: Shipment) -> None:
    """Cancel a draft that was not bought; an error here must not hide the first one.

    Another run with the same key may have bought it in the meantime: a label is not taken back.
    """
    try:
        if server.ask(shipments.get_shipment, draft.id).status == "draft":
            server.ask(shipments.cancel_shipment, draft.id)
    except ShipcliError:
        return


def open_stored(
    server: HttpGateway,
    shipment_id: str,
    parcel: Mapping[str, Any] | None = None,
    keyed_request: KeyedRequest | None = None,
) -> Shipment:
    """A stored draft with rates, or what an earlier run made of it with the same key; weight and size of its
    parcel are replaced if they are given.

    Errors: as `open_new`; NotFound; Conflict when it is not a draft and no run with this key bought it.
    """
    if keyed_request:
        existing = server.ask(shipments.get_shipment, shipment_id)
        if existing.status != "draft" and existing.metadata.get(PURCHASE_KEY) == keyed_request.key:
            _check_same_request(existing, keyed_request)
            return _tell_outcome(existing)
    draft = _find_draft(server, shipment_id)
    if parcel:
        patch = ParcelPatch.model_validate(fill_box(server.defaults, parcel))
        server.ask(update_parcel, find_only_parcel(draft.parcels).id, patch)
    return _rate_draft(server, draft) if parcel or not draft.rates else draft


def check_reference(server: HttpGateway, draft: Shipment, *, again: bool) -> None:
    """Errors: AlreadyBought when another shipment of the reference has a label, and none is wanted again."""
    if draft.reference and not again:
        rows = server.each("shipment", ListFilter({"reference": draft.reference}))
        second_labels.refuse_second(draft, (row for row in rows if row["reference"] == draft.reference))


def purchase(
    server: HttpGateway,
    draft: Shipment,
    rate: Rate,
    key: str | None,
    metadata: Mapping[str, Any] | None = None,
) -> Shipment:
    """Buy a draft for no more than it may cost; if the answer is lost, the server is asked what became of it.

    Errors: those of the API; Unreachable, and then it may have been bought.
    """
    ceiling = {name: value for name, value in draft.metadata.items() if name == CEILING}
    marked = {**(metadata or {}), **ceiling}
    body = {"selected_rate_id": rate.id, **({"metadata": marked} if marked else {})}
    data = ShipmentPurchaseData.model_validate(body)
    try:
        bought = server.ask_once(key, shipments.purchase_shipment, draft.id, data)
    except Unreachable as error:
        try:
            bought = server.ask(shipments.get_shipment, draft.id)
        except ShipcliError:
            raise error from None
        if bought.status == "draft":
            raise error from None
        return _tell_outcome(bought)
    return bought

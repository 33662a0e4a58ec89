"""ShipEngine: prices, labels, returns, tracking, collections, forms, addresses by the carriers behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask,
    ask_all,
)
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each, read_replies
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupUpdateRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import addresses, manifests, parts, pickups, rates, shipments, tracking
from .parts import CATALOGUE, Request

HOST, LABELS, PICKUPS = "https://api.shipengine.com", "/v1/labels", "/v1/pickups"
NOT_FOUND = 404


class ShipengineAccount(Credentials):
    """An API key; it says itself whether it is for tests."""

    api_key: SecretStr
    carrier_ids: list[str] | None = None


class ShipengineConfig(CarrierConfig):
    """Habits of a connection."""

    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Shipengine(Carrier[ShipengineAccount, ShipengineConfig]):
    """ShipEngine, a hub: its quotes name the carrier that moves the parcel."""

    slug = "shipengine"
    name = "ShipEngine"
    integration_status = "beta"
    hub, trackable = True, False
    values_each = needs_weight = True
    hosts = {True: HOST, False: HOST}
    Credentials, Config = ShipengineAccount, ShipengineConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    references_packaging = False
    also_reads = frozenset({"insurance", "signature_confirmation", "cash_on_delivery", "currency"})
    done_before = (
        DoneBefore(verb="void", code="label_already_voided"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already\b.*\bcancel"),
        DoneBefore(verb="manifest", text=r"(?i)already\b.*\bmanifest"),
    )
    sample_account = {"api_key": "TEST_sandbox"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"API-Key": self.account.api_key.get_secret_value()}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return parts.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        """What names a label, a collection or a form made it, whatever else it says."""
        body = reply.json
        if reply.status >= 400 or not isinstance(body, dict):
            return reply.status >= 400
        made = any(body.get(name) for name in ("label_id", "pickup_id", "manifests", "rate_response"))
        return body.get("approved") is False or bool(body.get("errors") and not made)

    # -- prices --------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rates.read_rates((yield from self.ask_rates(request, request.services)))

    def ask_rates(self, request: Request, services: Sequence[str]) -> Flow[Json]:
        """Ask the carriers of all accounts, or of those that the connection names."""
        accounts = self.account.carrier_ids or (yield from self._list_accounts())
        shipment, is_return = self.write_shipment(request), self.options_of(request).flag("is_return")
        body = rates.write_rates(shipment, accounts, services, is_return)
        reply = yield from self.ask("POST", "/v1/rates", json=body, repeatable=True)
        return dict(reply.json)

    def _list_accounts(self) -> Flow[list[str]]:
        """Errors: CarrierError when no carrier is connected."""
        reply = yield from self.ask("GET", "/v1/carriers")
        accounts = read_each(as_list(reply.json.get("carriers")), lambda row: str(row["carrier_id"]))
        if accounts:
            return accounts
        text = "No carrier is connected at ShipEngine: connect one in its dashboard"
        raise CarrierError(Message(code="no_carrier", message=text), definite=True)

    def write_shipment(self, request: Request) -> Json:
        each = list(self.options_of_each(request))
        return parts.write_shipment(request, self.options_of(request), each)

    # -- labels --------------------------------------------------------------------------------

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        account = yield from shipments.choose_account(self, request)
        body = shipments.write_order(self, request, account)
        return (yield from self._order(body))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """ShipEngine is told that it is a label for the way back."""
        account = yield from shipments.choose_account(self, request)
        body = {**shipments.write_order(self, request, account), "is_return_label": True}
        return (yield from self._order(body))

    def _order(self, body: Json) -> Flow[Label]:
        reply = yield from self.ask("POST", LABELS, json=body)
        return (yield from shipments.finish(reply.json))

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The label of the shipment whose external id is the key of this purchase.

        Errors: CarrierError for any refusal but that there is none.
        """
        path = f"{LABELS}/external_shipment_id/{self.reference()}"
        reply = yield from ask(Call("GET", path, query=shipments.INLINE, tolerant=True))
        if reply.ok:
            return (yield from shipments.finish(reply.json))
        if reply.status == NOT_FOUND:
            return None
        raise CarrierError()

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        path = f"{LABELS}/{quote(str(bought.shipment_identifier), safe='')}"
        reply = yield from self.ask("GET", path, query=shipments.INLINE)
        return (yield from shipments.finish(reply.json))

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """One label holds all parcels."""
        path = f"{LABELS}/{quote(request.shipment_identifier, safe='')}/void"
        reply = yield from self.ask("PUT", path)
        return Confirmation(success=bool(reply.json["approved"]), operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        calls = [tracking.ask_for(number, request.options_of(number)) for number in numbers]
        replies = yield from ask_all(calls)
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: tracking.read_tracking(reply.json, number))

    # -- the desk ------------------------------------------------------------------------------

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(request, self.now_at(request.address).tzinfo)
        reply = yield from self.ask("POST", PICKUPS, json=body)
        return pickups.read_pickup(reply.json)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        number = request.confirmation_number
        cancel = self.cancel_pickup(PickupCancelRequest(confirmation_number=number))
        return (yield from rebook_pickup(self, number, cancel, self.schedule_pickup(request)))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"{PICKUPS}/{quote(request.confirmation_number, safe='')}")
        return Confirmation(success=True, operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        """The forms are fetched too; one that can't be had is closed all the same.

        Errors: Invalid without labels.
        """
        if not request.shipment_identifiers:
            raise Invalid("shipment_identifiers", "ShipEngine closes shipments that are named")
        body = {"label_ids": list(request.shipment_identifiers)}
        reply = yield from self.ask("POST", "/v1/manifests", json=body)
        links = manifests.list_links(reply.json)
        replies = yield from ask_all([Call("GET", link, file=True, tolerant=True) for link in links])
        papers = [paper.content for paper in replies if paper.ok]
        return manifests.read_manifest(reply.json, papers if len(papers) == len(links) else [])

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = [drop_empty(parts.write_address(request.address))]
        reply = yield from self.ask("POST", "/v1/addresses/validate", json=body, repeatable=True)
        return addresses.read_validation(reply.json)

"""Easyship: prices, labels, tracking, collections and manifests of the couriers behind one JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
)
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
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

from . import manifests, pickups, rates, shipments, tracking
from .parts import (
    CATALOGUE,
    JSON,
    SHIPMENTS,
    Request,
    desk_options,
    named_shipments,
    path_of,
)

HOST = "https://api.easyship.com"
PICKUPS, MANIFESTS = "/2023-01/pickups", "/2023-01/manifests"
DETAILS = ("details", "request_id", "type")


class EasyshipAccount(Credentials):
    """A token; it says itself whether it is for the sandbox."""

    access_token: SecretStr


class EasyshipConfig(CarrierConfig):
    """Habits of a connection, where a request says nothing else."""

    platform_name: str | None = None
    apply_shipping_rules: bool | None = None
    allow_courier_fallback: bool | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Easyship(Carrier[EasyshipAccount, EasyshipConfig]):
    """Easyship, a hub: its quotes name the courier that moves the parcel."""

    slug = "easyship"
    values_each = True
    fills_in_quotes = ("person_name", "address_line1", "city")
    name = "Easyship"
    hub, trackable = True, False
    hosts = {True: HOST, False: HOST}
    Credentials, Config = EasyshipAccount, EasyshipConfig
    catalogue = CATALOGUE
    references_packaging = False
    also_reads = frozenset({"insurance", "email_notification_to", "currency"})
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already\b.*\bcancel"),
        DoneBefore(verb="manifest", text=r"(?i)already\b.*\bmanifest"),
    )
    sample_account = {"access_token": "sand_sandbox"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        token = self.account.access_token.get_secret_value()
        return {"Authorization": f"Bearer {token}", "Content-Type": JSON}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """The refusal, and what is noted beside a result."""
        error = reply.json.get("error")
        texts = as_list(get_path(reply.json, "meta/errors"))
        noted = [Message(code="warning", message=str(text)) for text in texts]
        if not error:
            return noted
        details = {name: error[name] for name in DETAILS if error.get(name)} or None
        return [Message(code=error.get("code"), message=error.get("message"), details=details), *noted]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(reply.json.get("error"))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rates.read_rates((yield from self.ask_rates(request)))

    def ask_rates(self, request: Request) -> Flow[list[Json]]:
        body = rates.write_rates(request, self)
        reply = yield from self.ask("POST", "/2023-01/rates", json=body, repeatable=True)
        return as_list(reply.json.get("rates"))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        courier = yield from shipments.choose_courier(self, request)
        body = shipments.write_shipment(request, self, courier)
        reply = yield from self.ask("POST", SHIPMENTS, json=body)
        return (yield from shipments.finish(self, reply))

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """Easyship lists shipments by the order number, which holds the key of the purchase.

        Source: developers.easyship.com, v2023.01, Retrieve, Update and Delete Shipments.
        """
        query = {"platform_order_number": self.reference()}
        reply = yield from self.ask("GET", SHIPMENTS, query=query)
        return (yield from shipments.find(self, as_list(reply.json.get("shipments"))))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        reply = yield from self.ask("GET", path_of(SHIPMENTS, str(bought.shipment_identifier)))
        return shipments.read_label(reply.json["shipment"])

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """Easyship is told in the order itself that it is a return."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        path = path_of(SHIPMENTS, request.shipment_identifier, "cancel")
        reply = yield from self.ask("POST", path)
        return Confirmation(success=bool(reply.json.get("success")), operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Easyship knows shipments by their id, which a label keeps as its tracker.

        A number that has none is asked for as if it were one: people copy the id from the dashboard.
        """
        numbers = request.tracking_numbers
        names = [tracking.find_id(request, number) for number in numbers]
        calls = [
            Call("GET", path_of(SHIPMENTS, name), about={"tracking_number": number, "shipment_id": name})
            for number, name in zip(numbers, names, strict=True)
        ]
        replies = yield from ask_all(calls)
        pairs = zip(numbers, replies, strict=True)
        return read_replies(
            pairs, lambda number, reply: tracking.read_tracking(reply.json["shipment"], number)
        )

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        courier = yield from self._courier_of(request)
        return (yield from self._book(request, courier))

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """What the new collection needs is asked for before the old one is cancelled."""
        courier = yield from self._courier_of(request)
        number = request.confirmation_number
        cancel = self.cancel_pickup(PickupCancelRequest(confirmation_number=number))
        return (yield from rebook_pickup(self, number, cancel, self._book(request, courier)))

    def _book(self, request: PickupRequest, courier: str) -> Flow[PickupDetails]:
        reply = yield from self.ask("POST", PICKUPS, json=pickups.write_pickup(request, courier))
        return pickups.read_pickup(reply.json)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        reply = yield from self.ask("POST", path_of(PICKUPS, request.confirmation_number, "cancel"))
        return Confirmation(success=bool(reply.json.get("success")), operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        courier = yield from self._courier_of(request)
        body = {"courier_account_id": courier, "shipment_ids": named_shipments(request)}
        reply = yield from self.ask("POST", MANIFESTS, json=body)
        form = reply.json["manifest"]
        paper = yield from self.ask("GET", form["document"]["url"], file=True)
        return manifests.read_manifest(form, paper.content)

    def _courier_of(self, request: PickupRequest | ManifestRequest) -> Flow[str]:
        """The courier account that collects: the one that is named, else that of the first shipment.

        Errors: Invalid when no shipment is named.
        """
        names = named_shipments(request)
        if not names:
            raise Invalid("shipment_identifiers", "Easyship collects, and closes, shipments that are named")
        if named := desk_options(request).text("easyship_courier_account_id"):
            return named
        reply = yield from self.ask("GET", path_of(SHIPMENTS, names[0]))
        return str(reply.json["shipment"]["courier"]["id"])

"""Canada Post: contract shipping, rating, tracking, pickups and manifests over REST and XML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    FIELD_ERROR,
    POSTAL,
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    NumberForm,
    Reply,
    Token,
    ask_all,
    basic_auth,
    sum_parcels,
)
from shipcli.carrier.number_forms import CANADA_PIN
from shipcli.carrier.wire.rows import read_each, read_replies
from shipcli.carrier.wire.xml import every, find
from shipcli.models import (
    CancelRequest,
    Confirmation,
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
from .parts import CANADA, CATALOGUE, PICKUP_REQUEST, RATE, TRACK, Payer, media

# Services by which a return comes back. Source: Create Authorized Return (REST), service-code.


class CanadaPostAccount(Credentials):
    """An API key of the developer programme and the customer it ships for."""

    username: str
    password: SecretStr
    customer_number: str | None = None
    contract_id: str | None = None
    language: Literal["en", "fr"] = "en"


class CanadaPostConfig(CarrierConfig):
    """Habits of a connection. Services outside `shipping_services`, when it is given, are not offered."""

    cost_center: str | None = None
    label_type: Literal["PDF_4x6", "PDF_8_5x11", "ZPL_4x6"] | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    transmit_shipment_by_default: bool | None = None


class CanadaPost(Carrier[CanadaPostAccount, CanadaPostConfig]):
    """One customer number of Canada Post."""

    slug = "canadapost"
    name = "Canada Post"
    option_currency = "CAD"
    home_country = CANADA
    one_parcel_back = True
    why_returns_stay = (
        "Canada Post bills a return label when it is scanned: one that nobody uses costs nothing, "
        "and can't be cancelled"
    )
    needs_weight = True
    tells_tax_number = False
    tells_payer = False
    hosts = {True: "https://ct.soa-gw.canadapost.ca", False: "https://soa-gw.canadapost.ca"}
    Credentials, Config = CanadaPostAccount, CanadaPostConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    fixed_in_pickups = frozenset({"address"})
    # What was voided or cancelled can't be found any more, a refund is requested once, and a group that was
    # transmitted holds nothing more to transmit: see `done_before` of the catalogue.
    number_forms = (CANADA_PIN, NumberForm("12 digits", r"\d{12}"), POSTAL)
    tracking_link = (
        "https://www.canadapost-postescanada.ca/track-reperage/{language}#/resultList?searchFor={}"
    )
    spacing_s = 0.025
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-key",
        "customer_number": "0001234567",
        "contract_id": "0012345678",
    }

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {
            "Authorization": basic_auth(self.account.username, self.account.password),
            "Accept-language": f"{self.account.language}-CA",
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every `message` of a reply, wherever it stands."""
        if b"message" not in reply.content or not reply.content.lstrip().startswith(b"<"):
            return []
        nodes = every(reply.xml, "message")
        return [
            Message(code=find(node, "code"), message=find(node, "description"), details={}) for node in nodes
        ]

    def is_refusal(self, reply: Reply) -> bool:
        """Canada Post may refuse with status 200: messages come instead of a result, never beside one."""
        understood = reply.structured and reply.content.strip()
        return reply.status >= 400 or bool(understood and every(reply.xml, "message"))

    def is_unknown(self, reply: Reply) -> bool:
        """Whether the carrier itself, no gateway on the way, says that there is no such thing."""
        return reply.status == 404 and bool(self.read_messages(reply))

    @property
    def payer(self) -> Payer:
        return Payer(self.account.customer_number, self.account.contract_id, self.config.cost_center)

    def shipments_path(self, tail: str = "") -> str:
        customer = self._customer()
        return f"/rs/{customer}/{customer}/shipment{tail}"

    def manifests_path(self) -> str:
        customer = self._customer()
        return f"/rs/{customer}/{customer}/manifest"

    def pickups_path(self, tail: str = "") -> str:
        return f"/enab/{self._customer()}/pickuprequest{tail}"

    def _customer(self) -> str:
        if not self.account.customer_number:
            problem = {"code": "required", "message": "Shipping needs the customer number of the connection"}
            raise self.refuse(FIELD_ERROR, "Invalid request payload", customer_number=problem)
        return self.account.customer_number

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        bodies = [
            rates.write_rate(self.payer, request, parcel, options)
            for parcel, options in zip(request.parcels, self.options_of_each(request), strict=True)
        ]
        headers = media(RATE)
        calls = [
            Call("POST", "/rs/ship/price", xml=body, headers=headers, repeatable=True) for body in bodies
        ]
        replies = yield from ask_all(calls)
        return sum_parcels([self._quotes(reply) for reply in replies])

    def _quotes(self, reply: Reply) -> list[Quote]:
        if not reply.ok:
            return []
        offered, prices = self.config.shipping_services, every(reply.xml, "price-quote")
        quotes = read_each(prices, rates.read_price, rates.QUOTED, self.context.carrier_id)
        return [quote for quote in quotes if not offered or quote.service in offered]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        return shipments.ship(self, request)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        return shipments.ship_return(self, request)

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        return shipments.fetch_label(self, bought)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        return shipments.recover(self, request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        email = self.options_of(request).text("email")
        return shipments.void(self, self.identifiers_of(request), email)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        paths = [f"/vis/track/pin/{number}/detail" for number in request.tracking_numbers]
        replies = yield from ask_all([Call("GET", path, headers={"Accept": TRACK}) for path in paths])
        results = read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: tracking.read_tracking(reply.xml, number),
        )
        return [result for result in results if result]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        return pickups.schedule(self, request)

    def recover_pickup(self, request: PickupRequest, others: Sequence[str]) -> Flow[PickupDetails | None]:
        return pickups.recover(self, request, others)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        return pickups.change(self, request)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        path = self.pickups_path(f"/{request.confirmation_number}")
        yield from self.ask("DELETE", path, headers={"Accept": PICKUP_REQUEST})
        return Confirmation(success=True, operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        return manifests.manifest(self, request)

    def recover_manifest(self, request: ManifestRequest) -> Flow[ManifestDetails | None]:
        return manifests.recover(self, request)

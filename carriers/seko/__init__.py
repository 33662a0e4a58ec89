"""SEKO Logistics: prices, labels, tracking and manifests by OmniParcel's JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    read_voids,
)
from shipcli.carrier.contents import list_currencies_of, list_goods
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import manifests, rates, shipments, tracking
from .parts import CATALOGUE, read_messages, read_outcomes

JSON = "application/json; charset=utf-8"
RESULTS = ("Available", "Consignments", "OutboundManifest", "InboundManifest")
RATES = "/ratesqueryv1/availablerates"
DEFAULT_CURRENCY = "USD"


class SekoAccount(Credentials):
    """The key of a site's account."""

    access_key: SecretStr


class SekoConfig(CarrierConfig):
    """The money of the prices, which no answer names, and who bears the cost."""

    currency: str | None = None
    cost_center: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Seko(Carrier[SekoAccount, SekoConfig]):
    """SEKO Logistics: one consignment for all parcels of a shipment, known by its consignment number."""

    slug = "seko"
    values_each = True
    fills_in_quotes = ("address_line1", "city")
    name = "SEKO Logistics"
    hosts = {True: "https://staging.omniparcel.com", False: "https://api.omniparcel.com"}
    Credentials, Config = SekoAccount, SekoConfig
    catalogue = CATALOGUE
    references_packaging = False
    done_before = (
        DoneBefore(verb="void", text=r"Already deleted"),
        DoneBefore(verb="manifest", text=r"(?i)already (?:been )?manifested"),
    )
    numbers_per_call = 50
    sample_account = {"access_key": "sandbox-key"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Content-Type": JSON, "access_key": self.account.access_key.get_secret_value()}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_messages(reply.json, failed=reply.status >= 400)

    def is_refusal(self, reply: Reply) -> bool:
        """Errors beside a result are warnings; a deletion is refused when nothing was deleted."""
        body = reply.json
        if reply.status >= 400 or not isinstance(body, dict):
            return reply.status >= 400
        if outcomes := read_outcomes(body):
            return shipments.DELETED not in outcomes.values()
        return bool(read_messages(body)) and not any(body.get(name) for name in RESULTS)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        pairs = [(parcel, self.options_of(request, parcel)) for parcel in request.parcels]
        packages = [rates.write_rated_package(parcel, options) for parcel, options in pairs]
        body = rates.write_rate(request, self.options_of(request), packages)
        reply = yield from self.ask("POST", RATES, json=body, repeatable=True)
        return rates.read_rates(reply.json, self.currency)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        sheet, reference = shipments.label_sheet(request), request.reference or self.reference()
        body = shipments.write_shipment(request, options, reference, sheet, self.config.cost_center)
        reply = yield from self.ask("POST", "/labels/printshipment", json=body)
        return shipments.read_shipment(reply.json, sheet, request.service, self.currency)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        others = self.options_of(request).items("shipment_identifiers")
        numbers = [str(number) for number in others or [request.shipment_identifier]]
        reply = yield from self.ask("POST", "/labels/delete", json=numbers)
        return read_voids(numbers, lambda number: shipments.is_deleted(reply.json, number))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        batches = self.batches(request.tracking_numbers)
        calls = [Call("POST", "/labels/statusv2", json=list(batch), repeatable=True) for batch in batches]
        replies = yield from ask_all(calls)
        return [tracked for reply in replies if reply.ok for tracked in tracking.read_trackings(reply.json)]

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        numbers = list(request.shipment_identifiers)
        reply = yield from self.ask("POST", "/v2/publishmanifestv4", json=numbers)
        return manifests.read_manifest(reply.json)

    def name_option_currency(self, request: RateRequest | ShipmentRequest) -> str | None:
        """Return the currency of the goods, the only one that a consignment names."""
        return next(iter(list_currencies_of(list_goods(request))), None)

    @property
    def currency(self) -> str:
        """The money of the account, which no answer names."""
        return self.config.currency or DEFAULT_CURRENCY

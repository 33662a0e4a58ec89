"""Teleship: prices with duties and taxes, labels, cancellations, tracking, collections, manifests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    ORIGIN_NOT_SERVICED,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    buy_each,
    combine_labels,
    sum_parcels,
    void_each,
)
from shipcli.carrier.contents import list_goods
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.wire.rows import read_each, read_replies
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

from . import customs, manifests, pickups, rates, shipments, tracking
from .parts import CATALOGUE, Request, is_refused, read_messages

QUOTES, DUTIES = "/api/rates/quotes", "/api/trade-engine/duties-taxes"
ALLOWED = CATALOGUE.table("allowed")
LABELS, PICKUPS, MANIFESTS = "/api/shipments/labels", "/api/pickups", "/api/manifests"


class TeleshipAccount(Credentials):
    """An application of the account, and its secret."""

    client_id: str
    client_secret: SecretStr
    account_country_code: str | None = None


class TeleshipConfig(CarrierConfig):
    """Habits of a connection."""

    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    label_format: Literal["PDF", "ZPL", "PNG"] | None = None


class Teleship(Carrier[TeleshipAccount, TeleshipConfig]):
    """Teleship, which carries parcels across borders by carriers of both countries."""

    slug = "teleship"
    name = "Teleship"
    integration_status = "beta"
    values_at_home = needs_weight = True
    tells_tax_number = False
    needs_sides = frozenset({RateRequest, ShipmentRequest})  # required of every parcel
    goods_currencies = tuple(ALLOWED["currencies"])
    hosts = {True: "https://sandbox.teleship.com", False: "https://api.teleship.com"}
    Credentials, Config = TeleshipAccount, TeleshipConfig
    catalogue = CATALOGUE
    also_reads = frozenset({"currency"})
    tokens = ("access",)
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already (been )?(cancell?ed|voided)"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already (been )?cancell?ed"),
        DoneBefore(verb="manifest", text=r"(?i)already (been )?manifested"),
    )
    tracking_link = "https://track.teleship.com/{}"
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "account_country_code": None,
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Shapes: `expiresIn` counts milliseconds."""
        secret = self.account.client_secret.get_secret_value()
        body = {"clientId": self.account.client_id, "clientSecret": secret}
        reply = yield from self.ask("POST", "/oauth/token", json=body, tokens=(), repeatable=True)
        life = timedelta(milliseconds=int(reply.json["expiresIn"]))
        return Token(reply.json["accessToken"], self.now + life)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or is_refused(reply.json)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """A price of each parcel; where it is asked for, also what duties and taxes come to.

        The prices are told where that can't be.
        """
        self._check_lane(request)
        pairs = zip(request.parcels, self.options_of_each(request), strict=True)
        bodies = [rates.write_order(request, parcel, options) for parcel, options in pairs]
        calls = [Call("POST", QUOTES, json=body, repeatable=True) for body in bodies]
        duties = self._duty_calls(request)
        replies = yield from ask_all([*calls, *duties])
        parcels = [reply.json.get("rates") or [] if reply.ok else [] for reply in replies[: len(calls)]]
        quotes = sum_parcels([read_each(rows, rates.read_quote) for rows in parcels])
        costs = read_each([reply.json for reply in replies[len(calls) :] if reply.ok], customs.read_duties)
        return [rates.add_duties(quote, costs) for quote in quotes]

    def _check_lane(self, request: Request) -> None:
        """Errors: CarrierError for a lane of which Teleship serves one end only."""
        origin, there = request.shipper.country_code, request.recipient.country_code
        if origin and origin not in ALLOWED["origins"]:
            raise self.refuse(ORIGIN_NOT_SERVICED, f"Teleship does not collect in {origin}")
        if there and there not in ALLOWED["destinations"]:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"Teleship does not deliver in {there}")

    def _duty_calls(self, request: RateRequest) -> list[Call]:
        options = self.options_of(request)
        asked = options.flag("teleship_duty_tax_calculation") and customs.is_abroad(request)
        if not asked or not list_goods(request):
            return []
        body = customs.write_duties(request, options)
        return [Call("POST", DUTIES, json=body, repeatable=True)]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """A label for each parcel, all or none."""
        self._check_lane(request)
        kind = request.label_type or self.config.label_format
        pairs = zip(request.parcels, self.options_of_each(request), strict=True)
        bodies = [shipments.write_shipment(request, parcel, options) for parcel, options in pairs]
        labels = yield from buy_each(
            [Call("POST", LABELS, json=body) for body in bodies],
            lambda reply: shipments.read_label(reply.json, "PDF" if len(bodies) > 1 else kind),
            lambda label: _cancel(label.shipment_identifier or ""),
        )
        return combine_labels(labels)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [_cancel(name) for name in self.identifiers_of(request)]
        return void_each(self, calls, lambda reply: shipments.is_void(reply.json))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([_ask_for(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(
            pairs, lambda number, reply: tracking.read_tracking(reply.json, self.link(number))
        )

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        reply = yield from self.ask("POST", PICKUPS, json=pickups.write_pickup(request))
        return pickups.read_pickup(reply.json)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        number = request.confirmation_number
        cancel = self.cancel_pickup(PickupCancelRequest(confirmation_number=number))
        return (yield from rebook_pickup(self, number, cancel, self.schedule_pickup(request)))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        number = quote(request.confirmation_number, safe="")
        reply = yield from self.ask("POST", f"{PICKUPS}/{number}/cancel")
        return Confirmation(success=pickups.is_cancelled(reply.json), operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        reply = yield from self.ask("POST", MANIFESTS, json=manifests.write_manifest(request))
        return manifests.read_manifest(reply.json)


def _cancel(shipment: str) -> Call:
    return Call("POST", f"{LABELS}/{quote(shipment, safe='')}/void")


def _ask_for(number: str) -> Call:
    path = f"/api/tracking/{quote(number, safe='')}"
    return Call("GET", path, about={"tracking_number": number})

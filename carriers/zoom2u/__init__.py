"""Zoom2u: couriers who drive at once, inside Australian cities. No label comes with a delivery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

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
)
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import wire

HOST = "https://api.zoom2u.com"
API = "/api/v1/delivery"


class Zoom2uAccount(Credentials):
    """A key, which says itself whom it bills."""

    api_key: SecretStr


class Zoom2u(Carrier[Zoom2uAccount, CarrierConfig]):
    """Zoom2u."""

    slug = "zoom2u"
    name = "Zoom2u"
    integration_status = "beta"
    home_country = "AU"
    stays_home = True
    one_parcel = True
    labels = "ours"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = Zoom2uAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    references_packaging = False
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancell?ed"),)
    sample_account = {"api_key": "sandbox-key"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        key = self.account.api_key.get_secret_value()
        return {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_problems(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_problems(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """The first speed that is asked for goes first; every speed is priced."""
        speeds = [row.code for row in self.services.list_chosen(request.services)]
        options = self.options_of(request)
        body = wire.write_delivery(request, options, speeds[0] if speeds else None, request.reference)
        reply = yield Call("POST", f"{API}/quote", json=body, repeatable=True)
        return wire.read_prices(reply.json)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        speed, reference = self.services.code(request.service), request.reference or self.reference()
        body = wire.write_delivery(request, self.options_of(request), speed, reference)
        reply = yield from self.ask("POST", f"{API}/create", json=body)
        return wire.read_delivery(reply.json, speed)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("POST", f"{API}/cancel/{quote(request.shipment_identifier, safe='')}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._status_of(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: wire.read_status(number, reply.json))

    def _status_of(self, number: str) -> Call:
        path = f"{API}/status/{quote(number, safe='')}"
        return Call("GET", path, about={"tracking_number": number})

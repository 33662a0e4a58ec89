"""Locate2u: a delivery is a stop on a driver's run; prices come from the account's own sheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    basic_auth,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import fill_member
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import wire

HOST, LOGIN_HOST = "https://api.locate2u.com", "https://id.locate2u.com"


class Locate2uAccount(Credentials):
    client_id: str | None = None
    client_secret: SecretStr | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class Locate2u(Carrier[Locate2uAccount, CarrierConfig]):
    """Locate2u."""

    slug = "locate2u"
    home_country = "AU"
    name = "Locate2u"
    integration_status = "beta"
    hosts = {True: HOST, False: HOST}
    other_hosts = {"login": {True: LOGIN_HOST, False: LOGIN_HOST}}
    Credentials, Config = Locate2uAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    one_parcel = True
    tokens = ("access",)
    labels = "ours"
    done_before = (DoneBefore(verb="void", text=r"(?i)\bcancelled\b"),)
    references_packaging = False
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "services": make_sample_sheet(wire.CATALOGUE),
    }

    def login(self, name: str) -> Flow[Token]:
        who = basic_auth(self.account.client_id or "", self.account.client_secret or "")
        form = {"scope": "locate2u.api", "grant_type": "client_credentials"}
        reply = yield from self.ask(
            "POST", "/connect/token", host="login", form=form, headers={"Authorization": who}, tokens=()
        )
        return Token(reply.json["access_token"], self.now + timedelta(seconds=int(reply.json["expires_in"])))

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or "error" in reply.json

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self.check_lane(request)
        return (yield from rate_by_sheet(self, request))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        self.check_lane(request)
        if request.service not in self.list_offered():
            raise Invalid("service", f"{request.service} is not in the rate sheet")
        stop = wire.write_stop(request, self.options_of(request))
        reply = yield from self.ask("POST", "/api/v1/stops", json=stop)
        return wire.read_stop(reply.json)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"/api/v1/stops/{request.shipment_identifier}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        replies = yield from ask_all([wire.write_question(number) for number in request.tracking_numbers])
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: wire.read_tracking(fill_member(reply.json, "stopId", number)),
        )

    def check_lane(self, request: RateRequest | ShipmentRequest) -> None:
        """Errors: CarrierError for another country."""
        start, end = request.shipper.country_code, request.recipient.country_code
        if start and end and start != end:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} delivers inside a country")

"""BoxKnight: prices, orders, labels and tracking of parcels delivered inside Canada."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
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
    make_label,
)
from shipcli.carrier.wire.json_paths import fill_member
from shipcli.carrier.wire.label_files import encode_file
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

HOST, HOME = "https://api.boxknight.com/v1", "CA"
# As recorded; it is the path of another carrier's log-in, and BoxKnight's own is published nowhere.
LOGIN = "/soap/services/LoginService/V2_1"


class BoxknightAccount(Credentials):
    """A merchant's user."""

    username: str
    password: SecretStr


class Boxknight(Carrier[BoxknightAccount, CarrierConfig]):
    """BoxKnight: one order for all parcels of a shipment, named by its id."""

    slug = "boxknight"
    name = "BoxKnight"
    integration_status = "beta"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = BoxknightAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    references_packaging = False
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel"),)
    tokens = ("access",)
    home_country = HOME
    tracking_link = "https://www.tracking.boxknight.com/tracking?trackingNo={}"
    sample_account = {"username": "sandbox", "password": "sandbox-secret"}

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """A token lasts until it is refused."""
        secret = self.account.password.get_secret_value()
        body = {"username": self.account.username, "password": secret}
        reply = yield from self.ask("POST", LOGIN, json=body, tokens=(), repeatable=True)
        return Token(reply.json["token"])

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": tokens["access"].value} if "access" in tokens else {}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_messages(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self.check_recipient(request.recipient.country_code)
        body = wire.write_rate(request)
        reply = yield from self.ask("POST", "/rates", json=body, repeatable=True)
        return wire.read_rates(reply.json)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Make the order, which is the purchase; its label is fetched by another call."""
        self.check_recipient(request.recipient.country_code)
        body = wire.write_order(request, self.options_of(request))
        reply = yield from self.ask("POST", "/orders", json=body)
        order = str(reply.json["id"])
        bought = Bought(order, order, meta={"service_name": body["service"]})
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        kind, path = wire.label_kind(request), f"/labels/{quote(bought.name, safe='')}"
        reply = yield from self.ask("GET", path, query={"format": kind.lower()}, file=True)
        return make_label(bought, kind, {"label": encode_file(reply.content)})

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        reply = yield from self.ask("DELETE", order_path(request.shipment_identifier))
        return Confirmation(success=reply.ok, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        calls = [Call("GET", order_path(number), about={"tracking_number": number}) for number in numbers]
        replies = yield from ask_all(calls)
        return read_replies(
            zip(numbers, replies, strict=True),
            lambda number, reply: wire.read_tracking(
                fill_member(reply.json, "id", number), self.link, self.today
            ),
        )

    def check_recipient(self, country: str | None) -> None:
        """Errors: CarrierError for a country that is not served."""
        if country not in (None, "", HOME):
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver in {country}")


def order_path(order: str) -> str:
    return f"/orders/{quote(order, safe='')}"

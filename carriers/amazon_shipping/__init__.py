"""Amazon Shipping, API v1: prices, labels of whole shipments, and tracking.

Amazon points new customers to v2 of its API; connections of v1 are served as long as it answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
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
from shipcli.carrier.wire.json_paths import fill_member
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

HOST = "https://{}sellingpartnerapi-{}.amazon.com"
REGIONS = wire.CATALOGUE.table("regions")
EARLY = timedelta(minutes=30)  # before it ends a token is renewed


class AmazonShippingAccount(Credentials):
    """A seller, the developer who acts for it, and the region in which it sells."""

    seller_id: str
    developer_id: str
    mws_auth_token: SecretStr
    aws_region: str | None = "us-east-1"
    account_country_code: str | None = None


class AmazonShipping(Carrier[AmazonShippingAccount, CarrierConfig]):
    """Amazon Shipping. The region of an account names its host."""

    slug = "amazon_shipping"
    values_each = True
    fills_in_quotes = ("person_name", "address_line1", "city")
    name = "AmazonShipping"
    integration_status = "beta"
    hosts = {True: HOST.format("sandbox.", "na"), False: HOST.format("", "na")}
    other_hosts = {
        region: {True: HOST.format("sandbox.", region), False: HOST.format("", region)}
        for region in ("eu", "fe")
    }
    Credentials, Config = AmazonShippingAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    references_options = False
    references_packaging = False
    tokens = ("access",)
    not_serviced = "No service type is available"
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancell?ed"),)
    sample_account = {"seller_id": "SANDBOX", "developer_id": "SANDBOX", "mws_auth_token": "sandbox-token"}

    @property
    def server_url(self) -> str:
        region = REGIONS.get(self.account.aws_region or "", "na")
        return HOST.format("sandbox." if self.context.test_mode else "", region)

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        who = {
            "developerId": self.account.developer_id,
            "sellingPartnerId": self.account.seller_id,
            "mwsAuthToken": self.account.mws_auth_token.get_secret_value(),
        }
        reply = yield from self.ask("POST", "/authorization/v1/authorizationCode", query=who, tokens=())
        lasts = reply.json.get("expires_in")
        ends = self.now + timedelta(seconds=int(lasts)) - EARLY if lasts else None
        return Token(reply.json["payload"]["authorizationCode"], ends)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        access = {"x-amz-access-token": tokens["access"].value} if "access" in tokens else {}
        return {"Content-Type": "application/json", **access}

    def rejects_token(self, reply: Reply) -> bool:
        return reply.status in (401, 403)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(reply.json.get("errors"))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        body = wire.write_rate(request, self.options_of(request))
        reply = yield Call("POST", "/shipping/v1/rates", json=body, repeatable=True)
        return wire.read_rates(reply.json)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        body = wire.write_purchase(request, self.options_of(request), request.reference or self.reference())
        reply = yield from self.ask("POST", "/shipping/v1/purchaseShipment", json=body)
        return wire.read_purchase(reply.json, request.label_type)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        path = f"/shipping/v1/shipments/{quote(request.shipment_identifier, safe='')}/cancel"
        yield from self.ask("POST", path)
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        replies = yield from ask_all([self._track_call(number) for number in request.tracking_numbers])
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: wire.read_tracking(fill_member(reply.json, "trackingId", number)),
        )

    def _track_call(self, number: str) -> Call:
        path = f"/shipping/v1/tracking/{quote(number, safe='')}"
        return Call("GET", path, about={"tracking_number": number})

"""HayPost, the post of Armenia: a price for each service, orders, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated

from pydantic import Field, SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
    Token,
    ask_all,
)
from shipcli.carrier.number_forms import HAY_POST, POSTAL
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import wire

# How long a token lives is not documented; it is asked for anew before anybody could mind.
TOKEN_LIFE = timedelta(minutes=5)


class HayPostAccount(Credentials):
    username: str
    password: SecretStr
    customer_id: Annotated[str, Field(pattern=r"^\d+$")]
    customer_type: str


class HayPostConfig(CarrierConfig):
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class HayPost(Carrier[HayPostAccount, HayPostConfig]):
    """HayPost. Its test hosts are reached from known addresses only: through a proxy (`HTTPS_PROXY`)."""

    slug = "hay_post"
    name = "HayPost"
    tells_tax_number = False
    tells_payer = False
    goods_currencies = tuple(wire.CURRENCIES)
    values_at_home = True
    integration_status = "beta"
    hosts = {True: "https://dev-order.haypost.am", False: "https://order.haypost.am"}
    other_hosts = {"login": {True: "https://dev-identity.haypost.am", False: "https://identity.haypost.am"}}
    Credentials, Config = HayPostAccount, HayPostConfig
    catalogue = wire.CATALOGUE
    also_reads = frozenset({"currency"})
    tokens = ("access",)
    labels = "ours"
    home_country = "AM"
    one_parcel = True
    references_packaging = False
    number_forms = (HAY_POST, POSTAL)
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "customer_id": "2004381",
        "customer_type": "1",
    }

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        authorization = {"Authorization": tokens["access"].value} if "access" in tokens else {}
        return {"Accept": "application/json", **authorization}

    def login(self, name: str) -> Flow[Token]:
        """A token; where the answer has none, the call that needs it is refused in the carrier's words."""
        account = self.account
        body = {
            "username": account.username,
            "password": account.password.get_secret_value(),
            "customerType": account.customer_type,
        }
        reply = yield from self.ask("POST", "/api/Connect/Token", host="login", json=body, tokens=())
        return Token(wire.read_token(reply.json), self.now + TOKEN_LIFE)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_errors(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """The price of each service that is asked for; of the usual one where none is."""
        self.check_recipient(request.recipient.country_code)
        options = self.options_of(request)
        rows = self.services.list_chosen(request.services) or self.services.list_chosen([wire.USUAL])
        orders = [wire.write_price(self.account.customer_id, request, row, options) for row in rows]
        path = "/Api/Order/CalculateTariff"
        replies = yield from ask_all([Call("POST", path, json=[order], repeatable=True) for order in orders])
        answers = zip(rows, orders, replies, strict=True)
        return read_replies(answers, lambda row, order, reply: wire.read_price(row, order, reply.json))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        self.check_recipient(request.recipient.country_code)
        order = wire.write_order(self.account.customer_id, request, self.options_of(request))
        reply = yield from self.ask("POST", "/Api/Order/CreateOrderByCustomerShort", json=order)
        return wire.read_order(reply.json)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        calls = [
            Call("GET", f"/Api/Order/Tracking/{number}", about={"tracking_number": number})
            for number in request.tracking_numbers
        ]
        replies = yield from ask_all(calls)
        return read_replies(zip(replies, strict=True), lambda reply: wire.read_tracking(reply.json))

    def check_recipient(self, country: str | None) -> None:
        """Errors: CarrierError for a country that HayPost does not know."""
        if country and country not in wire.COUNTRIES:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver in {country}")

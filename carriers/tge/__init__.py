"""TGE, the freight network that was Toll's: prices, labels and manifests inside Australia.

The client numbers shipments and parcels itself, out of ranges the carrier assigned. There is no void, and no
tracking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import NAMESPACE_URL, uuid5

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    ServerUrl,
    Token,
    ask_all,
    ask_strictly,
    basic_auth,
    sum_parcels,
)
from shipcli.carrier.wire.rows import read_each
from shipcli.models import (
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from ..allied_express.wire import HOME, read_body
from . import manifests, rates, shipments
from .parts import CATALOGUE, is_fault, read_problems

PRICES = "/calculatePrice"


class TgeAccount(Credentials):
    """A log-in to the facade, one to the prices behind it, tokens for labels, and the last numbers used."""

    username: str
    password: SecretStr
    api_key: SecretStr
    toll_username: str
    toll_password: SecretStr
    my_toll_token: SecretStr
    my_toll_identity: str
    account_code: str | None = None
    sscc_count: int | None = None
    shipment_count: int | None = None


class TgeConfig(CarrierConfig):
    """Habits of a connection, and the ranges of numbers that the carrier assigned to it."""

    channel: str | None = None
    server_url: ServerUrl = None
    text_color: str | None = None
    brand_color: str | None = None
    business_id: str | None = None
    freight_mode: str | None = None
    message_sender: str | None = None
    SYSID: str | None = None
    SHIP_GS1: str | None = None
    SHIP_range_end: int | None = None
    SHIP_range_start: int | None = None
    SSCC_GS1: str | None = None
    SSCC_range_end: int | None = None
    SSCC_range_start: int | None = None


class Tge(Carrier[TgeAccount, TgeConfig]):
    """TGE."""

    slug = "tge"
    name = "TGE"
    integration_status = "beta"
    home_country = HOME
    stays_home = True
    hosts = {True: "https://tge.3plapi.com", False: "https://tge.3plapi.com"}
    Credentials, Config = TgeAccount, TgeConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    references_packaging = False
    done_before = (DoneBefore(verb="manifest", text=r"(?i)already\b.*\bmanifest"),)
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-password",
        "api_key": "sandbox-key",
        "toll_username": "sandbox-toll",
        "toll_password": "sandbox-toll-password",
        "my_toll_token": "sandbox-token",
        "my_toll_identity": "sandbox-identity",
        "account_code": "80500000",
        "sscc_count": 932751000000,
        "shipment_count": 88800000,
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        account = self.account
        login = {"Authorization": basic_auth(account.username, account.password)}
        common = {"Content-Type": "application/json", "accept": "*/*"}
        if call.path == PRICES:
            return {**login, "Auth": basic_auth(account.toll_username, account.toll_password), **common}
        return {
            **login,
            "x-mytoll-identity": account.my_toll_identity,
            "x-mytoll-token": account.my_toll_token.get_secret_value(),
            "x-api-key": account.api_key.get_secret_value(),
            **common,
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_problems(read_body(reply))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    def is_definite(self, reply: Reply) -> bool:
        """An exception of the facade has status 200 too: what is behind it may have taken the shipment."""
        return super().is_definite(reply) and not is_fault(read_body(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """A call for each parcel."""
        bodies = [rates.write_rate(self, request, parcel, at) for at, parcel in enumerate(request.parcels)]
        replies = yield from ask_all([Call("POST", PRICES, json=body, repeatable=True) for body in bodies])
        code = rates.service_code(request)
        return sum_parcels(
            [read_each([reply.json] if reply.ok else [], rates.read_rate, code) for reply in replies]
        )

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        numbers = yield from shipments.take_numbers(self, request)
        body = shipments.write_label(self, request, numbers)
        reply = yield from self.ask("POST", "/printlabel", json=body)
        return shipments.read_label(reply.json, numbers, shipments.file_kind(request))

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        """A call for each shipment; what is said of one names it."""
        bodies = manifests.write_manifests(self, request)
        calls = [
            Call("POST", "/printmanifest", json=body, about={"shipment_identifier": name})
            for name, body in zip(request.shipment_identifiers, bodies, strict=True)
        ]
        replies = yield from ask_strictly(calls)
        return manifests.read_manifests([reply.json for reply in replies])

    def message_id(self, index: int = 0) -> str:
        """A name for message number `index` of this request: of a purchase it is the same again."""
        named = f"{self.context.connection_id} {self.reference(index)} {self.now.isoformat()} {index}"
        return str(uuid5(NAMESPACE_URL, named))

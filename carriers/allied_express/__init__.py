"""Allied Express: prices, jobs with their labels, and tracking inside Australia.

The carrier's SOAP services behind a JSON facade: its answers are SOAP bodies written as JSON. The courier
jobs of one city (`shipcli.carriers.allied_express_local`) have the same calls under another host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal
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
    ServerUrl,
    Token,
    ask_all,
    basic_auth,
    read_cost,
)
from shipcli.carrier.wire.json_paths import Json
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

ServiceType = Literal["R", "P", "PT", "PT2"]


class AlliedExpressAccount(Credentials):
    """A log-in, the account that is billed, and the service it usually asks for."""

    username: str
    password: SecretStr
    account: str | None = None
    service_type: ServiceType | None = "R"


class AlliedExpressConfig(CarrierConfig):
    """Habits of a connection; `server_url` is asked in place of the usual host."""

    account_service_type: ServiceType | None = None
    server_url: ServerUrl = None
    text_color: str | None = None
    brand_color: str | None = None


class AlliedExpress(Carrier[AlliedExpressAccount, AlliedExpressConfig]):
    """Allied Express."""

    slug = "allied_express"
    name = "Allied Express"
    integration_status = "beta"
    home_country = wire.HOME
    stays_home = True
    hosts = {True: "https://test.aet.mskaleem.com", False: "https://3plapi.com"}
    Credentials, Config = AlliedExpressAccount, AlliedExpressConfig
    catalogue = wire.CATALOGUE
    references_packaging = False
    also_reads = frozenset({"postal_code"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancell?ed|cancell?ed\b.*\balready"),)
    sample_account = {"username": "sandbox", "password": "sandbox-password", "account": "SANDBOX"}
    usual_service: ClassVar[str] = "R"

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        login = basic_auth(self.account.username, self.account.password)
        return {"Authorization": login, "Content-Type": "application/json"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_problems(wire.read_body(reply))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    def is_definite(self, reply: Reply) -> bool:
        """A fault of the facade has status 200 too: what is behind it may have taken the job."""
        return super().is_definite(reply) and not wire.is_fault(reply)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """A call for each service that is asked for, one for the account's own when there is none."""
        codes = [row.code for row in self.services.list_chosen(request.services)] or [self._own_service()]
        bodies = [self.write_job(request, code, request.reference) for code in codes]
        replies = yield from ask_all(
            [Call("POST", "/calculatePrice", json=body, repeatable=True) for body in bodies]
        )
        answers = zip(codes, replies, strict=True)
        return read_replies(answers, lambda code, reply: self._read_quote(code, wire.read_result(reply.json)))

    def _own_service(self) -> str:
        return self.config.account_service_type or self.account.service_type or self.usual_service

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        code = self.services.code(request.service)
        body = self.write_job(request, code, request.reference or self.reference())
        reply = yield from self.ask("POST", "/GetLabelfull", json=body)
        paid = read_cost(self._read_paid, code, reply.json)
        return wire.read_label(reply.json, paid, request.recipient.postal_code)

    def _read_paid(self, code: str, body: Json) -> Quote | None:
        price = wire.read_paid(body)
        return self._read_quote(code, price) if price else None

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """A job is known by its number and the postal code it goes to."""
        code = self.options_of(request).text("postal_code") or ""
        path = f"/cancelJob/{quote(request.shipment_identifier, safe='')}/{quote(code, safe='')}"
        yield from self.ask("POST", path)
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._track_call(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        scanned = [(number, wire.read_scans(reply.json)) for number, reply in pairs if reply.ok]
        return [wire.read_tracking(number, scans) for number, scans in scanned if scans]

    def _track_call(self, number: str) -> Call:
        path = f"/getShipmentsStatus/{quote(number, safe='')}"
        return Call("POST", path, repeatable=True, about={"tracking_number": number})

    # -- what the two products share and differ in ---------------------------------------------

    def write_job(self, request: RateRequest | ShipmentRequest, service: str, reference: str | None) -> Json:
        dangerous = [self.options_of(request, parcel).flag("dangerous_good") for parcel in request.parcels]
        options = self.options_of(request)
        job = wire.write_job(request, dangerous, options.text("instructions"), reference)
        return {**job, "account": self.account.account, "serviceLevel": service}

    def _read_quote(self, code: str, price: Json) -> Quote:
        return wire.read_quote(price, self.slug, self.services.slug(code))

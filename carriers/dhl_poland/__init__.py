"""DHL Parcel Poland (DHL24): prices by a rate sheet, labels, voids and tracking, at one SOAP address."""

from __future__ import annotations

from collections.abc import Sequence

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
    ask,
    ask_all,
    void_each,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_replies
from shipcli.carrier.wire.soap import SoapOperation
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

HOSTS = {True: "https://sandbox.dhl24.com.pl", False: "https://dhl24.com.pl"}
PATH = "/webapi2/provider/service.html?ws=1"


class DhlPolandAccount(Credentials):
    """A user of DHL24, and the account that is billed."""

    username: str
    password: SecretStr
    account_number: str | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class DhlPoland(Carrier[DhlPolandAccount, CarrierConfig]):
    """DHL Parcel Poland."""

    slug = "dhl_poland"
    name = "DHL Parcel Poland"
    option_currency = "PLN"
    home_country = "PL"
    needs_weight = True
    tells_tax_number = False
    tells_payer = False
    hosts = HOSTS
    Credentials, Config = DhlPolandAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    bills = ANYBODY
    also_reads = frozenset({"currency", "declared_value"})
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already (deleted|cancell?ed)|już (usunięta|anulowana)"),
    )
    tracking_link = "https://www.dhl.com/pl-en/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "account_number": "6000000",
        "services": make_sample_sheet(wire.CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_errors(reply))

    def is_definite(self, reply: Reply) -> bool:
        """Its own refusals have a number; a fault of its server has none."""
        return super().is_definite(reply) or any(
            (error.code or "").isdigit() for error in wire.read_errors(reply)
        )

    def _call(self, name: str, body: Json, repeatable: bool | None = None) -> Call:
        action = f"{HOSTS[self.context.test_mode]}{PATH}#{name}"
        password = self.account.password.get_secret_value()
        login = {"authData": {"username": self.account.username, "password": password}}
        return SoapOperation(name, wire.NAMESPACE, action).call(
            PATH, {**login, **body}, repeatable=repeatable
        )

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        body = wire.write_shipment(request, options, self.account.account_number, day)
        reply = yield from ask(self._call("createShipment", {"shipment": body}))
        return wire.read_label(reply.xml)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [
            self._call("deleteShipment", {"shipment": wire.write_deletion(number)})
            for number in self.identifiers_of(request)
        ]
        return void_each(self, calls)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        calls = [
            self._call("getTrackAndTraceInfo", {"shipmentId": number}, repeatable=True)
            for number in request.tracking_numbers
        ]
        replies = yield from ask_all(calls)
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: wire.read_tracking(reply.xml, number),
        )

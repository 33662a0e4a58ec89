"""Landmark Global: parcels across borders; prices by a rate sheet, labels, cancellations, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

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
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_replies
from shipcli.carrier.wire.xml import element, every, find
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

from . import shipments, tracking
from .parts import CATALOGUE

HOST = "https://api.landmarkglobal.com/v2"
PATHS = {shipments.SHIP: "/Ship.php", shipments.IMPORT: "/Import.php"}
CANCEL, TRACK = "CancelRequest", "TrackRequest"
CANCELLED = "Consignee canceled shipment."


class LandmarkAccount(Credentials):
    """A user of the Landmark Global API, the client it works for, and where its parcels are handed over."""

    username: str
    password: SecretStr
    client_id: str
    account_number: str | None = None
    region: str = "Landmark CMH"
    account_country_code: str | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class LandmarkConfig(CarrierConfig):
    """Habits of a connection."""

    label_type: Literal["PDF", "JPG", "GIF", "ZPL", "PNG"] = "PDF"
    account_currency: str = "EUR"
    import_request_by_default: bool = False
    shipping_services: list[str] | None = None
    shipping_options: list[str] | None = None


class Landmark(Carrier[LandmarkAccount, LandmarkConfig]):
    """Landmark Global; one host, every document says whether it is a test."""

    slug = "landmark"
    name = "Landmark Global"
    integration_status = "beta"
    needs_weight = True
    values_at_home = declares_at_home = True  # a parcel between two addresses may cross borders on its way
    hosts = {True: HOST, False: HOST}
    Credentials, Config = LandmarkAccount, LandmarkConfig
    catalogue = CATALOGUE
    also_reads = frozenset({"currency", "declared_value", "reason"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?(unprocessed|cancell?ed|deleted)"),)
    tracking_link = "https://track.landmarkglobal.com/?search={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "client_id": "2437",
        "account_number": "L0001",
        "account_country_code": "US",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Content-Type": "application/xml", **call.headers}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        rows = [node for name in ("Error", "error") for node in every(reply.xml, name)]
        messages = [Message(code=find(row, "ErrorCode"), message=find(row, "ErrorMessage")) for row in rows]
        if not messages and self._has_failed(reply):
            return [Message(code="failed", message=find(reply.xml, ".//ResultMessage"))]
        return messages

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(every(reply.xml, "ErrorCode")) or self._has_failed(reply)

    def _has_failed(self, reply: Reply) -> bool:
        return find(reply.xml, "Result/Success", "").lower() == "false"

    def _login(self) -> Json:
        account = self.account
        secret = account.password.get_secret_value()
        return {
            "Login": {"Username": account.username, "Password": secret},
            "Test": self.context.test_mode,
            "ClientID": account.client_id,
        }

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """The services have the terms of trade in their names: those with other terms are not offered."""
        quotes = yield from rate_by_sheet(self, request)
        return [quote for quote in quotes if shipments.is_delivered_by(str(quote.service), request.customs)]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """An order with a label at once, or one that Landmark processes later."""
        options, config = self.options_of(request), self.config
        later = options.flag("landmark_import_request", default=config.import_request_by_default)
        name = shipments.IMPORT if later else shipments.SHIP
        kind = shipments.choose_kind(request.label_type, config.label_type)
        login = {**self._login(), "AccountNumber": self.account.account_number}
        order = shipments.Order(login, self.account.region, kind, later, self.reference())
        body = shipments.write_order(order, request, options)
        reply = yield from self.ask("POST", PATHS[name], xml=element(name, body))
        return shipments.read_label(reply.xml, kind)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        options = self.options_of(request)
        body = {
            **self._login(),
            "TrackingNumber": request.shipment_identifier,
            "DeleteShipment": True,
            "Reason": options.text("reason") or CANCELLED,
        }
        yield from self.ask("POST", "/Cancel.php", xml=element(CANCEL, body))
        return Confirmation(success=True, operation="Shipment Cancellation")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._ask_for(number) for number in numbers])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: tracking.read_tracking(reply.xml))

    def _ask_for(self, number: str) -> Call:
        body = {**self._login(), "TrackingNumber": number, "RetrievalType": "Historical"}
        return Call(
            "POST",
            "/Track.php",
            xml=element(TRACK, body),
            headers={"Cache-Control": "no-cache"},
            repeatable=True,
            about={"tracking_number": number},
        )

"""UPS: rating with time in transit, shipping, tracking and paperless documents, by its JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal
from urllib.parse import quote

from pydantic import SecretStr

from carriers.ups import readers, tracking, wire
from carriers.ups.catalogue import OPTIONS, PACKAGING, PRESETS, SERVICES, SHEETS, Sheet
from carriers.ups.shapes import within
from shipcli.carrier import DoneBefore
from shipcli.carrier.base import Carrier, CarrierConfig, Credentials, basic_auth
from shipcli.carrier.wire import Call, Flow, Reply, Token, ask_all
from shipcli.models import (
    Address,
    CancelRequest,
    Confirmation,
    DocumentUploadRequest,
    Invalid,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
    UploadDetails,
)

LOCALES: Mapping[str, str] = {"en": "en_US", "fr": "fr_FR", "es": "es_ES", "de": "de_DE", "it": "it_IT"}


class UpsAccount(Credentials):
    """The client of the developer portal, and the shipper number it ships for."""

    client_id: str
    client_secret: SecretStr
    account_number: str | None = None
    account_country_code: str | None = None


class UpsConfig(CarrierConfig):
    """Settings of a connection."""

    cost_center: str | None = None
    merchant_id: str | None = None
    enforce_zpl: bool | None = None
    label_type: Literal["PDF_6x4", "PDF_8x4", "ZPL_6x4"] | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Ups(Carrier[UpsAccount, UpsConfig]):
    """UPS."""

    slug = "ups"
    name = "UPS"
    integration_status = "beta"
    hosts = {True: "https://wwwcie.ups.com", False: "https://onlinetools.ups.com"}
    Credentials = UpsAccount
    Config = UpsConfig
    services, options, packaging, presets = SERVICES, OPTIONS, PACKAGING, PRESETS
    also_reads = frozenset({
        "signature_confirmation", "email_notification", "email_notification_to", "declared_value",
        "ups_shipper_number",
    })  # fmt: skip
    done_before = (DoneBefore(verb="void", code="190117"),)
    tokens = ("access",)
    tracking_link = "https://www.ups.com/track?loc=en_US&requester=QUIC&tracknum={}/trackdetails"
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "account_number": "A1B2C3",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        headers = {"Authorization": basic_auth(self.account.client_id, self.account.client_secret)}
        if self.config.merchant_id:
            headers["x-merchant-id"] = self.config.merchant_id
        form = {"grant_type": "client_credentials"}
        path = "/security/v1/oauth/token"
        reply = yield from self.ask("POST", path, form=form, headers=headers, tokens=(), repeatable=True)
        return readers.read_token(reply.json)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        if "access" not in tokens:
            return {}
        bearer = f"Bearer {tokens['access'].value}"
        return {"Authorization": bearer, "transId": "x-trans-id", "transactionSrc": "x-trans-src"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return readers.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(readers.read_errors(_body(reply)))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        day = self._day(request.options, request.shipper)
        body = wire.write_rate(self.account.account_number, request, day)
        query = {"additionalinfo": "timeintransit"}
        path = "/api/rating/v2205/Shop"
        reply = yield from self.ask("POST", path, query=query, json=body, repeatable=True)
        return readers.read_rates(reply.json, request.shipper.country_code)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        sheet, kind = self._sheet(request.label_type)
        body = wire.write_shipment(
            self.account.account_number,
            request,
            day=self._day(request.options, request.shipper),
            reference=request.reference or self.reference(),
            sheet=sheet,
            cost_center=self.config.cost_center,
        )
        reply = yield from self.ask("POST", "/api/shipments/v2205/ship", json=body)
        results = within(reply.json, "ShipmentResponse/ShipmentResults")
        link = self.link(results["ShipmentIdentificationNumber"])
        return readers.read_shipment(reply.json, sheet, kind, link)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        number = quote(request.shipment_identifier, safe="")
        reply = yield from self.ask("DELETE", f"/api/shipments/v2205/void/cancel/{number}")
        code = within(reply.json, "VoidShipmentResponse/Response/ResponseStatus/Code")
        return Confirmation(success=code == "1", operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        locale = LOCALES.get(request.language_code, LOCALES["en"])
        query = {"locale": locale, "returnSignature": "true"}
        paths = [f"/api/track/v1/details/{quote(number, safe='')}" for number in request.tracking_numbers]
        replies = yield from ask_all([Call("GET", path, query=query) for path in paths])
        pairs = zip(request.tracking_numbers, replies, strict=True)
        link = str(self.tracking_link)
        known = (tracking.read_tracking(reply.json, number, link) for number, reply in pairs if reply.ok)
        return [one for one in known if one]

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        account = self.account.account_number
        body = wire.write_documents(request.options.get("ups_shipper_number") or account, request)
        headers = {"ShipperNumber": account} if account else {}
        path = "/api/paperlessdocuments/v1/upload"
        reply = yield from self.ask("POST", path, json=body, headers=headers)
        return readers.read_documents(reply.json)

    # -- what the verbs share ------------------------------------------------------------------

    def _day(self, options: Mapping[str, Any], shipper: Address) -> date:
        given = options.get("shipping_date") or options.get("shipment_date")
        try:
            return datetime.fromisoformat(str(given)).date() if given else self.today_at(shipper)
        except ValueError:
            raise Invalid("options.shipping_date", f"{given!r} is not a date") from None

    def _sheet(self, label_type: str | None) -> tuple[Sheet, str]:
        """The label UPS is asked for, with `enforce_zpl` always ZPL, and the kind that is wanted."""
        named = SHEETS.get(label_type or "") or SHEETS.get(self.config.label_type or "")
        sheet = named or SHEETS["PDF"]
        return (SHEETS["ZPL"] if self.config.enforce_zpl else sheet), sheet.kind


def _body(reply: Reply) -> Any:
    try:
        return reply.json
    except ValueError:
        return None

"""GLS: prices by a rate sheet, labels and returns by ShipIT, cancellation, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    FIELD_ERROR,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    basic_auth,
    void_each,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
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
from .parts import CATALOGUE, read_faults

SHIPMENTS = "/shipit-farm/v1/backend/rs/shipments"
TRACKING = "/track-and-trace-v1/tracking/simple/trackids"
MEDIA = "application/glsVersion1+json"
READ = {"Accept": MEDIA}
WRITTEN = {"Content-Type": MEDIA, **READ}
NOT_FOUND = 404


class GlsAccount(Credentials):
    """An app of the developer portal, and the contact whose labels it makes."""

    client_id: str
    client_secret: SecretStr
    contact_id: str | None = None
    account_country_code: str | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class GlsConfig(CarrierConfig):
    """Settings of a connection: what its printers take where a purchase does not say."""

    label_format: str | None = None
    printer_language: str | None = None
    template_name: str | None = None


class Gls(Carrier[GlsAccount, GlsConfig]):
    """GLS Group."""

    slug = "gls"
    name = "GLS Group"
    integration_status = "development"
    tells_payer = False
    tells_tax_number = False
    hosts = {True: "https://api-sandbox.gls-group.net", False: "https://api.gls-group.net"}
    Credentials, Config = GlsAccount, GlsConfig
    catalogue = CATALOGUE
    also_reads = frozenset({"currency"})
    tokens = ("access",)
    needs_weight = True
    done_before = (DoneBefore(verb="void", code="PARCEL_CANCELLED"),)
    numbers_per_call = 10
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "contact_id": "276a45fkqM",
        "account_country_code": "DE",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        authorization = basic_auth(self.account.client_id, self.account.client_secret)
        reply = yield from self.ask(
            "POST",
            "/oauth2/v2/token",
            form={"grant_type": "client_credentials"},
            headers={"Authorization": authorization},
            tokens=(),
        )
        life = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(reply.json["access_token"], self.now + life)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_faults(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(read_faults(reply))

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Accept": "application/json", **super().headers(call, tokens)}

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """All parcels are one order, with a file and a number for each."""
        return self._order(shipments.write_shipment(request, self.options_of_each(request)), request)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The label with which a customer hands a parcel in at a shop; GLS is told who the customer is."""
        return self._order(shipments.write_return(request, self.options_of_each(request)), request)

    def _order(self, shipment: Json, request: ShipmentRequest) -> Flow[Label]:
        """Order the labels of a shipment; its second reference is the key by which it is found again."""
        if not self.account.contact_id:
            raise self.refuse(FIELD_ERROR, "GLS makes labels for a contact only: credentials.contact_id")
        shipment["Shipper"] = {"ContactID": self.account.contact_id, **shipment["Shipper"]}
        references = [text for text in (request.reference, self.context.key) if text]
        body = {
            "Shipment": {**shipment, "ShipmentReference": references},
            "PrintingOptions": self._printing(request),
        }
        reply = yield from self.ask("POST", SHIPMENTS, json=body, headers=WRITTEN)
        return shipments.read_label(reply.json)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels once more, by the key of this purchase.

        Errors: CarrierError for any refusal but that there is no such parcel.
        """
        body = {"ShipmentReference": self.context.key, "PrintingOptions": self._printing(request)}
        call = Call(
            "POST", f"{SHIPMENTS}/reprintparcel", json=body, headers=WRITTEN, repeatable=True, tolerant=True
        )
        (reply,) = yield from ask_all([call])
        if reply.ok:
            return shipments.read_label(reply.json)
        if reply.status == NOT_FOUND:
            return None
        raise CarrierError()

    def _printing(self, request: ShipmentRequest) -> Json:
        kind = request.label_type or self.config.label_format or self.config.printer_language
        return shipments.write_printing(kind, self.config.template_name)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """Every parcel is cancelled by itself."""
        paths = [f"{SHIPMENTS}/cancel/{quote(number, safe='')}" for number in self.identifiers_of(request)]
        return void_each(self, [Call("POST", path, headers=READ) for path in paths], shipments.is_cancelled)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for ten numbers; those that GLS does not know are messages."""
        calls = [
            Call("GET", f"{TRACKING}/{','.join(quote(number, safe='') for number in numbers)}", partial=True)
            for numbers in self.batches(request.tracking_numbers)
        ]
        replies = yield from ask_all(calls)
        return [one for reply in replies if reply.ok for one in tracking.read_trackings(reply.json)]

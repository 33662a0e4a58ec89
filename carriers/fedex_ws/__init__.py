"""FedEx's web services (SOAP), which ended in 2026: prices, labels, tracking, pickups, papers, addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from typing import Any

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    FEDEX,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    RequestOptions,
    Token,
    ask,
    ask_all,
)
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import require
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    DocumentUploadRequest,
    Label,
    Message,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupUpdateRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
    UploadDetails,
)

from ..fedex import LabelName
from . import addresses, documents, parts, pickups, rates, shipments, tracking


class FedexWsAccount(Credentials):
    """Key and password of the developer, meter and account of the shipper."""

    password: SecretStr
    meter_number: str
    account_number: str
    user_key: SecretStr | None = None
    language_code: str | None = "en"
    account_country_code: str | None = None


class FedexWsConfig(CarrierConfig):
    """Settings of a connection."""

    label_type: LabelName | None = None
    smart_post_hub_id: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    rate_request_types: list[str] | None = None


class FedexWs(Carrier[FedexWsAccount, FedexWsConfig]):
    """FedEx Web Service."""

    slug = "fedex_ws"
    name = "FedEx Web Service"
    integration_status = "deprecated"
    retired = "fedex"
    hosts = {
        True: "https://wsbeta.fedex.com:443/web-services",
        False: "https://ws.fedex.com:443/web-services",
    }
    Credentials, Config = FedexWsAccount, FedexWsConfig
    catalogue = parts.CATALOGUE
    bills = ANYBODY
    also_reads = frozenset({
        "signature_confirmation", "email_notification", "email_notification_to", "declared_value",
        "insurance", "fedex_pickup_type", *parts.CATALOGUE.table("references"),
    })  # fmt: skip
    # Source: Ship service guide, message 8159; the pickup service has no code for it.
    done_before = (
        DoneBefore(verb="void", code="8159"),
        DoneBefore(verb="cancel_pickup", text="already (?:been )?cancell?ed"),
    )
    needs_weight = True
    number_forms = FEDEX
    numbers_per_call = 30
    tracking_link = "https://www.fedex.com/fedextrack/?trknbr={}"
    sample_account = {
        "password": "sandbox-secret",
        "meter_number": "1293587",
        "account_number": "510087020",
        "user_key": "sandbox-key",
    }

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """None: the log-in stands in the body."""
        return {}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return parts.read_messages(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or parts.is_refusal(reply)

    def _call(self, name: str, body: Json, **call: Any) -> Call:
        account, key = self.account, self.account.user_key
        user = {
            "Key": key.get_secret_value() if key else None,
            "Password": account.password.get_secret_value(),
        }
        client = {"AccountNumber": account.account_number, "MeterNumber": account.meter_number}
        login = {"WebAuthenticationDetail": {"UserCredential": user}, "ClientDetail": client}
        return parts.write_call(login, name, body, **call)

    # -- prices and labels ---------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        order = self._order(request)
        body = rates.write_rate(order, request, self.config.rate_request_types)
        reply = yield from ask(self._call("RateRequest", body, repeatable=True))
        return [
            quote
            for node in parts.read_replies(reply)
            for quote in rates.read_rates(node, order.moment.date())
        ]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        order, labels = self._order(request), (request.label_type, self.config.label_type)
        sheet = parts.CATALOGUE.choose("label_types", *labels, usual="PDF")

        def buy(at: int, master: shipments.Master | None) -> Call:
            body = shipments.write_shipment(order, request, sheet, at, master)
            return self._call("ProcessShipmentRequest", body, tolerant=at > 1, about={"parcel": at})

        def undo(master: shipments.Master) -> Call:
            body = shipments.write_void(master.number, request.service)
            return self._call("DeleteShipmentRequest", body, tolerant=True)

        return shipments.buy_in_turn(buy, len(request.parcels), undo, str(self.tracking_link))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """FedEx is told in the order itself that it is a return."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        options = RequestOptions(shipments.VOID_OPTIONS, request.options)
        body = shipments.write_void(request.shipment_identifier, request.service, options)
        reply = yield from ask(self._call("DeleteShipmentRequest", body))
        return Confirmation(success=parts.has_succeeded(reply), operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        language = self.account.language_code or "en"
        bodies = [tracking.write_tracking(some, language) for some in self.batches(request.tracking_numbers)]
        replies = yield from ask_all([self._call("TrackRequest", body, repeatable=True) for body in bodies])
        roots = [root for reply in replies if reply.ok for root in parts.read_replies(reply)]
        return [
            tracked for root in roots for tracked in tracking.read_trackings(root, str(self.tracking_link))
        ]

    # -- collections, papers, addresses --------------------------------------------------------

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        """Asked first whether it is possible, which books nothing."""
        account, today = self.account.account_number, self.today_at(request.address)
        body = pickups.write_availability(account, request, today)
        yield from ask(self._call("PickupAvailabilityRequest", body, repeatable=True))
        booked = pickups.write_pickup(account, request, today)
        reply = yield from ask(self._call("CreatePickupRequest", booked))
        return PickupDetails(confirmation_number=require(reply.xml, ".//PickupConfirmationNumber"))

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """The new collection is booked before the old one is cancelled: nobody is left without one.

        Errors: CarrierError; when the old one stays, the new one is taken back, and it says so.
        """
        booked = yield from self.schedule_pickup(request)
        new, old = booked.confirmation_number, request.confirmation_number
        reply = yield self._call_off(old)
        if not reply.definite:
            text = f"Pickup {new} is booked, and whether {old} is cancelled is not known"
            raise self.refuse("pickup_not_replaced", text)
        if reply.ok or self.says_done_before("cancel_pickup", self.read_messages(reply)):
            return booked
        undone = yield self._call_off(new)
        raise CarrierError(definite=undone.ok)

    def _call_off(self, number: str) -> Call:
        body = pickups.write_cancellation(PickupCancelRequest(confirmation_number=number))
        about = {"confirmation_number": number}
        return self._call("CancelPickupRequest", body, tolerant=True, about=about)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        reply = yield from ask(self._call("CancelPickupRequest", pickups.write_cancellation(request)))
        return Confirmation(success=parts.has_succeeded(reply), operation="Cancel Pickup")

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        reply = yield from ask(self._call("UploadDocumentsRequest", documents.write_documents(request)))
        (root,) = parts.read_replies(reply)
        taken = documents.read_documents(root)
        if not taken.documents:
            raise CarrierError()
        return taken

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_validation(request.address)
        reply = yield from ask(self._call("AddressValidationRequest", body, repeatable=True))
        (root,) = parts.read_replies(reply)
        return addresses.read_validation(root)

    def _order(self, request: parts.Request) -> parts.WebOrder:
        options, now = self.options_of(request), self.now_at(request.shipper)
        day = options.ship_date()
        return parts.WebOrder(
            request,
            options,
            tuple(self.options_of(request, parcel) for parcel in request.parcels),
            self.account.account_number,
            datetime.combine(day, time()) if day and day != now.date() else now,
            options.text("fedex_smart_post_hub_id") or self.config.smart_post_hub_id,
        )

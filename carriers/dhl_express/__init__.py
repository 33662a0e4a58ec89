"""DHL Express: rating, shipping, tracking, pickups and addresses by XML-PI.

Every question is an XML document posted to one address; its root says what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    WAYBILL,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
)
from shipcli.carrier.number_forms import LICENCE_PLATE
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import every, find
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    Confirmation,
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
)

from . import addresses, pickups, rates, shipments, tracking
from .parts import CATALOGUE, write_document

LabelSheet = Literal["PDF_6x4", "PDF_8x4", "PDF_8x4_A4", "PDF_6x4_A4", "PDF_8x4_CI", "PDF_8x4_RU_A4",
                     "ZPL_8x4", "ZPL_6x4", "ZPL_8x4_CI"]  # fmt: skip
XML = {"Content-Type": "application/xml"}


class DhlExpressAccount(Credentials):
    """The access to XML-PI, and the account that is billed."""

    site_id: str
    password: SecretStr
    account_number: str | None = None
    account_country_code: str | None = None


class DhlExpressConfig(CarrierConfig):
    """Settings of a connection; without the filter, products for documents are offered for goods too."""

    label_type: LabelSheet | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    skip_service_filter: bool | None = None


class DhlExpress(Carrier[DhlExpressAccount, DhlExpressConfig]):
    """DHL Express."""

    slug = "dhl_express"
    name = "DHL Express"
    hosts = {True: "https://xmlpitest-ea.dhl.com", False: "https://xmlpi-ea.dhl.com"}
    Credentials, Config = DhlExpressAccount, DhlExpressConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    number_forms = (WAYBILL, LICENCE_PLATE)
    sells_at_home = True
    needs_weight = True
    needs_sides = frozenset({ShipmentRequest})  # of every piece that is ordered
    numbers_per_call = 10
    tracking_link = "https://www.dhl.com/ca-en/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    sample_account = {"site_id": "sandbox", "password": "sandbox-secret", "account_number": "123456789"}

    @classmethod
    def capabilities(cls) -> list[str]:
        """Papers travel in the order itself (`options.doc_files`): they need no call of their own."""
        return [*super().capabilities(), "paperless"]

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every condition, wherever it stands: refusals, notices beside a result."""
        return [
            Message(
                code=find(condition, "ConditionCode"),
                message=" ".join(find(condition, "ConditionData", "").split()),
            )
            for condition in every(reply.xml, "Condition")
        ]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or str(reply.xml.tag).endswith("ErrorResponse")

    def _call(self, root: str, body: Json, **call: Any) -> Call:
        user = self.account.site_id, self.account.password.get_secret_value()
        content = write_document(root, user, self.now, body)
        return Call("POST", "/XMLShippingServlet", xml=content, headers=XML, **call)

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        ready = self.now_at(request.shipper)
        body = rates.write_rate(request, self.options_of(request), self.account.account_number, ready)
        reply = yield self._call("DCTRequest", body, repeatable=True)
        return rates.read_rates(reply.xml, request, unfiltered=bool(self.config.skip_service_filter))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        body = shipments.write_shipment(self.account.account_number, request, options, day)
        sheet = CATALOGUE.choose("label_types", request.label_type, self.config.label_type, usual="PDF")
        body |= {"LabelImageFormat": sheet[0], "Label": {"LabelTemplate": sheet[1]}}
        reply = yield self._call("ShipmentRequest", body)
        return shipments.read_shipment(reply.xml, request.service)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Waybills and pieces in any order; a question is for one kind of numbers."""
        requested = {tracking.write_number(number): number for number in request.tracking_numbers}
        kinds = (tracking.WAYBILL, tracking.PIECE)
        numbers_of = [
            [number for number in requested if tracking.find_kind(number) == kind] for kind in kinds
        ]
        batches = [batch for numbers in numbers_of for batch in self.batches(numbers)]
        bodies = [tracking.write_tracking(numbers, request.language_code) for numbers in batches]
        calls = [self._call("KnownTrackingRequest", body, repeatable=True, partial=True) for body in bodies]
        replies = yield calls
        return [
            tracked
            for reply in replies
            if reply.ok
            for tracked in tracking.read_trackings(reply.xml, requested)
        ]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        return self._collect("BookPURequest", request)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        return self._collect("ModifyPURequest", request)

    def _collect(self, root: str, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(self.account.account_number, request, self.today_at(request.address))
        reply = yield self._call(root, body)
        return pickups.read_pickup(reply.xml)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        now = self.now_at(request.address)
        reply = yield self._call("CancelPURequest", pickups.write_cancellation(request, self.home, now))
        done = find(reply.xml, "ConfirmationNumber") is not None
        return Confirmation(success=done, operation="Cancel Pickup")

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        reply = yield self._call("RouteRequest", addresses.write_route(request.address), repeatable=True)
        return addresses.read_route(reply.xml)

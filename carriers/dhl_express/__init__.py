"""DHL Express: rating, shipping, tracking, pickups and addresses by XML-PI.

Every question is an XML document posted to one address; its root says what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import SecretStr

from carriers.dhl_express import addresses, pickups, rates, shipments, tracking
from carriers.dhl_express.parts import CATALOGUE, write_document
from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    ORIGIN_NOT_SERVICED,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    ask,
    ask_all,
)
from shipcli.carrier.json_paths import Json
from shipcli.carrier.xml import every, find
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

LabelSheet = Literal[
    "PDF_6x4", "PDF_8x4", "PDF_8x4_A4", "PDF_6x4_A4", "PDF_8x4_CI", "PDF_8x4_RU_A4", "ZPL_8x4", "ZPL_6x4",
    "ZPL_8x4_CI",
]  # fmt: skip


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


def has_waybill_check_digit(number: str) -> bool:
    """Whether the last of ten digits is what the other nine leave of 7."""
    return int(number[:-1]) % 7 == int(number[-1])


class DhlExpress(Carrier[DhlExpressAccount, DhlExpressConfig]):
    """DHL Express."""

    slug = "dhl_express"
    name = "DHL Express"
    hosts = {True: "https://xmlpitest-ea.dhl.com", False: "https://xmlpi-ea.dhl.com"}
    Credentials, Config = DhlExpressAccount, DhlExpressConfig
    catalogue = CATALOGUE
    also_reads = frozenset({
        "currency", "dangerous_good", "declared_value", "doc_files", "doc_references", "email_notification",
        "email_notification_to",
    })  # fmt: skip
    done_before = (DoneBefore(verb="cancel_pickup", text=r"(?i)already cancell?ed"),)
    number_forms = (NumberForm("the 10 digits of a waybill", r"\d{10}", has_waybill_check_digit),)
    needs_weight, heaviest = True, (300, "KG")
    numbers_per_call = tracking.MOST
    tracking_link = "https://www.dhl.com/ca-en/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    sample_account = {
        "site_id": "sandbox",
        "password": "sandbox-secret",
        "account_number": "123456789",
    }

    @classmethod
    def capabilities(cls) -> list[str]:
        """Papers travel in the order itself (`options.doc_files`): they need no call of their own."""
        return [*super().capabilities(), "paperless"]

    # -- what the driver asks ------------------------------------------------------------------

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every condition, wherever it stands: refusals, notices beside a result."""
        return [
            Message(code=find(one, "ConditionCode"), message=" ".join(find(one, "ConditionData", "").split()))
            for one in every(reply.xml, "Condition")
        ]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or str(reply.xml.tag).endswith("ErrorResponse")

    def _call(self, root: str, body: Json, **call: Any) -> Call:
        user = self.account.site_id, self.account.password.get_secret_value()
        content = write_document(root, user, self.now, body)
        return Call(
            "POST", "/XMLShippingServlet", xml=content, headers={"Content-Type": "application/xml"}, **call
        )

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        ready = self.now_at(request.shipper)
        body = rates.write_rate(request, self.options_of(request), self.account.account_number, ready)
        reply = yield from ask(self._call("DCTRequest", body, repeatable=True))
        if unserved := rates.read_unserved(reply.xml):
            raise self.refuse(DESTINATION_NOT_SERVICED, unserved)
        return rates.read_rates(reply.xml, request, unfiltered=bool(self.config.skip_service_filter))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        origin, home = request.shipper.country_code, self.account.account_country_code
        if home and origin != home:
            raise self.refuse(ORIGIN_NOT_SERVICED, f"Origin country {origin} is not serviced")
        options = self.options_of(request)
        day = options.ship_date() or self.today_at(request.shipper)
        sheet = CATALOGUE.choose("label_types", request.label_type, self.config.label_type, usual="PDF")
        body = shipments.write_shipment(self.account.account_number, request, options, day, sheet)
        reply = yield from ask(self._call("ShipmentRequest", body))
        label = shipments.read_shipment(reply.xml, request.service)
        return label.changed(meta={"carrier_tracking_link": self.link(label.tracking_number), **label.meta})

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        batches = self.batches(request.tracking_numbers)
        bodies = [tracking.write_tracking(numbers, request.language_code) for numbers in batches]
        calls = [self._call("KnownTrackingRequest", body, repeatable=True, partial=True) for body in bodies]
        replies = yield from ask_all(calls)
        known = (tracking.read_trackings(reply.xml, str(self.tracking_link)) for reply in replies if reply.ok)
        return [one for found in known for one in found]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        return self._collect("BookPURequest", request)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        return self._collect("ModifyPURequest", request)

    def _collect(self, root: str, request: PickupRequest) -> Flow[PickupDetails]:
        today = self.today_at(request.address)
        body = pickups.write_pickup(self.account.account_number, request, today)
        reply = yield from ask(self._call(root, body))
        return pickups.read_pickup(reply.xml)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        now = self.now_at(request.address)
        body = pickups.write_cancellation(request, self.home, now)
        reply = yield from ask(self._call("CancelPURequest", body))
        done = find(reply.xml, "ConfirmationNumber") is not None
        return Confirmation(success=done, operation="Cancel Pickup")

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_route(request.address)
        reply = yield from ask(self._call("RouteRequest", body, repeatable=True))
        return addresses.read_route(reply.xml)

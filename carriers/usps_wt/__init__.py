"""USPS Web Tools inside the country: prices, labels and tracking by XML in the query of an address.

The platform has been off since 25 January 2026; it works in the sandbox. The international product
(`shipcli.carriers.usps_wt_international`) is the same service with other documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    ask_all,
    buy_each,
    combine_labels,
    sum_parcels,
    void_each,
)
from shipcli.carrier.wire import xml
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

from ..usps import Usps
from . import rates, shipments, tracking
from .parts import CATALOGUE, Request, read_messages, write_login

HOST, HOME = "https://secure.shippingapis.com/ShippingAPI.dll", "US"
CERTIFY = "Certify"  # ends the name of a label API that is only tried
RESULTS = frozenset({"Postage", "Service", "TrackSummary", "LabelImage"})


class UspsWtAccount(Credentials):
    """The user of Web Tools, and the mailer in whose name labels are made."""

    username: str
    password: SecretStr
    mailer_id: str | None = None
    customer_registration_id: str | None = None
    logistics_manager_mailer_id: str | None = None


class UspsWt(Carrier[UspsWtAccount, CarrierConfig]):
    """USPS Web Tools: one label for each parcel."""

    slug = "usps_wt"
    name = "USPS Web Tools"
    goods_currencies = ("USD",)
    option_currency = "USD"
    integration_status = "deprecated"
    retired = "usps"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = UspsWtAccount, CarrierConfig
    catalogue = CATALOGUE
    references_packaging = False
    also_reads = frozenset({"declared_value"})
    number_forms = Usps.number_forms
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel"),)
    home_country = HOME
    numbers_per_call = 25
    tracking_link = Usps.tracking_link
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "mailer_id": "900000042",
        "account_country_code": HOME,
    }
    cancel_api: ClassVar[str] = "eVSCancel"

    # -- what the driver asks ------------------------------------------------------------------

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_messages(reply.xml)

    def is_refusal(self, reply: Reply) -> bool:
        """Errors beside results are warnings."""
        tags = {str(node.tag) for node in reply.xml.iter()}
        return reply.status >= 400 or (bool(read_messages(reply.xml)) and not tags & RESULTS)

    # -- what the products differ in -----------------------------------------------------------

    def check_recipient(self, country: str | None) -> None:
        if (country or HOME) != HOME:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver outside the US")

    def rate_call(self, request: RateRequest) -> Call:
        packages = [
            rates.write_package(request, at, options)
            for at, options in enumerate(self.options_of_each(request))
        ]
        return self.call("RateV4", "RateV4Request", {"Revision": 2, "Package": packages})

    def read_rates(self, reply: Reply, request: RateRequest) -> list[list[Quote]]:
        """The prices of each parcel."""
        day = self.options_of(request).ship_date() or self.today_at(request.shipper)
        pairs = zip(xml.every(reply.xml, "Package"), request.parcels, strict=False)
        return [rates.read_package(node, self.options_of(request, parcel), day) for node, parcel in pairs]

    def label_call(self, request: ShipmentRequest, at: int) -> Call:
        options, day = self.options_of_each(request)[at], self.ship_day(request)
        body = shipments.write_label(request, at, options, self.mailer, day)
        return self.call(self.certified("eVS"), "eVSRequest", body, repeatable=False)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self.check_recipient(request.recipient.country_code)
        reply = yield self.rate_call(request)
        parcels = self.read_rates(reply, request)
        return sum_parcels(parcels) if len(parcels) == len(request.parcels) else []

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy a label per parcel: all of them, or none."""
        self.check_recipient(request.recipient.country_code)
        calls = [self.label_call(request, at) for at in range(len(request.parcels))]
        kind = shipments.label_kind(request.label_type)
        labels = yield from buy_each(
            calls,
            lambda reply: shipments.read_label(self, reply.xml, request.service, kind),
            lambda label: self.cancel_call(label.tracking_number),
        )
        return combine_labels(labels, kind)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [self.cancel_call(number) for number in self.identifiers_of(request)]
        return (yield from void_each(self, calls, lambda reply: shipments.is_cancelled(reply.xml)))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        batches = self.batches(request.tracking_numbers)
        bodies = [tracking.write_tracking(numbers) for numbers in batches]
        calls = [self.call("TrackV2", "TrackFieldRequest", body, partial=True) for body in bodies]
        replies = yield from ask_all(calls)
        return [
            tracked
            for reply in replies
            if reply.ok
            for tracked in tracking.read_trackings(reply.xml, self.link)
        ]

    # -- what the flows share ------------------------------------------------------------------

    def call(self, api: str, root: str, body: Json, **how: Any) -> Call:
        """One call. A purchase says that it is not repeatable, as it is a GET like all others."""
        document = xml.element(root, {**write_login(self.account), **body})
        return Call("GET", "", query={"API": api, "XML": xml.text(document)}, **how)

    def cancel_call(self, number: str) -> Call:
        root = f"{self.cancel_api}Request"
        return self.call(self.cancel_api, root, {"BarcodeNumber": number}, repeatable=False)

    def certified(self, api: str) -> str:
        """The name of a label API; of a test connection the one that sells nothing."""
        return f"{api}{CERTIFY}" if self.context.test_mode else api

    @property
    def mailer(self) -> Json:
        return {
            "CRID": self.account.customer_registration_id,
            "MID": self.account.mailer_id,
            "LogisticsManagerMID": self.account.logistics_manager_mailer_id,
        }

    def ship_day(self, request: Request) -> str:
        day = self.options_of(request).ship_date() or self.today_at(request.shipper)
        return f"{day:%m/%d/%Y}"

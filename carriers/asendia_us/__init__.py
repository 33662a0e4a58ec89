"""Asendia US: prices, labels and tracking of parcels that Asendia takes over in the United States."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    basic_auth,
    buy_each,
    combine_labels,
    sum_parcels,
    void_each,
)
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
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

PLATFORM = "/api/A1/v1.0/ShippingPlatform"
RATES, PACKAGE, MILESTONES = (
    f"{PLATFORM}/ShippingRate",
    f"{PLATFORM}/Package",
    "/api/A1/v2.0/Tracking/Milestone",
)


class AsendiaUsAccount(Credentials):
    """The user of A1, the key of its API, and the account that is billed."""

    username: str
    password: SecretStr
    api_key: SecretStr
    account_number: str | None = None


class AsendiaUsConfig(CarrierConfig):
    """The part of the account, and the place where Asendia takes the parcels over."""

    sub_account: str | None = None
    processing_location: str | None = None


class AsendiaUs(Carrier[AsendiaUsAccount, AsendiaUsConfig]):
    """Asendia US: a package for each parcel."""

    slug = "asendia_us"
    name = "Asendia US"
    values_at_home = True
    integration_status = "beta"
    tells_payer = False
    hosts = {True: "https://a1apiuat.asendiausa.com", False: "https://a1api.asendiausa.com"}
    Credentials, Config = AsendiaUsAccount, AsendiaUsConfig
    catalogue = wire.CATALOGUE
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\b(cancel|delet|void)"),)
    home_country = "US"  # no request says where a parcel comes from
    references_packaging = False
    numbers_per_call = 50
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "api_key": "sandbox-key",
        "account_number": "A1-1000",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {
            "Accept": "application/json",
            "Authorization": basic_auth(self.account.username, self.account.password),
            "X-AsendiaOne-ApiKey": self.account.api_key.get_secret_value(),
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or wire.is_refusal(reply.json)

    def is_definite(self, reply: Reply) -> bool:
        """A fault of the server may stand in an answer of status 200."""
        return super().is_definite(reply) and not wire.is_fault(reply.json)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        queries = [wire.write_rate(request, parcel, self._account(request)) for parcel in request.parcels]
        replies = yield from ask_all([Call("GET", RATES, query=query) for query in queries])
        quotes = sum_parcels([wire.read_rates(reply.json) if reply.ok else [] for reply in replies])
        chosen = {row.slug for row in self.services.list_chosen(request.services)}
        return [quote for quote in quotes if quote.service in chosen or len(chosen) < 2]

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        account = self._account(request)
        bodies = [
            wire.write_package(request, at, self.options_of(request, parcel), account)
            for at, parcel in enumerate(request.parcels)
        ]
        labels = yield from buy_each(
            [Call("POST", PACKAGE, json=body) for body in bodies],
            lambda reply: wire.read_label(reply.json, request.service),
            lambda label: self._cancel(label.shipment_identifier or ""),
        )
        return combine_labels(labels)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [self._cancel(package) for package in self.identifiers_of(request)]
        return (yield from void_each(self, calls, lambda reply: wire.is_success(reply.json)))

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        queries = [
            {"trackingNumberVendor": ",".join(some)} for some in self.batches(request.tracking_numbers)
        ]
        replies = yield from ask_all(
            [Call("GET", MILESTONES, query=query, partial=True) for query in queries]
        )
        records = [record for reply in replies if reply.ok for record in reply.json.get("data") or ()]
        return read_each(records, wire.read_tracking)

    def _cancel(self, package: str) -> Call:
        query = {
            "accountNumber": self.account.account_number,
            "subAccountNumber": self.config.sub_account,
            "packageID": package,
        }
        return Call("DELETE", PACKAGE, query=query, about={"package_id": package})

    def _account(self, request: RateRequest | ShipmentRequest) -> Json:
        """Who is billed, and where Asendia takes the parcels over: as the request says, else as always."""
        location = self.options_of(request).text("asendia_us_processing_location")
        return {
            "accountNumber": self.account.account_number,
            "subAccountNumber": self.config.sub_account,
            "processingLocation": location or self.config.processing_location,
        }

"""Australia Post (eParcel): prices, labels, tracking, and orders, which hand the day's shipments over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
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
    sum_parcels,
)
from shipcli.carrier.number_forms import AUSTRALIA_POST, POSTAL
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import manifests, rates, shipments, tracking
from .parts import CATALOGUE, HOME, read_problems

JSON = "application/json"


class AustraliapostAccount(Credentials):
    """An API key with its password, and the charge account that is billed."""

    api_key: SecretStr
    password: SecretStr
    account_number: str


class Australiapost(Carrier[AustraliapostAccount, CarrierConfig]):
    """One charge account of Australia Post."""

    slug = "australiapost"
    name = "Australia Post"
    tells_tax_number = False
    goods_currencies = ("AUD",)
    option_currency = "AUD"
    integration_status = "beta"
    home_country = HOME
    hosts = {True: "https://digitalapi.auspost.com.au/test", False: "https://digitalapi.auspost.com.au"}
    Credentials, Config = AustraliapostAccount, CarrierConfig
    catalogue = CATALOGUE
    references_packaging = False
    also_reads = frozenset({"australiapost_delivery_time_end"})
    # A deleted shipment can't be found any more; one that is in an order can't be put in another.
    done_before = (
        DoneBefore(verb="void", text=r"(?i)shipment\b.*\b(?:not be found|(?:already|been|was|is) deleted)"),
        DoneBefore(verb="manifest", text=r"(?i)already\b.*\border\b"),
    )
    numbers_per_call = 10
    number_forms = (POSTAL, *AUSTRALIA_POST)
    tracking_link = "https://auspost.com.au/mypost/beta/track/details/{}"
    sample_account = {
        "api_key": "sandbox-key",
        "password": "sandbox-password",
        "account_number": "0001234567",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {
            "Accept": JSON,
            "Content-Type": JSON,
            "Account-Number": self.account.account_number,
            "Authorization": basic_auth(self.account.api_key.get_secret_value(), self.account.password),
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_problems(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(reply.json.get("errors"))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        pairs = zip(request.parcels, self.options_of_each(request), strict=True)
        items = [
            rates.write_item(parcel, at, request.services, options)
            for at, (parcel, options) in enumerate(pairs, start=1)
        ]
        body = rates.write_rate(request, items)
        reply = yield Call("POST", "/shipping/v1/prices/items", json=body, repeatable=True, partial=True)
        return sum_parcels(rates.read_rates(reply.json))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        return (yield from shipments.ship(self, request))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """A shipment of a return product, which moves the other way."""
        return (yield from shipments.ship(self, request, shipments.RETURN))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        return (yield from shipments.fetch_label(self, bought, request))

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"/shipping/v1/shipments/{quote(request.shipment_identifier, safe='')}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Up to ten numbers in a call; of those that are not known the answer says so one by one."""
        queries = [{"tracking_ids": ",".join(some)} for some in self.batches(request.tracking_numbers)]
        calls = [Call("GET", "/shipping/v1/track", query=query, partial=True) for query in queries]
        replies = yield from ask_all(calls)
        return [
            result for reply in replies if reply.ok for result in tracking.read_results(reply.json, self.link)
        ]

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        return (yield from manifests.order(self, request))

    def recover_manifest(self, request: ManifestRequest) -> Flow[ManifestDetails | None]:
        return (yield from manifests.recover(self, request))

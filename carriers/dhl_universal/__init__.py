"""DHL Universal: tracking for every DHL division, and where they take parcels in and hand them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Flow, Reply, Token
from shipcli.models import Location, LocationRequest, Message, Tracking, TrackingRequest

from . import wire

HOST, PLACES = "https://api-eu.dhl.com", "places"


class DhlUniversalAccount(Credentials):
    consumer_key: SecretStr
    consumer_secret: SecretStr
    language: Literal["en", "de"] = "en"


class DhlUniversal(Carrier[DhlUniversalAccount, CarrierConfig]):
    """A key of the developer portal."""

    slug = "dhl_universal"
    name = "DHL Universal"
    hosts = {True: HOST, False: HOST}
    other_hosts = {PLACES: {True: "https://api.dhl.com", False: "https://api.dhl.com"}}
    Credentials, Config = DhlUniversalAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    tracking_link = (
        "https://www.dhl.com/de-{language}/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    )
    concurrency = 1  # a new key may ask once a second, 250 times a day (developer portal, "Rate limits")
    references_services = False
    references_options = False
    sample_account = {"consumer_key": "sandbox-consumer-key", "consumer_secret": "sandbox-consumer-secret"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Accept": "application/json", "DHL-API-Key": self.account.consumer_key.get_secret_value()}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_problem(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or not reply.json.keys() & {"shipments", "locations"}

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        return wire.track(request.tracking_numbers, self.account.language, self.link)

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        """Source: Location Finder - Unified API, find-by-address."""
        query, path = wire.write_search(request), "/location-finder/v1/find-by-address"
        reply = yield from self.ask("GET", path, query=query, host=PLACES)
        return wire.read_locations(reply.json)

"""DHL Universal: tracking for every DHL division."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Flow, Reply, Token
from shipcli.models import Message, Tracking, TrackingRequest

from . import wire

HOST = "https://api-eu.dhl.com"


class DhlUniversalAccount(Credentials):
    consumer_key: SecretStr
    consumer_secret: SecretStr
    language: Literal["en", "de"] = "en"


class DhlUniversal(Carrier[DhlUniversalAccount, CarrierConfig]):
    """A key of the developer portal."""

    slug = "dhl_universal"
    name = "DHL Universal"
    hosts = {True: HOST, False: HOST}
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
        return reply.status >= 400 or "shipments" not in reply.json

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        return wire.track(request.tracking_numbers, self.account.language, self.link)

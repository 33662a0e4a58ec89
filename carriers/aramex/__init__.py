"""Aramex: tracking by SOAP."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import SecretStr

from shipcli.carrier import Carrier, CarrierConfig, Credentials, Flow, Reply, ask
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.soap import read_fault
from shipcli.carrier.wire.xml import every
from shipcli.models import Message, Tracking, TrackingRequest

from . import wire


class AramexAccount(Credentials):
    username: str
    password: SecretStr
    account_pin: SecretStr
    account_entity: str
    account_number: str
    account_country_code: str


class Aramex(Carrier[AramexAccount, CarrierConfig]):
    """Aramex. Its log-in travels in the question, so it is asked under https (tracking.xsd, import)."""

    slug = "aramex"
    name = "Aramex"
    integration_status = "beta"
    hosts = {True: "https://ws.dev.aramex.net", False: "https://ws.aramex.net"}
    Credentials, Config = AramexAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    numbers_per_call = 50
    tracking_link = "https://www.aramex.com/track/results?ShipmentNumber={}"
    references_services = False
    references_options = False
    sample_account = {
        "username": "sandbox@example.com",
        "password": "sandbox-secret",
        "account_pin": "331421",
        "account_entity": "AMM",
        "account_number": "20016",
        "account_country_code": "JO",
    }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return [*read_fault(reply), *wire.read_messages(reply.xml)]

    def is_refusal(self, reply: Reply) -> bool:
        """An answer with errors is none where some numbers are known all the same."""
        errors = any(error.text == "true" for error in every(reply.xml, "HasErrors"))
        tracked = bool(every(reply.xml, "TrackingResult"))
        return reply.status >= 400 or bool(read_fault(reply)) or (errors and not tracked)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        body = wire.write_tracking(self._client(), request.tracking_numbers)
        path = "/ShippingAPI.V2/Tracking/Service_1_0.svc"
        reply = yield from ask(wire.TRACK.call(path, body, repeatable=True))
        return wire.read_trackings(reply.xml, str(self.tracking_link))

    def _client(self) -> Json:
        """Who asks, in the order of the schema."""
        account = self.account
        return {
            "UserName": account.username,
            "Password": account.password.get_secret_value(),
            "Version": wire.VERSION,
            "AccountNumber": account.account_number,
            "AccountPin": account.account_pin.get_secret_value(),
            "AccountEntity": account.account_entity,
            "AccountCountryCode": account.account_country_code,
        }

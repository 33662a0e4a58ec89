"""La Poste: tracking of letters, Colissimo and Chronopost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Flow, Reply, Token
from shipcli.models import Message, Tracking, TrackingRequest

from .wire import CATALOGUE, MOST, is_refused, read_problems, track

HOST = "https://api.laposte.fr"


class LaposteAccount(Credentials):
    """A key of the developer portal."""

    api_key: SecretStr
    lang: Literal["fr_FR", "en_US"] = "fr_FR"


class Laposte(Carrier[LaposteAccount, CarrierConfig]):
    """La Poste."""

    slug = "laposte"
    name = "La Poste"
    hosts = {True: HOST, False: HOST}
    Credentials, Config = LaposteAccount, CarrierConfig
    catalogue = CATALOGUE
    tracking_link = "https://www.laposte.fr/outils/suivre-vos-envois?code={}"
    numbers_per_call = MOST
    references_services = False
    references_packaging = False
    sample_account = {"api_key": "sandbox-key"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Accept": "application/json", "X-Okapi-Key": self.account.api_key.get_secret_value()}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_problems(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or is_refused(reply.json)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        batches = self.batches(request.tracking_numbers)
        return track(batches, self.account.lang, str(self.tracking_link))

"""Colissimo: labels of single parcels, prices by the account's own sheet, La Poste's tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    FIELD_ERROR,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
    Token,
)
from shipcli.carrier.number_forms import COLISSIMO, POSTAL
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.models import (
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from ..laposte import HOST as TRACKING_HOST
from ..laposte.wire import MOST, is_refused, read_problems, track
from . import wire

HOST = "https://ws.colissimo.fr"
TRACKING = "laposte"
LANGUAGES = {"FR": "fr_FR", "EN": "en_US"}


class ColissimoAccount(Credentials):
    """The contract, and a key of La Poste's developer portal for tracking."""

    password: SecretStr
    contract_number: str
    laposte_api_key: SecretStr | None = None
    services: OwnLevels = wire.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class ColissimoConfig(CarrierConfig):
    """The language of tracking."""

    lang: Literal["FR", "EN"] | None = None


class Colissimo(Carrier[ColissimoAccount, ColissimoConfig]):
    """Colissimo, the parcels of La Poste. It takes no label back."""

    slug = "colissimo"
    values_each = True
    option_currency = "EUR"
    home_country = "FR"
    returns_from_abroad = True
    name = "Colissimo"
    integration_status = "beta"
    hosts = {True: HOST, False: HOST}
    other_hosts = {TRACKING: {True: TRACKING_HOST, False: TRACKING_HOST}}
    Credentials, Config = ColissimoAccount, ColissimoConfig
    catalogue = wire.CATALOGUE
    one_parcel = True
    references_packaging = False
    number_forms = (COLISSIMO, POSTAL)
    numbers_per_call = MOST
    tracking_link = "https://www.laposte.fr/outils/suivre-vos-envois?code={}"
    sample_account = {
        "contract_number": "123456",
        "password": "sandbox-secret",
        "laposte_api_key": "sandbox-key",
        "services": make_sample_sheet(wire.CATALOGUE, "sample_levels"),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        if call.host != TRACKING:
            return {"Content-Type": "application/json;charset=UTF-8"}
        key = self.account.laposte_api_key
        return {"Accept": "application/json", "X-Okapi-Key": key.get_secret_value() if key else ""}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        body = wire.read_info(reply)
        return wire.read_errors(body) if wire.is_ours(body) else read_problems(body)

    def is_refusal(self, reply: Reply) -> bool:
        body = wire.read_info(reply)
        failed = bool(wire.read_errors(body)) if wire.is_ours(body) else is_refused(body)
        return reply.status >= 400 or failed

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options, secret = self.options_of(request), self.account.password.get_secret_value()
        day = options.ship_date() or self.today_at(request.shipper)
        letter = wire.write_letter(request, options, day)
        body = {"contractNumber": self.account.contract_number, "password": secret, **letter}
        reply = yield from self.ask("POST", "/sls-ws/SlsServiceWSRest/2.0/generateLabel", json=body)
        return wire.read_label(reply, wire.label_format(request.label_type))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The customer is the sender of a product that brings goods back, from home or from abroad."""
        return self.ship(request)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        if not self.account.laposte_api_key:
            raise self.refuse(FIELD_ERROR, "laposte_api_key: tracking needs a key of La Poste")
        language = LANGUAGES[self.config.lang or "FR"]
        batches = self.batches(request.tracking_numbers)
        return track(batches, language, str(self.tracking_link), host=TRACKING)

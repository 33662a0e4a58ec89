"""Chronopost: express parcels from France, by three small SOAP services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
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
from shipcli.carrier.number_forms import CHRONOPOST, POSTAL, NumberForm
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_replies
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

HOST = "https://ws.chronopost.fr"
PRICES, SHIPPING = "/quickcost-cxf/QuickcostServiceWS", "/shipping-cxf/ShippingServiceWS"
TRACKING = "/tracking-cxf/TrackingServiceWS"


class ChronopostAccount(Credentials):
    account_number: str
    password: SecretStr
    id_emit: str = "CHRFR"
    language: Literal["en_GB", "fr_FR"] = "en_GB"


class Chronopost(Carrier[ChronopostAccount, CarrierConfig]):
    """Chronopost; the account decides whether a label is a test."""

    slug = "chronopost"
    name = "Chronopost"
    integration_status = "beta"
    home_country = "FR"
    needs_weight = True
    tells_tax_number = False
    hosts = {True: HOST, False: HOST}
    Credentials, Config = ChronopostAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    also_reads = frozenset({"cash_on_delivery", "currency", "declared_value", "insurance"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?cancell?ed|déjà annulé"),)
    number_forms = (CHRONOPOST, POSTAL, NumberForm("14 digits", r"\d{14}"))
    tracking_link = "https://www.chronopost.fr/tracking-no-cms/suivi-page?listeNumerosLT={}"
    sample_account = {"account_number": "19869502", "password": "sandbox-secret"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(wire.read_errors(reply))

    def is_definite(self, reply: Reply) -> bool:
        """An error of its system, which has status 200, may leave a parcel behind."""
        return super().is_definite(reply) and all(
            error.code != wire.BROKEN for error in wire.read_errors(reply)
        )

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        bodies = [{**self._login(), **wire.write_question(request, parcel)} for parcel in request.parcels]
        replies = yield from ask_all([wire.PRICE.call(PRICES, body, repeatable=True) for body in bodies])
        return sum_parcels([wire.read_prices(reply.xml) if reply.ok else [] for reply in replies])

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Every parcel is an order of its own; when one is refused the others are cancelled."""
        mode, kind = wire.label_mode(request.label_type)
        account, now = self.account, self.now_at(request.shipper)
        secret = account.password.get_secret_value()
        asker = wire.Asker(account.account_number, account.id_emit, secret, mode, now)
        bodies = [
            wire.write_order(asker, request, parcel, options)
            for parcel, options in zip(request.parcels, self.options_of_each(request), strict=True)
        ]
        labels = yield from buy_each(
            [wire.SHIP.call(SHIPPING, body) for body in bodies],
            lambda reply: wire.read_label(reply.xml, kind),
            lambda label: self._cancel(label.tracking_number),
        )
        return combine_labels(labels)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        return void_each(self, [self._cancel(number) for number in self.identifiers_of(request)])

    def _cancel(self, number: str) -> Call:
        body = {**self._login(), "language": self.account.language, "skybillNumber": number}
        return wire.CANCEL.call(TRACKING, body, about={"tracking_number": number})

    def _login(self) -> Json:
        account = self.account
        return {
            "accountNumber": account.account_number,
            "password": account.password.get_secret_value(),
        }

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        language = self.account.language
        numbers = request.tracking_numbers
        bodies = [{"language": language, "skybillNumber": number} for number in numbers]
        replies = yield from ask_all([wire.TRACK.call(TRACKING, body, repeatable=True) for body in bodies])
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: wire.read_tracking(reply.xml, number))

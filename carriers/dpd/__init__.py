"""DPD in Belgium and the Netherlands: prices by a rate sheet, labels and tracking, by SOAP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from shipcli.carrier import Call, Carrier, CarrierConfig, Credentials, Flow, Reply, Token, ask, ask_all
from shipcli.carrier.number_forms import DPD
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import parts, shipments, tracking

ACCESS, DUTCH = "access", "NL"


class DpdAccount(Credentials):
    """A Delis user; the country of the account decides which of DPD's servers is asked."""

    delis_id: str
    password: SecretStr
    depot: str | None = None
    message_language: str = "en_EN"
    account_country_code: str = "BE"
    services: OwnLevels = parts.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class Dpd(Carrier[DpdAccount, CarrierConfig]):
    """DPD."""

    slug = "dpd"
    name = "DPD"
    integration_status = "beta"
    hosts = {True: "https://shipperadmintest.dpd.be/PublicApi", False: "https://wsshipper.dpd.be"}
    other_hosts = {
        DUTCH: {True: "https://shipperadmintest.dpd.nl/PublicApi", False: "https://wsshipper.dpd.nl"}
    }
    Credentials, Config = DpdAccount, CarrierConfig
    catalogue = parts.CATALOGUE
    also_reads = frozenset({
        "currency", "declared_value", "email_notification", "email_notification_to", "insurance",
        "invoice_date", "invoice_number",
    })  # fmt: skip
    references_levels = False
    references_packaging = False
    tokens = (ACCESS,)
    number_forms = DPD
    tracking_link = "https://www.dpdgroup.com/be/mydpd/my-parcels/track?lang=en&parcelNumber={}"
    sample_account = {
        "delis_id": "sandbox",
        "password": "sandbox-secret",
        "account_country_code": "BE",
        "services": make_sample_sheet(parts.CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        account = self.account
        body = {
            "delisId": account.delis_id,
            "password": account.password.get_secret_value(),
            "messageLanguage": account.message_language,
        }
        reply = yield from ask(parts.LOGIN.call(parts.LOGIN_PATH, body, host=self._host, tokens=()))
        return parts.read_token(reply.xml)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {}

    def complete(self, call: Call, tokens: Mapping[str, Token]) -> Call:
        """The token stands in the envelope; the depot that the log-in told in an order without one."""
        if ACCESS not in tokens:
            return call
        account = self.account
        return parts.sign(call, account.delis_id, tokens[ACCESS], account.message_language)

    def rejects_token(self, reply: Reply) -> bool:
        return reply.status == 401 or any(error.code == parts.BAD_LOGIN for error in parts.read_errors(reply))

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return parts.read_errors(reply)

    def is_refusal(self, reply: Reply) -> bool:
        """What is said beside numbers of parcels is no refusal: they are sold."""
        refused = reply.status >= 400 or bool(parts.read_errors(reply))
        return refused and not parts.has_parcels(reply)

    def is_definite(self, reply: Reply) -> bool:
        """A fault that says what is wrong is a plain no, whatever its status."""
        return super().is_definite(reply) or parts.is_plain_no(reply)

    @property
    def _host(self) -> str | None:
        return DUTCH if self.account.account_country_code == DUTCH else None

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """All parcels are one order, with one file and a number for each."""
        kind = shipments.label_kind(request.label_type)
        body = shipments.write_order(self, request, kind)
        reply = yield from ask(shipments.STORE.call(shipments.PATH, body, host=self._host))
        return shipments.read_label(reply.xml, kind)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        calls = [
            tracking.TRACK.call(
                tracking.PATH,
                {"parcelLabelNumber": number},
                host=self._host,
                repeatable=True,
                about={"tracking_number": number},
            )
            for number in numbers
        ]
        replies = yield from ask_all(calls)
        pairs = zip(numbers, replies, strict=True)
        return read_replies(pairs, lambda number, reply: tracking.read_tracking(reply.xml, number))

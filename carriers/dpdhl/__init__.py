"""Deutsche Post DHL by its old SOAP services, which DHL Parcel DE takes the place of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Token,
    ask,
    ask_all,
    basic_auth,
    combine_labels,
    confirm_void_at_once,
    read_voids,
    take_back,
)
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.rows import read_replies
from shipcli.carrier.wire.xml import Element
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

from . import parts, shipments, tracking

SOAP, TRACKING = "/soap", "/rest/sendungsverfolgung"


class DpdhlAccount(Credentials):
    """A user of the business portal, an application (of live calls), a user of tracking, an account."""

    username: str
    password: SecretStr
    app_id: str | None = None
    app_token: SecretStr | None = None
    zt_id: str | None = None
    zt_password: SecretStr | None = None
    account_number: str | None = None
    services: OwnLevels = parts.CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class DpdhlConfig(CarrierConfig):
    service_suffix: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    language_code: Literal["de", "en"] | None = None


class Dpdhl(Carrier[DpdhlAccount, DpdhlConfig]):
    """Deutsche Post DHL."""

    slug = "dpdhl"
    name = "Deutsche Post DHL"
    option_currency = "EUR"
    integration_status = "deprecated"
    retired = "dhl_parcel_de"
    retired_because = "is being switched off"
    home_country = "DE"
    hosts = {
        True: "https://cig.dhl.de/services/sandbox",
        False: "https://cig.dhl.de/services/production",
    }
    Credentials, Config = DpdhlAccount, DpdhlConfig
    catalogue = parts.CATALOGUE
    also_reads = frozenset({"currency", "email_notification", "email_notification_to"})
    references_packaging = False
    done_before = (DoneBefore(verb="void", text=r"(?i)already (been )?cancell?ed|bereits storniert"),)
    tracking_link = "https://www.dhl.de/en/privatkunden/pakete-empfangen/verfolgen.html?piececode={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "app_id": "sandbox-app",
        "app_token": "sandbox-app-token",
        "zt_id": "zt12345",
        "zt_password": "sandbox-tracking",
        "account_number": "2222222222",
        "services": make_sample_sheet(parts.CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """The gateway knows the developer in tests, the application in production."""
        account = self.account
        if self.context.test_mode:
            return {"Authorization": basic_auth(account.username, account.password)}
        return {"Authorization": basic_auth(account.app_id or "", account.app_token or "")}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return parts.read_messages(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or parts.is_refused(reply)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Every parcel is a shipment of its own; all are ordered in one call.

        Errors: CarrierError when one of them was refused; the others are taken back.
        """
        kind = parts.CATALOGUE.choose("label_types", request.label_type, usual="PDF")
        body = shipments.write_order(self, request, kind)
        reply = yield from ask(shipments.CREATE.call(SOAP, body, header=self._login()))
        labels = shipments.read_labels(reply.xml, kind)
        if len(labels) < len(request.parcels):
            undo = self._delete([label.tracking_number for label in labels])
            yield from take_back(labels, undo, lambda reply: not self.read_messages(reply))
        return combine_labels(labels)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        numbers = self.identifiers_of(request)
        reply = yield from ask(self._delete(numbers))
        if not shipments.list_deletions(reply.xml):
            return confirm_void_at_once(self, reply)
        return read_voids(numbers, lambda number: self._is_void(reply.xml, number, len(numbers)))

    def _is_void(self, answer: Element, number: str, count: int) -> bool:
        """Errors: LookupError for an answer that does not say."""
        fault = shipments.read_deletion(answer, number, count)
        return fault is None or self.says_done_before("void", [fault])

    def _delete(self, numbers: Sequence[str]) -> Call:
        body = {**parts.write_version(), "cis:shipmentNumber": list(numbers)}
        return shipments.DELETE.call(SOAP, body, header=self._login())

    def _login(self) -> Element:
        account, test = self.account, self.context.test_mode
        return parts.write_login(account.username, account.password.get_secret_value(), test=test)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        secret = self.account.zt_password
        user = self.account.zt_id, secret.get_secret_value() if secret else None
        language = self.config.language_code or "en"
        questions = [tracking.write_question(user, language, number) for number in request.tracking_numbers]
        plain = {"Content-Type": "application/x-www-form-urlencoded"}
        replies = yield from ask_all(
            [Call("GET", TRACKING, query={"xml": question}, headers=plain) for question in questions]
        )
        return read_replies(zip(replies, strict=True), lambda reply: tracking.read_tracking(reply.xml))

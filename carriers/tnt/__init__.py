"""TNT: prices, consignments and tracking by ExpressConnect; every question is XML in a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    Flow,
    Reply,
    Token,
    ask,
    ask_all,
    basic_auth,
    make_label,
)
from shipcli.carrier.number_forms import TNT, NumberForm
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.xml import every, find
from shipcli.models import (
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import documents, parts, rates, shipments, tracking

HOST, TRACKING_HOST = "https://express.tnt.com", "https://necta.az.fxei.fedex.com"
RESULTS = ("ratedService", "Consignment", "consignmentLabelData")


class TntAccount(Credentials):
    username: str
    password: SecretStr
    account_number: str | None = None
    account_country_code: str | None = None


class TntConfig(CarrierConfig):
    """The application that is told to TNT, and from whom its mails come."""

    app_id: str | None = None
    email_from: str | None = None


class Tnt(Carrier[TntAccount, TntConfig]):
    """TNT. One host serves tests too: the credentials decide."""

    slug = "tnt"
    name = "TNT"
    values_at_home = True
    integration_status = "beta"
    tells_payer = False
    hosts = {True: HOST, False: HOST}
    other_hosts = {"track": {True: TRACKING_HOST, False: TRACKING_HOST}}
    Credentials, Config = TntAccount, TntConfig
    catalogue = parts.CATALOGUE
    bills = ANYBODY
    also_reads = frozenset({
        "currency", "declared_value", "email_notification", "email_notification_to",
        "shipment_note",
    })  # fmt: skip
    needs_weight = True
    needs_sides = frozenset({ShipmentRequest})  # no label is printed without them
    number_forms = (TNT, NumberForm("nine digits", r"\d{9}"))
    numbers_per_call = 50
    tracking_link = "https://www.tnt.com/express/en_us/site/tracking.html?searchType=con&cons={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "account_number": "100445",
        "account_country_code": "NL",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": basic_auth(self.account.username, self.account.password)}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every error and warning, in whichever of the services' own forms."""
        tables = parts.CATALOGUE.table
        rows = [
            _read_message(node, code, text)
            for name, (code, text) in tables("errors").items()
            for node in every(reply.xml, name)
        ]
        broken = [
            Message(code=code, message=find(node, "errorReason") or find(node, "error_reason"))
            for name, code in tables("failures").items()
            for node in every(reply.xml, name)
        ]
        return [*rows, *broken, *tracking.read_unknown(reply.xml)]

    def is_refusal(self, reply: Reply) -> bool:
        """What brings a result is none, whatever is said beside it."""
        done = any(every(reply.xml, name) for name in RESULTS) or shipments.is_created(reply.xml)
        return reply.status >= 400 or (not done and bool(self.read_messages(reply)))

    def _ask(self, path: str, root: str, body: Json, **call: Any) -> Call:
        return Call("POST", path, form=parts.write_form(root, body), **call)

    def _account(self) -> Json | None:
        return parts.write_account(self.account.account_number, self.account.account_country_code)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        options = self.options_of(request)
        day = parts.ship_day(request, options, self)
        body = rates.write_rate(request, options, day, self._account(), self.config.app_id)
        path = "/expressconnect/pricing/getprice"
        reply = yield from ask(self._ask(path, "priceRequest", body, repeatable=True))
        return rates.read_rates(reply.xml)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """One call buys; the data of the label and its file are two more."""
        reply = yield from ask(self._ask("/expressconnect/shipping/ship", "ESHIPPER", self._write(request)))
        if unshipped := shipments.read_unshipped(reply.xml):
            raise CarrierError(*self.read_messages(reply), *unshipped)
        bought = shipments.read_order(reply.xml, request.service)
        yield bought
        return (yield from self.fetch_label(bought, request))

    def _write(self, request: ShipmentRequest) -> Json:
        options, name = self.options_of(request), shipments.reference_of(request, self.context.key)
        at, account = parts.ship_time(request, options, self), self.account
        password = account.password.get_secret_value()
        return {
            "LOGIN": shipments.write_login(account.username, password, self.config.app_id),
            "CONSIGNMENTBATCH": shipments.write_order(request, options, at, account.account_number, name),
            "ACTIVITY": shipments.write_activity(name, options, self.config.email_from),
        }

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        day = parts.ship_day(request, options, self)
        body = documents.write_label(request, options, bought, day, self._account())
        path = "/expresslabel/documentation/getlabel"
        data = yield from ask(self._ask(path, "labelRequest", body, repeatable=True))
        form = {"responseXml": data.text, **documents.ROUTING_LABEL}
        path = "/expresswebservices-website/app/render.html"
        reply = yield from ask(Call("POST", path, form=form, file=True, repeatable=True))
        return make_label(bought, "PDF", {"label": encode_file(reply.content)})

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        origin, accept = self.account.account_country_code, {"accept": "text/xml; charset=UTF-8"}
        calls = [
            self._ask(
                "/ectrack/track",
                "TrackRequest",
                tracking.write_tracking(group, origin),
                host="track",
                headers=accept,
                repeatable=True,
            )
            for group in self.batches(request.tracking_numbers)
        ]
        replies = yield from ask_all(calls)
        return [tracked for reply in replies if reply.ok for tracked in tracking.read_trackings(reply.xml)]


def _read_message(node: Any, code: str, text: str) -> Message:
    kind = find(node, "messageType")
    details = {"messageType": kind} if kind else None
    return Message(code=find(node, code), message=find(node, text), details=details)

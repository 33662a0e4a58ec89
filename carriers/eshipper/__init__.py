"""eShipper: prices, labels and tracking of the carriers behind a Canadian hub, by its JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from pydantic import SecretStr

from shipcli.carrier import (
    FIELD_ERROR,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
)
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import find_office_time
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

from . import shipments, tracking
from .parts import CATALOGUE, Request
from .rates import find_id, read_quotes, write_quote

JSON = "application/json"
# A token is renewed half an hour before eShipper would refuse it.
MARGIN = timedelta(minutes=30)
DETAILS = ("type", "fieldErrors", "thirdPartyMessage")


class EshipperAccount(Credentials):
    """A user and its password."""

    principal: str
    credential: SecretStr


class Eshipper(Carrier[EshipperAccount, CarrierConfig]):
    """eShipper, a hub: its quotes name the carrier that moves the parcel."""

    slug = "eshipper"
    not_serviced = "No carrier takes this shipment"
    option_currency = "CAD"
    fills_in_quotes = ("person_name", "address_line1", "city")
    name = "eShipper"
    hub, trackable = True, False
    hosts = {True: "https://uu2.eshipper.com", False: "https://ww2.eshipper.com"}
    Credentials, Config = EshipperAccount, CarrierConfig
    catalogue = CATALOGUE
    bills = frozenset({"sender", "third_party"})
    references_packaging = False
    needs_weight, needs_sides = True, frozenset({ShipmentRequest})
    tokens = ("access",)
    numbers_per_call = tracking.PAGE
    also_reads = frozenset({"insurance", "orderId", "eshipper_service_id", "eshipper_carrier_id"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel|cancel\w*\b.*\balready"),)
    sample_account = {"principal": "sandbox", "credential": "sandbox-secret"}

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Units of the answer: expires_in in seconds, as text."""
        body = {
            "principal": self.account.principal,
            "credential": self.account.credential.get_secret_value(),
        }
        path = "/api/v2/authenticate"
        reply = yield from self.ask("POST", path, json=body, tokens=(), repeatable=True)
        lasts = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(str(reply.json["token"]), self.now + lasts - MARGIN)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {**super().headers(call, tokens), "Content-Type": JSON}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Refusals, and warnings of carriers behind the hub that do not take the shipment."""
        body = _object(reply)
        beside = [(code, text) for code in ("error", "warning") for text in as_list(body.get(f"{code}s"))]
        problems = [*_refusals(body), *beside]
        details = {name: body[name] for name in DETAILS if body.get(name)} or None
        return [Message(code=code, message=text, details=details) for code, text in problems]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(_refusals(_object(reply)))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """Errors: CarrierError if the goods are not declared as they are bought with."""
        if shipments.has_gap(request):
            text = (
                "eShipper sells goods across a border once each has a description and a quantity: "
                "add customs.commodities (--goods)"
            )
            problem = {"code": "required", "message": text}
            raise self.refuse(FIELD_ERROR, text, **{"customs.commodities": problem})
        alone = request.services[0] if len(request.services) == 1 else ""
        body = self._draft(request, self._known_id(alone, request))
        return read_quotes((yield from self._ask_quotes(body)))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy by the id of the service; one that is not known is asked for with the prices.

        Services have other ids on the test host, and eShipper publishes no list of either.
        """
        service = self._known_id(request.service, request)
        if service is None:
            quotes = yield from self._ask_quotes(self._draft(request, None))
            service = find_id(quotes, request.service)
            if service is None:
                text = f"eShipper has no rate of {request.service} for this shipment"
                raise CarrierError(Message(code="no_rate", message=text), definite=True)
        body = shipments.write_shipment(self._draft(request, service), request, self.options_of(request))
        reply = yield from self.ask("PUT", "/api/v2/ship", json=body)
        return shipments.read_shipment(reply.json)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        order = self.options_of(request).text("orderId") or request.shipment_identifier
        yield from self.ask("DELETE", "/api/v2/ship/cancel", json={"order": {"orderId": order}})
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Ask for many at once; of those that are refused together, as one is not known, for each alone."""
        batches = self.batches(request.tracking_numbers)
        replies = yield from ask_all([tracking.write_tracking(numbers) for numbers in batches])
        pairs = zip(batches, replies, strict=True)
        again = [
            number for numbers, reply in pairs if tracking.is_spoilt(numbers, reply) for number in numbers
        ]
        replies += yield from ask_all([tracking.write_tracking([number]) for number in again])
        rows = [row for reply in replies if reply.ok for row in as_list(reply.json)]
        return read_each(rows, tracking.read_tracking)

    # -- what verbs share ----------------------------------------------------------------------

    def _ask_quotes(self, body: Json) -> Flow[list[Json]]:
        reply = yield from self.ask("POST", "/api/v2/quote", json=body, repeatable=True)
        return as_list(reply.json.get("quotes"))

    def _draft(self, request: Request, service: int | None) -> Json:
        options = self.options_of(request)
        at = find_office_time(options.ship_time() or self.now_at(request.shipper))
        return write_quote(request, options, self.options_of_each(request), at, service)

    def _known_id(self, service: str, request: Request) -> int | None:
        """The id that the caller read from a quote, else one that is known of the live host."""
        if service_id := self.options_of(request).amount("eshipper_service_id"):
            return int(service_id)
        live = not self.context.test_mode
        return CATALOGUE.table("live_service_ids").get(service) if live else None


# -- what eShipper says went wrong -----------------------------------------------------------------


def _object(reply: Reply) -> Json:
    """The answer where it is an object; trackings come as a list, which holds no errors."""
    return reply.json if isinstance(reply.json, dict) else {}


def _refusals(body: Json) -> list[tuple[str, str]]:
    """Code and text of what makes an answer a refusal.

    Shapes: an error has a code; orders whose message starts with Error failed; what is said beside quotes is
            none.
    """
    orders = (str(order.get("message") or "") for order in as_list(body.get("order")))
    failed = [text for text in orders if text.startswith("Error")]
    coded = [(str(body["code"]), str(body.get("message") or ""))] if body.get("code") else []
    return [*coded, *(("error", text) for text in failed)]

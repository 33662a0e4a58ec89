"""EasyPost: prices, labels and tracking of some sixty carriers behind one JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask_all,
    basic_auth,
    sum_parcels,
    void_each,
)
from shipcli.carrier.wire.json_paths import Json, as_list, fill_member
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

from . import rates, shipments, tracking
from .parts import CATALOGUE

HOST = "https://api.easypost.com/v2"
JSON = "application/json"
REJECTED = {"code": "refund_rejected", "message": "EasyPost did not take the label back"}
DETAILS = ("errors", "carrier", "carrier_account_id")


class EasypostAccount(Credentials):
    """An API key; it says itself whether it is for tests."""

    api_key: SecretStr


class Easypost(Carrier[EasypostAccount, CarrierConfig]):
    """EasyPost, a hub: its quotes name the carrier that moves the parcel."""

    slug = "easypost"
    not_serviced = "No carrier takes this shipment"
    name = "EasyPost"
    values_each = True
    option_currency = "USD"
    hub, trackable = True, False
    hosts = {True: HOST, False: HOST}
    Credentials, Config = EasypostAccount, CarrierConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    references_packaging = False
    also_reads = frozenset({
        "insurance", "signature_confirmation", "invoice_number",
    })  # fmt: skip
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\brefund|refund\w*\b.*\balready"),)
    sample_account = {"api_key": "EZTKsandbox"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """The key is the user of a basic log-in without a password; every call says that it is JSON."""
        key = self.account.api_key.get_secret_value()
        return {"Authorization": basic_auth(key, ""), "Content-Type": JSON}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """The refusal, and what carriers behind the hub said of a shipment that others take."""
        rejected = REJECTED if reply.json.get("refund_status") == "rejected" else None
        sources = (reply.json.get("error"), rejected, reply.json.get("messages"))
        return [_message(problem) for part in sources for problem in as_list(part)]

    def is_refusal(self, reply: Reply) -> bool:
        body = reply.json
        return reply.status >= 400 or bool(body.get("error")) or body.get("refund_status") == "rejected"

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        replies = yield from ask_all(self.drafts(request, request.reference))
        return sum_parcels([rates.read_rates(reply.json) if reply.ok else [] for reply in replies])

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        return (yield from shipments.ship(self, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        return (yield from shipments.fetch_label(self, bought))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """EasyPost is told in the order itself that it is a return."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        numbers = self.options_of(request).items("shipment_identifiers") or [request.shipment_identifier]
        return void_each(self, [shipments.refund(str(number)) for number in numbers])

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        calls = [tracking.write_tracker(number, request.options_of(number)) for number in numbers]
        replies = yield from ask_all(calls)
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: tracking.read_tracker(fill_member(reply.json, "tracking_code", number)),
        )

    def drafts(self, request: RateRequest | ShipmentRequest, reference: str | None) -> list[Call]:
        """A shipment for each parcel, as EasyPost knows no other: priced at once, free until bought."""
        bodies = [
            rates.write_shipment(request, parcel, options, reference)
            for parcel, options in zip(request.parcels, self.options_of_each(request), strict=True)
        ]
        return [Call("POST", "/shipments", json=body, repeatable=True) for body in bodies]


def _message(problem: Json) -> Message:
    details = {name: problem[name] for name in DETAILS if problem.get(name)}
    code = problem.get("code") or problem.get("type")
    return Message(code=code, message=problem.get("message"), details=details or None)

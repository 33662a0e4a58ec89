"""Roadie: same-day delivery in the US: an estimate, a shipment with its label, tracking by its own ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    ORIGIN_NOT_SERVICED,
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
    make_label,
)
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.rows import read_each
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

SHIPMENTS, HOME = "/v1/shipments", "US"


class RoadieAccount(Credentials):
    """The key of the account: a test key reaches no driver."""

    api_key: SecretStr


class Roadie(Carrier[RoadieAccount, CarrierConfig]):
    """Roadie."""

    slug = "roadie"
    option_currency = "USD"
    fills_in_quotes = ("address_line1", "city")
    name = "Roadie"
    integration_status = "beta"
    not_serviced = "outside the area"
    hosts = {True: "https://connect.roadie.com", False: "https://connect.roadie.com"}
    Credentials, Config = RoadieAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    references_packaging = False
    home_country = HOME
    also_reads = frozenset({"declared_value", "insurance"})
    done_before = (DoneBefore(verb="void", text="already (?:been )?cancell?ed"),)
    tracking_link = "https://track.roadie.com/id/{}"
    sample_account = {"api_key": "sandbox-key"}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self.account.api_key.get_secret_value()}"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return wire.read_messages(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self.check(request)
        body = wire.write_estimate(request, self.options_of(request), self.options_of_each(request), self.now)
        reply = yield from self.ask("POST", "/v1/estimates", json=body, repeatable=True)
        return read_each([reply.json], wire.read_price)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        self.check(request)
        body = wire.write_shipment(request, self.options_of(request), self.options_of_each(request), self.now)
        reply = yield from self.ask("POST", SHIPMENTS, json=body)
        bought = wire.read_shipment(reply.json)
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        path = f"{SHIPMENTS}/{quote(str(bought.shipment_identifier), safe='')}/label"
        reply = yield from self.ask("GET", path, query={"format": "PDF"}, file=True)
        return make_label(bought, "PDF", {"label": encode_file(reply.content)})

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"{SHIPMENTS}/{quote(request.shipment_identifier, safe='')}")
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """A call for each, so that a number that is not known spoils no other."""
        numbers = request.tracking_numbers
        replies = yield from ask_all([_ask_for(number) for number in numbers])
        rows = [row for reply in replies if reply.ok for row in wire.list_shipments(reply.json)]
        return read_each(rows, wire.read_tracking, numbers, str(self.tracking_link))

    def check(self, request: RateRequest | ShipmentRequest) -> None:
        """Errors: CarrierError for an end of the way outside the US, which the wire has no word for."""
        for side, code in (
            (request.shipper, ORIGIN_NOT_SERVICED),
            (request.recipient, DESTINATION_NOT_SERVICED),
        ):
            if (side.country_code or HOME) != HOME:
                raise self.refuse(code, f"Roadie drives in the US only, not in {side.country_code}")


def _ask_for(number: str) -> Call:
    return Call("GET", SHIPMENTS, query={"ids": number}, about={"tracking_number": number})

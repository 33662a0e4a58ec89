"""Freightcom: prices and labels of the carriers behind a Canadian hub, by its old XML service.

Freightcom has a newer service of another kind; this one works in the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from shipcli.carrier import ANYBODY, Call, Carrier, CarrierConfig, Credentials, DoneBefore, Flow, Reply, Token
from shipcli.carrier.wire import xml
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from . import wire

XML = "application/xml"


class FreightcomAccount(Credentials):
    """A user and its password, which stand in every document."""

    username: str
    password: SecretStr


class Freightcom(Carrier[FreightcomAccount, CarrierConfig]):
    """Freightcom, a hub: its quotes name the carrier that moves the parcel."""

    slug = "freightcom"
    name = "Freightcom"
    tells_tax_number = False
    goods_currencies = ("CAD",)
    option_currency = "CAD"
    integration_status = "deprecated"
    retired, retired_because = "", "is superseded by one that shipcli does not speak"
    hub, trackable = True, False
    hosts = {True: "https://test.freightcom.com/rpc2", False: "https://app.freightcom.com/rpc2"}
    Credentials, Config = FreightcomAccount, CarrierConfig
    catalogue = wire.CATALOGUE
    bills = ANYBODY
    references_packaging = False
    needs_weight, needs_sides = True, frozenset({RateRequest, ShipmentRequest})
    fills_in_quotes = ("address_line1", "city")
    also_reads = frozenset({"cash_on_delivery"})
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel"),)
    sample_account = {"username": "sandbox", "password": "sandbox-secret"}

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Content-Type": XML}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """The refusal, and what carriers behind the hub said of a shipment that others take."""
        refused = [
            Message(code="Error", message=error.get("Message")) for error in xml.every(reply.xml, "Error")
        ]
        return [*refused, *wire.read_notes(reply.xml)]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(xml.every(reply.xml, "Error"))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        body = wire.write_quote(request, self.options_of(request), self.options_of_each(request))
        reply = yield self._call("QuoteRequest", body, repeatable=True)
        return wire.read_quotes(reply.xml)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        body = wire.write_shipment(request, self.options_of(request), self.options_of_each(request))
        reply = yield self._call("ShippingRequest", body)
        return wire.read_shipment(reply.xml)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        body = {"Order": {"@orderId": request.shipment_identifier}}
        reply = yield self._call("ShipmentCancelRequest", body)
        xml.first(reply.xml, "ShipmentCancelReply")
        return Confirmation(success=True, operation="Cancel Shipment")

    def _call(self, name: str, body: Json, *, repeatable: bool = False) -> Call:
        """Everything is asked at one address; the document says what."""
        login = {
            "@username": self.account.username,
            "@password": self.account.password.get_secret_value(),
            "@version": wire.VERSION,
        }
        tree = xml.element("Freightcom", {**login, name: body}, wire.NAMESPACE)
        return Call("POST", "", xml=tree, repeatable=repeatable)

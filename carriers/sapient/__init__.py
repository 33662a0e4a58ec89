"""SAPIENT (Intersoft): labels and collections of British carriers, prices by a rate sheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import Carrier, CarrierConfig, Credentials, DoneBefore, Flow, Reply, Token
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.times import find_office_time
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    PickupUpdateRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
)

from . import pickups, shipments
from .parts import CATALOGUE, carrier_of, code_of, desk_options

HOST, LOGIN = "https://api.intersoftsapient.net", "https://authentication.intersoftsapient.net"
# A token is renewed half an hour before SAPIENT would refuse it.
MARGIN = timedelta(minutes=30)


class SapientAccount(Credentials):
    """A client of SAPIENT, the account it ships for, and the carrier it usually ships with."""

    client_id: str
    client_secret: SecretStr
    shipping_account_id: str
    sapient_carrier_code: Literal["DX", "EVRI", "RM", "UPS", "YODEL"] = "RM"
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class SapientConfig(CarrierConfig):
    """Habits of a connection."""

    service_level: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Sapient(Carrier[SapientAccount, SapientConfig]):
    """SAPIENT, a hub in front of Royal Mail, Evri, DX, UPS and Yodel."""

    slug = "sapient"
    name = "SAPIENT"
    values_at_home = True
    hub, trackable = True, False
    hosts = {True: HOST, False: HOST}
    other_hosts = {"login": {True: LOGIN, False: LOGIN}}
    Credentials, Config = SapientAccount, SapientConfig
    catalogue = CATALOGUE
    home_country = "GB"
    references_packaging = references_levels = False
    tokens = ("access",)
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already\b.*\bcancel"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already\b.*\bcancel"),
    )
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "shipping_account_id": "32d2fe85-4b8e-4061-98d8-4942275a5ebd",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Units of the answer: expires_in in seconds, as text."""
        form = {
            "grant_type": "client_credentials",
            "client_id": self.account.client_id,
            "client_secret": self.account.client_secret.get_secret_value(),
        }
        reply = yield from self.ask(
            "POST", "/connect/token", host="login", form=form, tokens=(), repeatable=True
        )
        lasts = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(str(reply.json["access_token"]), self.now + lasts - MARGIN)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Each thing that is wrong; a refused log-in says it in the words of OAuth."""
        errors = [_message(error) for error in as_list(reply.json.get("Errors"))]
        if not errors and (error := reply.json.get("error")):
            return [Message(code=error, message=reply.json.get("error_description") or error)]
        return errors

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(reply.json.get("Errors") or reply.json.get("error"))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        quotes = yield from rate_by_sheet(self, request)
        return [self._with_carrier(quote) for quote in quotes]

    def _with_carrier(self, quote: Quote) -> Quote:
        """The quote with the carrier behind."""
        code = code_of(str(quote.service), self.account.sapient_carrier_code)
        return quote.model_copy(update={"meta": {**(quote.meta or {}), "rate_provider": carrier_of(code)}})

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        options = self.options_of(request)
        day = find_office_time(options.ship_time() or self.now_at(request.shipper)).date()
        carrier = code_of(request.service, self.account.sapient_carrier_code)
        body = shipments.write_shipment(self, request, options, day.isoformat())
        reply = yield from self.ask("POST", f"/v4/shipments/{carrier}", json=body)
        return shipments.read_shipment(reply.json, carrier)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The customer is the shipper of a service that brings goods back."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        options = desk_options(request)
        named = options.items("shipment_ids") or options.items("shipment_identifiers")
        body = {
            "Status": "Cancel",
            "Reason": options.text("reason") or "Order Cancelled",
            "ShipmentIds": named or [request.shipment_identifier],
        }
        yield from self.ask("PUT", "/v4/shipments/status", json=body)
        return Confirmation(success=True, operation="Cancel Shipment")

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        return (yield from self._book(request, self._collection(request)))

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        collection, number = self._collection(request), request.confirmation_number
        book = self._book(request, collection)
        return (yield from rebook_pickup(self, number, self._call_off(collection), book))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        return (yield from self._call_off(self._collection(request)))

    def _collection(self, request: PickupRequest | PickupCancelRequest) -> pickups.Collection:
        return pickups.find_collection(request, self.account.sapient_carrier_code)

    def _book(self, request: PickupRequest, collection: pickups.Collection) -> Flow[PickupDetails]:
        reply = yield from self.ask("POST", collection.path, json=pickups.write_pickup(request))
        return pickups.read_pickup(reply.json, collection)

    def _call_off(self, collection: pickups.Collection) -> Flow[Confirmation]:
        yield from self.ask("PUT", f"{collection.path}/cancel")
        return Confirmation(success=True, operation="Cancel Pickup")


def _message(error: Json) -> Message:
    cause = error.get("Cause")
    return Message(
        code=error.get("ErrorCode"), message=error.get("Message"), details={"Cause": cause} if cause else None
    )

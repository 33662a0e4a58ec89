"""Hermes in Germany: prices by a rate sheet, labels, returns, collections, tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    Token,
    ask_all,
    combine_labels,
)
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.preparation.returns import is_return
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.rows import note_message
from shipcli.models import (
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
    Tracking,
    TrackingRequest,
)

from . import pickups, shipments, tracking
from .parts import CATALOGUE

LOGIN = "login"
MARGIN = timedelta(minutes=5)  # a token is renewed before Hermes would refuse it
HOUR_S = 3600
PRINTED_ONCE = "Hermes makes a label once: print the one of this shipment from its portal"
LOOK_BACK = timedelta(days=1)  # of orders: their day may be another here
TIMED_OUT = frozenset({"e031", "e058", "e999"})  # something behind did not answer: a label may be there


class HermesAccount(Credentials):
    """A user of the shipping interface (HSI), and the application that works for it."""

    username: str
    password: SecretStr
    client_id: str
    client_secret: SecretStr
    account_country_code: str | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class HermesConfig(CarrierConfig):
    """Habits of a connection."""

    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    label_type: Literal["PDF", "ZPL"] | None = None
    language: Literal["DE", "EN"] | None = None


class Hermes(Carrier[HermesAccount, HermesConfig]):
    """Hermes Germany."""

    slug = "hermes"
    name = "Hermes"
    integration_status = "beta"
    home_country = "DE"
    one_parcel_back = True
    tells_payer = tells_tax_number = False
    hosts = {
        True: "https://de-api-int.hermesworld.com/services/hsi",
        False: "https://de-api.hermesworld.com/services/hsi",
    }
    other_hosts = {LOGIN: {True: "https://authme-int.myhermes.de", False: "https://authme.myhermes.de"}}
    Credentials, Config = HermesAccount, HermesConfig
    catalogue = CATALOGUE
    tokens = ("access",)
    needs_weight = True
    numbers_per_call = 100
    done_before = (DoneBefore(verb="cancel_pickup", text=r"(?i)already\b.*\bcancel|bereits storniert"),)
    number_forms = (NumberForm("14 digits", r"\d{14}"), NumberForm("H and 19 digits", r"H\d{19}"))
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "client_id": "sandbox-client",
        "client_secret": "sandbox-client-secret",
        "account_country_code": "DE",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        account = self.account
        form = {
            "grant_type": "password",
            "username": account.username,
            "password": account.password.get_secret_value(),
            "client_id": account.client_id,
            "client_secret": account.client_secret.get_secret_value(),
        }
        reply = yield from self.ask(
            "POST",
            "/authorization-facade/oauth2/access_token",
            host=LOGIN,
            form=form,
            tokens=(),
            repeatable=True,
        )
        lasts = timedelta(seconds=int(reply.json.get("expires_in") or HOUR_S))
        return Token(str(reply.json["access_token"]), self.now + lasts - MARGIN)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        if call.host == LOGIN:
            return {}
        return {
            "Accept": "application/json",
            "Accept-Language": self.config.language or "DE",
            "Content-Type": "application/json",
            **super().headers(call, tokens),
            **call.headers,
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return [*shipments.read_errors(reply.json), *tracking.read_missing(reply.json)]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(shipments.read_errors(reply.json))

    def is_definite(self, reply: Reply) -> bool:
        codes = {message.code for message in shipments.read_errors(reply.json)}
        return super().is_definite(reply) and codes.isdisjoint(TIMED_OUT)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        return rate_by_sheet(self, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Every parcel is an order of its own."""
        today, count = self.today_at(request.shipper), len(request.parcels)
        bodies = [
            shipments.write_order(request, parcel, options, self.reference(at), today)
            for at, (parcel, options) in enumerate(
                zip(request.parcels, self.options_of_each(request), strict=True)
            )
        ]

        def order(at: int, parent: str | None) -> Call:
            body = bodies[at - 1]
            body = shipments.add_part(body, at, count, parent) if count > 1 else body
            return Call(
                "POST", "/shipmentorders/labels", json=body, headers=self._accept(request), tolerant=at > 1
            )

        return (yield from shipments.buy_in_turn(order, count))

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The orders of these days with the keys of this purchase among their references.

        Their labels stay away, as Hermes prints a label once.
        Source: HSI Order API 2025-12-18, GET /shipmentorders; e018 of POST /shipmentorders/../labels.
        Errors: CarrierError for what is not found so, and for a purchase of which only a part was ordered.
        """
        if is_return(request, self) or self._names_both_references(request):
            raise self.refuse("unknown_purchase", "Hermes can't be asked for it: look it up in its portal")
        sent = self.context.sent_at or self.now
        query = {
            "shipmentOrderState": shipments.PLACED,
            "shipmentOrderStartDate": f"{sent - LOOK_BACK:%Y-%m-%d}",
            "shipmentOrderEndDate": f"{sent + LOOK_BACK:%Y-%m-%d}",
        }
        reply = yield from self.ask("GET", "/shipmentorders", query=query)
        keys = [self.reference(at) for at in range(len(request.parcels))]
        labels = shipments.find_orders(reply.json, keys)
        if labels and len(labels) < len(keys):
            numbers = ", ".join(label.tracking_number for label in labels)
            raise self.refuse("bought_in_part", f"Hermes has only these parcels of the shipment: {numbers}")
        if not labels:
            return None
        note_message(Message(code="label_missing", message=PRINTED_ONCE))
        return combine_labels(labels)

    def _names_both_references(self, request: ShipmentRequest) -> bool:
        """Whether the caller's own references take the place of the key."""
        return any(
            bool(options.text("hermes_customer_reference_2"))
            and bool(request.reference or options.text("hermes_customer_reference_1"))
            for options in self.options_of_each(request)
        )

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        body = shipments.write_return(request, self.options_of(request), self.reference())
        reply = yield from self.ask("POST", "/returnorders/labels", json=body, headers=self._accept(request))
        return shipments.read_label(reply.json)

    def _accept(self, request: ShipmentRequest) -> dict[str, str]:
        return {"Accept": shipments.choose_format(request.label_type, self.config.label_type)}

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        calls = [
            Call("GET", "/shipmentinfo", query={"shipmentID": list(numbers)}, partial=True)
            for numbers in self.batches(request.tracking_numbers)
        ]
        replies = yield from ask_all(calls)
        return [each for reply in replies if reply.ok for each in tracking.read_trackings(reply.json)]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        reply = yield from self.ask("POST", "/pickuporders", json=pickups.write_pickup(request))
        return pickups.read_pickup(reply.json)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """A collection can't be changed: it is cancelled, and another is booked."""
        cancel = self._call_off(request.confirmation_number)
        return rebook_pickup(self, request.confirmation_number, cancel, self.schedule_pickup(request))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        return self._call_off(request.confirmation_number)

    def _call_off(self, number: str) -> Flow[Confirmation]:
        yield from self.ask("DELETE", f"/pickuporders/{quote(number, safe='')}")
        return Confirmation(success=True, operation="Cancel Pickup")

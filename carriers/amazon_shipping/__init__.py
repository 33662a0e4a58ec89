"""Amazon Shipping, API v2: prices, labels of whole shipments, and tracking.

A seller lets an app act for it by Login with Amazon. A label is bought at a price that was asked for a moment
before, under a key of its own by which the purchase can be asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, Literal
from urllib.parse import quote
from uuid import UUID

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
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
    ask_strictly,
)
from shipcli.carrier.fields import FORMER, NEEDED
from shipcli.carrier.wire.json_paths import Json, fill_member
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    Message,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)

from . import rates, shipments, tracking
from .parts import CATALOGUE, list_references, read_errors, unwrap

HOST = "https://{}sellingpartnerapi-{}.amazon.com"
LOGIN, LOGIN_HOST, LOGIN_PATH = "login", "https://api.amazon.com", "/auth/o2/token"
REGIONS, CENTRES = CATALOGUE.table("regions"), CATALOGUE.table("centres")
BUSINESSES, CARRIERS = CATALOGUE.table("businesses"), CATALOGUE.table("carriers")
EARLY = timedelta(minutes=5)  # before it ends a token is renewed
SHIPMENTS = "/shipping/v2/shipments"
BAD_REQUEST = 400
Business = Literal[
    "AmazonShipping_US", "AmazonShipping_IN", "AmazonShipping_UK", "AmazonShipping_UAE", "AmazonShipping_SA",
    "AmazonShipping_EG", "AmazonShipping_IT", "AmazonShipping_ES", "AmazonShipping_FR", "AmazonShipping_JP",
]  # fmt: skip


class AmazonShippingAccount(Credentials):
    """An app, the seller that lets it act, and where the seller sells. The first three were those of v1."""

    seller_id: Annotated[str, FORMER] = ""
    developer_id: Annotated[str, FORMER] = ""
    mws_auth_token: Annotated[SecretStr, FORMER] = SecretStr("")
    aws_region: str | None = "us-east-1"
    account_country_code: str | None = None
    client_id: Annotated[str | None, NEEDED] = None
    client_secret: Annotated[SecretStr | None, NEEDED] = None
    refresh_token: Annotated[SecretStr | None, NEEDED] = None
    shipping_business_id: Business | None = None


class AmazonShipping(Carrier[AmazonShippingAccount, CarrierConfig]):
    """Amazon Shipping. The region of an account names its host."""

    slug = "amazon_shipping"
    values_at_home = True
    fills_in_quotes = ("person_name", "address_line1", "city")
    needs_weight = True
    needs_sides = frozenset({RateRequest, ShipmentRequest})  # required of every package
    name = "AmazonShipping"
    integration_status = "beta"
    hosts = {True: HOST.format("sandbox.", "eu"), False: HOST.format("", "eu")}
    other_hosts = {
        LOGIN: {True: LOGIN_HOST, False: LOGIN_HOST},
        **{
            region: {True: HOST.format("sandbox.", region), False: HOST.format("", region)}
            for region in ("na", "fe")
        },
    }
    Credentials, Config = AmazonShippingAccount, CarrierConfig
    catalogue = CATALOGUE
    references_options = False
    references_packaging = False
    also_reads = frozenset({"declared_value", "currency"})
    tokens = ("access",)
    not_serviced = "NO_COVERAGE"
    done_before = (DoneBefore(verb="void", text=r"(?i)already\b.*\bcancell?ed"),)
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "refresh_token": "sandbox-token",
    }

    @property
    def region(self) -> str:
        return str(REGIONS.get(self.account.aws_region or "", "na"))

    @property
    def server_url(self) -> str:
        return HOST.format("sandbox." if self.context.test_mode else "", self.region)

    @property
    def country(self) -> str:
        """Where the seller sells: by its account, else the first country of its region."""
        return self.home or str(CENTRES[self.region])

    @property
    def business(self) -> str:
        """The Amazon business that serves the seller; without one Amazon takes the British."""
        return self.account.shipping_business_id or str(
            BUSINESSES.get(self.country) or BUSINESSES[CENTRES[self.region]]
        )

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Errors: CarrierError naming what a connection lacks that was made for v1."""
        account = self.account
        if missing := self.list_lacking(account):
            raise self.refuse("credentials_incomplete", self._explain_lacking(missing))
        form = {
            "grant_type": "refresh_token",
            "refresh_token": account.refresh_token.get_secret_value() if account.refresh_token else None,
            "client_id": account.client_id,
            "client_secret": account.client_secret.get_secret_value() if account.client_secret else None,
        }
        reply = yield from self.ask("POST", LOGIN_PATH, form=form, host=LOGIN, tokens=())
        lasts = reply.json.get("expires_in")
        ends = self.now + timedelta(seconds=int(lasts)) - EARLY if lasts else None
        return Token(reply.json["access_token"], ends)

    def _explain_lacking(self, missing: Sequence[str]) -> str:
        name = self.context.carrier_id
        return (
            f"the connection {name} was made for v1 of the API, which is superseded; v2 logs in with Amazon. "
            f"Fill in {', '.join(missing)}: shipcli connections update {name} --credentials-file FILE"
        )

    @classmethod
    def read_credentials(cls, credentials: Mapping[str, Any]) -> AmazonShippingAccount:
        """Those of v1 are kept as they are, so that their connection can say what it lacks.

        Errors: Invalid naming the fields that are missing or wrong.
        """
        account = super().read_credentials(credentials)
        missing = cls.list_lacking(account)
        if missing and not account.developer_id:
            raise Invalid.many([(name, "This field is required.") for name in missing])
        return account

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        if "access" not in tokens:
            return {}
        return {
            "Content-Type": "application/json",
            "x-amz-access-token": tokens["access"].value,
            "x-amzn-shipping-business-id": self.business,
        }

    def rejects_token(self, reply: Reply) -> bool:
        return reply.status in (401, 403)

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_errors(reply.json)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(read_errors(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        result = yield from self._ask_rates(request)
        offers = self._list_offers(request, result, request.services)
        return [offer.quote for offer in offers]

    def _ask_rates(self, request: RateRequest | ShipmentRequest) -> Flow[Json]:
        body = rates.write_rates(request, self.options_of(request), self.options_of_each(request))
        reply = yield Call("POST", f"{SHIPMENTS}/rates", json=body, repeatable=True)
        return unwrap(reply.json)

    def _list_offers(
        self, request: RateRequest | ShipmentRequest, result: Json, services: Sequence[str]
    ) -> list[rates.Offer]:
        """Errors: CarrierError with the reasons why none of the services is offered, if any are said."""
        extras = rates.list_wanted_extras(self.options_of(request))
        every = rates.list_offers(result, extras)
        offers = [offer for offer in every if not services or offer.quote.service in services]
        if not offers and (reasons := rates.explain_none(result, extras, services)):
            raise CarrierError(*reasons, definite=True)
        return offers

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Ask for the prices, and buy the service at its own; nothing is paid before."""
        result, kind = (yield from self._ask_rates(request)), shipments.choose_kind(request)
        offer = self._choose_offer(request, result)
        body = shipments.write_purchase(result["requestToken"], offer, kind)
        reply = yield self._purchase_call(body)
        label = shipments.read_label(unwrap(reply.json), kind, offer.quote)
        if label.docs.get("label"):
            return label
        bought = Bought(
            label.tracking_number, label.shipment_identifier, selected_rate=offer.quote, meta=label.meta
        )
        yield bought
        return (yield from self.fetch_label(bought, request))

    def _choose_offer(self, request: ShipmentRequest, result: Json) -> rates.Offer:
        """Errors: CarrierError for a service that is not offered, or of which Amazon asks for more."""
        offers = self._list_offers(request, result, [request.service])
        if not offers:
            raise self._refuse_sale(f"Amazon does not offer {request.service} for this shipment")
        if offers[0].rate.get("requiresAdditionalInputs"):
            raise self._refuse_sale(
                f"Amazon asks for more about this shipment by {request.service} than it can be told"
            )
        return offers[0]

    def _refuse_sale(self, text: str) -> CarrierError:
        return CarrierError(Message(code="no_rate", message=text), definite=True)

    def _purchase_call(self, body: Json) -> Call:
        key = {"x-amzn-IdempotencyKey": str(UUID(hex=self.context.key))}
        return Call("POST", SHIPMENTS, json=body, headers=key)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The purchase by the same key, repeated with a price that never was: it can buy nothing.

        Amazon answers a key that it knows with what was bought by it, and refuses the rest.
        Source: Amazon Shipping API v2, purchaseShipment, x-amzn-IdempotencyKey and TOKEN_EXPIRED.
        Errors: CarrierError for a refusal that leaves open whether there was a purchase.
        """
        kind = shipments.choose_kind(request)
        reply = yield replace(self._purchase_call(shipments.write_look_up(kind)), tolerant=True)
        if reply.ok:
            return shipments.read_label(unwrap(reply.json), kind)
        if reply.status != BAD_REQUEST or shipments.says_known_key(self.read_messages(reply)):
            raise CarrierError()
        return None

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        """The documents of each package of a shipment that was bought before."""
        kind, path = shipments.choose_kind(request), self._path(bought.shipment_identifier or bought.name)
        calls = [
            Call("GET", f"{path}/documents", query={"packageClientReferenceId": reference, "format": kind})
            for reference in list_references(request)
        ]
        replies = yield from ask_strictly(calls)
        rows = [unwrap(reply.json)["packageDocumentDetail"] for reply in replies]
        sold = {"shipmentId": bought.shipment_identifier, "packageDocumentDetails": rows}
        label = shipments.read_label(sold, kind)
        return label.model_copy(
            update={"selected_rate": bought.selected_rate, "meta": {**bought.meta, **label.meta}}
        )

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from self.ask("PUT", f"{self._path(request.shipment_identifier)}/cancel")
        return Confirmation(success=True, operation="Cancel Shipment")

    def _path(self, identifier: str) -> str:
        return f"{SHIPMENTS}/{quote(identifier, safe='')}"

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        calls = [self._track_call(number, request.options_of(number)) for number in request.tracking_numbers]
        replies = yield from ask_all(calls)
        return read_replies(
            zip(request.tracking_numbers, replies, strict=True),
            lambda number, reply: tracking.read_tracking(
                fill_member(unwrap(reply.json), "trackingId", number)
            ),
        )

    def _track_call(self, number: str, options: Mapping[str, Any]) -> Call:
        """The carrier is that of the label, else Amazon's own in the country of the account."""
        behind = options.get("tracker_id") or CARRIERS.get(self.country, f"AMZN_{self.country}")
        query = {"trackingId": number, "carrierId": behind}
        return Call("GET", "/shipping/v2/tracking", query=query, about={"tracking_number": number})

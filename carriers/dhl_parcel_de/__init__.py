"""DHL Paket in Germany: prices by a rate sheet, labels, voids, tracking, collections."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

from pydantic import SecretStr

from shipcli.carrier import (
    FIELD_ERROR,
    ORIGIN_NOT_SERVICED,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    Token,
    ask,
    basic_auth,
    combine_labels,
    confirm_void_at_once,
    read_voids,
    take_back,
)
from shipcli.carrier.number_forms import DHL_PARCEL, LICENCE_PLATE, POSTAL, NumberForm
from shipcli.carrier.preparation.returns import is_return
from shipcli.carrier.ratesheet import rate_by_sheet
from shipcli.carrier.sample_sheets import make_sample_sheet
from shipcli.carrier.service_level import OwnLevels
from shipcli.carrier.wire.json_paths import Json
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
    Message,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
)
from shipcli.models.basics.areas import crosses_customs

from ..dhl_universal.wire import read_problem, track
from . import pickups, shipments
from .parts import CATALOGUE

TRACKING, TRACKING_HOST = "tracking", "https://api-eu.dhl.com"
ORDERS, RETURNS = "/v2/orders", "/returns/v1/orders"
# The pickup API has an address and a log-in of its own. Source: Parcel DE Pickup 3.0.0, BearerAuth.
PICKUP, LOGIN, PICKUPS = "pickup", "/account/auth/ropc/v1/token", "/transportation/pickup/v3/orders"
MARGIN = timedelta(minutes=1)  # a token is renewed before DHL would refuse it
LabelSheet = Literal[
    "PDF_A4", "ZPL2_A4", "PDF_910_300_700", "ZPL2_910_300_700", "PDF_910_300_700_oz", "ZPL2_910_300_700_oz",
    "PDF_910_300_710", "ZPL2_910_300_710", "PDF_910_300_600", "ZPL2_910_300_600", "PDF_910_300_610",
    "ZPL2_910_300_610", "PDF_910_300_400", "ZPL2_910_300_400", "PDF_910_300_410", "ZPL2_910_300_410",
    "PDF_910_300_300", "ZPL2_910_300_300", "PDF_910_300_300_oz", "ZPL2_910_300_300_oz",
]  # fmt: skip


class DhlParcelDeAccount(Credentials):
    """A user of the business customer portal, its API keys, and the account number that is billed."""

    username: str
    password: SecretStr
    dhl_api_key: SecretStr
    dhl_api_secret: SecretStr | None = None
    customer_number: str | None = None
    tracking_consumer_key: SecretStr | None = None
    tracking_consumer_secret: SecretStr | None = None
    services: OwnLevels = CATALOGUE.to_dict("service_levels")  # type: ignore[assignment]  # read as levels


class DhlParcelDeConfig(CarrierConfig):
    profile: str | None = None
    cost_center: str | None = None
    creation_software: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    language: Literal["de", "en"] | None = None
    label_type: LabelSheet | None = None


class DhlParcelDe(Carrier[DhlParcelDeAccount, DhlParcelDeConfig]):
    """DHL Parcel DE."""

    slug = "dhl_parcel_de"
    name = "DHL Parcel DE"
    option_currency = "EUR"
    integration_status = "beta"
    home_country = "DE"
    one_parcel_back = returns_from_abroad = True
    why_returns_stay = "The returns API of DHL has no call that takes a label back"
    hosts = {
        True: "https://api-sandbox.dhl.com/parcel/de/shipping",
        False: "https://api-eu.dhl.com/parcel/de/shipping",
    }
    other_hosts = {
        TRACKING: {True: TRACKING_HOST, False: TRACKING_HOST},
        PICKUP: {True: "https://api-sandbox.dhl.com/parcel/de", False: "https://api-eu.dhl.com/parcel/de"},
    }
    Credentials, Config = DhlParcelDeAccount, DhlParcelDeConfig
    catalogue = CATALOGUE
    references_packaging = False
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already cancell?ed|bereits storniert"),
        DoneBefore(verb="cancel_pickup", code=pickups.CANCELLED),
    )
    also_reads = frozenset({"currency", shipments.RECEIVER})
    number_forms = (*DHL_PARCEL, LICENCE_PLATE, POSTAL, NumberForm("12 digits", r"\d{12}"))
    tracking_link = "https://www.dhl.com/de-en/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "dhl_api_key": "sandbox-api-key",
        "dhl_api_secret": "sandbox-api-secret",
        "customer_number": "33333333330102",
        "tracking_consumer_key": "sandbox-tracking-key",
        "tracking_consumer_secret": "sandbox-tracking-secret",
        "services": make_sample_sheet(CATALOGUE),
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """For pickups alone: the user, and the application by its key and secret.

        Source: Authentication API (Post & Parcel Germany) 2.0. Errors: CarrierError without the secret.
        """
        account, secret = self.account, self.account.dhl_api_secret
        if not secret:
            raise self.refuse(FIELD_ERROR, "DHL takes pickups of connections with credentials.dhl_api_secret")
        form = {
            "grant_type": "password",
            "username": account.username,
            "password": account.password.get_secret_value(),
            "client_id": account.dhl_api_key.get_secret_value(),
            "client_secret": secret.get_secret_value(),
        }
        reply = yield from self.ask("POST", LOGIN, form=form, host=PICKUP, tokens=(), repeatable=True)
        lasts = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(str(reply.json["access_token"]), self.now + lasts - MARGIN)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        """Tracking knows a key alone, that of the application if it has none of its own."""
        account = self.account
        if call.host == TRACKING:
            key = account.tracking_consumer_key or account.dhl_api_key
            return {"Accept": "application/json", "DHL-API-Key": key.get_secret_value()}
        if call.host == PICKUP:
            return super().headers(call, {"access": tokens[PICKUP]} if PICKUP in tokens else {})
        return {
            "Authorization": basic_auth(account.username, account.password),
            "DHL-API-Key": account.dhl_api_key.get_secret_value(),
            "Accept-Language": f"{self._language}-{self.home_country}",
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        body = reply.json
        return [*read_problem(body), *shipments.read_faults(body), *pickups.read_faults(body)]

    def is_refusal(self, reply: Reply) -> bool:
        """An answer of several shipments that took one of them is none."""
        body = reply.json
        refused = reply.status >= 400 or bool(read_problem(body) or pickups.list_failed(body))
        return refused and not any(shipments.is_done(item) for item in shipments.list_items(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self._check_return(request)
        return (yield from rate_by_sheet(self, request))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Every parcel is a shipment of its own; all are ordered in one call.

        Errors: CarrierError when one of them was refused; the others are taken back.
        """
        sheet = shipments.label_sheet(self.config.label_type, request.label_type)
        body = {"profile": self._profile, "shipments": self._write_shipments(request)}
        reply = yield from self.ask("POST", ORDERS, json=body, query={**sheet, "combine": "true"})
        done = [item for item in reply.json["items"] if shipments.is_done(item)]
        labels = [shipments.read_label(item, self.link) for item in done]
        if len(labels) < len(request.parcels):
            undo = self._void([label.tracking_number for label in labels])
            yield from take_back(labels, undo, lambda reply: not self.read_messages(reply))
        return combine_labels(labels)

    def _check_return(self, request: RateRequest | ShipmentRequest) -> None:
        """Errors: CarrierError for a return over a customs border: its goods would have to be declared."""
        if is_return(request, self) and crosses_customs(request.shipper, request.recipient):
            text = "DHL Parcel DE brings back parcels from inside the customs union of the EU only"
            raise self.refuse(ORIGIN_NOT_SERVICED, text)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """A label of the returns API, which makes PDF only."""
        self._check_return(request)
        body = shipments.write_return(request, self.options_of(request), self.reference())
        reply = yield from self.ask("POST", RETURNS, json=body, query={"labelType": "SHIPMENT_LABEL"})
        return shipments.read_label(reply.json, self.link)

    def _write_shipments(self, request: ShipmentRequest) -> list[Json]:
        today = self.today_at(request.shipper)
        billed = {
            "billingNumber": self.account.customer_number,
            "costCenter": self.config.cost_center,
            "creationSoftware": self.config.creation_software,
        }
        return [
            shipments.write_shipment(request, parcel, options, billed, today)
            for parcel, options in zip(request.parcels, self.options_of_each(request), strict=True)
        ]

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        numbers = self.identifiers_of(request)
        reply = yield from ask(self._void(numbers))
        if not shipments.list_items(reply.json):
            return confirm_void_at_once(self, reply)
        return read_voids(numbers, lambda number: self._is_void(reply.json, number, len(numbers)))

    def _is_void(self, body: Json, number: str, count: int) -> bool:
        """Errors: LookupError for an answer that does not say."""
        item = shipments.find_item(body, number, count)
        faults = shipments.read_faults({"items": [item]})
        return shipments.is_done(item) or self.says_done_before("void", faults)

    def _void(self, numbers: Sequence[str]) -> Call:
        return Call("DELETE", ORDERS, query={"profile": self._profile, "shipment": list(numbers)})

    @property
    def _language(self) -> str:
        return self.config.language or "en"

    @property
    def _profile(self) -> str:
        return self.config.profile or "STANDARD_GRUPPENPROFIL"

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(request, self.account.customer_number, self.reference())
        reply = yield from self._ask_pickups("POST", json=body)
        return pickups.read_pickup(reply.json)

    def recover_pickup(self, request: PickupRequest, others: Sequence[str]) -> Flow[PickupDetails | None]:
        """The order of that day whose parcels have the key of this one."""
        reply = yield from self._ask_pickups("GET", query={"pickupDate": request.pickup_date})
        return pickups.find_pickup(reply.json, self.reference())

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        number = request.confirmation_number
        reply = yield from self._ask_pickups("DELETE", query={"orderID": [number]})
        return Confirmation(success=pickups.is_cancelled(reply.json, number), operation="Cancel Pickup")

    def _ask_pickups(self, method: str, **call: Any) -> Generator[Call, Reply, Reply]:
        return self.ask(method, PICKUPS, host=PICKUP, tokens=(PICKUP,), **call)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        return track(request.tracking_numbers, self._language, self.link, TRACKING)

"""MyDHL: prices, labels, returns, tracking, collections, papers and addresses of DHL Express, by JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import quote

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    FIELD_ERROR,
    WAYBILL,
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    Flow,
    Reply,
    Token,
    ask_all,
    basic_auth,
)
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.times import read_moment
from shipcli.models import (
    Address,
    AddressValidationDetails,
    AddressValidationRequest,
    Confirmation,
    DocumentUploadRequest,
    Label,
    Location,
    LocationRequest,
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
    UploadDetails,
)

from . import addresses, documents, locations, pickups, rates, shipments, tracking
from .parts import CATALOGUE, read_faults, write_offset

VERSION, NOT_FOUND = "3.1.0", 404
LOOK_BACK = timedelta(days=1)  # of the day on which a lost purchase was sent


class MyDhlAccount(Credentials):
    """The key and secret of an app with MyDHL API, who is billed, and the key for service points."""

    username: str
    password: SecretStr
    account_number: str | None = None
    account_country_code: str | None = None
    service_point_key: SecretStr | None = None


class MyDhlConfig(CarrierConfig):
    """Settings of a connection: the format of labels where a purchase names none."""

    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    label_type: Literal["PDF", "ZPL", "LP2", "EPL"] | None = None


class MyDhl(Carrier[MyDhlAccount, MyDhlConfig]):
    """MyDHL Express, the successor of the XML services of DHL Express."""

    slug = "mydhl"
    name = "MyDHL Express"
    integration_status = "in-development"
    hosts = {
        True: "https://express.api.dhl.com/mydhlapi/test",
        False: "https://express.api.dhl.com/mydhlapi",
    }
    Credentials, Config = MyDhlAccount, MyDhlConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    number_forms = (WAYBILL,)
    needs_weight = True
    fills_in_quotes = ("city",)
    numbers_per_call = 50
    lookup_lag_s = 60.0  # of its own caution: DHL does not say when a new waybill can be found
    tracking_link = "https://www.dhl.com/ca-en/home/tracking/tracking-parcel.html?submit=1&tracking-id={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "account_number": "123456789",
        "service_point_key": "sandbox-point-key",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        authorization = basic_auth(self.account.username, self.account.password)
        return {"Accept": "application/json", "Authorization": authorization, "x-version": VERSION}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return read_faults(reply)

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(read_faults(reply))

    def _account(self) -> str:
        """Errors: CarrierError where the connection has no account to bill."""
        if not self.account.account_number:
            raise self.refuse(FIELD_ERROR, "DHL needs the account that is billed: credentials.account_number")
        return self.account.account_number

    def _moment(self, address: Address, at: datetime | None) -> str:
        """A time at an address with its offset, as DHL takes it; now where none is named."""
        now = self.now_at(address)
        local = at.replace(tzinfo=now.tzinfo) if at else now
        return f"{local:%Y-%m-%dT%H:%M:%S} {write_offset(local)}"

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        options = self.options_of(request)
        moment = self._moment(request.shipper, options.ship_time())
        body = rates.write_rate(request, options, self._account(), moment)
        reply = yield from self.ask("POST", "/rates", json=body, repeatable=True)
        return rates.read_rates(reply.json, request)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        return self._order(request, shipments.NO_SERVICES)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """The customer is the shipper; who holds the account pays."""
        return self._order(request, shipments.RETURNED)

    def _order(self, request: ShipmentRequest, services: Sequence[str]) -> Flow[Label]:
        options = self.options_of(request)
        order = shipments.Order(
            request=request,
            options=options,
            account=self._account(),
            key=self.context.key,
            moment=self._moment(request.shipper, options.ship_time()),
            services=services,
            kind=request.label_type or self.config.label_type or "PDF",
        )
        reply = yield from self.ask("POST", "/shipments", json=shipments.write_shipment(order))
        return shipments.read_label(reply.json, request.service)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The label of the shipment with the key of this purchase among its references."""
        sent = self.context.sent_at or self.now
        query = {
            "shipmentReference": self.context.key,
            "shipperAccountNumber": self._account(),
            "dateRangeFrom": f"{sent - LOOK_BACK:%Y-%m-%d}",
            "dateRangeTo": f"{sent + LOOK_BACK:%Y-%m-%d}",
        }
        (reply,) = yield from ask_all([Call("GET", "/tracking", query=query, tolerant=True)])
        if reply.status == NOT_FOUND:
            return None
        number = shipments.read_number(reply.json) if reply.ok else None
        if number is None:
            raise self.refuse("unknown_purchase", "DHL does not say what became of the shipment")
        return (yield from self.fetch_label(Bought(number, number), request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        """The waybill as DHL keeps it, which is PDF whatever was bought."""
        query = {
            "shipperAccountNumber": self._account(),
            "typeCode": "waybill",
            "pickupYearAndMonth": f"{self.now_at(request.shipper):%Y-%m}",
            "encodingFormat": "pdf",
        }
        number = str(bought.shipment_identifier)
        reply = yield from self.ask("GET", f"/shipments/{quote(number, safe='')}/get-image", query=query)
        return shipments.read_image(reply.json, bought)

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """Of what is delivered the proof as well; failing to get one is nothing to tell."""
        calls = [
            Call("GET", "/tracking", query={"shipmentTrackingNumber": list(numbers)}, partial=True)
            for numbers in self.batches(request.tracking_numbers)
        ]
        replies = yield from ask_all(calls)
        answers = [reply.json for reply in replies if reply.ok]
        tracked = [one for answer in answers for one in tracking.read_trackings(answer, self.link)]
        delivered = [one for one in tracked if one.delivered]
        proofs = yield from ask_all([self._ask_proof(one.tracking_number) for one in delivered])
        for one, proof in zip(delivered, proofs, strict=True):
            if proof.ok:
                tracked[tracked.index(one)] = tracking.add_proof(one, proof.json)
        return tracked

    def _ask_proof(self, number: str) -> Call:
        return Call("GET", f"/shipments/{quote(number, safe='')}/proof-of-delivery", tolerant=True)

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = self._write_pickup(request)
        reply = yield from self.ask("POST", "/pickups", json=body)
        return pickups.read_pickup(reply.json)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        number = request.confirmation_number
        change = {"dispatchConfirmationNumber": number, "originalShipperAccountNumber": self._account()}
        body = {**change, **self._write_pickup(request)}
        reply = yield from self.ask("PATCH", f"/pickups/{quote(number, safe='')}", json=body)
        return pickups.read_pickup({"dispatchConfirmationNumber": number, **reply.json})

    def _write_pickup(self, request: PickupRequest) -> Json:
        now = self.now_at(request.address)
        ready = read_moment(f"{request.pickup_date}T{request.ready_time[:5]}")
        offset = write_offset(ready.replace(tzinfo=now.tzinfo) if ready else now)
        return pickups.write_pickup(request, self._account(), offset)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        """An answer that is no refusal is a yes: it is empty."""
        path = f"/pickups/{quote(request.confirmation_number, safe='')}"
        query = pickups.write_cancellation(request, self.account.username)
        yield from self.ask("DELETE", path, query=query)
        return Confirmation(success=True, operation="Cancel Pickup")

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        number = documents.find_number(request)
        body = documents.write_upload(request, self._account(), self.today)
        yield from self.ask("PATCH", f"/shipments/{quote(number, safe='')}/upload-image", json=body)
        return documents.read_upload(request, number)

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        query = addresses.write_question(request.address)
        reply = yield from self.ask("GET", "/address-validate", query=query)
        return addresses.read_answer(reply.json)

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        """Errors: CarrierError for what DHL says in an answer with status 200."""
        key = self.account.service_point_key
        query = locations.write_search(request, key.get_secret_value() if key else None)
        reply = yield from self.ask("GET", "/servicepoints", query=query)
        if problem := locations.read_problem(reply.json):
            raise self.refuse(*problem)
        return locations.read_locations(reply.json)

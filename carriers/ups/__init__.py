"""UPS: rating with time in transit, shipping, tracking, pickups and paperless documents, by its JSON API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal
from urllib.parse import quote
from uuid import uuid4

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    FIELD_ERROR,
    ONE_Z,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    Credentials,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    Token,
    ask_all,
    ask_strictly,
    basic_auth,
)
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    DocumentUploadRequest,
    Invalid,
    Label,
    Location,
    LocationRequest,
    Message,
    PickupCancelRequest,
    PickupDetails,
    PickupRequest,
    Quote,
    RateRequest,
    ShipmentRequest,
    Tracking,
    TrackingRequest,
    UploadDetails,
)

from . import addresses, documents, locations, parts, pickups, rates, shipments, tracking
from .parts import CATALOGUE, Request

NO_LABEL = re.compile(r"\bno (?:shipments?|labels?|records?)\b|\bnot found\b", re.IGNORECASE)
# Of rating and shipping; since this one, what may be several is always a list.
VERSION, SOURCE = "v2403", "shipcli"
BY_NUMBER = "02"  # how a pickup to be cancelled is named
LOCALES = {"en": "en_US", "fr": "fr_FR", "es": "es_ES", "de": "de_DE", "it": "it_IT"}
# A token is renewed half an hour before UPS would refuse it.
MARGIN = timedelta(minutes=30)


class UpsAccount(Credentials):
    """The client of the developer portal, and the shipper number it ships for."""

    client_id: str
    client_secret: SecretStr
    account_number: str | None = None
    account_country_code: str | None = None


class UpsConfig(CarrierConfig):
    """Settings of a connection."""

    cost_center: str | None = None
    merchant_id: str | None = None
    enforce_zpl: bool | None = None
    label_type: Literal["PDF_6x4", "PDF_8x4", "ZPL_6x4"] | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


class Ups(Carrier[UpsAccount, UpsConfig]):
    """UPS."""

    slug = "ups"
    name = "UPS"
    values_at_home = True
    integration_status = "beta"
    hosts = {True: "https://wwwcie.ups.com", False: "https://onlinetools.ups.com"}
    Credentials, Config = UpsAccount, UpsConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    fills_in_quotes = ("address_line1",)
    also_reads = frozenset({
        "signature_confirmation", "email_notification", "email_notification_to", "declared_value",
        "insurance", "ups_shipper_number", parts.RELEASE_CODE,
    })  # fmt: skip
    tokens = ("access",)
    # Its code for a pickup that is cancelled is not published: the sentence tells.
    done_before = (
        DoneBefore(verb="void", code="190117"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already (?:been )?cancell?ed"),
    )
    number_forms = (
        ONE_Z,
        NumberForm("the 20 to 34 digits of a parcel that the post delivers", r"\d{20,34}"),
    )
    lookup_lag_s = 60.0  # of its own caution: UPS does not say when a new label can be found
    tracking_link = "https://www.ups.com/track?loc=en_US&requester=QUIC&tracknum={}/trackdetails"
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "account_number": "A1B2C3",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Units of the answer: issued_at in epoch milliseconds, expires_in in seconds; both are texts."""
        headers = {"Authorization": basic_auth(self.account.client_id, self.account.client_secret)}
        if self.config.merchant_id:
            headers["x-merchant-id"] = self.config.merchant_id
        form, path = {"grant_type": "client_credentials"}, "/security/v1/oauth/token"
        reply = yield from self.ask("POST", path, form=form, headers=headers, tokens=(), repeatable=True)
        issued = datetime.fromtimestamp(int(reply.json["issued_at"]) / 1000, UTC)
        lasts = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(str(reply.json["access_token"]), issued + lasts - MARGIN)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        if "access" not in tokens:
            return {}
        return {**super().headers(call, tokens), "transId": uuid4().hex, "transactionSrc": SOURCE}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return [_message(problem) for problem in (*_errors(reply.json), *_warnings(reply.json))]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(_errors(reply.json))

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        options, account = self.options_of(request), self.account.account_number
        of_parcels, point = self.options_of_each(request), (yield from self._find_access_point(request))
        body = rates.write_rate(account, request, options, of_parcels, self._day(request), point)
        query, path = {"additionalinfo": "timeintransit"}, f"/api/rating/{VERSION}/Shop"
        reply = yield from self.ask("POST", path, query=query, json=body, repeatable=True)
        return rates.read_rates(reply.json, request.shipper.country_code, options)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        requested = shipments.label_sheet(request.label_type, self.config.label_type)
        sheet = shipments.label_sheet("ZPL") if self.config.enforce_zpl else requested
        point = yield from self._find_access_point(request)
        body = shipments.write_shipment(
            self.account.account_number,
            request,
            self.options_of(request),
            self.options_of_each(request),
            day=self._day(request),
            reference=request.reference,
            key=self.reference(),
            sheet=sheet,
            cost_center=self.config.cost_center,
            point=point,
        )
        reply = yield from self.ask("POST", f"/api/shipments/{VERSION}/ship", json=body)
        return shipments.read_shipment(reply.json, request, sheet, requested.kind)

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """UPS is told in the order itself that it is a return."""
        return self.ship(request)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels of the shipment with the reference of this purchase; UPS tells no price again.

        Errors: CarrierError for an answer that says neither which shipment it is nor that there is none.
        """
        requested = shipments.label_sheet(request.label_type, self.config.label_type)
        sheet = shipments.label_sheet("ZPL") if self.config.enforce_zpl else requested
        body = shipments.write_recovery(self.account.account_number, self.reference(), sheet)
        reply = yield Call("POST", "/api/labels/v1/recovery", json=body, repeatable=True, tolerant=True)
        if reply.ok:
            return shipments.read_recovery(reply.json, sheet, requested.kind)
        if reply.definite and reply.structured and any(map(says_no_label, self.read_messages(reply))):
            return None
        raise CarrierError()

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        number = quote(request.shipment_identifier, safe="")
        reply = yield from self.ask("DELETE", f"/api/shipments/{VERSION}/void/cancel/{number}")
        return Confirmation(success=shipments.read_void(reply.json), operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers, locale = request.tracking_numbers, LOCALES.get(request.language_code, LOCALES["en"])
        query = {"locale": locale, "returnSignature": "true"}
        paths = [f"/api/track/v1/details/{quote(number, safe='')}" for number in numbers]
        replies = yield from ask_all([Call("GET", path, query=query) for path in paths])
        link = str(self.tracking_link)
        pairs = zip(numbers, replies, strict=True)
        results = read_replies(pairs, lambda number, reply: tracking.read_tracking(reply.json, number, link))
        return [result for result in results if result]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        country = self.account.account_country_code
        body = pickups.write_pickup(request, self._account(), country, self.reference())
        reply = yield from self.ask("POST", f"/api/pickupcreation/{VERSION}/pickup", json=body)
        return pickups.read_pickup(reply.json)

    def recover_pickup(self, request: PickupRequest, others: Sequence[str]) -> Flow[PickupDetails | None]:
        """The pending pickup that has the key of this one as its reference.

        Errors: CarrierError for a day of which UPS does not tell yet.
        """
        headers = {"AccountNumber": self._account()}
        reply = yield from self.ask("GET", "/api/shipments/v1/pickup/oncall", headers=headers)
        pickup = pickups.find_pickup(reply.json, self.reference())
        if pickup is None and not pickups.is_shown(request.pickup_date, self.today_at(request.address)):
            raise self.refuse("unknown_pickup", "UPS tells of the pickups of today and tomorrow alone")
        return pickup

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        headers = {"Prn": request.confirmation_number}
        path = f"/api/shipments/{VERSION}/pickup/{BY_NUMBER}"
        reply = yield from self.ask("DELETE", path, headers=headers)
        return Confirmation(success=pickups.read_cancellation(reply.json), operation="Cancel Pickup")

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_question(request.address)
        path = f"/api/addressvalidation/v2/{addresses.VALIDATED_AND_CLASSIFIED}"
        reply = yield from self.ask("POST", path, json=body, repeatable=True)
        return addresses.read_answer(reply.json)

    def _account(self) -> str:
        """Errors: CarrierError where the connection has no account to bill."""
        if not self.account.account_number:
            raise self.refuse(FIELD_ERROR, "UPS bills pickups to an account: credentials.account_number")
        return self.account.account_number

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        account = self.account.account_number
        headers = {"ShipperNumber": account} if account else {}
        shipper = self.options_of(request).text("ups_shipper_number") or account
        body, path = documents.write_documents(shipper, request), "/api/paperlessdocuments/v2/upload"
        reply = yield from self.ask("POST", path, json=body, headers=headers)
        return documents.read_documents(reply.json)

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        """Each kind of place is asked for apart; an access point may come as a place of another kind too."""
        bodies = [(kind, locations.write_search(request, kind)) for kind in locations.list_kinds(request)]
        replies = yield from ask_all([self._ask_for_places(kind, body) for kind, body in bodies])
        places = [place for reply in replies if reply.ok for place in locations.read_locations(reply.json)]
        return locations.drop_doubles(places)

    def _ask_for_places(self, kind: str, body: Json) -> Call:
        return Call("POST", f"/api/locations/v2/search/availabilities/{kind}", json=body, repeatable=True)

    def _find_access_point(self, request: Request) -> Flow[Location | None]:
        """The access point that is named, with its address, which orders need.

        Errors: Invalid for one that UPS does not know.
        """
        id = self.options_of(request).text(parts.ACCESS_POINT)
        if not id:
            return None
        body = locations.write_lookup(id, request.recipient)
        (reply,) = yield from ask_strictly([self._ask_for_places(locations.ACCESS_POINTS, body)])
        points = [point for point in locations.read_locations(reply.json) if point.id == id]
        if not points:
            raise Invalid("options.hold_at_location", f"UPS knows no access point {id} there")
        return points[0]

    def _day(self, request: Request) -> date:
        return self.options_of(request).ship_date() or self.today_at(request.shipper)


# -- what UPS says went wrong ----------------------------------------------------------------------


def _errors(body: Json) -> list[Any]:
    """Errors, wherever this kind of answer keeps them: an answer that has one is a refusal."""
    faults = as_list(get_path(body, "Fault/detail/Errors/ErrorDetail"))
    errors = [
        *as_list(get_path(body, "response/errors")),
        *(fault.get("PrimaryErrorCode") for fault in faults),
    ]
    return [error for error in errors if isinstance(error, dict)]


def _warnings(body: Json) -> list[Any]:
    shipment = get_path(body, "trackResponse/shipment")
    histories = as_list(get_path(body, "UploadResponse/FormsHistoryDocumentID"))
    parts = [part for part in (*as_list(shipment)[:1], *histories) if isinstance(part, dict)]
    return [
        warning for part in parts for warning in as_list(part.get("warnings")) if isinstance(warning, dict)
    ]


def says_no_label(message: Message) -> bool:
    """Whether a refused look-up says that no shipment has the reference."""
    return bool(NO_LABEL.search(message.message or ""))


def _message(problem: Json) -> Message:
    code, text = problem.get("code", problem.get("Code")), problem.get("message", problem.get("Description"))
    return Message(code=None if code is None else str(code), message=text)

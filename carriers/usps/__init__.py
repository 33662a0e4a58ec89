"""The United States Postal Service inside the country: prices, labels, tracking, collections and SCAN forms.

One request per parcel; label calls need a payment authorisation beside the access token. The international
product (`shipcli.carriers.usps_international`) is the same service with other paths and bodies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar, Literal
from urllib.parse import quote
from uuid import UUID

from pydantic import SecretStr

from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    POSTAL,
    Call,
    Carrier,
    CarrierConfig,
    CarrierError,
    CatalogueRow,
    Credentials,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    RequestOptions,
    Token,
    ask_all,
    buy_each,
    combine_labels,
    has_check_digit,
    keep_whole,
    sum_parcels,
    void_each,
)
from shipcli.carrier.number_forms import USPS
from shipcli.carrier.wire.json_paths import Json, drop_empty, fill_member
from shipcli.carrier.wire.rows import read_replies
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    Invalid,
    Label,
    Location,
    LocationRequest,
    ManifestDetails,
    ManifestRequest,
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
    TransitTime,
)

from . import addresses, locations, manifests, pickups, rates, shipments, tracking, transit
from .parts import (
    CATALOGUE,
    HOME,
    Piece,
    Request,
    check_options,
    check_packagings,
    find_priced,
    is_multipart,
    read_body,
    read_errors,
)

ACCESS, PAYMENT = "access", "payment"
SHIPMENTS = "shipments"  # the access token of the shipping options, and its scope
PAID = (ACCESS, PAYMENT)
PAYMENT_LIFE = timedelta(minutes=50)
SCOPES = (
    "addresses international-prices subscriptions payments pickup tracking labels scan-forms companies "
    "service-delivery-standards locations international-labels prices"
)
NOT_FOUND = 404
PICKUPS, LOCATIONS = "/pickup/v3/carrier-pickup", "/locations/v3"


class UspsAccount(Credentials):
    """The app of the developer portal and the account that pays for labels."""

    client_id: str
    client_secret: SecretStr
    account_number: str | None = None
    account_type: Literal["EPS", "PERMIT", "METER"] | None = "EPS"
    manifest_MID: str | None = None
    CRID: str | None = None
    MID: str | None = None


class UspsConfig(CarrierConfig):
    """The permit that pays, where the account type is PERMIT, and what the connection is used for."""

    permit_ZIP: str | None = None
    permit_number: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None


def ends_in_check_digit(number: str) -> bool:
    return has_check_digit(number[-22:])


class Usps(Carrier[UspsAccount, UspsConfig]):
    """USPS."""

    slug = "usps"
    name = "USPS"
    hosts = {True: "https://apis-tem.usps.com", False: "https://apis.usps.com"}
    goods_currencies = ("USD",)
    values_at_home = True
    option_currency = "USD"
    Credentials, Config = UspsAccount, UspsConfig
    catalogue = CATALOGUE
    references_packaging = False
    also_reads = frozenset({
        "declared_value", "usps_destination_facility_type", "usps_package_type",
        "usps_overwrite_mailing_date", "usps_destination_entry_facility_type", "usps_ignore_bad_address",
    })  # fmt: skip
    no_file = frozenset({"LABEL_BROKER", "NONE"})  # printed at the post office, or by nobody
    number_forms = (
        *USPS,
        NumberForm("the same after 420 and the ZIP code", r"420(?:\d{5}|\d{9})9\d{21}", ends_in_check_digit),
        POSTAL,
    )
    # The codes are those of any refusal: the sentences tell.
    done_before = (
        DoneBefore(verb="void", text="has (?:already )?been cancell?ed"),
        DoneBefore(verb="cancel_pickup", text="there is no collection"),
        DoneBefore(verb="manifest", text="is on a SCAN form"),
    )
    tokens = (ACCESS,)
    home_country = HOME
    needs_sides = frozenset({RateRequest, ShipmentRequest})  # required by its published price query
    tracking_link = "https://tools.usps.com/go/TrackConfirmAction?tLabels={}"
    sample_account = {
        "client_id": "sandbox",
        "client_secret": "sandbox-secret",
        "account_number": "1000008888",
        "CRID": "5677777",
        "MID": "903690361",
        "manifest_MID": "903690361",
        "account_country_code": "US",
    }
    price_path: ClassVar[str] = "/prices/v3/total-rates/search"
    label_path: ClassVar[str] = "/labels/v3/label"
    return_path: ClassVar[str] = "/labels/v3/return-label"
    reprint_path: ClassVar[str] = "/labels/v3/label-reprint"

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        if name == PAYMENT:
            return (yield from self._authorise_payment())
        form = {
            "grant_type": "client_credentials",
            "client_id": self.account.client_id,
            "client_secret": self.account.client_secret.get_secret_value(),
            "scope": SHIPMENTS if name == SHIPMENTS else SCOPES,
        }
        body = read_body((yield Call("POST", "/oauth2/v3/token", form=form, tokens=())))
        return Token(body["access_token"], self.now + timedelta(seconds=int(body["expires_in"])))

    def _authorise_payment(self) -> Flow[Token]:
        """Who owns the labels and who pays for them: the same account."""
        permit = {"permitNumber": self.config.permit_number, "permitZIP": self.config.permit_ZIP}
        account = {"CRID": self.account.CRID, "MID": self.account.MID, **self.payer, **permit}
        owner = {"roleName": "LABEL_OWNER", "manifestMID": self.account.manifest_MID, **account}
        roles = drop_empty({"roles": [owner, {"roleName": "PAYER", **account}]})
        reply = yield Call("POST", "/payments/v3/payment-authorization", json=roles, tokens=(ACCESS,))
        return Token(read_body(reply)["paymentAuthorizationToken"], self.now + PAYMENT_LIFE)

    @property
    def payer(self) -> Json:
        return {"accountType": self.account.account_type, "accountNumber": self.account.account_number}

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        payment, shipments_token = tokens.get(PAYMENT), tokens.get(SHIPMENTS)
        paid = {"X-Payment-Authorization-Token": payment.value} if payment else {}
        access = {ACCESS: shipments_token} if shipments_token else tokens
        return {**super().headers(call, access), **paid}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        is_list = not is_multipart(reply) and isinstance(reply.json, list)  # of places, or of a collection
        return [] if is_list or is_multipart(reply) else read_errors(read_body(reply))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- what the products differ in -----------------------------------------------------------

    def check_recipient(self, country: str | None) -> None:
        if (country or HOME) != HOME:
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver outside the US")

    def price_type(self, piece: Piece) -> str | None:
        return piece.options.text("usps_price_type")

    def find_mail_class(self, service: str) -> str:
        """Errors: Invalid for a service of which no label is sold."""
        code = self.services.code(service)
        if reason := self.catalogue.table("retired_services").get(service):
            raise Invalid("service", str(reason))
        if code == rates.EVERY_CLASS:
            raise Invalid("service", f"{service} is for prices; name one of those that {self.name} answers")
        return code

    def image_type(self, request: ShipmentRequest) -> str:
        return shipments.image_type(request, self.catalogue.table("label_types"))

    def write_rate(self, request: RateRequest, piece: Piece) -> Json:
        return rates.write_rate(request, piece, self.payer)

    def write_label(self, request: ShipmentRequest, piece: Piece, image: str, reference: Json) -> Json:
        mail_class = self.find_mail_class(request.service)
        return shipments.write_label(request, piece, mail_class, image, reference)

    # -- prices and labels ---------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        pieces = self.pieces(request)
        bodies = [self.write_rate(request, piece) for piece in pieces]
        replies = yield from ask_all(
            [Call("POST", self.price_path, json=body, repeatable=True) for body in bodies]
        )
        answers = [read_body(reply) if reply.ok else {} for reply in replies]
        pairs = zip(pieces, answers, strict=True)
        quotes = [self._read_rates(body, piece) for piece, body in pairs]
        return [rates.name_products(total, quotes) for total in sum_parcels(quotes)]

    def _read_rates(self, body: Json, piece: Piece) -> list[Quote]:
        return rates.read_rates(self.slug, body, piece, self.price_type(piece), self.services)

    def estimate_transit(self, request: RateRequest) -> Flow[list[TransitTime]]:
        """The commitments of the mail classes, which depend on lane and day alone: one parcel stands for all.

        The API has a scope of its own, which an app may lack: its token is not that of the prices.
        """
        piece, *_ = self.pieces(request)
        body = transit.write_search(request, piece, {**self.payer, "CRID": self.account.CRID})
        reply = yield Call("POST", "/shipments/v3/options/search", json=body, tokens=(SHIPMENTS,))
        return transit.read_times(read_body(reply), self.services)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy a label per parcel: all of them, or none."""
        return (yield from self._buy(request, self.label_path, self._write_labels(request)))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy a return label per parcel: all of them, or none.

        Source: Labels API v3, return-label.
        """
        classes = self.catalogue.table("return_classes")
        bodies = [shipments.write_return(body, classes) for body in self._write_labels(request)]
        return (yield from self._buy(request, self.return_path, bodies))

    def _write_labels(self, request: ShipmentRequest) -> list[Json]:
        image = self.image_type(request)
        return [
            self.write_label(request, piece, image, self._reference(request, piece, at))
            for at, piece in enumerate(self.pieces(request))
        ]

    def _buy(self, request: ShipmentRequest, path: str, bodies: Sequence[Json]) -> Flow[Label]:
        labels = yield from buy_each(
            [self._paid_call(path, body, at) for at, body in enumerate(bodies)],
            lambda reply: shipments.read_label(reply, self.slug, request.service),
            lambda label: self._cancel_call(label.tracking_number),
        )
        return self._together(labels, self.image_type(request))

    def _together(self, labels: Sequence[Label], image: str) -> Label:
        kind = shipments.name_file_kind(image)
        return combine_labels(labels, kind).model_copy(update={"label_type": kind})

    def _paid_call(self, path: str, body: Json, at: int) -> Call:
        """A call about the label of one parcel, named by the key of its purchase."""
        key = {"X-Idempotency-Key": str(UUID(hex=self.reference(at)))}
        return Call("POST", path, json=body, headers=key, tokens=PAID)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels that were made under the keys of this purchase, printed again.

        A purchase of which only some labels were made is taken back and counts as not made.
        Source: Labels API v3, label-reprint by X-Idempotency-Key.
        """
        image = self.image_type(request)
        bodies = [shipments.write_reprint(image)] * len(request.parcels)
        calls = [self._paid_call(self.reprint_path, body, at) for at, body in enumerate(bodies)]
        replies = yield from ask_all([replace(call, tolerant=True) for call in calls])
        if any(not reply.ok and reply.status != NOT_FOUND for reply in replies):
            raise CarrierError()
        labels = [shipments.read_label(reply, self.slug, request.service) for reply in replies if reply.ok]
        whole = yield from keep_whole(
            labels, len(replies), lambda label: self._cancel_call(label.tracking_number)
        )
        return self._together(whole, image) if whole else None

    def _reference(self, request: ShipmentRequest, piece: Piece, at: int) -> Json:
        key = self.reference(at)[-shipments.LONGEST_REFERENCE :]
        return shipments.write_reference(request.reference or piece.parcel.reference_number, key)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        calls = [self._cancel_call(number) for number in self.identifiers_of(request)]
        return void_each(self, calls, lambda reply: read_body(reply).get("status") == "CANCELED")

    def _cancel_call(self, number: str) -> Call:
        path = f"{self.label_path}/{quote(number, safe='')}"
        return Call("DELETE", path, tokens=PAID, about={"tracking_number": number})

    # -- tracking, collections, forms ----------------------------------------------------------

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        """Post offices, and the lockers of the ZIP code; what is said of these hides no office."""
        query = locations.write_search(request)
        reply = yield from self.ask("GET", f"{LOCATIONS}/post-office-locations", query=query)
        offices = locations.read_locations(read_body(reply))
        if request.purpose == "drop_off":
            return offices
        query = locations.write_locker_search(request)
        call = Call("GET", f"{LOCATIONS}/parcel-locker-locations", query=query, tolerant=True)
        (lockers,) = yield from ask_all([call])
        return [*offices, *(locations.read_lockers(lockers.json, offices) if lockers.ok else ())]

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        numbers = request.tracking_numbers
        replies = yield from ask_all([self._track_call(number) for number in numbers])
        return read_replies(
            zip(numbers, replies, strict=True),
            lambda number, reply: tracking.read_tracking(
                fill_member(read_body(reply), "trackingNumber", number), self.services, self.link
            ),
        )

    def _track_call(self, number: str) -> Call:
        path = f"/tracking/v3/tracking/{quote(number, safe='')}"
        return Call("GET", path, query={"expand": "DETAIL"}, about={"tracking_number": number})

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(request, self.options_of(request))
        return pickups.read_pickup(read_body((yield Call("POST", PICKUPS, json=body))))

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        booked = pickups.write_pickup(request, self.options_of(request))
        body = {"pickupDate": request.pickup_date, "carrierPickupRequest": booked}
        version = yield from self._find_version(request.confirmation_number)
        reply = yield Call("PUT", pickup_path(request.confirmation_number), json=body, headers=version)
        return pickups.read_pickup(read_body(reply))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        version = yield from self._find_version(request.confirmation_number)
        reply = yield Call("DELETE", pickup_path(request.confirmation_number), headers=version)
        return Confirmation(success=reply.ok, operation="Cancel Pickup")

    def _find_version(self, confirmation_number: str) -> Flow[dict[str, str]]:
        """The header that names the version of a collection to be changed: good for an hour, once."""
        reply = yield from self.ask("GET", pickup_path(confirmation_number))
        return {"If-Match": reply.header("etag").strip('"')}

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        options = self.options_of(request)
        day = options.ship_date() or self.today_at(request.address)
        body = manifests.write_scan_form(request, options, day.isoformat())
        return manifests.read_scan_form(
            read_body((yield Call("POST", "/scan-forms/v3/scan-form", json=body)))
        )

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        question = addresses.write_question(request.address)
        reply = yield Call("GET", "/addresses/v3/address", query=question, tolerant=True)
        if reply.status == NOT_FOUND:
            return addresses.read_unknown()
        if not reply.ok:
            raise CarrierError()
        return addresses.read_answer(read_body(reply))

    # -- what the flows share ------------------------------------------------------------------

    def pieces(self, request: Request) -> list[Piece]:
        """The parcels with their options.

        Errors: CarrierError for a route that is not served.
        """
        self.check_recipient(request.recipient.country_code)
        options = self.options_of_each(request)
        pieces = [self._piece(request, at, parcel_options) for at, parcel_options in enumerate(options)]
        for piece in pieces:
            check_options(piece, self.catalogue.table("option_forms"))
        if isinstance(request, ShipmentRequest):
            check_packagings(pieces, request.service, self.services.code(request.service))
        return pieces

    def _piece(self, request: Request, at: int, options: RequestOptions) -> Piece:
        parcel = request.parcels[at]
        by_option = self.packaging.of_code(options.text("usps_rate_indicator"))
        packaging = by_option or self.packaging.get(parcel.packaging_type)
        day = options.ship_date() or self.today_at(request.shipper)
        takers = self._list_takers(packaging) if packaging else frozenset()
        return Piece(request, parcel, options, packaging, takers, day.isoformat(), find_priced(request, at))

    def _list_takers(self, packaging: CatalogueRow) -> frozenset[str]:
        """The mail classes that take a packaging."""
        rows = [row for row in self.services if self.limits.takes_packaging(row.slug, packaging.slug)]
        return frozenset(row.code for row in rows)


def pickup_path(confirmation_number: str) -> str:
    return f"{PICKUPS}/{quote(confirmation_number, safe='')}"

"""The United States Postal Service inside the country.

One request per parcel; label calls need a payment authorisation beside the access token. The international
product (`carriers.usps_international`) is the same service with other paths and bodies: a subclass with a
`price_path`, `label_path`, `price_body`, `label_body` and `check_route` of its own, and little else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar
from urllib.parse import quote

from carriers.usps import wire
from carriers.usps.account import SCOPES, UspsAccount, UspsConfig
from carriers.usps.catalogue import LABEL_TYPES, OPTIONS, PACKAGING, SERVICES
from carriers.usps.reading import (
    combined,
    is_multipart,
    priced,
    read_body,
    read_errors,
    read_form,
    read_label,
    read_pickup,
    read_quote,
    read_tracking,
)
from carriers.usps.wire import Piece, given
from shipcli.carrier import (
    DESTINATION_NOT_SERVICED,
    ORIGIN_NOT_SERVICED,
    POSTAL,
    Call,
    Carrier,
    CarrierError,
    DoneBefore,
    Flow,
    NumberForm,
    Reply,
    Token,
    ask_all,
    has_check_digit,
    sum_parcels,
)
from shipcli.models import (
    CancelRequest,
    Confirmation,
    Label,
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
)

ACCESS, PAYMENT = "access", "payment"
PAYMENT_MINUTES = 50  # how long a payment authorisation may be used
SEVERAL_PAGES = frozenset({"PDF", "ZPL203DPI", "ZPL300DPI"})  # label files that hold more than one label
PICKUPS = "/pickup/v3/carrier-pickup"


def ends_in_check_digit(number: str) -> bool:
    return has_check_digit(number[-22:])


class Usps(Carrier[UspsAccount, UspsConfig]):
    slug = "usps"
    name = "USPS"
    hosts = {True: "https://api-cat.usps.com", False: "https://api.usps.com"}
    Credentials = UspsAccount
    Config = UspsConfig
    services, options, packaging = SERVICES, OPTIONS, PACKAGING
    also_reads = frozenset({"usps_destination_facility_type"})
    references_packaging = False
    number_forms = (
        NumberForm("20 or 22 digits, the last a check digit", r"\d{20}|\d{22}", has_check_digit),
        NumberForm("the same after 420 and the ZIP code", r"420(?:\d{5}|\d{9})9\d{21}", ends_in_check_digit),
        POSTAL,
    )
    # The codes are those of any refusal: the sentences tell.
    done_before = (
        DoneBefore(verb="void", text="has been cancell?ed"),
        DoneBefore(verb="cancel_pickup", text="there is no collection"),
        DoneBefore(verb="manifest", text="is on a SCAN form"),
    )
    tokens = (ACCESS,)
    home_country = "US"
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
    lists_extras: ClassVar[bool] = True  # whether a price names what each extra service would cost

    # -- login and errors ----------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        if name == PAYMENT:
            return (yield from self._payment())
        secret = self.account.client_secret.get_secret_value()
        form = {
            "grant_type": "client_credentials",
            "client_id": self.account.client_id,
            "client_secret": secret,
            "scope": SCOPES,
        }
        body = read_body((yield Call("POST", "/oauth2/v3/token", form=form, tokens=())))
        return Token(body["access_token"], self.now + timedelta(seconds=int(body["expires_in"])))

    def _payment(self) -> Flow[Token]:
        account, config = self.account, self.config
        permit = given(permitNumber=config.permit_number, permitZIP=config.permit_ZIP)
        payer = {"CRID": account.CRID, "MID": account.MID, **self.payer(), **permit}
        roles = wire.payment_roles(payer, account.manifest_MID)
        reply = yield Call("POST", "/payments/v3/payment-authorization", json=roles, tokens=(ACCESS,))
        token = read_body(reply)["paymentAuthorizationToken"]
        return Token(token, self.now + timedelta(minutes=PAYMENT_MINUTES))

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        payment = tokens.get(PAYMENT)
        paid = {"X-Payment-Authorization-Token": payment.value} if payment else {}
        return {**super().headers(call, tokens), **paid}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        return [] if is_multipart(reply) else read_errors(read_body(reply))

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    # -- prices --------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        self.check_route(request)
        pieces = self.pieces(request)
        bodies = [self.price_body(request, piece) for piece in pieces]
        replies = yield from ask_all([self.price_call(body) for body in bodies])
        answers = [read_body(reply) if reply.ok else {} for reply in replies]
        return self.quotes(pieces, answers)

    def price_call(self, body: Mapping[str, Any]) -> Call:
        return Call("POST", self.price_path, json=body, repeatable=True)

    def quotes(self, pieces: Sequence[Piece], bodies: Sequence[Mapping[str, Any]]) -> list[Quote]:
        """A line for every price of the first parcel, at what the label of its service will cost.

        The carrier repeats a mail class for each rate indicator; a label is bought at one of them.
        """
        options = [[one for one in body.get("rateOptions") or () if one.get("rates")] for body in bodies]
        best = [priced(rows, piece.indicator) for rows, piece in zip(options, pieces, strict=True)]
        quotes = [[self.quote(row, piece) for row in rows] for rows, piece in zip(best, pieces, strict=True)]
        sums = {one.service: one for one in sum_parcels(quotes)}
        services = [self.services.slug(row["rates"][0]["mailClass"]) for row in (options or [[]])[0]]
        return [sums[service] for service in services if service in sums]

    def quote(self, option: Mapping[str, Any], piece: Piece) -> Quote:
        service = self.services.slug(option["rates"][0]["mailClass"])
        asked = {str(code) for code in piece.extra_services}
        return read_quote(self.slug, service, option, asked, lists_extras=self.lists_extras)

    def price_body(self, request: RateRequest, piece: Piece) -> dict[str, Any]:
        wanted = [row.code for row in self.services.chosen(request.services)]
        return wire.write_price(piece, self.payer()) | given(
            destinationZIPCode=wire.zip_code(request.recipient.postal_code)[0],
            mailClasses=wanted or ["ALL"],
            itemValue=wire.goods_value(piece.parcel.items) or None,
        )

    # -- labels --------------------------------------------------------------------------------

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        """Buy a label per parcel: all of them, or none."""
        self.check_route(request)
        kind = self.label_kind(request)
        numbered = enumerate(self.pieces(request))
        bodies = [
            self.label_body(request, piece, kind, self.package(request, piece, i)) for i, piece in numbered
        ]
        calls = [Call("POST", self.label_path, json=body, tokens=(ACCESS, PAYMENT)) for body in bodies]
        replies = yield from ask_all(calls)
        labels = [read_label(read_body(reply)) for reply in replies if reply.ok]
        if len(labels) < len(replies):
            undone = yield from self.undo(labels)
            raise CarrierError(definite=undone and all(one.ok or one.status < 500 for one in replies))
        return combined(labels, kind, as_png=request.label_type == "PNG")

    def undo(self, labels: Sequence[Label]) -> Flow[bool]:
        """Whether all of these labels could be cancelled."""
        replies = yield from ask_all([self.cancel_call(label.tracking_number) for label in labels])
        return all(cancelled(reply) for reply in replies)

    def label_kind(self, request: ShipmentRequest) -> str:
        """The carrier's word for the label file; several labels need a file that has pages."""
        kind = LABEL_TYPES.get((request.label_type or "PDF").upper(), "PDF")
        return kind if len(request.parcels) < 2 or kind in SEVERAL_PAGES else "PDF"

    def label_body(
        self, request: ShipmentRequest, piece: Piece, kind: str, package: Mapping[str, Any]
    ) -> dict[str, Any]:
        option, shipper = piece.option, wire.write_address(request.shipper)
        collect = given(holdForPickup=option("usps_hold_for_pickup"), facilityId=option("usps_facility_id"))
        extra = given(
            carrierRelease=option("usps_carrier_release"),
            physicalSignatureRequired=option("usps_physical_signature_required"),
            inductionZIPCode=shipper.get("ZIPCode"),
        )
        return given(
            imageInfo={"imageType": kind, "labelType": "4X6LABEL", "receiptOption": "SEPARATE_PAGE"},
            toAddress=wire.write_address(request.recipient) | collect,
            fromAddress=shipper,
            senderAddress=shipper,
            returnAddress=wire.write_address(request.return_address) if request.return_address else None,
            packageDescription={**package, **extra},
        )

    def package(self, request: ShipmentRequest, piece: Piece, index: int) -> dict[str, Any]:
        reference = self.label_reference(request.reference or piece.parcel.reference_number, index)
        return wire.write_package(piece, self.services.code(request.service), reference)

    def label_reference(self, reference: str | None, index: int) -> dict[str, Any]:
        """The caller's reference, printed; without one the purchase key, which is not for people."""
        if reference:
            return {"referenceNumber": reference, "printReferenceNumber": True}
        key = self.reference(index)[-wire.LONGEST_REFERENCE :]
        return {"referenceNumber": key, "printReferenceNumber": False}

    def cancel_call(self, number: str) -> Call:
        path = f"{self.label_path}/{quote(number, safe='')}"
        return Call("DELETE", path, tokens=(ACCESS, PAYMENT), about={"tracking_number": number})

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        others = request.options.get("shipment_identifiers") or ()
        numbers = list(dict.fromkeys([request.shipment_identifier, *others]))
        replies = yield from ask_all([self.cancel_call(number) for number in numbers])
        if not any(reply.ok for reply in replies):
            raise CarrierError
        return Confirmation(success=all(cancelled(reply) for reply in replies), operation="Cancel Shipment")

    # -- tracking ------------------------------------------------------------------------------

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        replies = yield from ask_all([self.track_call(number) for number in request.tracking_numbers])
        asked = zip(request.tracking_numbers, replies, strict=True)
        return [
            read_tracking({"trackingNumber": number, **read_body(reply)}, self.services, self.link)
            for number, reply in asked
            if reply.ok
        ]

    def track_call(self, number: str) -> Call:
        path = f"/tracking/v3/tracking/{quote(number, safe='')}"
        return Call("GET", path, query={"expand": "DETAIL"}, about={"tracking_number": number})

    # -- collections and forms -----------------------------------------------------------------

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        return read_pickup(read_body((yield Call("POST", PICKUPS, json=wire.write_pickup(request)))))

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        body = {"pickupDate": request.pickup_date, "carrierPickupRequest": wire.write_pickup(request)}
        reply = yield Call("PUT", booking(request.confirmation_number), json=body)
        return read_pickup(read_body(reply))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        reply = yield Call("DELETE", booking(request.confirmation_number))
        return Confirmation(success=reply.ok, operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        day = request.options.get("shipment_date") or self.today_at(request.address).isoformat()
        reply = yield Call("POST", "/scan-forms/v3/scan-form", json=wire.write_scan_form(request, str(day)))
        return read_form(read_body(reply))

    # -- what the flows share ------------------------------------------------------------------

    def check_route(self, request: RateRequest | ShipmentRequest) -> None:
        """Refuse what the product does not carry, before anything is asked."""
        self.check_origin(request)
        if (request.recipient.country_code or "US") != "US":
            raise self.refuse(DESTINATION_NOT_SERVICED, f"{self.name} does not deliver outside the US")

    def check_origin(self, request: RateRequest | ShipmentRequest) -> None:
        if (request.shipper.country_code or "US") != "US":
            raise self.refuse(ORIGIN_NOT_SERVICED, f"{self.name} collects in the US only")

    def pieces(self, request: RateRequest | ShipmentRequest) -> list[Piece]:
        day = request.options.get("shipment_date") or self.today_at(request.shipper).isoformat()
        rows = (self.options, self.packaging)
        return [Piece(request, parcel, *rows, str(day)) for parcel in request.parcels]

    def payer(self) -> dict[str, str | None]:
        return {"accountType": self.account.account_type, "accountNumber": self.account.account_number}


def booking(confirmation_number: str) -> str:
    return f"{PICKUPS}/{quote(confirmation_number, safe='')}"


def cancelled(reply: Reply) -> bool:
    return reply.ok and read_body(reply).get("status") == "CANCELED"

"""FedEx: rating with time in transit, shipping, tracking, pickups and trade documents, by its JSON API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Literal

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
    FEDEX,
    FIELD_ERROR,
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
)
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
    CancelRequest,
    Confirmation,
    DocumentUploadRequest,
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
    UploadDetails,
    UploadedDocument,
)

from . import addresses, documents, locations, manifests, pickups, rates, shipments, tracking
from .parts import CATALOGUE, Consignment, Request

ACCESS, TRACK, END_OF_DAY = "access", "track", "/ship/v1/endofday/"
# A token is renewed half an hour before FedEx would refuse it.
MARGIN = timedelta(minutes=30)
LabelName = Literal[
    "PDF_4x6", "PDF_4x6_75", "PDF_4x8", "PDF_4x9", "ZPL_4x6", "ZPL_4x6_75", "ZPL_4x8", "ZPL_4x9"
]


class FedexAccount(Credentials):
    """Two projects of the developer portal: one that ships for an account, and one that tracks."""

    api_key: SecretStr | None = None
    secret_key: SecretStr | None = None
    account_number: str | None = None
    track_api_key: SecretStr | None = None
    track_secret_key: SecretStr | None = None
    account_country_code: str | None = None


class FedexConfig(CarrierConfig):
    """Settings of a connection."""

    label_type: LabelName | None = None
    smart_post_hub_id: str | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    locale: Literal["en_US", "fr_CA"] | None = None


class Fedex(Carrier[FedexAccount, FedexConfig]):
    """FedEx."""

    slug = "fedex"
    name = "FedEx"
    values_each = True
    hosts = {True: "https://apis-sandbox.fedex.com", False: "https://apis.fedex.com"}
    other_hosts = {
        documents.HOST: {
            True: "https://documentapitest.prod.fedex.com/sandbox",
            False: "https://documentapi.prod.fedex.com",
        }
    }
    Credentials, Config = FedexAccount, FedexConfig
    catalogue = CATALOGUE
    bills = ANYBODY
    references_packaging = references_presets = False
    also_reads = frozenset({
        "signature_confirmation", "email_notification", "email_notification_to", "declared_value",
        "insurance", "fedex_pickup_type", *CATALOGUE.table("references"),
    })  # fmt: skip
    needs_weight = True
    tokens = (ACCESS,)
    # Its codes for it are not published: the sentences tell. Source: Ship service guide, message 8159.
    done_before = (
        DoneBefore(verb="void", text="already in a deleted state|already been cancell?ed"),
        DoneBefore(verb="cancel_pickup", text="already (?:been )?cancell?ed"),
        DoneBefore(verb="manifest", text="(?i)no (?:ground )?(?:shipments?|packages?|data).* close"),
    )
    number_forms = FEDEX
    numbers_per_call = 30
    tracking_link = "https://www.fedex.com/fedextrack/?trknbr={}"
    sample_account = {
        "api_key": "sandbox",
        "secret_key": "sandbox-secret",
        "account_number": "740561073",
        "track_api_key": "sandbox-track",
        "track_secret_key": "sandbox-track-secret",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def login(self, name: str) -> Flow[Token]:
        """Errors: CarrierError when the connection has no keys for what is asked."""
        account, prefix = self.account, "track_" if name == TRACK else ""
        tracks = (account.track_api_key, account.track_secret_key)
        key, secret = tracks if name == TRACK else (account.api_key, account.secret_key)
        if not (key and secret):
            raise self.refuse(FIELD_ERROR, f"the connection needs {prefix}api_key and {prefix}secret_key")
        form = {
            "grant_type": "client_credentials",
            "client_id": key.get_secret_value(),
            "client_secret": secret.get_secret_value(),
        }
        reply = yield from self.ask("POST", "/oauth/token", form=form, tokens=(), repeatable=True)
        lasts = timedelta(seconds=int(reply.json["expires_in"]))
        return Token(str(reply.json["access_token"]), self.now + lasts - MARGIN)

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        token = tokens.get(TRACK) or tokens.get(ACCESS)
        bearer = {"Authorization": f"Bearer {token.value}"} if token else {}
        return {**bearer, "x-locale": self.config.locale or "en_US"}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        body = reply.json
        unknown = [_message(error, tracking_number=number) for number, error in tracking.list_unknown(body)]
        return [*map(_message, (*_errors(body), *_alerts(body))), *unknown]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(_errors(reply.json))

    # -- prices and labels ---------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        consignment = self._consign(request)
        body = rates.write_rate(consignment, request)
        reply = yield from self.ask("POST", "/rate/v1/rates/quotes", json=body, repeatable=True)
        return rates.read_rates(reply.json, consignment)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        consignment = self._consign(request)
        sheet = CATALOGUE.choose("label_types", request.label_type, self.config.label_type, usual="PDF")
        papers = yield from documents.attach(consignment)
        body = shipments.write_shipment(consignment, request, sheet, papers)
        headers = {"x-customer-transaction-id": self.context.key}
        reply = yield from self.ask("POST", "/ship/v1/shipments", json=body, headers=headers)
        return shipments.read_shipment(reply.json, str(self.tracking_link))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """FedEx is told in the order itself that it is a return."""
        return self.ship(request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        body = shipments.write_void(self.account.account_number, request.shipment_identifier)
        reply = yield from self.ask("PUT", "/ship/v1/shipments/cancel", json=body)
        return Confirmation(success=shipments.read_void(reply.json), operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """What is known, with the signature of what is delivered, which is asked for apart."""
        body, path = tracking.write_tracking(request.tracking_numbers), "/track/v1/trackingnumbers"
        reply = yield from self.ask("POST", path, json=body, tokens=(TRACK,), repeatable=True)
        trackings = tracking.read_trackings(reply.json, str(self.tracking_link))
        done = [tracked for tracked in trackings if tracked.delivered]
        replies = yield from ask_all([_ask_for_proof(tracked.tracking_number) for tracked in done])
        pairs = zip(done, replies, strict=True)
        proofs = {
            tracked.tracking_number: tracking.read_proof(reply.json) for tracked, reply in pairs if reply.ok
        }
        return [_with_proof(tracked, proofs.get(tracked.tracking_number)) for tracked in trackings]

    # -- collections and documents -------------------------------------------------------------

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(self.account.account_number, request)
        reply = yield from self.ask("POST", "/pickup/v1/pickups", json=body)
        return pickups.read_pickup(reply.json, request.pickup_date)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """FedEx changes no collection: the old one is cancelled, then a new one booked."""
        number = request.confirmation_number
        old = PickupCancelRequest(
            confirmation_number=number,
            address=request.address,
            pickup_date=request.pickup_date,
            reason="update",
            options=request.options,
        )
        return rebook_pickup(self, number, self._call_off(old), self.schedule_pickup(request))

    def _call_off(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        """Errors: CarrierError also for an answer that confirms nothing."""
        confirmed = yield from self.cancel_pickup(request)
        if not confirmed.success:
            text = f"FedEx did not confirm that {request.confirmation_number} is cancelled"
            raise self.refuse("pickup_not_cancelled", text)
        return confirmed

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        body = pickups.write_cancellation(self.account.account_number, request)
        reply = yield from self.ask("PUT", "/pickup/v1/pickups/cancel", json=body)
        return Confirmation(success=pickups.read_cancellation(reply.json), operation="Cancel Pickup")

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        """Close the Ground parcels; what FedEx Express carries is on no form of FedEx.

        Where nothing is left to close, the form on which the first of them is is printed again.
        """
        numbers, account = manifests.list_ground(request), self.account.account_number
        if not numbers:
            return ManifestDetails()
        day = (self.options_of(request).ship_date() or self.today_at(request.address)).isoformat()
        try:
            reply = yield from self.ask("PUT", END_OF_DAY, json=manifests.write_close(account, day))
        except CarrierError as error:
            if not self.says_done_before("manifest", error.messages):
                raise
            body = manifests.write_reprint(account, day, numbers[0])
            reply = yield from self.ask("POST", END_OF_DAY, json=body, repeatable=True)
        return manifests.read_close(reply.json)

    def upload_document(self, request: DocumentUploadRequest) -> Flow[UploadDetails]:
        """Those that are taken are told, though others may be refused."""
        replies = yield from ask_all(documents.write_documents(request, self.today))
        numbers = [documents.read_document(reply.json) for reply in replies if reply.ok]
        taken = [UploadedDocument(doc_id=number, file_name=number) for number in numbers if number]
        if not taken:
            raise CarrierError()
        return UploadDetails(documents=taken)

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_question(request.address)
        reply = yield from self.ask("POST", "/address/v1/addresses/resolve", json=body, repeatable=True)
        return addresses.read_answer(reply.json)

    def find_locations(self, request: LocationRequest) -> Flow[list[Location]]:
        body = locations.write_search(request)
        reply = yield from self.ask("POST", "/location/v1/locations", json=body, repeatable=True)
        return locations.read_locations(reply.json)

    def _consign(self, request: Request) -> Consignment:
        options = self.options_of(request)
        return Consignment(
            request,
            options,
            tuple(self.options_of_each(request)),
            self.account.account_number,
            options.ship_date() or self.today_at(request.shipper),
            options.text("fedex_smart_post_hub_id") or self.config.smart_post_hub_id,
        )


def _ask_for_proof(number: str) -> Call:
    body, about = tracking.write_proof(number), {"tracking_number": number}
    return Call(
        "POST", "/track/v1/trackingdocuments", json=body, tokens=(TRACK,), repeatable=True, about=about
    )


def _with_proof(tracked: Tracking, proof: str | None) -> Tracking:
    return tracked.model_copy(update={"images": {"signature_image": proof}}) if proof else tracked


# -- what FedEx says went wrong --------------------------------------------------------------------


def _errors(body: Json) -> list[Json]:
    return [error for error in as_list(body.get("errors")) if isinstance(error, dict)]


def _alerts(body: Json) -> list[Json]:
    """Notes beside a result, a text in some answers. Those beside a proof of delivery are about no parcel."""
    output = body.get("output")
    if not isinstance(output, dict) or "documents" in output or not isinstance(output.get("alerts"), list):
        return []
    return [alert for alert in output["alerts"] if isinstance(alert, dict)]


def _message(problem: Json, **details: str) -> Message:
    return Message(code=problem.get("code"), message=problem.get("message"), details=details or None)

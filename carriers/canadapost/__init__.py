"""Canada Post: contract shipping, rating, tracking, pickups and manifests over REST and XML.

Source: the Canada Post developer programme (rate v4, shipment v8, manifest v8, track v2, pickuprequest).
Every operation has a media type of its own, which both `Accept` and `Content-Type` must name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import SecretStr

from carriers.canadapost import closing, pickups, purchase, transmission, wire
from carriers.canadapost.catalogue import OPTIONS, PRESETS, SERVICES
from carriers.canadapost.wire import PICKUP, PICKUP_REQUEST, RATE, TRACK
from shipcli.carrier import (
    FIELD_ERROR,
    ORIGIN_NOT_SERVICED,
    POSTAL,
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
    basic_auth,
    sum_parcels,
)
from shipcli.carrier.xml import every, find
from shipcli.models import (
    Address,
    CancelRequest,
    Confirmation,
    Label,
    ManifestDetails,
    ManifestRequest,
    Message,
    Parcel,
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

PIN = purchase.PIN
LINK = "https://www.canadapost-postescanada.ca/track-reperage/{}#/resultList?searchFor={{}}"


class CanadaPostAccount(Credentials):
    """An API key of the developer programme and the customer it ships for."""

    username: str
    password: SecretStr
    customer_number: str | None = None
    contract_id: str | None = None
    language: Literal["en", "fr"] = "en"


class CanadaPostConfig(CarrierConfig):
    """Habits of a connection. Services outside `shipping_services`, when it is given, are not offered."""

    cost_center: str | None = None
    label_type: Literal["PDF_4x6", "PDF_8_5x11", "ZPL_4x6"] | None = None
    shipping_options: list[str] | None = None
    shipping_services: list[str] | None = None
    transmit_shipment_by_default: bool | None = None


class CanadaPost(Carrier[CanadaPostAccount, CanadaPostConfig]):
    """One customer number of Canada Post."""

    slug = "canadapost"
    name = "Canada Post"
    home_country = "CA"
    hosts = {True: "https://ct.soa-gw.canadapost.ca", False: "https://soa-gw.canadapost.ca"}
    Credentials = CanadaPostAccount
    Config = CanadaPostConfig
    services, options, presets = SERVICES, OPTIONS, PRESETS
    also_reads = frozenset({"email", "email_notification", "email_notification_to"})
    number_forms = (NumberForm("16 digits", PIN), NumberForm("12 digits", r"\d{12}"), POSTAL)
    # What was voided or cancelled can't be found any more, a refund is requested once, and a group that was
    # transmitted holds nothing more to transmit.
    done_before = (
        DoneBefore(verb="void", code="E404"),
        DoneBefore(verb="void", code="9131"),
        DoneBefore(verb="cancel_pickup", code="E404"),
        DoneBefore(verb="manifest", code="9140"),
    )
    tracking_link = LINK.format("en")
    spacing_s = 0.025
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-key",
        "customer_number": "0001234567",
        "contract_id": "0012345678",
    }

    def link(self, number: str) -> str | None:
        return self._link.format(number)

    @property
    def _link(self) -> str:
        return LINK.format(self.account.language)

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {
            "Authorization": basic_auth(self.account.username, self.account.password),
            "Accept-language": f"{self.account.language}-CA",
        }

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every `message` of a reply, wherever it stands; labels and manifests are no XML."""
        if b"message" not in reply.content or not reply.content.lstrip().startswith(b"<"):
            return []
        found = every(reply.xml, "message")
        return [
            Message(code=find(one, "code"), message=find(one, "description"), details={}) for one in found
        ]

    def is_refusal(self, reply: Reply) -> bool:
        """Canada Post may refuse with status 200: messages come instead of a result, never beside one."""
        if reply.status >= 400:
            return True
        try:
            return bool(self.read_messages(reply))
        except ValueError:
            return False  # no XML after all: the flow's reader says so

    # -- rates ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        parcels = self.checked(request.shipper, request.parcels)
        bodies = [wire.write_rate(self.payer(), request, parcel) for parcel in parcels]
        media = {"Accept": RATE, "Content-Type": RATE}
        replies = yield from ask_all(
            [Call("POST", "/rs/ship/price", xml=body, headers=media, repeatable=True) for body in bodies]
        )
        return sum_parcels([self._quotes(reply) for reply in replies])

    def _quotes(self, reply: Reply) -> list[Quote]:
        if not reply.ok:
            return []
        offered = self.config.shipping_services
        quotes = (
            wire.read_quote(node, self.slug, self.context.carrier_id)
            for node in every(reply.xml, "price-quote")
        )
        return [quote for quote in quotes if not offered or quote.service in offered]

    def checked(self, shipper: Address, parcels: Sequence[Parcel]) -> list[Parcel]:
        """The parcels with their presets applied.

        Errors: CarrierError when the shipper is abroad or a parcel has no weight.
        """
        if shipper.country_code not in (None, "CA"):
            raise self.refuse(ORIGIN_NOT_SERVICED, f"Origin country {shipper.country_code} is not serviced")
        boxes = [wire.boxed(parcel) for parcel in parcels]
        missing = {"code": "required", "message": "This field is required"}
        lacking = {f"parcel[{at}].weight": missing for at, box in enumerate(boxes) if box.weight is None}
        if lacking:
            raise self.refuse(FIELD_ERROR, "Invalid request payload", **lacking)
        return boxes

    def payer(self, group: str | None = None) -> wire.Account:
        """Who ships, as writers take it."""
        account = self.account
        return wire.Account(account.customer_number, account.contract_id, self.config.cost_center, group)

    def _customer(self) -> str:
        if not self.account.customer_number:
            problem = {"code": "required", "message": "Shipping needs the customer number of the connection"}
            raise self.refuse(FIELD_ERROR, "Invalid request payload", customer_number=problem)
        return self.account.customer_number

    def shipments_path(self, tail: str = "") -> str:
        customer = self._customer()
        return f"/rs/{customer}/{customer}/shipment{tail}"

    def manifests_path(self) -> str:
        customer = self._customer()
        return f"/rs/{customer}/{customer}/manifest"

    # -- shipments -----------------------------------------------------------------------------

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        return purchase.ship(self, request)

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        return purchase.recover(self, request)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        """Shipments that wait for their manifest are deleted, transmitted ones refunded."""
        more = closing.listed(request.options.get("shipment_identifiers"))
        ids = yield from purchase.ids_of(self, closing.unique([request.shipment_identifier, *more]))
        yield from purchase.cancel(self, ids, request.options.get("email"))
        return Confirmation(success=True, operation="Cancel Shipment")

    # -- tracking ------------------------------------------------------------------------------

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        media = {"Accept": TRACK}
        paths = [f"/vis/track/pin/{number}/detail" for number in request.tracking_numbers]
        replies = yield from ask_all([Call("GET", path, headers=media) for path in paths])
        known = (wire.read_tracking(reply.xml, self._link) for reply in replies if reply.ok)
        return [one for one in known if one]

    # -- pickups -------------------------------------------------------------------------------

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        """Ask whether the place is on a collection tour, then order."""
        code = wire.postal(request.address.postal_code)
        tour = yield from self.ask("GET", f"/ad/pickup/pickupavailability/{code}", headers={"Accept": PICKUP})
        if not closing.collects(tour.xml):
            raise self.refuse("pickup_unavailable", f"Canada Post does not collect on demand at {code}")
        body = closing.write_pickup(self.account.customer_number, request)
        media = {"Accept": PICKUP_REQUEST, "Content-Type": PICKUP_REQUEST}
        reply = yield from self.ask("POST", self.pickups_path(), xml=body, headers=media)
        return closing.read_pickup(reply.xml)

    def recover_pickup(self, request: PickupRequest, known: Sequence[str]) -> Flow[PickupDetails | None]:
        return pickups.recover(self, request, known)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        path = self.pickups_path(f"/{request.confirmation_number}")
        body = closing.write_pickup_change(request)
        media = {"Accept": PICKUP_REQUEST, "Content-Type": PICKUP_REQUEST}
        yield from self.ask("PUT", path, xml=body, headers=media)
        reply = yield from self.ask("GET", f"{path}/details", headers={"Accept": PICKUP})
        return closing.read_pickup(reply.xml)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        path = self.pickups_path(f"/{request.confirmation_number}")
        yield from self.ask("DELETE", path, headers={"Accept": PICKUP_REQUEST})
        return Confirmation(success=True, operation="Cancel Pickup")

    def pickups_path(self, tail: str = "") -> str:
        return f"/enab/{self._customer()}/pickuprequest{tail}"

    # -- manifests -----------------------------------------------------------------------------

    def manifest(self, request: ManifestRequest) -> Flow[ManifestDetails]:
        return transmission.manifest(self, request)

    def recover_manifest(self, request: ManifestRequest) -> Flow[ManifestDetails | None]:
        return transmission.recover(self, request)

"""Purolator: rating, shipping, tracking, pickups and addresses by SOAP, at a service for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import SecretStr

from shipcli.carrier import (
    ANYBODY,
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
    ask,
    ask_all,
    basic_auth,
)
from shipcli.carrier.number_forms import PUROLATOR
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.soap import read_body, read_fault
from shipcli.carrier.wire.xml import every, find
from shipcli.models import (
    AddressValidationDetails,
    AddressValidationRequest,
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
    Tracking,
    TrackingRequest,
)

from . import addresses, parts, pickups, rates, shipments, tracking

RESULTS = ("TrackingInformation", "SuggestedAddress")


class PurolatorAccount(Credentials):
    username: str
    password: SecretStr
    account_number: str
    user_token: SecretStr | None = None
    language: Literal["en", "fr"] | None = "en"


class Purolator(Carrier[PurolatorAccount, CarrierConfig]):
    """Purolator."""

    slug = "purolator"
    name = "Purolator"
    goods_currencies = ("CAD", "USD")
    hosts = {True: "https://devwebservices.purolator.com", False: "https://webservices.purolator.com"}
    Credentials, Config = PurolatorAccount, CarrierConfig
    catalogue = parts.CATALOGUE
    bills = ANYBODY
    fixed_in_pickups = frozenset({"pickup_date", "ready_time", "address"})
    also_reads = frozenset({
        "currency", "email_notification", "email_notification_to",
    })  # fmt: skip
    home_country = parts.CANADA
    needs_weight = True
    number_forms = PUROLATOR
    numbers_per_call = 50
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already (?:been )?voided"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already (?:been )?(?:voided|cancell?ed)"),
    )
    lookup_lag_s = 60.0  # of its own caution: Purolator does not say when a new PIN can be found
    tracking_link = "https://www.purolator.com/en/shipping/tracker?pin={}"
    sample_account = {
        "username": "sandbox",
        "password": "sandbox-secret",
        "account_number": "9999999999",
        "user_token": "sandbox-token",
    }

    # -- what the driver asks ------------------------------------------------------------------

    def headers(self, call: Call, tokens: Mapping[str, Token]) -> Mapping[str, str]:
        return {"Authorization": basic_auth(self.account.username, self.account.password)}

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Every error, wherever it stands, and faults."""
        errors = [_read_error(error) for error in every(reply.xml, "Error")]
        return [*read_fault(reply), *errors]

    def is_refusal(self, reply: Reply) -> bool:
        """Errors beside results are none: of one number among others, of an address that does not match."""
        done = any(every(reply.xml, name) for name in RESULTS)
        return reply.status >= 400 or (not done and bool(self.read_messages(reply)))

    def _call(self, name: str, body: Json, **call: Any) -> Call:
        token = self.account.user_token
        secret = token.get_secret_value() if token else None
        header = parts.write_context(name, self.language, secret)
        path = parts.CATALOGUE.table("operations")[name]["path"]
        return parts.operation(name).call(path, body, header=header, **call)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        body = rates.write_rate(request, self.options_of(request), self.account.account_number)
        reply = yield from ask(self._call("GetFullEstimate", body, repeatable=True))
        return rates.read_rates(read_body(reply))

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        account = self.account.account_number
        body = shipments.write_shipment(request, self.options_of(request), account, self._purchase)
        return (yield from self._buy("CreateShipment", body, request))

    def ship_return(self, request: ShipmentRequest) -> Flow[Label]:
        """A shipment of the returns service; its papers are fetched as any other's."""
        account = self.account.account_number
        body = shipments.write_return(request, self.options_of(request), account, self._purchase)
        return (yield from self._buy("CreateReturnsManagementShipment", body, request))

    def _buy(self, operation: str, body: Json, request: ShipmentRequest) -> Flow[Label]:
        reply = yield from ask(self._call(operation, body))
        bought = shipments.read_shipment(read_body(reply), str(self.tracking_link))
        yield bought
        return (yield from self.fetch_label(bought, request))

    @property
    def _purchase(self) -> str:
        """The reference of this purchase, by which it is found again."""
        return self.reference()[: parts.REFERENCE]

    def recover(self, request: ShipmentRequest) -> Flow[Label | None]:
        """The labels of the shipment with the reference of this purchase.

        Source: TrackingService.wsdl, TrackPackagesByReference.
        Errors: CarrierError for an answer that says neither which shipment it is nor that there is none.
        """
        day = self.options_of(request).ship_date() or self.today_at(request.shipper)
        body = tracking.write_search(self._purchase, day, self.today_at(request.shipper))
        reply = yield self._call("TrackPackagesByReference", body, repeatable=True, tolerant=True)
        numbers = tracking.read_numbers(read_body(reply)) if reply.ok else []
        if numbers:
            bought = shipments.make_bought(numbers[0], numbers, str(self.tracking_link))
            return (yield from self.fetch_label(bought, request))
        messages = self.read_messages(reply) if reply.structured else []
        if reply.ok or (messages and all(tracking.says_unknown(message) for message in messages)):
            return None
        raise CarrierError()

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        body = shipments.write_documents(bought.name, request)
        reply = yield from ask(self._call("GetDocuments", body, repeatable=True))
        return shipments.read_label(read_body(reply), bought, shipments.label_type(request))

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        body = {"PIN": {"Value": request.shipment_identifier}}
        reply = yield from ask(self._call("VoidShipment", body))
        done = find(read_body(reply), "ShipmentVoided") == "true"
        return Confirmation(success=done, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        groups = self.batches(request.tracking_numbers)
        calls = [
            self._call("TrackPackagesByPin", tracking.write_tracking(group), repeatable=True)
            for group in groups
        ]
        replies = yield from ask_all(calls)
        link = str(self.tracking_link)
        batches = [tracking.read_trackings(read_body(reply), link) for reply in replies if reply.ok]
        return [tracked for batch in batches for tracked in batch]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        body = pickups.write_pickup(request, self.account.account_number)
        yield from ask(self._call("ValidatePickUp", body, repeatable=True))
        reply = yield from ask(self._call("SchedulePickUp", body))
        return pickups.read_pickup(reply.xml)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        account = self.account.account_number
        checked = pickups.write_pickup(request, account)
        yield from ask(self._call("ValidatePickUp", checked, repeatable=True))
        reply = yield from ask(self._call("ModifyPickUp", pickups.write_change(request, account)))
        return pickups.read_pickup(reply.xml)

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        body = {"PickUpConfirmationNumber": request.confirmation_number}
        reply = yield from ask(self._call("VoidPickUp", body))
        done = find(read_body(reply), "PickUpVoided") == "true"
        return Confirmation(success=done, operation="Cancel Pickup")

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_validation(request.address)
        reply = yield from ask(self._call("ValidateCityPostalCodeZip", body, repeatable=True))
        return addresses.read_validation(read_body(reply))


def _read_error(error: Any) -> Message:
    information = find(error, "AdditionalInformation")
    return Message(
        code=find(error, "Code"),
        message=find(error, "Description"),
        details={"AdditionalInformation": information} if information else None,
    )

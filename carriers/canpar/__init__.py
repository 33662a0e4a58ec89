"""Canpar: rating, shipping, tracking, pickups and addresses by SOAP 1.2, at three services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import SecretStr

from shipcli.carrier import (
    Bought,
    Call,
    Carrier,
    CarrierConfig,
    Credentials,
    DoneBefore,
    Flow,
    Reply,
    ask,
    ask_all,
)
from shipcli.carrier.flow_steps import rebook_pickup
from shipcli.carrier.number_forms import CANPAR
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.soap import read_body, read_fault
from shipcli.carrier.wire.xml import every
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


class CanparAccount(Credentials):
    username: str
    password: SecretStr
    language: Literal["en", "fr"] | None = "en"


class Canpar(Carrier[CanparAccount, CarrierConfig]):
    """Canpar."""

    slug = "canpar"
    name = "Canpar"
    option_currency = "CAD"
    integration_status = "beta"
    tells_tax_number = False
    tells_payer = False
    hosts = {
        True: "https://sandbox.canpar.com/canshipws/services",
        False: "https://canship.canpar.com/canshipws/services",
    }
    Credentials, Config = CanparAccount, CarrierConfig
    catalogue = parts.CATALOGUE
    also_reads = frozenset({
        "dangerous_good", "email_notification", "email_notification_to", "insurance",
        "signature_confirmation",
    })  # fmt: skip
    home_country = "CA"
    needs_weight = True
    references_services = False
    references_options = False
    done_before = (
        DoneBefore(verb="void", text=r"(?i)already (?:been )?void"),
        DoneBefore(verb="cancel_pickup", text=r"(?i)already (?:been )?cancel"),
    )
    number_forms = (CANPAR,)
    tracking_link = "https://www.canpar.com/{language}/tracking/track.htm?barcode={}"
    sample_account = {"username": "sandbox", "password": "sandbox-secret"}

    # -- what the driver asks ------------------------------------------------------------------

    def read_messages(self, reply: Reply) -> Sequence[Message]:
        """Faults, and what stands in `error` or, of a shipment, in `errors`."""
        texts = [node.text for name in ("error", "errors") for node in every(reply.xml, name) if node.text]
        return [*read_fault(reply), *(Message(message=text) for text in dict.fromkeys(texts))]

    def is_refusal(self, reply: Reply) -> bool:
        return reply.status >= 400 or bool(self.read_messages(reply))

    def _call(self, name: str, body: Json, **call: Any) -> Call:
        """The call of an operation, with the log-in that all but tracking carry."""
        login = {"user_id": self.account.username, "password": self.account.password.get_secret_value()}
        return self._open_call(name, {**body, **login}, **call)

    def _open_call(self, name: str, body: Json, **call: Any) -> Call:
        content = parts.write_request(body)
        return parts.operation(name).call(parts.endpoint(name)["path"], content, **call)

    # -- verbs ---------------------------------------------------------------------------------

    def rate(self, request: RateRequest) -> Flow[list[Quote]]:
        """One question for each service."""
        bodies = [parts.write_shipment(request, self, service) for service in rates.asked_services(request)]
        calls = [self._call("rateShipment", rates.write_rate(body), repeatable=True) for body in bodies]
        replies = yield from ask_all(calls)
        priced = [every(reply.xml, "shipment") for reply in replies if reply.ok]
        return read_each([shipments[0] for shipments in priced if shipments], rates.read_price)

    def ship(self, request: ShipmentRequest) -> Flow[Label]:
        shipment = parts.write_shipment(request, self, request.service)
        body = shipments.write_order(shipment, request, self.options_of(request))
        reply = yield from ask(self._call("processShipment", body))
        bought = shipments.read_order(read_body(reply), self.link("{}") or "")
        yield bought
        return (yield from self.fetch_label(bought, request))

    def fetch_label(self, bought: Bought, request: ShipmentRequest) -> Flow[Label]:
        body = shipments.write_paper(bought, request)
        reply = yield from ask(self._call("getLabelsAdvanced", body, repeatable=True))
        return shipments.read_label(read_body(reply), bought)

    def void(self, request: CancelRequest) -> Flow[Confirmation]:
        yield from ask(self._call("voidShipment", {"id": request.shipment_identifier}))
        return Confirmation(success=True, operation="Cancel Shipment")

    def track(self, request: TrackingRequest) -> Flow[list[Tracking]]:
        """One call for each number, which needs no log-in."""
        calls = [
            self._open_call("trackByBarcodeV2", tracking.write_tracking(number), repeatable=True)
            for number in request.tracking_numbers
        ]
        replies = yield from ask_all(calls)
        groups = [tracking.read_trackings(reply.xml, self.language) for reply in replies if reply.ok]
        return [tracked for group in groups for tracked in group]

    def schedule_pickup(self, request: PickupRequest) -> Flow[PickupDetails]:
        reply = yield from ask(self._call("schedulePickupV2", pickups.write_pickup(request)))
        return pickups.read_pickup(reply.xml)

    def update_pickup(self, request: PickupUpdateRequest) -> Flow[PickupDetails]:
        """Canpar changes none: the old one is cancelled, another is booked."""
        number = request.confirmation_number
        cancel = self.cancel_pickup(PickupCancelRequest(confirmation_number=number))
        return rebook_pickup(self, number, cancel, self.schedule_pickup(request))

    def cancel_pickup(self, request: PickupCancelRequest) -> Flow[Confirmation]:
        yield from ask(self._call("cancelPickup", {"id": request.confirmation_number}))
        return Confirmation(success=True, operation="Cancel Pickup")

    def validate_address(self, request: AddressValidationRequest) -> Flow[AddressValidationDetails]:
        body = addresses.write_validation(request.address)
        reply = yield from ask(self._call("searchCanadaPost", body, repeatable=True))
        return addresses.read_validation(reply.xml)

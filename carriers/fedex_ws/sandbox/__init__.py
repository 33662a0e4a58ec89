"""FedEx's web services as a simulator: prices, labels parcel by parcel, voids, tracking, pickups, papers."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.papers import draw_invoice
from shipcli.carrier.simulation.simulator import Refusal, Simulator, find_root, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.soap import make_soap_reply
from shipcli.carrier.wire.xml import element
from shipcli.models.basics.check_digits import compute_fedex_check_digit

from ...fedex.sandbox.papers import draw
from . import answers
from .bookings import read_booking

CATALOGUE = load_catalogue(__file__)
OPERATIONS = CATALOGUE.table("operations")
RATED, BOUGHT = CATALOGUE.rules("shipment", "rate"), CATALOGUE.rules("shipment", "label")
COLLECTED, UPLOADED = CATALOGUE.rules("pickup"), CATALOGUE.rules("documents")
BASE = "/web-services"
USER = "WebAuthenticationDetail/UserCredential"
MASTER = "RequestedShipment/MasterTrackingId/TrackingNumber"
DOCUMENT = "document"
Path = dict[str, str]


class FedexWsSimulator(Simulator):
    """FedEx's web services in a sandbox: whatever is wrong, the status is 200."""

    slug = "fedex_ws"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "body"
    refusals = {
        "bad_login": ("1000", "Authentication Failed", 200),
        "no_service": ("556", "There are no valid services available.", 200),
        "unknown_label": ("8160", "Tracking number {} is not found.", 200),
        "voided_before": ("8159", "Shipment Delete was requested for a number in a deleted state.", 200),
        "too_late": ("8158", "Package {} is tendered and cannot be deleted.", 200),
        "unknown_pickup": ("4100", "Pickup {} is unknown or already cancelled.", 200),
        "bad_day": ("4101", "No pickup can be scheduled on that day.", 200),
        "unknown_number": ("6035", "Invalid tracking numbers. Please check them and resubmit."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self._answer(answers.write_notice("ERROR", refusal.code, refusal.text))

    def is_authorised(self, request: Request) -> bool:
        user = get_path(self.read_soap(request), USER) or {}
        return self.is_valid_client(str(user.get("Key")), str(user.get("Password") or ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"7946{serial % 10_000_000:07d}"
        return f"{body}{compute_fedex_check_digit(body)}"

    def _answer(self, body: Json) -> Reply:
        facts = OPERATIONS.get(find_root(self.request) or "") or OPERATIONS["RateRequest"]
        return make_soap_reply(element(facts["reply"], body, f"http://fedex.com/ws/{facts['schema']}"))

    def _good(self, body: Json) -> Reply:
        return self._answer({**answers.write_notice("SUCCESS", "0000", "Success"), **body})

    # -- prices and labels ---------------------------------------------------------------------

    @route("POST", f"{BASE}/rate", root="RateRequest")
    def rates(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request, RATED)
        services = as_list(get_path(body, "RequestedShipment/ServiceType"))
        priced = self.backend.quote(read_booking(body), services)
        preferred = get_path(body, "RequestedShipment/PreferredCurrency")
        moment = str(get_path(body, "RequestedShipment/ShipTimestamp"))
        return self._good(
            {"RateReplyDetails": [answers.write_rated(price, moment, preferred) for price in priced]}
        )

    @route("POST", f"{BASE}/ship", root="ProcessShipmentRequest")
    def ship(self, request: Request, path: Path) -> Reply:
        """One parcel; the others name the first, and their price is that of all so far."""
        body, master = self.read_soap(request, BOUGHT), None
        if named := get_path(body, MASTER):
            master = str(self.backend.find_labels(str(named))[0]["identifier"])
        sale = self.backend.buy(read_booking(body))
        for record in sale.records:
            self.change(record, identifier=master or sale.identifier)
        sold = self.backend.find_labels(master or sale.identifier)
        paid = sum(label["total"] for label in sold)
        preferred = get_path(body, "RequestedShipment/PreferredCurrency")
        image = get_path(body, "RequestedShipment/LabelSpecification/ImageType")
        papers = {"label": draw(sale, 0), "invoice": self._invoice(body, sale.booking, sale.identifier)}
        return self._good(
            answers.write_sold(sale, master or sale.identifier, (paid, preferred), str(image), papers)
        )

    def _invoice(self, body: Json, booking: Booking, number: str) -> str | None:
        """The commercial invoice in base64, where one is asked for."""
        from shipcli.carrier.wire.label_files import encode_file

        declared = get_path(body, "RequestedShipment/CustomsClearanceDetail/CommercialInvoice")
        if not declared:
            return None
        details = {"Shipment": number, "Terms": declared.get("TermsOfSale") or ""}
        return encode_file(draw_invoice("FedEx commercial invoice", booking, details))

    @route("POST", f"{BASE}/ship", root="DeleteShipmentRequest")
    def void(self, request: Request, path: Path) -> Reply:
        number = get_path(self.read_soap(request), "TrackingId/TrackingNumber")
        self.backend.void(str(number))
        return self._good({})

    # -- tracking ------------------------------------------------------------------------------

    @route("POST", f"{BASE}/track", root="TrackRequest")
    def track(self, request: Request, path: Path) -> Reply:
        selections = as_list(self.read_soap(request)["SelectionDetails"])
        numbers = [str(selection["PackageIdentifier"]["Value"]) for selection in selections]
        return self._good(
            {"CompletedTrackDetails": [{"TrackDetails": self._seen(number)} for number in numbers]}
        )

    def _seen(self, number: str) -> Json:
        seen, no = self.simulate_tracking(number), self.refusal("unknown_number")
        if seen is None:
            notice = {"Severity": "ERROR", "Source": "trck", "Code": no.code, "Message": no.text}
            return {"Notification": notice, "TrackingNumber": number}
        return answers.write_tracked(number, seen, self.find_sold(number) or {})

    # -- collections, papers, addresses --------------------------------------------------------

    @route("POST", f"{BASE}/pickup", root="PickupAvailabilityRequest")
    def offer(self, request: Request, path: Path) -> Reply:
        return self._good({"Options": {"Carrier": "FDXE", "Available": "true"}})

    @route("POST", f"{BASE}/pickup", root="CreatePickupRequest")
    def collect(self, request: Request, path: Path) -> Reply:
        origin = self.read_soap(request, COLLECTED)["OriginDetail"]
        day, _, ready = origin["ReadyTimestamp"].partition("T")
        if ready >= origin["CompanyCloseTime"]:
            raise Refusal("4102", "The place closes before the packages are ready.")
        return self._good({"PickupConfirmationNumber": self.backend.schedule_pickup(day)["number"]})

    def make_pickup_number(self, serial: int) -> str:
        return f"{74_698_000 + serial:010d}"

    @route("POST", f"{BASE}/pickup", root="CancelPickupRequest")
    def call_off(self, request: Request, path: Path) -> Reply:
        self.backend.cancel_pickup(str(self.read_soap(request).get("PickupConfirmationNumber")))
        return self._good({})

    @route("POST", f"{BASE}/uploaddocument", root="UploadDocumentsRequest")
    def upload(self, request: Request, path: Path) -> Reply:
        files = as_list(self.read_soap(request, UPLOADED)["Documents"])
        return self._good({"DocumentStatuses": [self._keep(file) for file in files]})

    def _keep(self, file: Json) -> Json:
        number = f"090493e18{self.next_number(DOCUMENT):07d}"
        self.ledger.put(self.slug, DOCUMENT, number, {"name": file["FileName"]})
        facts = {name: file[name] for name in ("LineNumber", "DocumentType", "FileName")}
        return {**facts, "Status": "SUCCESS", "DocumentId": number}

    @route("POST", f"{BASE}/addressvalidation", root="AddressValidationRequest")
    def validate(self, request: Request, path: Path) -> Reply:
        address: Any = get_path(self.read_soap(request), "AddressesToValidate/Address")
        names = ("StreetLines", "City", "StateOrProvinceCode", "PostalCode", "CountryCode")
        effective = {name: address[name] for name in names if address.get(name)}
        return self._good({"AddressResults": {"State": "STANDARDIZED", "EffectiveAddress": effective}})

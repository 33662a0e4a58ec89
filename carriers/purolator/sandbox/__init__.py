"""Purolator's services as a simulator: estimates, labels and papers, tracking, collections, addresses."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Refusal
from shipcli.carrier.simulation.price_list import find_arrival_day
from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_reply, read_action, read_body
from shipcli.carrier.wire.xml import element, parse, text
from shipcli.models.basics.check_digits import compute_luhn_digit

from .bookings import read_booking
from .papers import draw

CATALOGUE = load_catalogue(__file__)
PATHS = {name: facts["path"] for name, facts in CATALOGUE.table("operations").items()}
ESTIMATE, PURCHASE = CATALOGUE.rules("shipment", "estimate"), CATALOGUE.rules("shipment", "purchase")
RETURN = CATALOGUE.rules("shipment", "return")
PICKUP, SEARCH = CATALOGUE.rules("pickup"), CATALOGUE.rules("search")
NO_ERRORS = {"Errors": "", "InformationalMessages": ""}
BULK = {
    "IsBulkdRequired": False,
    "CutOffTime": "17:30",
    "CutOffWindow": 60,
    "BulkMaxWeight": 500,
    "BulkMaxPackages": 40,
}
REFUSED_WITH: dict[str, Json] = {  # what stands in a refusal too
    "ValidatePickUp": BULK,
    "CreateReturnsManagementShipment": {"ShipmentPIN": {"Value": ""}, "RMA": ""},
}
Path = dict[str, str]


class PurolatorSimulator(Simulator):
    """Purolator in a sandbox."""

    slug = "purolator"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    currency = "CAD"
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("1100001", "The key or its password is not valid", 401),
        "no_service": ("3001203", "No service carries this shipment there"),
        "unknown_label": ("1100511", "PIN {} is not known"),
        "voided_before": ("1100512", "PIN {} is already voided"),
        "too_late": ("1100513", "PIN {} is under way and can't be voided"),
        "unknown_pickup": ("1100612", "Pickup {} is not known, or is already voided"),
        "bad_day": ("1100611", "Nothing is picked up on that day"),
        "unknown_number": ("1300001", "No information is available for this PIN"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        facts = REFUSED_WITH.get(read_action(self.request).rpartition("/")[2], {})
        content = {"ResponseInformation": write_error(refusal), **facts}
        return make_soap_reply(self._root(content), refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        body = str(32_900_000_000 + serial)
        return f"{body}{compute_luhn_digit(body)}"

    def make_pickup_number(self, serial: int) -> str:
        return f"{1_365_000 + serial:08d}"

    def _answer(self, body: Json) -> Reply:
        return make_soap_reply(self._root({"ResponseInformation": NO_ERRORS, **body}))

    def _root(self, body: Json) -> Any:
        name = read_action(self.request).rpartition("/")[2]
        schema = CATALOGUE.table("operations")[name]["schema"]
        return element(f"{name}Response", body, f"http://purolator.com/pws/datatypes/{schema}")

    # -- prices and labels ---------------------------------------------------------------------

    @route("POST", PATHS["GetFullEstimate"], action="GetFullEstimate")
    def estimate(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request, ESTIMATE)
        booking, others = read_booking(body), body["ShowAlternativeServicesIndicator"] == "true"
        prices = self.backend.quote(booking, () if others else [booking.service])
        today = booking.ship_date or self.clock().date()
        estimates = [write_estimate(price, today) for price in prices]
        return self._answer({"ShipmentEstimates": {"ShipmentEstimate": estimates}})

    @route("POST", PATHS["CreateShipment"], action="CreateShipment")
    def create(self, request: Request, path: Path) -> Reply:
        return self._sell(read_booking(self.read_soap(request, PURCHASE)), request)

    @route("POST", PATHS["CreateReturnsManagementShipment"], action="CreateReturnsManagementShipment")
    def create_return(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request)
        self.enforce(RETURN, {**body, "Shipment": body["ReturnsManagementShipment"]})
        return self._sell(read_booking(body), request, RMA=body.get("RMA", ""))

    def _sell(self, booking: Booking, request: Request, **answer: str) -> Reply:
        sale = self.backend.buy(booking, order=text(read_body(request)))
        draw(booking, sale.numbers, "PDF")  # what can't be printed must not be sold
        pins = [{"Value": number} for number in sale.numbers]
        return self._answer({"ShipmentPIN": {"Value": sale.identifier}, "PiecePINs": {"PIN": pins}, **answer})

    @route("POST", PATHS["GetDocuments"], action="GetDocuments")
    def documents(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request)
        criteria = body["DocumentCriterium"]["DocumentCriteria"]
        labels = self.backend.find_labels(criteria["PIN"]["Value"])
        booking = read_booking(convert_to_plain(parse(labels[0]["order"])))
        kind = body.get("OutputType", "PDF")
        file = draw(booking, [label["number"] for label in labels], kind)
        detail = {
            "DocumentType": criteria["DocumentTypes"]["DocumentType"],
            "Description": "Bill of Lading",
            "DocumentStatus": "Completed",
            "URL": "",
            "Data": encode_file(file),
        }
        document = {"PIN": criteria["PIN"], "DocumentDetails": {"DocumentDetail": detail}}
        return self._answer({"Documents": {"Document": document}})

    @route("POST", PATHS["VoidShipment"], action="VoidShipment")
    def void(self, request: Request, path: Path) -> Reply:
        self.backend.void(self.read_soap(request)["PIN"]["Value"])
        return self._answer({"ShipmentVoided": True})

    # -- tracking ------------------------------------------------------------------------------

    @route("POST", PATHS["TrackPackagesByPin"], action="TrackPackagesByPin")
    def track(self, request: Request, path: Path) -> Reply:
        numbers = [pin["Value"] for pin in as_list(self.read_soap(request)["PINs"]["PIN"])]
        information = [self._information(number) for number in numbers]
        return self._answer({"TrackingInformationList": {"TrackingInformation": information}})

    @route("POST", PATHS["TrackPackagesByReference"], action="TrackPackagesByReference")
    def search(self, request: Request, path: Path) -> Reply:
        """Packages by a reference of their shipment that left between two days."""
        criteria = self.read_soap(request, SEARCH)["TrackPackageByReferenceSearchCriteria"]
        labels = [
            label for label in self.backend.find_by_key(criteria["Reference"]) if not label["voided_at"]
        ]
        if not labels:
            raise self.refusal("unknown_number")
        information = [self._information(str(label["number"])) for label in labels]
        return self._answer({"TrackingInformationList": {"TrackingInformation": information}})

    def _information(self, number: str) -> Json:
        pin = {"Value": number}
        seen = self.simulate_tracking(number, country="CA")
        if seen is None:
            return {"PIN": pin, "ResponseInformation": write_error(self.refusal("unknown_number"))}
        scans = [write_scan(pin, scan) for scan in reversed(seen.scans)]
        return {"PIN": pin, "Scans": {"Scan": scans}, "ResponseInformation": NO_ERRORS}

    # -- collections and addresses -------------------------------------------------------------

    @route("POST", PATHS["ValidatePickUp"], action="ValidatePickUp")
    def check(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request, PICKUP)["PickupInstruction"]
        if body["AnyTimeAfter"] >= body["UntilTime"]:
            raise Refusal("1100613", "The closing time is before the ready time")
        return self._answer(BULK)

    @route("POST", PATHS["SchedulePickUp"], action="SchedulePickUp")
    def collect(self, request: Request, path: Path) -> Reply:
        booked = self.backend.schedule_pickup(self.read_soap(request, PICKUP)["PickupInstruction"]["Date"])
        return self._answer({"PickUpConfirmationNumber": booked["number"]})

    @route("POST", PATHS["ModifyPickUp"], action="ModifyPickUp")
    def change_pickup(self, request: Request, path: Path) -> Reply:
        body = self.read_soap(request)
        number, closes = body["ConfirmationNumber"], body["ModifyPickupInstruction"]["UntilTime"]
        self.backend.update_pickup(number, self.backend.find_pickup(number)["day"], closes=closes)
        return self._answer({"PickUpConfirmationNumber": number})

    @route("POST", PATHS["VoidPickUp"], action="VoidPickUp")
    def cancel_pickup(self, request: Request, path: Path) -> Reply:
        self.backend.cancel_pickup(self.read_soap(request)["PickUpConfirmationNumber"])
        return self._answer({"PickUpVoided": True})

    @route("POST", PATHS["ValidateCityPostalCodeZip"], action="ValidateCityPostalCodeZip")
    def check_address(self, request: Request, path: Path) -> Reply:
        address = self.read_soap(request)["Addresses"]["ShortAddress"]
        wrong = "NOWHERE" in address["City"].upper()
        refusal = Refusal("1100401", "City and postal code do not match")
        problem = write_error(refusal) if wrong else NO_ERRORS
        suggested = {"Address": address, "ResponseInformation": problem}
        return self._answer({"SuggestedAddresses": {"SuggestedAddress": suggested}})


def write_error(refusal: Refusal) -> Json:
    error = {"Code": refusal.code, "Description": refusal.text, "AdditionalInformation": refusal.path}
    return {"Errors": {"Error": error}, "InformationalMessages": ""}


def write_estimate(priced: PricedOffer, day: Any) -> Json:
    offer = priced.offer
    lines = [("Fuel", "Fuel", offer.fuel)]
    lines += [(CATALOGUE.surcharges[name].code, name.title(), cost) for name, cost in priced.extras.items()]
    return {
        "ServiceID": offer.code,
        "ShipmentDate": day,
        "ExpectedDeliveryDate": find_arrival_day(day, offer.days),
        "EstimatedTransitDays": offer.days,
        "BasePrice": offer.base,
        "Surcharges": {
            "Surcharge": [{"Amount": cost, "Type": code, "Description": name} for code, name, cost in lines]
        },
        "Taxes": "",
        "TotalPrice": priced.total,
    }


def write_scan(pin: Json, scan: Scan) -> Json:
    return {
        "ScanType": CATALOGUE.statuses.code(scan.status),
        "PIN": pin,
        "Depot": {"Name": f"{scan.city.upper()}, {scan.country}"},
        "ScanDate": scan.at.date(),
        "ScanTime": f"{scan.at:%H%M%S}",
        "Description": scan.description,
        "Comment": "",
        "SummaryScanIndicator": False,
    }

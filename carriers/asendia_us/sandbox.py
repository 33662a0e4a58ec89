"""Asendia's A1 platform in the sandbox."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Refusal, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.simulator import Simulator, read_basic, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_postal_check_digit
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PRICED, ORDERED = CATALOGUE.rules("rate"), CATALOGUE.rules("package")
PLATFORM = "/api/A1/v1.0/ShippingPlatform"


class AsendiaUsSimulator(Simulator):
    """Asendia US in a sandbox."""

    slug = "asendia_us"
    tariffs = CATALOGUE.tariffs
    auth_scheme = "basic"
    refusals = {
        "bad_login": (401, "Authentication to the resource has been denied.", 401),
        "no_service": (400, "No rate was found for the package."),
        "unknown_label": (404, "The package was not found.", 404),
        "voided_before": (400, "The package {} was already cancelled."),
        "too_late": (400, "The package {} was processed and can not be cancelled."),
        "unknown_number": (404, "No milestones were found for {}.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json(write_status(refusal.code, refusal.text), refusal.status)

    def is_authorised(self, request: Request) -> bool:
        key = request.header("X-AsendiaOne-ApiKey")
        return self.is_valid_client(*read_basic(request)) and self.is_valid_client("key", key)

    def make_number(self, booking: Booking, serial: int) -> str:
        body = f"{serial % 100_000_000:08d}"
        return f"RL{body}{compute_postal_check_digit(body)}CH"

    @route("GET", f"{PLATFORM}/ShippingRate")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        self.enforce(PRICED, query)
        prices = self.backend.quote(read_booking(query))
        matches = [price for price in prices if query["productCode"] in ("*", price.offer.code)]
        if not matches:
            raise self.refusal("no_service")
        return self.json({"shippingRates": [write_rate(price) for price in matches], **done()})

    @route("POST", f"{PLATFORM}/Package")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ORDERED, body)
        sale = self.backend.buy(read_booking(body))
        number, kind = sale.numbers[0], sale.booking.label
        file = {"name": f"{number}.{kind.lower()}", "type": kind, "content": draw(sale)}
        label = {"packageId": sale.identifier, "trackingNumber": number, "labels": [file]}
        return self.json({"shippingRates": [write_rate(sale.priced)], "packageLabel": label, **done()})

    @route("DELETE", f"{PLATFORM}/Package")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(request.query.get("packageID", ""))
        return self.json(write_status(200, "The package was cancelled."))

    @route("GET", "/api/A1/v2.0/Tracking/Milestone")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        """What is known of the numbers; those that are not are named beside it."""
        seen = {
            number: self.simulate_tracking(number)
            for number in request.query["trackingNumberVendor"].split(",")
        }
        unknown = ", ".join(number for number, scans in seen.items() if not scans)
        refusal = self.refusal("unknown_number", unknown)
        data = [write_tracked(number, scans) for number, scans in seen.items() if scans]
        if not data:
            raise refusal
        status = {"responseStatus": write_status(refusal.code, refusal.text)} if unknown else done()
        return self.json({"data": data, **status})


def draw(sale: Sale) -> str:
    """The label of a package, as base64 text."""
    booking, number = sale.booking, sale.numbers[0]
    service = CATALOGUE.table("service_names")[booking.service]
    furniture = {"mark": "A", "caption": group_text(number, 2, 3, 3, 3)}
    spec = draw_booking(booking, number, 0, "ASENDIA", service, **furniture)
    return encode_file(draw_format(spec, booking.label))


def write_status(code: object, text: str) -> Json:
    return {"responseStatusCode": code, "responseStatusMessage": text}


def done() -> Json:
    return {"responseStatus": write_status(200, "")}


def read_booking(body: Json) -> Booking:
    """The package of an order, or of the query for a price; it comes from the United States."""
    unit = str(body["weightUnit"]).upper()
    return Booking(
        shipper=read_party(body, CATALOGUE.paths("shipper"), "US"),
        recipient=read_party(body, CATALOGUE.paths("recipient")),
        weights=(convert_weight(Decimal(str(body["totalPackageWeight"])), unit, "KG"),),
        service=str(body["productCode"]),
        account=body.get("accountNumber"),
        reference=body.get("customerReferenceNumber1"),
        items=read_items(body.get("items") or (), CATALOGUE.paths("item"), body.get("currencyType") or ""),
        label=body.get("labelType") or "PDF",
    )


def write_rate(priced: PricedOffer) -> Json:
    return {"productCode": priced.offer.code, "rate": priced.total, "currencyType": priced.currency}


def write_tracked(number: str, seen: SimulatedTracking) -> Json:
    events = [write_milestone(scan) for scan in reversed(seen.scans)]
    return {"trackingNumberVendor": number, "trackingMilestoneEvents": events}


def write_milestone(scan: Scan) -> Json:
    return {
        "eventCode": CATALOGUE.statuses.code(scan.status),
        "eventDescription": scan.description,
        "eventLocation": f"{scan.city}, {scan.country}",
        "eventOn": scan.at.isoformat(),
    }

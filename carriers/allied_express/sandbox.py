"""Allied Express's facade in the sandbox: prices, jobs with their labels, cancellations, scans."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
SPACE = {"@xmlns:ns1": "http://neptune.alliedexpress.com.au/ttws-ejb"}


def soap(name: str, result: Any) -> Json:
    return {"soapenv:Body": {f"ns1:{name}Response": {**SPACE, "result": result}}}


class AlliedExpressSimulator(Simulator):
    """Allied Express in a sandbox."""

    slug = "allied_express"
    tariffs = CATALOGUE.tariffs
    rules = CATALOGUE.rules("job")
    currency = "AUD"
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("", "The user name or the password is not valid.", 401),
        "no_service": ("", "Validation failed: the service level is not available for this job."),
        "unknown_label": ("", "No such job: {}."),
        "voided_before": ("", "Job {} is cancelled already."),
        "too_late": ("", "Job {} is under way and can't be cancelled."),
        "unknown_number": ("", "No Shipment status found."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """A field that breaks the schema is named in a text; everything else is the error of a result."""
        if refusal.path:
            text = f'"{refusal.path}" {refusal.text}\n\nFailed validating in schema: {{'
            return Reply(refusal.status, text.encode(), {"content-type": "text/plain"})
        return self.json(soap("error", {"errors": refusal.text}), refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"AOE{serial:06d}J"

    @route("POST", "/calculatePrice")
    def price(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(self.rules, request.json)
        priced = self.backend.price(read_booking(request.json))
        return self.json({"soapenv:Envelope": self.write_price(priced)})

    @route("POST", "/GetLabelfull")
    def book(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(self.rules, request.json)
        sale = self.backend.buy(read_booking(request.json))
        return self.json({"Tracking": sale.identifier, **self.write_sold(sale)})

    def write_price(self, priced: PricedOffer) -> Json:
        """The charge of the job with its fuel."""
        fuel = {"chargeCode": "FL", "description": "FUEL LEVY", "netValue": str(priced.offer.fuel)}
        total = {"jobCharge": str(priced.offer.base), "totalCharge": str(priced.total)}
        return soap("calculatePrice", {**total, "surcharges": [fuel]})

    def write_sold(self, sale: Sale) -> Json:
        return {"Price": {"soapenv:Envelope": self.write_price(sale.priced)}, **soap("getLabel", draw(sale))}

    @route("POST", "/cancelJob/{number}/{code}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        labels = self.backend.find_labels(path["number"])
        if any(label["recipient_postal_code"] != path["code"] for label in labels):
            raise self.refusal("unknown_label", path["number"])
        self.backend.void(path["number"])
        return self.json({"soapenv:Envelope": soap("cancelDispatchJob", "0")})

    @route("POST", "/getShipmentsStatus/{number}")
    def status(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country="AU")
        scans = [write_scan(path["number"], scan) for scan in seen.scans]
        listed = scans if len(scans) > 1 else scans[0]
        return self.json(soap("getShipmentsStatus", {"statusBarcodesList": listed}))


def read_booking(job: Json) -> Booking:
    party = CATALOGUE.paths("party")
    return Booking(
        shipper=read_party(job["jobStops_P"], party),
        recipient=read_party(job["jobStops_D"], party),
        weights=tuple(Decimal(str(item["weight"])) for item in job["items"]),
        service=job["serviceLevel"],
        account=job["account"],
        reference=next(iter(job.get("referenceNumbers") or ()), None),
    )


def draw(sale: Sale) -> str:
    """A page for each item, numbered as its scans are."""
    from shipcli.drawing import draw_labels

    booking = sale.booking
    service = CATALOGUE.services.slug(booking.service).removeprefix("allied_").replace("_", " ").upper()
    specs = [
        draw_booking(
            booking,
            f"{sale.identifier}-{at + 1:03d}",
            at,
            "Allied Express",
            service,
            mark=booking.service[:3],
            routing=f"{booking.recipient.state} {booking.recipient.postal_code}",
            banner="CON NOTE " + sale.identifier,
        )
        for at in range(len(sale.numbers))
    ]
    return encode_file(draw_labels(specs, "PDF"))


def write_scan(number: str, scan: Scan) -> Json:
    phrase = CATALOGUE.table("said").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    at = scan.at.isoformat(timespec="milliseconds")
    return CATALOGUE.fill("scan", number=number, depot=scan.city.upper(), said=phrase, at=at)

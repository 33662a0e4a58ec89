"""OmniParcel, SEKO's server, in the sandbox."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Refusal, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
PRICED, ORDERED, NUMBERS = (CATALOGUE.rules(name) for name in ("rate", "order", "numbers"))
ABROAD = CATALOGUE.rules("abroad")
HOME = "US"  # where the account of the sandbox ships from: a price question does not say it
PARTY = CATALOGUE.paths("party")
PAGE = "http://track.omniparcel.com/"
REJECTED = "Rejected"


class SekoSimulator(Simulator):
    """SEKO in a sandbox. Prices depend on weight and service alone: the question names no origin."""

    slug = "seko"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    auth_scheme = "token"
    token_header = "access_key"
    refusals = {
        "bad_login": ("Error", "Authorization has been denied for this request.", 401),
        "no_service": (REJECTED, "No carrier takes these packages there.", 200),
        "unknown_label": ("Error", "Invalid ticket number."),
        "voided_before": ("Error", "Cannot be deleted. Already deleted."),
        "too_late": ("Error", "Cannot be deleted. Already manifested."),
        "closed_before": ("Error", "{} has already been manifested."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        if refusal.status == 401:
            return self.json({"Message": refusal.text}, 401)
        if refusal.code == REJECTED:
            return self.json({"Available": [], REJECTED: [{"Reason": refusal.text}]}, refusal.status)
        field = refusal.path.replace("/", ".")
        error = {"Property": field, "Message": refusal.text, "Key": field.rpartition(".")[2], "Value": ""}
        return self.json({"Errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"{6994000000 + serial}"

    @route("POST", "/ratesqueryv1/availablerates")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(PRICED, body)
        prices = self.backend.quote(read_booking(body))
        return self.json({"Available": [write_price(price) for price in prices], REJECTED: []})

    @route("POST", "/labels/printshipment")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ORDERED, body)
        booking = read_booking(body)
        if booking.shipper.country != booking.recipient.country:
            self.enforce(ABROAD, body)
        sale = self.backend.buy(booking)
        files = [draw(sale, at) for at in range(len(sale.numbers))]
        return self.json(write_sale(sale, body["Outputs"][0], files))

    @route("POST", "/labels/delete")
    def delete(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(NUMBERS, {"numbers": request.json})
        return self.json({number: self._delete(number) for number in request.json})

    def _delete(self, number: str) -> str:
        try:
            self.backend.void(number)
        except Refusal as no:
            return no.text
        return "Deleted"

    @route("POST", "/labels/statusv2")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(NUMBERS, {"numbers": request.json})
        seen = {number: self.simulate_tracking(number) for number in request.json}
        return self.json([self._status(number, scans) for number, scans in seen.items()])

    def _status(self, number: str, seen: SimulatedTracking | None) -> Json:
        if seen is None:
            return {"ConsignmentNo": number, "Status": self.refusal("unknown_label").text, "Events": []}
        return write_tracked(number, seen, (self.find_sold(number) or {}).get("reference"))

    @route("POST", "/v2/publishmanifestv4")
    def publish(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(NUMBERS, {"numbers": request.json})
        number, labels = self.backend.manifest(request.json)
        connotes = list(dict.fromkeys(str(label["identifier"]) for label in labels))
        content = draw_manifest(number, connotes)
        form = {"ManifestNumber": number, "ManifestedConnotes": connotes, "ManifestContent": content}
        return self.json({"OutboundManifest": [form], "Error": [], "StatusCode": 200})


def read_booking(body: Json) -> Booking:
    """The packages of an order, or of the question for prices, which names no origin."""
    signed = body.get("issignaturerequired") or body.get("IsSignatureRequired")
    destination = read_party(body["Destination"], PARTY)
    return Booking(
        shipper=read_party(body["Origin"], PARTY) if "Origin" in body else Party(country=HOME),
        recipient=destination,
        weights=tuple(Decimal(str(package["Kg"])) for package in body["Packages"]),
        service=body.get("Service") or "",
        reference=body.get("DeliveryReference"),
        extras=("signature",) if signed else (),
        items=read_items(body.get("Commodities") or (), CATALOGUE.paths("item")),
        label=str(get_path(body, "Outputs") or "LABEL_PDF").split("_")[1],
    )


def write_price(priced: PricedOffer) -> Json:
    carrier = {"CarrierId": 604, "CarrierName": "Omni Parcel", "CarrierServiceType": "InternationalCourier"}
    return {"DeliveryType": priced.offer.code, "Cost": priced.total, "QuoteId": priced.offer.code, **carrier}


def write_sale(sale: Sale, sheet: str, files: list[str]) -> Json:
    """One consignment, with an item for each package."""
    items = [{"PartNo": at, "TrackingNo": number} for at, number in enumerate(sale.numbers, 1)]
    consignment = {
        "Connote": sale.identifier,
        "TrackingUrl": f"{PAGE}{sale.identifier}",
        "Cost": sale.priced.total,
        "ConsignmentId": int(sale.identifier) if sale.identifier.isdigit() else 1,
        "OutputFiles": {sheet: files},
        "Items": items,
    }
    facts = {"CarrierId": 604, "CarrierName": "Omni Parcel", "CarrierType": 33, "SiteId": 1153896}
    return {**facts, "Message": "Connote created.", "Errors": [], "Consignments": [consignment]}


def draw(sale: Sale, at: int) -> str:
    """The label of one package, as base64 text."""
    booking, number = sale.booking, sale.numbers[at]
    furniture = {"mark": "S", "caption": group_text(number, 4, 3, 3)}
    spec = draw_booking(booking, number, at, "SEKO", booking.service.upper(), **furniture)
    return encode_file(draw_format(spec, booking.label))


def draw_manifest(number: str, connotes: list[str]) -> str:
    from shipcli.drawing import draw_form

    rows = [(connote,) for connote in connotes]
    return encode_file(draw_form(f"Manifest {number}", rows, columns=("Consignment",), sample=True))


def write_tracked(number: str, seen: SimulatedTracking, reference: str | None) -> Json:
    events = [write_event(scan) for scan in seen.scans]
    return {
        "ConsignmentNo": number,
        "Status": seen.scans[-1].description,
        "Picked": None,
        "Delivered": f"{seen.scans[-1].at:%Y-%m-%dT%H:%M:%S}" if seen.delivered else None,
        "Tracking": f"{PAGE}{number}",
        "Reference1": reference or "",
        "Events": events,
    }


def write_event(scan: Scan) -> Json:
    return {
        "EventDT": f"{scan.at:%Y-%m-%dT%H:%M:%S}",
        "OmniCode": CATALOGUE.statuses.code(scan.status),
        "Description": scan.description,
        "Location": f"{scan.city},{scan.country}",
        "Part": 1,
    }

"""Spring's server in the sandbox: one address for orders, cancellations and tracking."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.check_digits import compute_postal_check_digit

CATALOGUE = load_catalogue(__file__)
ORDERED, NAMED = CATALOGUE.rules("order"), CATALOGUE.rules("number")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
SERVICES = {row.code: row.slug for row in CATALOGUE.services}
TITLES = {row["service_code"]: row["service_name"] for row in CATALOGUE.to_dict("service_levels")}
UNLABELLED, NOT_DONE = "NOLABEL", 10


class SpringSimulator(Simulator):
    """Spring in a sandbox."""

    slug = "spring"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("10", "Invalid API key or unauthorized access"),
        "invalid": ("10", "The request is not valid"),
        "no_service": ("10", "The service does not carry this parcel there"),
        "unknown_label": ("10", "Shipment {} not found"),
        "voided_before": ("10", "Shipment {} is already voided"),
        "too_late": ("10", "Shipment {} is on its way"),
        "unknown_number": ("10", "Tracking number not found"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"ErrorLevel": NOT_DONE, "Error": refusal.text})

    def is_authorised(self, request: Request) -> bool:
        return self.is_valid_client("key", request.json.get("Apikey") or "")

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{21_000_000 + serial:08d}"
        return f"LX{digits}{compute_postal_check_digit(digits)}NL"

    @route("POST", "/")
    def obey(self, request: Request, path: dict[str, str]) -> Reply:
        commands = {"OrderShipment": self._order, "VoidShipment": self._void, "TrackShipment": self._track}
        command = commands.get(request.json.get("Command"))
        if command is None:
            raise Refusal("10", "The command is unknown")
        return self.json({"ErrorLevel": 0, "Error": "", "Shipment": command(request.json)})

    def _order(self, body: Json) -> Json:
        self.enforce(ORDERED, body)
        shipment = body["Shipment"]
        sale = self.backend.buy(read_booking(shipment))
        image = "" if sale.booking.service == UNLABELLED else encode_file(draw(sale))
        paper = {"LabelFormat": shipment["LabelFormat"], "LabelType": "Label", "LabelImage": image}
        return {**describe(sale.numbers[0], sale.booking.service), **pick(shipment), **paper}

    def _void(self, body: Json) -> Json:
        self.enforce(NAMED, body)
        number = body["Shipment"]["TrackingNumber"]
        self.backend.void(number)
        return {"TrackingNumber": number}

    def _track(self, body: Json) -> Json:
        self.enforce(NAMED, body)
        number = body["Shipment"]["TrackingNumber"]
        seen = self.require_tracking(number, country="NL")
        return {**describe(number, "TRCK"), "Events": [write_event(scan) for scan in seen.scans]}


def read_booking(shipment: Json) -> Booking:
    sides = [shipment[name] for name in ("Length", "Width", "Height") if name in shipment]
    return Booking(
        shipper=read_party(shipment["ConsignorAddress"], PARTY),
        recipient=read_party(shipment["ConsigneeAddress"], PARTY),
        weights=(Decimal(shipment["Weight"]),),
        parcels=(measure_parcel(shipment["Weight"], "KG", sides, rounding="0.01"),),
        service=shipment["Service"],
        reference=shipment["ShipperReference"],
        items=read_items(map(read_piece, shipment.get("Products", ())), ITEM, shipment.get("Currency", "")),
        label=shipment["LabelFormat"][:3],
    )


def read_piece(product: Json) -> Json:
    """A product with the value of one piece."""
    return {**product, "Value": Decimal(product.get("Value", 0)) / Decimal(product["Quantity"])}


def pick(shipment: Json) -> Json:
    return {name: shipment[name] for name in ("ShipperReference", "DisplayId") if name in shipment}


def describe(number: str, service: str) -> Json:
    return {
        "TrackingNumber": number,
        "Service": service,
        "Carrier": name_service(service),
        "CarrierTrackingNumber": number,
        "CarrierLocalTrackingNumber": number,
        "CarrierTrackingUrl": f"https://www.mailingtechnology.com/tracking/?tn={number}",
    }


def name_service(code: str) -> str:
    slug = SERVICES[code]
    return str(TITLES.get(slug) or slug.replace("_", " ").title())


def write_event(scan: Scan) -> Json:
    return {
        "Timestamp": int(scan.at.timestamp()),
        "DateTime": f"{scan.at:%Y-%m-%d %H:%M:%S}",
        "Country": scan.country,
        "City": scan.city,
        "Code": int(CATALOGUE.statuses.code(scan.status)),
        "Description": scan.description,
    }


def draw(sale: Sale) -> bytes:
    booking, number = sale.booking, sale.numbers[0]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": "S", "routing": routing, "caption": group_text(number, 2, 3, 3, 3)}
    title = name_service(booking.service).upper()
    return draw_format(draw_booking(booking, number, 0, "SPRING", title, **furniture), booking.label)

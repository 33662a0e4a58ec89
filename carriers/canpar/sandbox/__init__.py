"""Canpar's services as a simulator: prices, labels and their files, tracking, collections, addresses."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Refusal
from shipcli.carrier.simulation.rules import Rules, convert_to_plain
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.soap import make_soap_reply, read_action, read_body
from shipcli.carrier.wire.xml import SOAP_12, element, parse, text

from .bookings import read_booking
from .papers import draw

CATALOGUE = load_catalogue(__file__)
PATHS = {name: f"/canshipws/services{facts['path']}" for name, facts in CATALOGUE.table("endpoints").items()}
LOGIN = CATALOGUE.rules("login")
SHIPMENT, PICKUP = CATALOGUE.rules("login", "shipment"), CATALOGUE.rules("login", "pickup")
Path = dict[str, str]
SPACES = {
    "@xmlns:xsd": "http://ws.dto.canshipws.canpar.com/xsd",
    "@xmlns:xsd1": "http://dto.canshipws.canpar.com/xsd",
}


class CanparSimulator(Simulator):
    """Canpar in a sandbox."""

    slug = "canpar"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    currency = "CAD"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("", "Invalid user id or password"),
        "no_service": ("", "The service is not available for this shipment"),
        "unknown_label": ("", "Shipment {} was not found"),
        "voided_before": ("", "Shipment {} is already voided"),
        "too_late": ("", "Shipment {} is manifested and can't be voided"),
        "unknown_pickup": ("", "Pickup {} was not found or is already cancelled"),
        "bad_day": ("", "No pickup is possible on that day"),
        "unknown_number": ("", "Barcode was not found"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self._answer({"error": refusal.text})

    def is_authorised(self, request: Request) -> bool:
        """Anyone may track."""
        login = self.read_soap(request)["request"]
        return "barcode" in login or self.is_valid_client(login.get("user_id", ""), login.get("password", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"D{999_999_880_000_000_000_000 + serial:021d}"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        return str(10_000_000 + int(numbers[0][-8:]))

    def make_pickup_number(self, serial: int) -> str:
        return str(10_000_000 + serial)

    def _answer(self, body: Json) -> Reply:
        name = read_action(self.request).removeprefix("urn:")
        space = CATALOGUE.table("endpoints")[CATALOGUE.table("operations")[name]]["namespace"]
        content = {**SPACES, "return": write_told(body)}
        return make_soap_reply(element(f"{name}Response", content, space, "ns"), version=SOAP_12)

    def _read(self, request: Request, rules: Rules) -> Json:
        body: Json = self.read_soap(request)["request"]
        self.enforce(rules, body)
        return body

    # -- prices and labels ---------------------------------------------------------------------

    @route("POST", PATHS["rating"], action="urn:rateShipment")
    def rate(self, request: Request, path: Path) -> Reply:
        booking = read_booking(self._read(request, SHIPMENT)["shipment"])
        shipment = write_price(self.backend.price(booking))
        return self._answer({"processShipmentResult": {"shipment": shipment}})

    @route("POST", PATHS["business"], action="urn:processShipment")
    def process(self, request: Request, path: Path) -> Reply:
        booking = read_booking(self._read(request, SHIPMENT)["shipment"])
        sale = self.backend.buy(booking, order=text(read_body(request)))
        draw(booking, sale.numbers, "PDF")  # what can't be printed must not be sold
        packages = [{"barcode": number} for number in sale.numbers]
        shipment = {**write_price(sale.priced), "id": sale.identifier, "packages": packages}
        return self._answer({"processShipmentResult": {"shipment": shipment}})

    @route("POST", PATHS["business"], action="urn:getLabelsAdvanced")
    def labels(self, request: Request, path: Path) -> Reply:
        body = self._read(request, LOGIN)
        labels = self.backend.find_labels(body["id"])
        booking = read_booking(convert_to_plain(parse(labels[0]["order"]))["request"]["shipment"])
        kind = "ZPL" if body.get("thermal") == "true" else "PDF"
        return self._answer(
            {"labels": encode_file(draw(booking, [label["number"] for label in labels], kind))}
        )

    @route("POST", PATHS["business"], action="urn:voidShipment")
    def void(self, request: Request, path: Path) -> Reply:
        self.backend.void(self._read(request, LOGIN)["id"])
        return self._answer({"error": None})

    # -- tracking, collections, addresses ------------------------------------------------------

    @route("POST", PATHS["addons"], action="urn:trackByBarcodeV2")
    def track(self, request: Request, path: Path) -> Reply:
        number = self.read_soap(request)["request"]["barcode"]
        seen = self.require_tracking(number, country="CA")
        result = {
            "barcode": number,
            "delivered": seen.delivered,
            "estimated_delivery_date": f"{seen.estimated:%Y%m%d}" if seen.estimated else None,
            "events": [write_event(scan) for scan in reversed(seen.scans)],
        }
        return self._answer({"result": result})

    @route("POST", PATHS["addons"], action="urn:schedulePickupV2")
    def collect(self, request: Request, path: Path) -> Reply:
        pickup = self._read(request, PICKUP)["pickup"]
        booked = self.backend.schedule_pickup(pickup["pickup_date"][:10])
        return self._answer({"pickup": {**pickup, "id": booked["number"]}})

    @route("POST", PATHS["addons"], action="urn:cancelPickup")
    def cancel_pickup(self, request: Request, path: Path) -> Reply:
        self.backend.cancel_pickup(self._read(request, LOGIN)["id"])
        return self._answer({"error": None})

    @route("POST", PATHS["rating"], action="urn:searchCanadaPost")
    def search(self, request: Request, path: Path) -> Reply:
        body = self._read(request, LOGIN)
        if "NOWHERE" in body["city"].upper():
            raise Refusal("", "The address was not found")
        street = f"{body['street_num']} {body['street_name']}".upper().strip()
        locality = {"city": body["city"].upper(), "country": "CA", "postal_code": body["postal_code"]}
        address = {"address_line_1": street, **locality, "province": body["province"], "residential": False}
        return self._answer({"address": address})


def write_told(body: Json) -> Json:
    """What an operation returns: its members are of one namespace, what they hold of another."""
    return {f"xsd:{name}": write_inner(value) for name, value in sort_members(body).items()}


def write_inner(value: Any) -> Any:
    return {f"xsd1:{name}": inner for name, inner in value.items()} if isinstance(value, dict) else value


def sort_members(value: Any) -> Any:
    """Members stand in alphabetical order, as in the schemas."""
    if isinstance(value, list):
        return [sort_members(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: sort_members(inner) for name, inner in sorted(value.items())}


def write_price(priced: PricedOffer) -> Json:
    offer, surcharges = priced.offer, CATALOGUE.surcharges
    return {
        "freight_charge": offer.base,
        "fuel_surcharge": offer.fuel,
        **{surcharges[name].code: amount for name, amount in priced.extras.items()},
        "service_type": offer.code,
        "transit_time": offer.days,
    }


def write_event(scan: Scan) -> Json:
    return {
        "address": {"city": scan.city.upper(), "country": scan.country},
        "code": CATALOGUE.statuses.code(scan.status),
        "code_description_en": scan.description.upper(),
        "code_description_fr": scan.description.upper(),
        "local_date_time": f"{scan.at:%Y%m%d %H%M%S}",
    }

"""Landmark Global's server in the sandbox: orders, cancellations, tracking."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.rules import Rules, convert_to_plain
from shipcli.carrier.simulation.simulator import Refusal, Simulator, find_root, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.carrier.wire.xml import element
from shipcli.models.basics.check_digits import compute_postal_check_digit
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
ORDERED, NAMED = CATALOGUE.rules("order"), CATALOGUE.rules("number")
PARTY, ITEM = CATALOGUE.paths("to"), CATALOGUE.paths("item")
HOST, LAST_MILE = "/v2", "Royal Mail"


class LandmarkSimulator(Simulator):
    """Landmark Global in a sandbox."""

    slug = "landmark"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "GBP"
    auth_scheme = "body"
    refusals = {
        "bad_login": ("login", "The username or the password is wrong"),
        "invalid": ("invalid", "The request is not valid"),
        "no_service": ("method", "The ship method does not carry this shipment there"),
        "unknown_label": ("notfound", "There is no shipment {}"),
        "voided_before": ("unprocess", "The shipment {} was already unprocessed"),
        "too_late": ("unprocess", "The shipment {} is already assigned to a shipment group"),
        "unknown_number": ("notfound", "There is no such tracking number"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"ErrorCode": refusal.code, "ErrorMessage": refusal.text}
        result = {"Success": False, "ResultMessage": "See Errors element for error details"}
        return self._answer({"Errors": {"Error": error}, "Result": result})

    def _answer(self, body: Json) -> Reply:
        name = str(find_root(self.request)).replace("Request", "Response").replace("Import", "Ship")
        return self.xml(element(name, body))

    def is_authorised(self, request: Request) -> bool:
        login = convert_to_plain(request.xml).get("Login") or {}
        return self.is_valid_client(login.get("Username", ""), login.get("Password", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"LTN{450_000_000 + serial:09d}N1"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"{87_000_000 + self.next_number('package'):010d}"

    @route("POST", f"{HOST}/Ship.php", root="ShipRequest")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        return self._sell(self.read_xml(request, "ShipRequest", ORDERED), labelled=True)

    @route("POST", f"{HOST}/Import.php", root="ImportRequest")
    def take_in(self, request: Request, path: dict[str, str]) -> Reply:
        body = self.read_xml(request, "ImportRequest", ORDERED)
        return self._sell(body, labelled=body.get("ProduceLabel") == "true")

    def _sell(self, body: Json, labelled: bool) -> Reply:
        sale = self.backend.buy(read_booking(body))
        packages = [write_package(sale, at, labelled) for at in range(len(sale.numbers))]
        text = f"Shipment {sale.booking.reference} successfully created and processed"
        result = {
            "Success": True,
            "ResultMessage": text,
            "ShippingCarrier": LAST_MILE,
            "Packages": {"Package": packages},
        }
        return self._answer({"Test": True, "Result": result})

    @route("POST", f"{HOST}/Cancel.php", root="CancelRequest")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        number = self._read_number(request, "CancelRequest")
        self.backend.void(number)
        text = f"Successfully unprocessed shipment {number}"
        return self._answer({"Test": True, "Result": {"Success": True, "ResultMessage": text}})

    @route("POST", f"{HOST}/Track.php", root="TrackRequest")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = self._read_number(request, "TrackRequest")
        seen = self.require_tracking(number, country="GB")
        package = {
            "TrackingNumber": make_last_mile(number),
            "LandmarkTrackingNumber": number,
            "Events": {"Event": [write_event(scan) for scan in seen.scans]},
        }
        result = {
            "Success": True,
            "ShipmentDetails": {"EndDeliveryCarrier": LAST_MILE},
            "Packages": {"Package": package},
        }
        return self._answer({"Test": True, "Result": result})

    def _read_number(self, request: Request, root: str) -> str:
        rules: Rules = NAMED
        return str(self.read_xml(request, root, rules)["TrackingNumber"])


def read_booking(body: Json) -> Booking:
    packages = as_list(get_path(body, "Packages/Package"))
    return Booking(
        shipper=read_party(body["FulfillmentAddress"], PARTY),
        recipient=read_party(body["ShipTo"], PARTY),
        weights=tuple(weigh(package) for package in packages),
        parcels=tuple(measure(package) for package in packages),
        service=body["ShipMethod"],
        account=body["ClientID"],
        reference=body.get("Reference"),
        references=tuple(package.get("PackageReference") for package in packages),
        items=read_items(as_list(get_path(body, "Items/Item")), ITEM, body.get("ItemsCurrency", "")),
        label=body.get("LabelFormat", "PDF"),
    )


def weigh(package: Json) -> Decimal:
    return convert_weight(Decimal(package["Weight"]), package["WeightUnit"], "KG")


def measure(package: Json) -> MeasuredParcel:
    sides = [package[name] for name in ("Length", "Width", "Height") if package.get(name)]
    size_unit = package.get("DimensionsUnit", "CM")
    return measure_parcel(package["Weight"], package["WeightUnit"], sides, size_unit, rounding="0.01")


def make_last_mile(number: str) -> str:
    """The number under which the post of the destination carries the parcel."""
    digits = "".join(letter for letter in number if letter.isdigit())[-8:].zfill(8)
    return f"RR{digits}{compute_postal_check_digit(digits)}GB"


def write_package(sale: Sale, at: int, labelled: bool) -> Json:
    number = sale.numbers[at]
    label = {"LabelImage": encode_file(draw(sale, at))} if labelled else None
    return {
        "LabelImages": label,
        "TrackingNumber": make_last_mile(number),
        "LandmarkTrackingNumber": number,
        "PackageID": sale.identifier if at == 0 else f"{sale.identifier}{at + 1}",
        "BarcodeData": number,
        "PackageReference": sale.booking.reference_of(at),
    }


def write_event(scan: Scan) -> Json:
    return {
        "Status": scan.description,
        "DateTime": f"{scan.at:%Y-%m-%d %H:%M:%S}",
        "Location": f"{scan.city}, {scan.country}",
        "EventCode": CATALOGUE.statuses.code(scan.status),
    }


def draw(sale: Sale, at: int) -> bytes:
    booking, number = sale.booking, sale.numbers[at]
    title = CATALOGUE.table("titles")[booking.service]
    furniture = {
        "mark": "LG",
        "routing": booking.recipient.country,
        "caption": group_text(number, 3, 3, 3, 3),
    }
    return draw_format(
        draw_booking(booking, number, at, "LANDMARK GLOBAL", title, **furniture), booking.label
    )

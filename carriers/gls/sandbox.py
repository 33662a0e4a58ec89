"""The server of GLS as a simulator: log-in, orders, reprints, cancellations, tracking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.limits import MeasuredParcel
from shipcli.carrier.simulation.bookings import Booking, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, read_basic, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file

CATALOGUE = load_catalogue(__file__)
SHIPMENT_RULES, REPRINT_RULES = CATALOGUE.rules("shipment"), CATALOGUE.rules("reprint")
PARTY, PRODUCTS = CATALOGUE.paths("party"), CATALOGUE.table("products")
KINDS = {wire: kind for kind, wire in CATALOGUE.table("label_formats").items()}
SHIPMENTS = "/shipit-farm/v1/backend/rs/shipments"
RETURNS = {"ShopReturn", "PickAndReturn"}  # services by which the consignee sends, and nobody else
RETURN_LABEL: Json = {"Service": {"ServiceName": "service_shopreturn"}}  # beside the label of a parcel
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
EXTRAS = {
    "service_saturday": "saturday",
    "service_signature": "signature",
    "Cash": "cash",
    "AddonLiability": "liability",
}  # fmt: skip


class GlsSimulator(Simulator):
    """GLS Group in a sandbox."""

    slug = "gls"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "bearer"
    open_paths = ("/oauth2/v2/token",)
    refusals = {
        "bad_login": ("oauth.v2.InvalidAccessToken", "Invalid access token", 401),
        "invalid": ("VALIDATION_ERROR", "The request is invalid", 400),
        "no_service": ("PRODUCT_NOT_AVAILABLE", "The product is not available on this lane", 400),
        "unknown_label": ("PARCEL_NOT_FOUND", "There is no parcel {}", 404),
        "voided_before": ("PARCEL_CANCELLED", "The parcel {} is cancelled already", 400),
        "too_late": ("SCANNED", "The parcel {} is on its way", 400),
        "unknown_number": ("E_404_01", "Resource Not Found", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """The gateway refuses in its own form, ShipIT in headers."""
        if refusal.status == 401:
            detail = {"errorcode": refusal.code}
            return self.json({"fault": {"faultstring": refusal.text, "detail": detail}}, 401)
        return Reply(refusal.status, b"", {"error": refusal.code, "message": refusal.text})

    @route("POST", "/oauth2/v2/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(*read_basic(request)):
            return self.json({"errors": [{"type": "401", "message": "Invalid client identifier"}]}, 401)
        token = {"token_type": "Bearer", "access_token": self.issue_token(), "expires_in": self.token_life_s}
        return self.json(token)

    # -- ShipIT --------------------------------------------------------------------------------

    @route("POST", SHIPMENTS)
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(SHIPMENT_RULES, request.json)
        shipment = request.json["Shipment"]
        kind = get_path(request.json, "PrintingOptions/ReturnLabels/LabelFormat")
        booking = read_booking(shipment, KINDS.get(kind, "PDF"))
        sales = [self.backend.buy(parcel) for parcel in split(booking)]
        back = RETURN_LABEL in as_list(shipment.get("Service"))
        answer = self._write_sale(booking, sales, kind, has_way_back=back)
        key = as_list(shipment.get("ShipmentReference"))[-1]
        self.ledger.put(
            self.slug, "order", answer["ParcelData"][0]["TrackID"], {"key": key, "answer": answer}
        )
        return self.json({"CreatedShipment": answer})

    @route("POST", f"{SHIPMENTS}/reprintparcel")
    def reprint(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(REPRINT_RULES, request.json)
        reference = request.json["ShipmentReference"]
        orders = self.ledger.find(self.slug, "order", key=reference)
        if not orders:
            raise self.refusal("unknown_label", reference)
        return self.json({"CreatedShipment": orders[-1]["answer"]})

    @route("POST", f"{SHIPMENTS}/cancel/{{number}}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["number"])
        return self.json({"TrackID": path["number"], "Result": "CANCELLED"})

    def make_number(self, booking: Booking, serial: int) -> str:
        """A TrackID: eight letters and digits."""
        digits = []
        for _ in range(6):
            serial, at = divmod(serial, len(LETTERS))
            digits.append(LETTERS[at])
        return "Z" + "".join(reversed(digits)) + "4"

    def _write_sale(self, booking: Booking, sales: Sequence[Sale], wire: str, *, has_way_back: bool) -> Json:
        papers = [[draw(sale) for sale in sales]]
        if has_way_back:
            papers.append([draw(turn_sale(sale)) for sale in sales])
        return {
            "ShipmentReference": [booking.reference] if booking.reference else [],
            "ParcelData": [self._write_parcel(sale.identifier, sale.booking) for sale in sales],
            "PrintData": [{"Data": files, "LabelFormat": wire} for files in papers],
            "CustomerID": "2760000001",
            "PickupLocation": f"{booking.shipper.country}100",
        }

    def _write_parcel(self, number: str, booking: Booking) -> Json:
        last = self.clock().strftime("%Y-%m-%dT00:00:00Z")
        routing = {
            "Tour": "2521",
            "InboundSortingFlag": "1",
            "FinalLocationCode": f"{booking.recipient.country}520",
            "HubLocation": "DE015",
            "LastRoutingDate": last,
        }
        reference = booking.reference_of(0)
        return {
            "TrackID": number,
            "ShipmentUnitReference": [reference] if reference else [],
            "ParcelNumber": write_parcel_number(number),
            "RoutingInfo": routing,
        }

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/track-and-trace-v1/tracking/simple/trackids/{numbers}")
    def tracking(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json({"parcels": [self._write_tracking(number) for number in path["numbers"].split(",")]})

    def _write_tracking(self, number: str) -> Json:
        tracked = self.simulate_tracking(number)
        if tracked is None:
            refusal = self.refusal("unknown_number")
            return {"requested": number, "errorCode": refusal.code, "errorMessage": refusal.text}
        scans = [write_scan(scan) for scan in reversed(tracked.scans)]
        status = CATALOGUE.statuses.code(tracked.status)
        last = scans[0]["eventDateTime"]
        return {
            "requested": number, "unitno": number, "status": status, "statusDateTime": last, "events": scans,
        }  # fmt: skip


def write_parcel_number(track_id: str) -> str:
    """The eleven digits by which a parcel is called at home."""
    return f"{int.from_bytes(track_id.encode(), 'big') % 10**11:011d}"


def read_booking(shipment: Json, kind: str) -> Booking:
    """What is ordered; its last reference is the key of the purchase. Of a return the consignee sends."""
    shipper, consignee = (shipment[name]["Address"] for name in ("Shipper", "Consignee"))
    if any(RETURNS & service.keys() for service in as_list(shipment.get("Service"))):
        shipper, consignee = consignee, shipper
    units, references = shipment["ShipmentUnit"], as_list(shipment.get("ShipmentReference"))
    booking = Booking(
        shipper=read_party(shipper, PARTY),
        recipient=read_party(consignee, PARTY),
        weights=tuple(Decimal(str(unit["Weight"])) for unit in units),
        parcels=tuple(measure(unit) for unit in units),
        references=tuple((as_list(unit.get("ShipmentUnitReference")) or [None])[0] for unit in units),
        account=shipment["Shipper"]["ContactID"],
        reference=references[0] if len(references) > 1 else None,
        key=references[-1] if references else None,
        extras=tuple(list_extras(shipment)),
        label=kind,
    )
    return replace(booking, service=find_product(shipment, booking.abroad))


def split(booking: Booking) -> list[Booking]:
    """The parcels, each of which is booked, drawn and cancelled by itself."""
    count = len(booking.weights)
    return [
        replace(
            booking,
            weights=(weight,),
            parcels=(booking.parcels[at],),
            references=(booking.references[at],),
            position=(at + 1, count),
        )
        for at, weight in enumerate(booking.weights)
    ]


def find_product(shipment: Json, is_abroad: bool) -> str:
    """The code of the service that is meant by a product, who it goes to, and what is promised."""
    names = list_service_names(shipment)
    is_business = get_path(shipment, "Consignee/Category") == "BUSINESS"
    if "service_guaranteed24" in names and shipment["Product"] == "PARCEL":
        return "GUARANTEED24"
    if is_business and shipment["Product"] == "PARCEL":
        return "EUROBUSINESSPARCEL" if is_abroad else "BUSINESSPARCEL"
    return str(shipment["Product"])


def list_service_names(shipment: Json) -> set[str]:
    services = as_list(shipment.get("Service"))
    return {str(row["ServiceName"]).lower() for service in services for row in service.values()}


def list_extras(shipment: Json) -> list[str]:
    """What is billed on top, by our words."""
    unit_services = [row for unit in shipment["ShipmentUnit"] for row in as_list(unit.get("Service"))]
    names = {*list_service_names(shipment), *(name for row in unit_services for name in row)}
    return [extra for name, extra in EXTRAS.items() if name in names]


def measure(unit: Json) -> MeasuredParcel:
    volume = unit.get("Volume") or {}
    sides = [Decimal(volume[name]) for name in ("Length", "Width", "Height") if volume.get(name)]
    return measure_parcel(unit["Weight"], "KG", sides, rounding="0.1")


def turn_sale(sale: Sale) -> Sale:
    """The way back of a parcel, under a number of its own."""
    booking = sale.booking.turn_around()
    return replace(sale, booking=booking, numbers=tuple(f"Y{number[1:]}" for number in sale.numbers))


def draw(sale: Sale) -> str:
    booking = sale.booking
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    return encode_file(
        draw_parcels(booking, sale.numbers, booking.label, "GLS", booking.service, routing=routing)
    )


def write_scan(scan: Scan) -> Json:
    return {
        "code": f"EVENT.{CATALOGUE.statuses.code(scan.status)}",
        "city": scan.city,
        "postalCode": "",
        "country": scan.country,
        "description": scan.description,
        "eventDateTime": scan.at.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }

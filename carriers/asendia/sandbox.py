"""Asendia Sync in the sandbox: log-in, parcels and their files, manifests, tracking."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, draw_invoice, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.check_digits import compute_postal_check_digit

CATALOGUE = load_catalogue(__file__)
ORDERED, CLOSED = CATALOGUE.rules("parcel"), CATALOGUE.rules("manifest")
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
KINDS = {word: kind for kind, word in CATALOGUE.table("label_types").items()}
TYPES = {"PDF": "application/pdf", "PNG": "image/png", "ZPL": "application/zpl"}
PROBLEM = "https://www.asendia-sync.com/problem/constraint-violation"
PARCEL = "parcel"


class AsendiaSimulator(Simulator):
    """Asendia in a sandbox."""

    slug = "asendia"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "EUR"
    auth_scheme = "bearer"
    open_paths = ("/api/authenticate",)
    refusals = {
        "bad_login": ("Unauthorized", "Full authentication is required to access this resource", 401),
        "invalid": ("Bad Request", "Validation failed", 400),
        "no_service": ("Bad Request", "The product does not carry this parcel there", 400),
        "unknown_label": ("Not Found", "Parcel {} not found", 404),
        "voided_before": ("Bad Request", "Parcel {} is already deleted", 400),
        "too_late": ("Bad Request", "Parcel {} is on its way", 400),
        "closed_before": ("Bad Request", "Parcel {} is already on a manifest", 400),
        "unknown_number": ("Not Found", "Tracking number not found", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        problem = {
            "type": PROBLEM,
            "title": refusal.code,
            "status": refusal.status,
            "path": self.request.path,
        }
        if refusal.problem is None:
            return self.json({**problem, "detail": refusal.text}, refusal.status)
        row = {"objectName": "parcelRequest", "field": refusal.path, "message": refusal.text}
        return self.json({**problem, "title": "Bad Request", "fieldErrors": [row]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{47_000_000 + serial:08d}"
        return f"LX{digits}{compute_postal_check_digit(digits)}CH"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        serial = self.next_number(PARCEL)
        return f"{serial:08x}-5717-4562-b3fc-{serial:012x}"

    def make_form_number(self, serial: int) -> str:
        return f"{serial:08x}-7929-6784-a5fe-{serial:012x}"

    @route("POST", "/api/authenticate")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(request.json["username"], request.json["password"]):
            raise Refusal("Unauthorized", "Bad credentials", 401)
        return self.json({"id_token": self.issue_token()})

    @route("POST", "/api/parcels")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDERED, request.json)
        sale = self.backend.buy(read_booking(request.json), body=request.json)
        place, back = f"/parcels/{sale.identifier}", request.json["asendiaService"].get("returnLabelOption")
        returned = {
            "returnTrackingNumber": f"R{sale.numbers[0]}",
            "returnLabelLocation": f"{place}/return-label",
        }
        answer: Json = {
            "id": sale.identifier,
            "trackingNumber": sale.numbers[0],
            "errorMessages": [],
            "labelLocation": f"{place}/label",
            "manifestLocation": f"{place}/manifest",
            **(returned if back else {}),
        }
        return self.json(answer, 201)

    @route("GET", "/api/parcels/{parcel}/label")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        [label] = self.backend.find_labels(path["parcel"])
        booking = read_booking(label["body"])
        return self.file(draw(booking, label["number"]), TYPES[booking.label])

    @route("GET", "/api/parcels/{parcel}/return-label")
    def return_label(self, request: Request, path: dict[str, str]) -> Reply:
        [label] = self.backend.find_labels(path["parcel"])
        if not label["body"]["asendiaService"].get("returnLabelOption"):
            raise Refusal("Not Found", f"Parcel {path['parcel']} has no label for its way back", 404)
        booking = read_booking(label["body"])
        return self.file(draw(booking.turn_around(), f"R{label['number']}"), TYPES[booking.label])

    @route("DELETE", "/api/parcels/{parcel}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["parcel"])
        return self.json({"success": True, "message": "Parcel successfully deleted"})

    @route("POST", "/api/manifests")
    def close(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(CLOSED, request.json)
        number, _ = self.backend.manifest(request.json["parcelIds"], parcels=request.json["parcelIds"])
        place = f"/manifests/{number}"
        answer: Json = {
            "id": number,
            "createdAt": f"{self.clock():%Y-%m-%dT%H:%M:%SZ}",
            "errorMessage": None,
            "errorParcelIds": [],
            "status": "CREATED",
            "manifestDocumentLocation": f"{place}/document",
            "parcelsLocation": f"{place}/parcels",
            "manifestLocation": place,
        }
        return self.json(answer, 201)

    @route("GET", "/api/manifests/{form}/document")
    def form(self, request: Request, path: dict[str, str]) -> Reply:
        stored = self.ledger.get(self.slug, "manifest", path["form"])
        if stored is None:
            raise Refusal("Not Found", f"Manifest {path['form']} not found", 404)
        [label] = self.backend.find_labels(stored["parcels"][0])
        details = {"Manifest": path["form"], "Parcels": str(len(stored["parcels"]))}
        return self.file(draw_invoice("Manifest", read_booking(label["body"]), details), TYPES["PDF"])

    @route("GET", "/api/customers/{customer}/tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"], country="CH")
        events = [write_event(at, scan) for at, scan in enumerate(seen.scans, 1)]
        return self.json({"trackingNumber": path["number"], "trackingEvents": events})


def read_booking(body: Json) -> Booking:
    service, customs = body["asendiaService"], body.get("customsInfo") or {}
    code = "_".join(filter(None, (service["product"], service.get("service"))))
    return Booking(
        shipper=read_party(body["addresses"]["sender"], PARTY),
        recipient=read_party(body["addresses"]["receiver"], PARTY),
        weights=(Decimal(str(body["weight"])),),
        service=code,
        account=body.get("customerId"),
        reference=body.get("referencenumber"),
        items=read_items(customs.get("items") or (), ITEM, customs.get("currency", "")),
        label=KINDS[body["labelType"]],
    )


def write_event(at: int, scan: Scan) -> Json:
    return {
        "id": at,
        "code": CATALOGUE.statuses.code(scan.status),
        "time": f"{scan.at:%Y-%m-%dT%H:%M:%SZ}",
        "locationName": scan.city,
        "carrierEventDescription": scan.description,
        "locationCountry": scan.country,
    }


def draw(booking: Booking, number: str) -> bytes:
    title = CATALOGUE.table("titles")[booking.service.partition("_")[0]]
    routing = f"{booking.recipient.country} {booking.recipient.postal_code}"
    furniture = {"mark": "A", "routing": routing, "caption": group_text(number, 2, 3, 3, 3)}
    return draw_format(draw_booking(booking, number, 0, "ASENDIA", title, **furniture), booking.label)

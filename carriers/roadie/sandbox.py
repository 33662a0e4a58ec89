"""Roadie's server in the sandbox: estimates, shipments, labels, tracking."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, Sale
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
ASKED, BOUGHT = CATALOGUE.rules("shipment"), CATALOGUE.rules("shipment", "order")
(SERVICE,) = CATALOGUE.services
HOME, FIRST = "US", 152040
SHIPMENT, LABEL_FILE = "shipment", "label_file"
FAR = Decimal("3.456")


class RoadieSimulator(Simulator):
    """Roadie in a sandbox."""

    slug = "roadie"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    auth_scheme = "token"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "parameter": refusal.path, "message": refusal.text}
        return self.json({"errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return str(FIRST + serial)

    @route("POST", "/v1/estimates")
    def estimate(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ASKED, request.json)
        booking = read_booking(request.json)
        if not is_near(booking):
            raise self.refusal("no_service")
        (priced,) = self.backend.quote(booking)
        return self.json({"price": priced.total, "size": "large", "estimated_distance": FAR})

    @route("POST", "/v1/shipments")
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(BOUGHT, body)
        booking = read_booking(body)
        if not is_near(booking):
            raise self.refusal("no_service")
        sale = self.backend.buy(booking)
        made = write_shipment(sale, body, self.clock())
        self.ledger.put(self.slug, SHIPMENT, sale.identifier, made)
        self.ledger.put(self.slug, LABEL_FILE, sale.identifier, {"content": draw(sale).decode("latin-1")})
        return self.json(made, 201)

    @route("GET", "/v1/shipments/{shipment}/label")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        stored = self.ledger.get(self.slug, LABEL_FILE, path["shipment"])
        if stored is None or request.query.get("format") != "PDF":
            raise self.refusal("unknown_label")
        return self.file(stored["content"].encode("latin-1"), "application/pdf")

    @route("DELETE", "/v1/shipments/{shipment}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["shipment"])
        return self.json({"cancellation_code": "other", "cancellation_comment": ""})

    @route("GET", "/v1/shipments")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = request.query["ids"]
        seen, label = self.simulate_tracking(number), self.find_sold(number) or {}
        if seen is None:
            raise self.refusal("unknown_number")
        scans = [write_scan(scan) for scan in seen.scans]
        if label.get("voided_at"):
            scans.append(
                {"name": "canceled", "occurred_at": stamp(datetime.fromisoformat(label["voided_at"]))}
            )
        stored = self.ledger.get(self.slug, SHIPMENT, number) or {"tracking_number": number}
        return self.json([{**stored, "id": number, "events": scans}])


def is_near(booking: Booking) -> bool:
    """Whether a driver brings it there the same day: both ends are in one region of ZIP codes."""
    return booking.shipper.postal_code[:2] == booking.recipient.postal_code[:2]


def read_booking(body: Json) -> Booking:
    return Booking(
        shipper=_party(body["pickup_location"]),
        recipient=_party(body["delivery_location"]),
        weights=tuple(convert_weight(Decimal(str(item["weight"])), "LB", "KG") for item in body["items"]),
        service=SERVICE.code,
        reference=body.get("reference_id"),
        references=tuple(item.get("reference_id") for item in body["items"]),
        extras=("signature",) if (body.get("options") or {}).get("signature_required") else (),
    )


def _party(location: Json) -> Party:
    address, contact = location["address"], location.get("contact") or {}
    return Party(
        name=contact.get("name") or "",
        company=address.get("name") or "",
        lines=tuple(address[name] for name in ("street1", "street2") if address.get(name)),
        city=address["city"],
        state=address["state"],
        postal_code=address["zip"],
        country=HOME,
    )


def write_shipment(sale: Sale, body: Json, now: datetime) -> Json:
    return {
        **body,
        "id": int(sale.identifier) if sale.identifier.isdigit() else sale.identifier,
        "state": "scheduled",
        "tracking_number": f"RE{sale.identifier}",
        "price": sale.priced.total,
        "estimated_distance": FAR,
        "events": [],
        "created_at": stamp(now),
    }


def stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}.000Z"


def write_scan(scan: Scan) -> dict[str, Any]:
    return {"name": CATALOGUE.statuses.code(scan.status), "occurred_at": stamp(scan.at)}


def draw(sale: Sale) -> bytes:
    booking, routing = sale.booking, f"{sale.booking.recipient.state} {sale.booking.recipient.postal_code}"
    return draw_parcels(booking, sale.numbers, "PDF", "Roadie", "SAME DAY", mark="R", routing=routing)

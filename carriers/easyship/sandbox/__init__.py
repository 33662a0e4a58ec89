"""Easyship's server in the sandbox: rates, shipments, collections, manifests."""

from __future__ import annotations

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import get_path

from . import wire

CATALOGUE = load_catalogue(__file__)
LISTS = ("rate", "ship", "pickup", "manifest")
RATED, SHIPPED, COLLECTED, CLOSED = (CATALOGUE.rules(name) for name in LISTS)
SHIPMENT = "shipment"
INVALID, CONFLICT = "invalid_content", "resource_conflict"


class EasyshipSimulator(Simulator):
    """Easyship in a sandbox."""

    slug = "easyship"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "token"
    storage = "https://easyship-files.s3.amazonaws.com/manifests"
    refusals = {
        "bad_login": ("unauthorized", "Invalid access token", 401),
        "no_service": (INVALID, "No shipping solutions available based on the information provided", 422),
        "unknown_label": ("not_found", "Shipment {} not found", 404),
        "voided_before": (CONFLICT, "Shipment {} is already cancelled", 409),
        "too_late": (CONFLICT, "Shipment {} is in transit and can't be cancelled", 409),
        "closed_before": (CONFLICT, "Shipment {} is already manifested", 409),
        "unknown_pickup": ("not_found", "Pickup {} not found or already cancelled", 404),
        "bad_day": (INVALID, "selected_date is not available", 422),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text, "type": "invalid_request_error"}
        return self.json({"error": error, "meta": {"request_id": "sandbox"}}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"ESTRK{serial:010d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"ES{booking.origin.country}{self.next_number(SHIPMENT):08d}"

    def make_pickup_number(self, serial: int) -> str:
        return f"PES{serial:08d}"

    @route("POST", "/2023-01/rates")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(RATED, request.json)
        priced = self.backend.quote(wire.read_booking(request.json))
        return self.json({"rates": [wire.write_rate(price) for price in priced], "meta": {}})

    @route("POST", "/2023-01/shipments")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(SHIPPED, request.json)
        booking = wire.read_booking(request.json)
        sale = self.backend.buy(booking, courier=booking.service)
        shipment = wire.write_shipment(sale, self.clock())
        self.ledger.put(self.slug, SHIPMENT, sale.identifier, {"key": booking.key, **shipment})
        return self.json({"shipment": shipment, "meta": {}}, 201)

    @route("GET", "/2023-01/shipments")
    def find(self, request: Request, path: dict[str, str]) -> Reply:
        shipments = self.ledger.find(self.slug, SHIPMENT, key=request.query.get("platform_order_number", ""))
        return self.json({"shipments": shipments, "meta": {"pagination": {"page": 1, "next": None}}})

    @route("GET", "/2023-01/shipments/{id}")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        """A shipment as it stands; a number of the sandbox's own stands for a shipment, too."""
        number = path["id"]
        stored = self.ledger.get(self.slug, SHIPMENT, number)
        seen = self.simulate_tracking(number)
        if not (stored or seen):
            raise self.refusal("unknown_label", number)
        legs = [] if stored and not seen else wire.write_legs(number, stored, seen)
        changed = seen.scans[-1].at if seen else self.clock()
        shipment = {"easyship_shipment_id": number, **(stored or {}), "updated_at": wire.write_time(changed)}
        return self.json({"shipment": {**shipment, "trackings": legs or shipment["trackings"]}, "meta": {}})

    @route("POST", "/2023-01/shipments/{id}/cancel")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["id"])
        return self.json({"success": {"message": "Shipment successfully cancelled"}, "meta": {}})

    @route("POST", "/2023-01/pickups")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(COLLECTED, body)
        if body["selected_from_time"] >= body["selected_to_time"]:
            raise Refusal(INVALID, "selected_to_time must be after selected_from_time", 422)
        self._check_courier(body["easyship_shipment_ids"], body["courier_id"])
        booked = self.backend.schedule_pickup(body["selected_date"], **body)
        meta = {"easyship_shipment_ids": body["easyship_shipment_ids"]}
        return self.json({"pickup": wire.write_pickup(booked), "meta": meta})

    @route("POST", "/2023-01/pickups/{id}/cancel")
    def cancel_pickup(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.cancel_pickup(path["id"])
        return self.json({"success": {"message": "Pickup successfully cancelled"}, "meta": {}})

    @route("POST", "/2023-01/manifests")
    def manifest(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(CLOSED, body)
        self._check_courier(body["shipment_ids"], body["courier_account_id"])
        number, labels = self.backend.manifest(body["shipment_ids"])
        link = self.files.put(f"{number}.pdf", wire.draw_manifest(number, labels), "application/pdf")
        return self.json({"manifest": wire.write_form(number, body, link), "meta": {}})

    def _check_courier(self, names: list[str], courier: str) -> None:
        """Errors: Refusal for shipments that another courier moves."""
        labels = [label for name in names for label in self.backend.find_labels(name)]
        if any(get_path(label, "courier") != courier for label in labels):
            raise Refusal(INVALID, "The courier does not carry all of these shipments", 422)

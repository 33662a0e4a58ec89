"""eShipper's server in the sandbox: log-in, quotes, labels, cancellations, events."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit
from uuid import NAMESPACE_URL, uuid5

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import get_path

from . import wire

CATALOGUE = load_catalogue(__file__)
QUOTED, SHIPPED, CANCELLED = (CATALOGUE.rules(*names) for names in (["quote"], ["quote", "ship"], ["cancel"]))
ORDER = "order"


class EshipperSimulator(Simulator):
    """eShipper in a sandbox."""

    slug = "eshipper"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "bearer"
    open_paths = ("/api/v2/authenticate",)
    refusals = {
        "bad_login": ("ERR_UNAUTHORIZED", "Full authentication is required to access this resource", 401),
        "no_service": ("ERR_NO_SERVICE", "No carrier takes this shipment", 400),
        "unknown_label": ("ERR_SHIPMENT_NOT_FOUND", "Shipment for provided identifier not found", 400),
        "voided_before": ("ERR_SHIPMENT_CANCELLED", "The shipment is already cancelled", 400),
        "too_late": ("ERR_SHIPMENT_IN_TRANSIT", "The shipment is in transit", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"status": refusal.status, "title": "Warn", "type": "Error"}
        return self.json({**error, "code": refusal.code, "message": refusal.text}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"3290{serial:08d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"8{self.next_number(ORDER):012d}"

    @route("POST", "/api/v2/authenticate")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        user, password = (str(request.json.get(name) or "") for name in ("principal", "credential"))
        if not self.is_valid_client(user, password):
            raise self.refusal("bad_login")
        lasts = {"token": self.issue_token(), "expires_in": str(self.token_life_s)}
        return self.json({**lasts, "token_type": "Bearer", "refresh_token": "none"})

    @route("POST", "/api/v2/quote")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(QUOTED, request.json)
        service_id = request.json.get("serviceId")
        priced = self.backend.quote(wire.read_booking(request.json))
        quotes = [wire.write_quote(price) for price in priced]
        chosen = [quote for quote in quotes if service_id in (None, quote["serviceId"])]
        uuid = str(uuid5(NAMESPACE_URL, request.content.decode()))
        return self.json({"uuid": uuid, "quotes": chosen, "warnings": []})

    @route("PUT", "/api/v2/ship")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(SHIPPED, request.json)
        booking = wire.read_booking(request.json)
        if booking.abroad and not request.json.get("customsInformation"):
            raise Refusal("ERR_BAD_REQUEST", "customsInformation is required")
        sale = self.backend.buy(booking)
        return self.json(wire.write_sale(sale))

    @route("DELETE", "/api/v2/ship/cancel")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(CANCELLED, request.json)
        number = str(get_path(request.json, "order/orderId"))
        self.backend.void(number)
        return self.json({"order": [{"orderId": number, "message": "Order has been cancelled"}]})

    @route("GET", "/api/v2/track/events")
    def events(self, request: Request, path: dict[str, str]) -> Reply:
        """A number that nobody knows spoils the whole question."""
        numbers = parse_qs(urlsplit(request.url).query).get("trackingNumbers", [])
        seen = {number: self.simulate_tracking(number, country="CA") for number in numbers}
        if not all(seen.values()):
            raise self.refusal("unknown_label")
        return self.json([wire.write_events(number, scans) for number, scans in seen.items() if scans])

"""Locate2u's server in the sandbox."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, Refusal
from shipcli.carrier.simulation.simulator import Simulator, read_basic, route
from shipcli.carrier.simulation.tracking import SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path

CATALOGUE = load_catalogue(__file__)
STOP_RULES = CATALOGUE.rules("stop")
SERVICE, FIRST_STOP = "Locate2u Local Delivery", 164556


class Locate2uSimulator(Simulator):
    """Locate2u in a sandbox."""

    slug = "locate2u"
    tariffs = CATALOGUE.tariffs
    auth_scheme = "bearer"
    open_paths = ("/connect/token",)
    refusals = {
        "bad_login": ("401", "Unauthorized", 401),
        "unknown_label": ("404", "Stop not found", 404),
        "voided_before": ("400", "The stop is cancelled", 400),
        "unknown_number": ("404", "Stop not found", 404),
        "too_late": ("400", "The stop is complete", 400),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"code": refusal.code, "error": refusal.text}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return str(FIRST_STOP + serial)

    @route("POST", "/connect/token")
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        if not self.is_valid_client(*read_basic(request)):
            return self.json({"error": "invalid_client"}, 400)
        token = {"access_token": self.issue_token(), "token_type": "Bearer", "scope": request.form["scope"]}
        return self.json({**token, "expires_in": self.token_life_s})

    @route("POST", "/api/v1/stops")
    def add_stop(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(STOP_RULES, body)
        sale = self.backend.buy(read_booking(body), stop=body)
        return self.json(self.write_stop(sale.numbers[0], body))

    @route("DELETE", "/api/v1/stops/{stop}")
    def remove_stop(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["stop"])
        return Reply(200)

    @route("GET", "/api/v1/stops/{stop}")
    def show_stop(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["stop"]
        seen, label = self.require_tracking(number, country="AU"), self.find_sold(number) or {}
        stop = self.write_stop(number, label.get("stop") or {}, seen)
        return self.json({**stop, "status": "Cancelled"} if label.get("voided_at") else stop)

    def write_stop(self, number: str, body: Json, seen: SimulatedTracking | None = None) -> Json:
        """A stop as it was asked for, with where it stands now."""
        now = seen.scans[-1].at if seen else self.clock()
        due = seen.estimated if seen else None
        return {
            **body,
            "stopId": int(number) if number.isdigit() else number,
            "shipmentId": 0,
            "status": CATALOGUE.statuses.code(seen.status if seen else "pending"),
            "lastModifiedDate": f"{now:%Y-%m-%dT%H:%M:%S}.000Z",
            "arrivalDate": f"{due:%Y-%m-%dT%H:%M:%S}+00:00" if due else None,
        }


def read_booking(body: Json) -> Booking:
    """A stop as a sale: one load, delivered in the town."""
    here = Party(country="AU", name=body["contact"].get("name") or "", lines=(body["address"],))
    weight = Decimal(get_path(body, "load/weight") or 0)
    reference = body.get("sourceReference")
    return Booking(shipper=here, recipient=here, weights=(weight,), service=SERVICE, reference=reference)

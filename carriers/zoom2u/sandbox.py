"""Zoom2u's server in the sandbox."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)
ASKED, BOOKED = CATALOGUE.rules("delivery"), CATALOGUE.rules("delivery", "booking")
API = "/api/v1/delivery"
A_BOX = Decimal(5)  # kilograms: the courier is told no weight


class Zoom2uSimulator(Simulator):
    """Zoom2u in a sandbox."""

    slug = "zoom2u"
    tariffs = CATALOGUE.tariffs
    currency = "AUD"
    auth_scheme = "token"
    refusals = {
        "bad_login": ("UNAUTHORIZED", "Authorization has been denied for this request.", 401),
        "no_service": ("NOQUOTE", "No courier drives there."),
        "unknown_label": ("NOTFOUND", "The delivery {} is not known.", 404),
        "voided_before": ("CANCELLED", "The delivery {} is already cancelled."),
        "too_late": ("TOOLATE", "The delivery {} can no longer be cancelled."),
        "unknown_number": ("NOTFOUND", "The delivery is not known.", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        fields = {f"request.{refusal.path.replace('/', '.')}": [refusal.text]} if refusal.path else {}
        body = {"error-code": refusal.code, "message": refusal.text, "modelState": fields}
        return self.json(body, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"Z{self.clock():%Y%m%d}{serial:06d}"

    @route("POST", f"{API}/quote")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ASKED, request.json)
        return self.json([self._price(price) for price in self.backend.quote(read_booking(request.json))])

    def _price(self, priced: PricedOffer) -> Json:
        due = f"{self.clock():%Y-%m-%d}T09:30:00Z"
        return {"deliverySpeed": priced.offer.code, "price": priced.total, "deliveredBy": due}

    @route("POST", f"{API}/create")
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(BOOKED, request.json)
        sale = self.backend.buy(read_booking(request.json))
        number, price = sale.numbers[0], sale.priced.total
        return self.json(CATALOGUE.fill("delivery", number=number, code=number[-9:], price=price))

    @route("POST", f"{API}/cancel/{{number}}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["number"])
        return Reply(204)

    @route("GET", f"{API}/status/{{number}}")
    def status(self, request: Request, path: dict[str, str]) -> Reply:
        number = path["number"]
        seen = self.require_tracking(number, country="AU")
        phrase = CATALOGUE.table("said").get(seen.status) or CATALOGUE.statuses.code(seen.status)
        at = seen.scans[-1].at
        return self.json(CATALOGUE.fill("status", number=number, code=number[-9:], said=phrase, at=at))


def read_booking(delivery: Json) -> Booking:
    party = CATALOGUE.paths("party")
    return Booking(
        shipper=read_party(delivery["Pickup"], party, "AU"),
        recipient=read_party(delivery["Dropoff"], party, "AU"),
        weights=(A_BOX,),
        service=delivery.get("DeliverySpeed") or "",
        reference=delivery.get("PurchaseOrderNumber"),
    )

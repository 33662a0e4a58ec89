"""BoxKnight's server in the sandbox."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Refusal
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_parcels
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PRICED, ORDERED = CATALOGUE.rules("rate"), CATALOGUE.rules("order")
HOME, LOGIN, ORDER = "CA", "/v1/soap/services/LoginService/V2_1", "order"
FORMATS = {"pdf": "application/pdf", "zpl": "text/plain", "png": "image/png"}


class BoxknightSimulator(Simulator):
    """BoxKnight in a sandbox."""

    slug = "boxknight"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    currency = "CAD"
    auth_scheme = "bearer"
    open_paths = (LOGIN,)
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        return self.json({"error": refusal.text}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"{serial:08x}-0af8-40bb-742a-912375a09743"

    @route("POST", LOGIN)
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        if not self.is_valid_client(body.get("username", ""), body.get("password", "")):
            raise self.refusal("bad_login")
        return self.json({"token": self.issue_token()})

    @route("POST", "/v1/rates")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(PRICED, body)
        origin = Party(country=HOME, postal_code=body["originPostalCode"])
        end = Party(country=HOME, postal_code=body["postalCode"])
        prices = self.backend.quote(Booking(shipper=origin, recipient=end, weights=read_weights(body)))
        return self.json([self._rate(price) for price in prices])

    def _rate(self, priced: PricedOffer) -> Json:
        today = self.clock().date()
        last, name = (
            today + timedelta(days=priced.offer.days),
            CATALOGUE.table("service_names")[priced.offer.code],
        )
        return dict(CATALOGUE.fill("rate", priced=priced, name=name, today=f"{today}", last=f"{last}"))

    @route("POST", "/v1/orders")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ORDERED, body)
        sale = self.backend.buy(read_booking(body))
        self.ledger.put(self.slug, ORDER, sale.identifier, {"id": sale.identifier, "body": body})
        return self.json({"id": sale.identifier}, 201)

    @route("GET", "/v1/labels/{id}")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        kind, stored = request.query.get("format", ""), self.ledger.get(self.slug, ORDER, path["id"])
        if kind not in FORMATS or stored is None:
            raise self.refusal("unknown_label")
        return self.file(draw(path["id"], read_booking(stored["body"]), kind.upper()), FORMATS[kind])

    @route("GET", "/v1/orders/{id}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        order, seen = path["id"], self.simulate_tracking(path["id"], country=HOME)
        if seen is None:
            raise self.refusal("unknown_label")
        stored = self.ledger.get(self.slug, ORDER, order) or {"body": {}}
        status = CATALOGUE.table("order_statuses")[seen.status]
        created = f"{seen.scans[0].at:%Y-%m-%dT%H:%M:%S}.000Z"
        return self.json({**stored["body"], "id": order, "createdAt": created, "orderStatus": status})

    @route("DELETE", "/v1/orders/{id}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["id"])
        return self.json({"id": path["id"], "orderStatus": "CANCELLED"})


def read_weights(body: Json) -> tuple[Decimal, ...]:
    weights = [package["weightOptions"] for package in body["packages"]]
    return tuple(
        convert_weight(Decimal(str(weight["weight"])), weight["unit"].upper(), "KG") for weight in weights
    )


def read_booking(body: Json) -> Booking:
    return Booking(
        shipper=read_party(body, CATALOGUE.paths("shipper"), HOME),
        recipient=read_party(body, CATALOGUE.paths("recipient"), HOME),
        weights=read_weights(body),
        service=body["service"],
        reference=body.get("refNumber"),
        references=tuple(package.get("refNumber") for package in body["packages"]),
        extras=("signature",) if body.get("signatureRequired") else (),
    )


def draw(order: str, booking: Booking, kind: str) -> bytes:
    """The labels of an order, one for each package: the square code of all of them holds its id."""
    service = CATALOGUE.table("service_names")[booking.service].upper()
    numbers, square = [order.replace("-", "")] * len(booking.weights), ("datamatrix", order)
    return draw_parcels(booking, numbers, kind, "BOXKNIGHT", service, mark="BK", caption=order, code2d=square)

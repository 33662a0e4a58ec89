"""Amazon's Selling Partner API in the sandbox, as far as Shipping v1 goes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.backend import Booking, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
ASKED, BOUGHT = CATALOGUE.rules("address", "rate"), CATALOGUE.rules("address", "purchase")
LOGIN = "/authorization/v1/authorizationCode"


class AmazonShippingSimulator(Simulator):
    """Amazon Shipping in a sandbox."""

    slug = "amazon_shipping"
    tariffs = CATALOGUE.tariffs
    local_money = True
    auth_scheme = "bearer"
    token_header = "x-amz-access-token"
    open_paths = (LOGIN,)
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text, "details": refusal.path}
        return self.json({"errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"TBA{serial:012d}"

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        return f"89{numbers[0][-12:]}"

    @route("POST", LOGIN)
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        asked = request.query
        if not self.is_valid_client(asked.get("sellingPartnerId", ""), asked.get("mwsAuthToken", "")):
            raise self.refusal("bad_login")
        return self.json(
            {"payload": {"authorizationCode": self.issue_token()}, "expires_in": self.token_life_s}
        )

    @route("POST", "/shipping/v1/rates")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(ASKED, body)
        prices = self.backend.quote(read_booking(body, body["containerSpecifications"]))
        wanted = [self._rate(one) for one in prices if one.offer.code in body["serviceTypes"]]
        return self.json({"serviceRates": wanted})

    def _rate(self, priced: PricedOffer) -> Json:
        start = self.clock().replace(hour=9, minute=0)
        end = start + timedelta(days=priced.offer.days, hours=1)
        return CATALOGUE.fill("rate", priced=priced, start=start, end=end, late=end + timedelta(hours=9))

    @route("POST", "/shipping/v1/purchaseShipment")
    def purchase(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(BOUGHT, body)
        sale = self.backend.buy(read_booking(body, body["containers"]))
        pairs = enumerate(zip(sale.numbers, body["containers"], strict=True))
        labels = [
            CATALOGUE.fill("label", number=number, container=container, picture=draw(sale, at))
            for at, (number, container) in pairs
        ]
        rate = self._rate(sale.priced)
        return self.json(CATALOGUE.fill("sold", id=sale.identifier, rate=rate, labels=labels))

    @route("POST", "/shipping/v1/shipments/{id}/cancel")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["id"])
        return Reply(200)

    @route("GET", "/shipping/v1/tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        seen = self.require_tracking(path["number"])
        events = [write_event(scan) for scan in reversed(seen.scans)]
        status = CATALOGUE.statuses.code(seen.status)
        facts = {"number": path["number"], "events": events, "due": seen.estimated, "status": status}
        return self.json(CATALOGUE.fill("tracked", **facts))


def read_booking(body: Json, containers: Sequence[Json]) -> Booking:
    pounds = [Decimal(str(one["weight"]["value"])) for one in containers]
    return Booking(
        shipper=read_party(body["shipFrom"], CATALOGUE.paths("party")),
        recipient=read_party(body["shipTo"], CATALOGUE.paths("party")),
        weights=tuple(convert_weight(one, "LB", "KG") for one in pounds),
        service=body.get("serviceType") or "",
        reference=body.get("clientReferenceId"),
    )


def draw(sale: Sale, at: int) -> str:
    """A picture, the only form there is."""
    booking, number = sale.booking, sale.numbers[at]
    to = booking.recipient
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:5]}",
        "caption": group_text(number, 3, 4, 4),
    }
    service = booking.service.removeprefix("Amazon Shipping ").upper()
    return encode_file(
        draw_format(draw_booking(booking, number, at, "amazon shipping", service, **furniture), "PNG")
    )


def write_event(scan: Scan) -> Json:
    return CATALOGUE.fill("event", scan=scan, code=CATALOGUE.statuses.code(scan.status))

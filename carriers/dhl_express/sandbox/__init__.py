"""DHL Express's server as a simulator: prices, labels, tracking, collections, routes, at one address."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.simulation.scenarios import MAGIC
from shipcli.carrier.simulation.simulator import Refusal, Simulator, find_root, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.xml import Element, find
from shipcli.models.basics.check_digits import compute_waybill_check_digit

from . import answers, papers
from .bookings import read_order, read_question

CATALOGUE = load_catalogue(__file__)
PATH = "/XMLShippingServlet"
RULES = {root: CATALOGUE.rules(*facts["rules"]) for root, facts in CATALOGUE.table("documents").items()}


class DhlExpressSimulator(Simulator):
    """DHL Express in a sandbox."""

    slug = "dhl_express"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "body"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        """A refusal has the root of its kind of question."""
        names = CATALOGUE.table("documents").get(find_root(self.request) or "", {})
        facts = {"code": refusal.code, "text": refusal.text}
        return self._answer(answers.write_answer(names.get("refusal", "ErrorResponse"), "refusal", **facts))

    def _answer(self, answer: Element) -> Reply:
        return self.xml(answers.add_header(answer, self.request.xml, self.clock()))

    def is_authorised(self, request: Request) -> bool:
        header = next(request.xml.iter("ServiceHeader"), None)
        if header is None:
            return False
        return self.is_valid_client(find(header, "SiteID", ""), find(header, "Password", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        """The licence plate of a piece."""
        return f"JD{14_600_000_000_000_000 + serial:018d}"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        """The waybill."""
        if MAGIC.match(numbers[0]):
            return str(numbers[0])
        body = f"{int(numbers[0][2:]) % 1_000_000_000:09d}"
        return f"{body}{compute_waybill_check_digit(body)}"

    def make_pickup_number(self, serial: int) -> str:
        return str(100_000 + serial)

    def _read(self, request: Request) -> Json:
        """Errors: Refusal for the first thing that the schema or the rules forbid."""
        body: Json = convert_to_plain(request.xml)
        root = str(request.xml.tag)
        self.enforce(RULES[root], body["GetQuote"] if root == "DCTRequest" else body)
        return body

    @route("POST", PATH, root="DCTRequest")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        booking = read_question(self._read(request)["GetQuote"])
        products, dutiable = CATALOGUE.table("products"), booking.billing == "Y"
        try:
            offers = [
                price for price in self.backend.quote(booking) if products[price.offer.code][2] == dutiable
            ]
        except Refusal as no:  # no product is no error of the question
            return self._answer(answers.write_answer("DCTResponse", "no_product", code=no.code, text=no.text))
        return self._answer(answers.write_prices(booking, offers, self.clock()))

    @route("POST", PATH, root="ShipmentRequest")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        booking = read_order(body)
        sale = self.backend.buy(booking)
        label = papers.draw(sale)
        invoice = papers.draw_form(sale, body) if body.get("UseDHLInvoice") == "Y" else None
        return self._answer(answers.write_sale(sale, body, label, invoice))

    @route("POST", PATH, root="KnownTrackingRequest")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        numbers = as_list(body.get("AWBNumber") or body.get("LPNumber"))
        tracked = [
            (number, self.simulate_tracking(number), self.find_sold(number) or {}) for number in numbers
        ]
        waybills = {"AWBInfo": [answers.write_waybill(*facts) for facts in tracked]}
        return self._answer(answers.write("TrackingResponse", waybills))

    @route("POST", PATH, root="BookPURequest")
    @route("POST", PATH, root="ModifyPURequest")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        order, number = body["Pickup"], body.get("ConfirmationNumber")
        times = {"ready": order["ReadyByTime"], "closes": order["CloseTime"]}
        if times["ready"] >= times["closes"]:
            raise Refusal("PU012", "The closing time is before the ready time")
        if number:
            changed = self.backend.update_pickup(number, order["PickupDate"], **times)
            return self._answer(answers.write_answer("ModifyPUResponse", "pickup", **changed))
        booked = self.backend.schedule_pickup(
            order["PickupDate"], area=body["Place"]["City"][:3].upper(), **times
        )
        return self._answer(answers.write_answer("BookPUResponse", "pickup", **booked))

    @route("POST", PATH, root="CancelPURequest")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        number = self._read(request)["ConfirmationNumber"]
        self.backend.cancel_pickup(number)
        blank = dict.fromkeys(("ready", "day", "closes", "area"))
        return self._answer(answers.write_answer("CancelPUResponse", "pickup", number=number, **blank))

    @route("POST", PATH, root="RouteRequest")
    def find_route(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        if "NOWHERE" in str(get_path(body, "City")).upper():
            raise Refusal("RT0002", "There is no such city in that country")
        return self._answer(answers.write_answer("RouteResponse", "route", **body))

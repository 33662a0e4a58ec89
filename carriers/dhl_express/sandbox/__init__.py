"""DHL Express's server as a simulator: prices, labels, tracking, collections, routes, at one address."""

from __future__ import annotations

from typing import Any

from carriers.dhl_express.sandbox import answers, papers
from carriers.dhl_express.sandbox.bookings import read_order, read_question
from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.desk import Booking, Priced
from shipcli.carrier.json_paths import Json, as_list, get_path
from shipcli.carrier.rules import to_plain
from shipcli.carrier.simulator import Refusal, Simulator, root_of, route
from shipcli.carrier.tracking_simulation import MAGIC
from shipcli.carrier.xml import find

CATALOGUE = load_catalogue(__file__)
PATH = "/XMLShippingServlet"
RULES = {
    "DCTRequest": CATALOGUE.rules("place", "rate"),
    "ShipmentRequest": CATALOGUE.rules("message", "label"),
    "KnownTrackingRequest": CATALOGUE.rules("message", "tracking"),
    "BookPURequest": CATALOGUE.rules("message", "collection"),
    "ModifyPURequest": CATALOGUE.rules("message", "change", "collection"),
    "CancelPURequest": CATALOGUE.rules("message", "cancellation"),
    "RouteRequest": CATALOGUE.rules("message", "route"),
}


class DhlExpressSimulator(Simulator):
    """DHL Express in a sandbox."""

    slug = "dhl_express"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "body"
    refusals = {
        "bad_login": ("100", "Access denied: SiteID or Password is not valid"),
        "no_service": ("1001", "The requested product(s) not available based on your search criteria."),
        "unknown_pickup": ("PU014", "There is no such pickup request, or it is already cancelled"),
        "bad_day": ("PU008", "Nothing is picked up on that day"),
    }

    def dispatch(self, request: Request) -> Reply:
        self._asked = root_of(request)  # a refusal has the root of its kind of question
        return super().dispatch(request)

    def refuse(self, refusal: Refusal) -> Reply:
        known = CATALOGUE.table("documents").get(self._asked or "", {})
        return self.xml(answers.write_refusal(known.get("refusal", "ErrorResponse"), refusal))

    def knows(self, request: Request) -> bool:
        header = next(request.xml.iter("ServiceHeader"), None)
        if header is None:
            return False
        return self.good_client(find(header, "SiteID", ""), find(header, "Password", ""))

    def make_number(self, booking: Booking, serial: int) -> str:
        """The licence plate of a piece."""
        return f"JD{14_600_000_000_000_000 + serial:018d}"

    def make_identifier(self, booking: Booking, numbers: Any) -> str:
        """The waybill: nine digits, and what they leave of 7."""
        if MAGIC.match(numbers[0]):
            return str(numbers[0])
        body = f"{int(numbers[0][2:]) % 1_000_000_000:09d}"
        return f"{body}{int(body) % 7}"

    def make_pickup_number(self, serial: int) -> str:
        return str(100_000 + serial)

    def _read(self, request: Request) -> Json:
        """Errors: Refusal for the first thing that the schema or the rules forbid."""
        body: Json = to_plain(request.xml)
        root = str(request.xml.tag)
        self.enforce(RULES[root], body["GetQuote"] if root == "DCTRequest" else body)
        return body

    @route("POST", PATH, root="DCTRequest")
    def quote(self, request: Request, path: dict[str, str]) -> Reply:
        booking = read_question(self._read(request)["GetQuote"])
        try:
            return self.xml(answers.write_prices(booking, self._offer(booking), self.clock()))
        except Refusal as no:  # no product is no error of the question
            return self.xml(answers.write_no_product(no))

    def _offer(self, booking: Booking) -> list[Priced]:
        """Errors: Refusal `no_service` when no product takes such goods, or papers, there."""
        products, dutiable = CATALOGUE.table("products"), booking.billing == "Y"
        found = [one for one in self.desk.quote(booking) if products[one.offer.code][2] == dutiable]
        if not found:
            raise self.refusal("no_service")
        return found

    @route("POST", PATH, root="ShipmentRequest")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        booking = read_order(body)
        sale = self.desk.buy(booking)
        label = papers.draw(sale)
        invoice = papers.draw_form(sale, body) if body.get("UseDHLInvoice") == "Y" else None
        return self.xml(answers.write_sale(sale, body, label, invoice))

    @route("POST", PATH, root="KnownTrackingRequest")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        numbers = as_list(self._read(request)["AWBNumber"])
        found = [(number, self.simulate_tracking(number), self.sold(number) or {}) for number in numbers]
        return self.xml(answers.write_trackings(found))

    @route("POST", PATH, root="BookPURequest")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        day, times = self._times(self._read(request))
        booked = self.desk.collect(day, **times)
        return self.xml(answers.write_pickup("BookPUResponse", booked))

    @route("POST", PATH, root="ModifyPURequest")
    def change(self, request: Request, path: dict[str, str]) -> Reply:  # type: ignore[override]
        body = self._read(request)
        day, times = self._times(body)
        changed = self.desk.change_collection(body["ConfirmationNumber"], day, **times)
        return self.xml(answers.write_pickup("ModifyPUResponse", changed))

    def _times(self, body: Json) -> tuple[str, Json]:
        """Errors: Refusal for a place that closes before the parcels are ready."""
        asked = body["Pickup"]
        if asked["ReadyByTime"] >= asked["CloseTime"]:
            raise Refusal("PU012", "The closing time is before the ready time")
        return asked["PickupDate"], {"ready": asked["ReadyByTime"], "closes": asked["CloseTime"]}

    @route("POST", PATH, root="CancelPURequest")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        number = self._read(request)["ConfirmationNumber"]
        self.desk.cancel_collection(number)
        return self.xml(answers.write_pickup("CancelPUResponse", {"number": number}))

    @route("POST", PATH, root="RouteRequest")
    def find_route(self, request: Request, path: dict[str, str]) -> Reply:
        body = self._read(request)
        if "NOWHERE" in str(get_path(body, "City")).upper():
            raise Refusal("RT0002", "There is no such city in that country")
        return self.xml(answers.write_route(body))

"""TNT's services as a simulator: prices, consignments, the data and the file of a label, tracking."""

from __future__ import annotations

from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Refusal
from shipcli.carrier.simulation.forms import fill_form
from shipcli.carrier.simulation.rules import Rules, convert_to_plain
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.xml import element, parse
from shipcli.models.basics.check_digits import compute_postal_check_digit

from . import answers
from .bookings import read_order, read_question
from .papers import draw

CATALOGUE = load_catalogue(__file__)
PRICE, ORDER, LABEL = (CATALOGUE.rules(name) for name in ("price", "order", "label"))
Path = dict[str, str]
PRICE_PATH = "/expressconnect/pricing/getprice"
LABEL_PATH, TRACKING_PATH = "/expresslabel/documentation/getlabel", "/ectrack/track"


class TntSimulator(Simulator):
    """TNT in a sandbox."""

    slug = "tnt"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("P00", "The login details are not recognised", 401),
        "no_service": ("P21", "No service is available between these places"),
        "unknown_label": ("409", "Consignment {} is not known"),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """Each service has its own form of a refusal."""
        if self.request.path == LABEL_PATH:
            broken = {"errorCode": refusal.code, "errorMessage": refusal.text}
            return self._answer("labelResponse", {"brokenRules": broken}, refusal.status)
        if self.request.path == TRACKING_PATH:
            error = {"Code": refusal.code, "Message": refusal.text}
            return self._answer("TrackResponse", {"Error": error}, refusal.status)
        if self.request.path == PRICE_PATH:
            rule = {"messageType": "E", "code": refusal.code, "description": refusal.text}
            return self._answer_in_form("pricing", {"errors": {"brokenRule": rule}}, refusal.status)
        problem = {"CODE": refusal.code, "DESCRIPTION": refusal.text, "SOURCE": refusal.path}
        return self._answer_in_form("shipping", {"ERROR": problem}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        digits = f"{serial:08d}"
        return f"GE{digits}{compute_postal_check_digit(digits)}{booking.origin.country}"

    def _answer(self, root: str, body: Json, status: int = 200) -> Reply:
        return self.xml(element(root, body), status)

    def _answer_in_form(self, name: str, body: Json, status: int = 200) -> Reply:
        return self._answer("document", fill_form(body, CATALOGUE.table("forms")[name]), status)

    def _read(self, request: Request, rules: Rules) -> Json:
        """The document in the form.

        Errors: Refusal for the first thing that is wrong with it.
        """
        body: Json = convert_to_plain(parse(request.form.get("xml_in", "<none/>")))
        self.enforce(rules, body)
        return body

    @route("POST", PRICE_PATH)
    def price(self, request: Request, path: Path) -> Reply:
        check = self._read(request, PRICE)["priceCheck"]
        offers = self.backend.quote(read_question(check), as_list(get_path(check, "product/id")))
        return self._answer_in_form("pricing", answers.write_prices(check["rateId"], offers))

    @route("POST", "/expressconnect/shipping/ship")
    def ship(self, request: Request, path: Path) -> Reply:
        body = self._read(request, ORDER)
        batch = body["CONSIGNMENTBATCH"]
        booking = read_order(batch)
        sale = self.backend.buy(booking, order=request.form["xml_in"])
        draw(booking, sale.identifier)  # what can't be printed must not be sold
        name = batch["CONSIGNMENT"]["CONREF"]
        return self._answer_in_form("shipping", answers.write_sale(sale, name, self.next_number("group")))

    @route("POST", LABEL_PATH)
    def label(self, request: Request, path: Path) -> Reply:
        consignment = self._read(request, LABEL)["consignment"]
        self.backend.find_labels(consignment["consignmentIdentity"]["consignmentNumber"])
        return self._answer("labelResponse", {"consignment": answers.write_label(consignment)})

    @route("POST", "/expresswebservices-website/app/render.html")
    def render(self, request: Request, path: Path) -> Reply:
        data = convert_to_plain(parse(request.form["responseXml"]))
        self.enforce(Rules(), data)
        number = str(get_path(data, "consignment/consignmentLabelData/consignmentNumber"))
        order: Any = convert_to_plain(parse(self.backend.find_labels(number)[0]["order"]))
        return self.file(draw(read_order(order["CONSIGNMENTBATCH"]), number), "application/pdf")

    @route("POST", TRACKING_PATH)
    def track(self, request: Request, path: Path) -> Reply:
        numbers = as_list(self._read(request, Rules())["SearchCriteria"]["ConsignmentNumber"])
        consignments = [
            answers.write_consignment(number, self.simulate_tracking(number, country="GB"))
            for number in numbers
        ]
        return self._answer("TrackResponse", {"Consignment": consignments})

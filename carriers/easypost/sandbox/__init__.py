"""EasyPost's server as a simulator: shipments and their rates, labels as files, refunds, trackers."""

from __future__ import annotations

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, read_basic, route
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.models.basics.check_digits import compute_check_digit, compute_ups_check_digit

from . import wire

CATALOGUE = load_catalogue(__file__)
LISTS = ("shipment", "purchase", "label", "tracker")
DRAFTED, PURCHASED, LABELLED, TRACKED = (CATALOGUE.rules(name) for name in LISTS)
DRAFT = "shipment"


class EasypostSimulator(Simulator):
    """EasyPost in a sandbox."""

    slug = "easypost"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "basic"
    storage = "https://easypost-files.s3.us-west-2.amazonaws.com/files/postage_label"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text, "errors": []}
        return self.json({"error": error}, refusal.status)

    def is_authorised(self, request: Request) -> bool:
        """The key is the user of the log-in, which has no password."""
        return self.is_valid_client(read_basic(request)[0], "none")

    def make_number(self, booking: Booking, serial: int) -> str:
        """A number in the form of the carrier behind the hub; those without a known form count theirs."""
        carrier = booking.service.partition(" ")[0]
        if carrier == "UPS":
            body = f"EASYPO03{serial % 10_000_000:07d}"
            return f"1Z{body}{compute_ups_check_digit(body)}"
        if carrier == "USPS":
            body = f"94001000{serial:013d}"
            return f"{body}{compute_check_digit(body)}"
        return f"{carrier[:3].upper()}{serial:011d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return str(booking.key)

    @route("POST", "/v2/shipments")
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        """Price a shipment. It is kept, as the purchase names it and one of its rates by their ids alone."""
        self.enforce(DRAFTED, request.json)
        body, number = request.json["shipment"], f"shp_{self.next_number(DRAFT):032x}"
        rates = wire.write_rates(number, self.backend.quote(wire.read_booking(body)))
        return self.json(self._keep({**body, "id": number, "object": "Shipment", "rates": rates}), 201)

    @route("GET", "/v2/shipments/{id}")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json(self._draft(path["id"]))

    @route("POST", "/v2/shipments/{id}/buy")
    def buy(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PURCHASED, request.json)
        draft, rate_id = self._draft(path["id"]), get_path(request.json, "rate/id")
        self.enforce(LABELLED, draft)
        if draft.get("postage_label"):
            raise Refusal("SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.", 422)
        rate = next((rate for rate in draft["rates"] if rate["id"] == rate_id), None)
        if not rate:
            raise Refusal("SHIPMENT.PURCHASE.INVALID_RATE", "The rate is not one of this shipment.", 422)
        sale = self.backend.buy(wire.read_booking(draft, f"{rate['carrier']} {rate['service']}"))
        name, kind = (
            f"{sale.numbers[0]}.{sale.booking.label.lower()}",
            wire.CONTENT_TYPES[sale.booking.label],
        )
        link = self.files.put(name, wire.draw(sale), kind)
        return self.json(self._keep({**draft, "selected_rate": rate, **wire.write_sold(sale, link, kind)}))

    @route("POST", "/v2/shipments/{id}/refund")
    def refund(self, request: Request, path: dict[str, str]) -> Reply:
        draft = self._draft(path["id"])
        self.backend.void(path["id"])
        return self.json(self._keep({**draft, "refund_status": "submitted"}))

    def _draft(self, number: str) -> Json:
        if draft := self.ledger.get(self.slug, DRAFT, number):
            return draft
        raise self.refusal("unknown_label")

    def _keep(self, draft: Json) -> Json:
        self.ledger.put(self.slug, DRAFT, draft["id"], draft)
        return draft

    @route("POST", "/v2/trackers")
    @route("GET", "/v2/trackers/trk_{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        """A tracker of a number, or the one that is named by its id."""
        body = {"tracking_code": path["number"]} if path else request.json
        self.enforce(TRACKED, body)
        number = body["tracking_code"]
        seen = self.require_tracking(number)
        return self.json(wire.write_tracker(number, body.get("carrier"), seen, self.find_sold(number) or {}))

"""EasyPost's server as a simulator: shipments and their rates, labels as files, refunds, trackers."""

from __future__ import annotations

from carriers.easypost.sandbox import answers, papers
from carriers.easypost.sandbox.bookings import read_booking
from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.desk import Booking, Sale
from shipcli.carrier.json_paths import Json, get_path
from shipcli.carrier.label_files import decode_file, encode_file
from shipcli.carrier.simulator import Refusal, Simulator, read_basic, route

CATALOGUE = load_catalogue(__file__)
DRAFTED, PURCHASED, TRACKED = (CATALOGUE.rules(name) for name in ("shipment", "purchase", "tracker"))
DRAFT, FILE = "shipment", "file"
FILES = "/files/postage_label/"


class EasypostSimulator(Simulator):
    """EasyPost in a sandbox."""

    slug = "easypost"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    local_money = True
    auth_scheme = "basic"
    refusals = {
        "bad_login": ("APIKEY.INACTIVE", "This api key is no longer active.", 401),
        "no_service": ("SHIPMENT.INVALID_PARAMS", "No carrier takes this shipment.", 422),
        "unknown_label": ("NOT_FOUND", "The requested resource could not be found.", 404),
        "voided_before": ("SHIPMENT.REFUND.FAILURE", "The shipment was already sent for a refund.", 422),
        "too_late": ("SHIPMENT.REFUND.FAILURE", "The shipment can not be refunded: it was scanned.", 422),
        "unknown_number": ("TRACKER.CREATE.ERROR", "The tracking code is not known to any carrier.", 422),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "message": refusal.text, "errors": []}
        return self.json({"error": error}, 422 if refusal.status == 400 else refusal.status)

    def knows(self, request: Request) -> bool:
        """The key is the user; the host of the files refuses whoever tells it one."""
        if request.path.startswith(FILES):
            return not request.header("authorization")
        return self.good_client(read_basic(request)[0], "-")

    def make_number(self, booking: Booking, serial: int) -> str:
        return papers.make_number(booking.service.partition(" ")[0], serial)

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return str(booking.key)

    # -- shipments -----------------------------------------------------------------------------

    @route("POST", "/v2/shipments")
    def create(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(DRAFTED, request.json)
        body = request.json["shipment"]
        number = f"shp_{self.next_number(DRAFT):032x}"
        rates = answers.write_rates(number, self.desk.quote(read_booking(body)))
        draft = {**body, "id": number, "object": "Shipment", "mode": "test", "rates": rates}
        return self.json(self._keep(draft, postage_label=None, selected_rate=None, refund_status=None), 201)

    @route("GET", "/v2/shipments/{id}")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json(self._draft(path["id"]))

    @route("POST", "/v2/shipments/{id}/buy")
    def buy(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PURCHASED, request.json)
        draft, wanted = self._draft(path["id"]), get_path(request.json, "rate/id")
        if draft["postage_label"]:
            raise Refusal("SHIPMENT.POSTAGE.EXISTS", "Postage already exists for this shipment.", 422)
        rate = next((one for one in draft["rates"] if one["id"] == wanted), None)
        if rate is None:
            raise Refusal("SHIPMENT.PURCHASE.INVALID_RATE", "The rate is not one of this shipment.", 422)
        sale = self.desk.buy(read_booking(draft, f"{rate['carrier']} {rate['service']}"))
        sold = answers.write_sold(sale, self._file(sale), self.clock(), papers.CONTENT_TYPES)
        return self.json(
            self._keep(draft, selected_rate=rate, insurance=request.json.get("insurance"), **sold)
        )

    @route("POST", "/v2/shipments/{id}/refund")
    def refund(self, request: Request, path: dict[str, str]) -> Reply:
        draft = self._draft(path["id"])
        self.desk.void(path["id"])
        return self.json(self._keep(draft, refund_status="submitted"))

    def _draft(self, number: str) -> Json:
        found = self.ledger.get(self.slug, DRAFT, number)
        if found is None:
            raise self.refusal("unknown_label")
        return found

    def _keep(self, draft: Json, **changes: object) -> Json:
        kept = {**draft, **changes}
        self.ledger.put(self.slug, DRAFT, kept["id"], kept)
        return kept

    # -- files ---------------------------------------------------------------------------------

    def _file(self, sale: Sale) -> str:
        """Put the label on the storage host; its path there."""
        name = f"{sale.numbers[0]}.{sale.booking.label.lower()}"
        self.ledger.put(self.slug, FILE, name, {"content": encode_file(papers.draw(sale))})
        return f"{FILES}{name}"

    @route("GET", FILES + "{name}")
    def download(self, request: Request, path: dict[str, str]) -> Reply:
        found = self.ledger.get(self.slug, FILE, path["name"])
        if found is None:
            return Reply(
                403, b"<Error><Code>AccessDenied</Code></Error>", {"content-type": "application/xml"}
            )
        kind = path["name"].rpartition(".")[2].upper()
        return self.file(decode_file(found["content"]) or b"", papers.CONTENT_TYPES[kind])

    # -- trackers ------------------------------------------------------------------------------

    @route("POST", "/v2/trackers")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(TRACKED, request.json)
        return self._tracker(request.json["tracking_code"], request.json.get("carrier"))

    @route("GET", "/v2/trackers/trk_{number}")
    def follow(self, request: Request, path: dict[str, str]) -> Reply:
        return self._tracker(path["number"], None)

    def _tracker(self, number: str, carrier: str | None) -> Reply:
        seen, label = self.simulate_tracking(number), self.sold(number) or {}
        if seen is None:
            raise self.refusal("unknown_number")
        return self.json(answers.write_tracker(number, carrier, seen, label))

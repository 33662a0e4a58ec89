"""ShipEngine's server as a simulator: accounts, prices, labels, tracking, collections, forms, addresses."""

from __future__ import annotations

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import PICKUP, Booking
from shipcli.carrier.simulation.papers import draw_invoice
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json
from shipcli.models.basics.check_digits import compute_check_digit, compute_ups_check_digit

from . import wire

CATALOGUE = load_catalogue(__file__)
LISTS = ("rates", "label", "pickup", "manifest")
PRICED, LABELLED, COLLECTED, CLOSED = (CATALOGUE.rules(name) for name in LISTS)
LABEL, FORM, DOWNLOADS = "sold_label", "form", "https://api.shipengine.com/v1/downloads"


class ShipengineSimulator(Simulator):
    """ShipEngine in a sandbox."""

    slug = "shipengine"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
    local_money = True
    auth_scheme = "token"
    token_header = "api-key"
    refusals = {
        "bad_login": ("unauthorized", "The API key is invalid", 401),
        "invalid": ("invalid_field_value", "The request is not valid", 400),
        "no_service": ("no_rates", "No carrier takes this shipment", 400),
        "unknown_label": ("not_found", "There is no label {}", 404),
        "voided_before": ("label_already_voided", "The label {} is voided already", 200),
        "too_late": ("label_already_used", "The label {} was used", 200),
        "closed_before": ("label_already_manifested", "Label {} is already in a manifest", 400),
        "unknown_pickup": ("not_found", "There is no pickup {}", 404),
        "bad_day": ("invalid_field_value", "The day of the pickup is over, or a Sunday", 400),
        "unknown_number": ("not_found", "The tracking number is not known", 404),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        """A void that is not approved is an answer of its own; anything else is a list of errors."""
        if refusal.status == 200:
            answer = {"approved": False, "message": refusal.text, "reason_code": refusal.code}
            return self.json(answer)
        error = {
            "error_source": "shipengine",
            "error_type": "validation",
            "error_code": refusal.code,
            "message": refusal.text,
        }
        return self.json({"request_id": wire.write_uuid(0), "errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        """A number in the form of the carrier behind the hub."""
        match wire.find_carrier(booking.service):
            case "ups":
                body = f"SHIPEN03{serial % 10_000_000:07d}"
                return f"1Z{body}{compute_ups_check_digit(body)}"
            case "stamps_com":
                body = f"94001000{serial:013d}"
                return f"{body}{compute_check_digit(body)}"
            case "ontrac":
                return f"1LS{serial:012d}"
            case "fedex":
                return f"{794_600_000_000 + serial:012d}"
        return f"{1_000_000_000 + serial:010d}"

    def make_identifier(self, booking: Booking, numbers: object) -> str:
        return f"se-{77_000_000 + self.next_number(LABEL)}"

    def make_pickup_number(self, serial: int) -> str:
        return f"pik_{serial:022d}"

    def make_form_number(self, serial: int) -> str:
        return f"se-{55_000_000 + serial}"

    # -- prices and labels ---------------------------------------------------------------------

    @route("GET", "/v1/carriers")
    def accounts(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json({"carriers": wire.list_accounts(), "request_id": wire.write_uuid(1), "errors": []})

    @route("POST", "/v1/rates")
    def price(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PRICED, request.json)
        options, shipment = request.json["rate_options"], request.json["shipment"]
        prices = self.backend.quote(wire.read_booking(shipment), options.get("service_codes") or ())
        rows = [wire.write_rate(at, priced, self.surcharges) for at, priced in enumerate(prices, 1)]
        wanted = [row for row in rows if row["carrier_id"] in options["carrier_ids"]]
        answer = {"rates": wanted, "invalid_rates": [], "status": "completed", "errors": []}
        return self.json({**shipment, "shipment_id": "se-1", "rate_response": answer})

    @route("POST", "/v1/labels")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        body, shipment = request.json, request.json["shipment"]
        self.enforce(PRICED, {**body, "rate_options": {"carrier_ids": [shipment.get("carrier_id")]}})
        self.enforce(LABELLED, body)
        booking = wire.read_booking(shipment, body.get("label_format", "pdf"))
        sale = self.backend.buy(booking)
        answer = wire.write_label(sale, body, self.clock())
        kept = {"external": shipment.get("external_shipment_id"), "answer": answer}
        self.ledger.put(self.slug, LABEL, sale.identifier, kept)
        return self.json(answer)

    @route("GET", "/v1/labels/external_shipment_id/{key}")
    def find(self, request: Request, path: dict[str, str]) -> Reply:
        if rows := self.ledger.find(self.slug, LABEL, external=path["key"]):
            return self.json(rows[-1]["answer"])
        raise self.refusal("unknown_label", path["key"])

    @route("GET", "/v1/labels/{label}")
    def show(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json(self._find_label(path["label"])["answer"])

    def _find_label(self, name: str) -> Json:
        if row := self.ledger.get(self.slug, LABEL, name):
            return row
        raise self.refusal("unknown_label", name)

    @route("PUT", "/v1/labels/{label}/void")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["label"])
        return self.json({"approved": True, "message": "This label has been voided."})

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/v1/labels/{label}/track")
    def track_label(self, request: Request, path: dict[str, str]) -> Reply:
        number = self._find_label(path["label"])["answer"]["tracking_number"]
        return self._track(number)

    @route("GET", "/v1/tracking")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        return self._track(request.query["tracking_number"])

    def _track(self, number: str) -> Reply:
        seen, label = self.require_tracking(number), self.find_sold(number) or {}
        status = "cancelled" if label.get("voided_at") else seen.status
        return self.json(wire.write_tracking(number, status, seen, label))

    # -- the desk ------------------------------------------------------------------------------

    @route("POST", "/v1/pickups")
    def collect(self, request: Request, path: dict[str, str]) -> Reply:
        body = request.json
        self.enforce(COLLECTED, body)
        for name in body["label_ids"]:
            self.backend.find_labels(name)
        booked = self.backend.schedule_pickup(body["pickup_window"]["start_at"][:10])
        window = [body["pickup_window"]]
        answer = {**body, "pickup_id": booked["number"], "pickup_windows": window, "cancelled_at": None}
        return self.json({**answer, "confirmation_number": f"P{booked['number'][-8:]}", "errors": []})

    @route("DELETE", "/v1/pickups/{pickup}")
    def call_off(self, request: Request, path: dict[str, str]) -> Reply:
        booked = self.ledger.get(self.slug, PICKUP, path["pickup"])
        if booked and booked["cancelled_at"]:
            raise Refusal("invalid_status", f"Pickup {path['pickup']} is already cancelled", 400)
        self.backend.cancel_pickup(path["pickup"])
        return self.json({"pickup_id": path["pickup"]})

    @route("POST", "/v1/manifests")
    def close(self, request: Request, path: dict[str, str]) -> Reply:
        names = request.json["label_ids"]
        self.enforce(CLOSED, request.json)
        number, labels = self.backend.manifest(names)
        row = {
            "manifest_id": number,
            "form_id": number,
            "label_ids": names,
            "shipments": len(labels),
            "manifest_download": {"href": f"{DOWNLOADS}/{number}/manifest.pdf"},
        }
        self.ledger.put(self.slug, FORM, number, {"label": names[0], "count": len(names)})
        return self.json({"manifests": [row], "errors": []})

    @route("GET", "/v1/downloads/{form}/manifest.pdf")
    def download(self, request: Request, path: dict[str, str]) -> Reply:
        form = self.ledger.get(self.slug, FORM, path["form"])
        if form is None:
            raise Refusal("not_found", f"There is no manifest {path['form']}", 404)
        shipment = self._find_label(form["label"])["answer"]["shipment"]
        details = {"Manifest": path["form"], "Labels": str(form["count"])}
        return self.file(draw_invoice("Manifest", wire.read_booking(shipment), details), "application/pdf")

    @route("POST", "/v1/addresses/validate")
    def validate(self, request: Request, path: dict[str, str]) -> Reply:
        return self.json([wire.write_validation(address) for address in request.json])

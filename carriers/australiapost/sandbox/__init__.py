"""Australia Post's server as a simulator: prices, shipments, labels on a storage host, tracking, orders."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking
from shipcli.carrier.simulation.simulator import MANIFEST, Refusal, Simulator, route
from shipcli.carrier.wire.json_paths import Json

from . import answers

CATALOGUE = load_catalogue(__file__)
NAMES = ("price", "shipment", "abroad", "label", "order")
PRICED, BOUGHT, ABROAD, LABELLED, ORDERED = (CATALOGUE.rules(name) for name in NAMES)
BASE, SHIPMENT = "/test/shipping/v1", "shipment"


class AustraliapostSimulator(Simulator):
    """Australia Post in a sandbox."""

    slug = "australiapost"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "AUD"
    auth_scheme = "basic"
    storage = "https://ptest.npe.auspost.com.au/lodgement4/labels"
    refusals = {
        "bad_login": ("API_001", "Unable to authenticate the request.", 401),
        "no_service": ("42002", "The service is not available based upon the information submitted."),
        "unknown_label": ("44003", "The shipment {} could not be found.", 404),
        "voided_before": ("44003", "The shipment {} could not be found.", 404),
        "too_late": ("44016", "The shipment {} has been despatched and can't be deleted."),
        "closed_before": ("44017", "The shipment {} is already in an order."),
    }

    def refuse(self, refusal: Refusal) -> Reply:
        error = {"code": refusal.code, "name": "ERROR", "message": refusal.text, "field": refusal.path}
        return self.json({"errors": [error]}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"2JD{serial % 10_000_000:07d}"

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        return f"9lesEAOvOm4AAAFI{numbers[0][-8:]}"

    def make_form_number(self, serial: int) -> str:
        return f"AP{serial:010d}"

    @route("POST", f"{BASE}/prices/items")
    def prices(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(PRICED, request.json)
        items = [self._price(request.json, item) for item in request.json["items"]]
        return self.json({"items": items})

    def _price(self, body: Json, item: Json) -> Json:
        priced = self.backend.quote(answers.read_booking({**body, "items": [item]}))
        products = item.get("product_ids") or [price.offer.code for price in priced]
        return {"prices": [answers.write_price(price) for price in priced if price.offer.code in products]}

    @route("POST", f"{BASE}/shipments")
    def ship(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(BOUGHT, request.json)
        body = request.json["shipments"][0]
        booking = answers.read_booking(body)
        if booking.abroad:
            self.enforce(ABROAD, body)
        sale = self.backend.buy(booking)
        self.ledger.put(self.slug, SHIPMENT, sale.identifier, body)
        return self.json({"shipments": [answers.write_sale(sale, body)]}, 201)

    @route("GET", f"{BASE}/shipments")
    def find(self, request: Request, path: dict[str, str]) -> Reply:
        names = request.query.get("shipment_ids", "").split(",")
        labels = [self.backend.find_labels(name)[0] for name in names]
        shipments = [
            {"shipment_id": label["identifier"], "order_id": label.get("manifest")} for label in labels
        ]
        return self.json({"shipments": shipments})

    @route("DELETE", f"{BASE}/shipments/{{id}}")
    def delete(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["id"])
        return Reply(200)

    @route("POST", f"{BASE}/labels")
    def labels(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(LABELLED, request.json)
        identifier = request.json["shipments"][0]["shipment_id"]
        numbers = [str(label["number"]) for label in self.backend.find_labels(identifier)]
        kind = request.json["preferences"][0]["format"]
        booking = answers.read_booking(self.ledger.get(self.slug, SHIPMENT, identifier) or {})
        content = answers.draw(booking, numbers, kind)
        link = self.files.put(f"{identifier}.{kind.lower()}", content, answers.CONTENT_TYPES[kind])
        return self.json(CATALOGUE.fill("label", id=identifier, link=link))

    @route("GET", f"{BASE}/track")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        numbers = request.query.get("tracking_ids", "").split(",")
        if len(numbers) > answers.MOST_NUMBERS:
            raise Refusal("51101", "The request must contain 10 or less AP article ids.")
        seen = [(number, self.simulate_tracking(number, country="AU")) for number in numbers]
        return self.json({"tracking_results": [answers.write_tracked(*pair) for pair in seen]})

    @route("POST", f"{BASE}/orders")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(ORDERED, request.json)
        body = request.json
        number, labels = self.backend.manifest(
            [shipment["shipment_id"] for shipment in body["shipments"]], body=body
        )
        facts = {"number": number, "reference": body.get("order_reference"), "when": self.clock().isoformat()}
        total = sum(label["total"] for label in labels)
        return self.json(CATALOGUE.fill("order", **facts, total=total, count=len(labels)), 201)

    @route("GET", f"{BASE}/accounts/{{account}}/orders/{{id}}/summary")
    def summary(self, request: Request, path: dict[str, str]) -> Reply:
        made = self.ledger.get(self.slug, MANIFEST, path["id"])
        if made is None:
            raise Refusal("44018", f"The order {path['id']} could not be found.", 404)
        labels = self.ledger.find(self.slug, "label", manifest=path["id"])
        return self.file(answers.draw_summary(path["id"], made["body"], labels), "application/pdf")

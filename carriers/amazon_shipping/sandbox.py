"""Amazon's servers in the sandbox: Login with Amazon, and of the Amazon Shipping API v2 what is asked.

A price is kept for ten minutes, as a purchase names it by its id alone; a key that bought something is
answered with what it bought, whatever else is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer
from shipcli.carrier.simulation.mappings import read_party
from shipcli.carrier.simulation.papers import draw_booking, draw_format, group_text
from shipcli.carrier.simulation.price_list import PER_DOLLAR, to_cents
from shipcli.carrier.simulation.rules import Rules
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.label_files import encode_file
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PRICED, BOUGHT = CATALOGUE.rules("price"), CATALOGUE.rules("purchase")
SERVICES, CARRIERS = CATALOGUE.table("simulated_services"), CATALOGUE.table("carriers")
EVENTS = CATALOGUE.table("simulated_events")
LOGIN, SHIPMENTS, PRICE = "/auth/o2/token", "/shipping/v2/shipments", "price"
NO_PRICE, NO_PAPER = CATALOGUE.refusals["no_price"], CATALOGUE.refusals["no_paper"]
FORMATS, RESOLUTION = ("PNG", "PDF", "ZPL"), 203
LIFE = timedelta(minutes=10)  # of a price


class AmazonShippingSimulator(Simulator):
    """Amazon Shipping in a sandbox."""

    slug = "amazon_shipping"
    tariffs = CATALOGUE.tariffs
    surcharges = CATALOGUE.surcharges
    limits = CATALOGUE.limits
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

    def checked(self, request: Request, rules: Rules) -> Json:
        """Errors: Refusal for the first thing that is wrong with the body."""
        body: Json = request.json
        self.enforce(rules, body)
        return body

    @route("POST", LOGIN)
    def log_in(self, request: Request, path: dict[str, str]) -> Reply:
        form = request.form
        held = (form.get("client_id", ""), form.get("client_secret", ""), form.get("refresh_token", ""))
        if form.get("grant_type") != "refresh_token" or not all(held) or self.refuses_credentials(*held):
            description = "The request has an invalid grant parameter : refresh_token"
            return self.json({"error": "invalid_grant", "error_description": description}, 400)
        token = {"access_token": self.issue_token(), "refresh_token": form["refresh_token"]}
        return self.json({**token, "token_type": "bearer", "expires_in": self.token_life_s})

    # -- prices --------------------------------------------------------------------------------

    @route("POST", f"{SHIPMENTS}/rates")
    def rates(self, request: Request, path: dict[str, str]) -> Reply:
        """What has no service is no error here: every service says why it is not offered."""
        body = self.checked(request, PRICED)
        booking = read_booking(body)
        token = f"RT{self.next_number(PRICE):010d}"
        try:
            priced = self.backend.quote(booking)
        except Refusal as refusal:
            rows = [write_ineligible(booking, name, refusal) for name in SERVICES]
            return self.answer_json({"requestToken": token, "rates": [], "ineligibleRates": rows})
        rows = [self.write_rate(booking, token, offer) for offer in priced]
        self.ledger.put(self.slug, PRICE, token, {"body": body, "at": self.clock().isoformat()})
        others = [CATALOGUE.fill("return", carrier=name_carrier(booking))]
        return self.answer_json({"requestToken": token, "rates": rows, "ineligibleRates": others})

    def answer_json(self, result: Json) -> Reply:
        return self.json({"payload": result})

    def write_rate(self, booking: Booking, token: str, priced: PricedOffer) -> Json:
        return CATALOGUE.fill(
            "rate",
            id=f"{token}-{SERVICES[priced.offer.code]}",
            carrier=name_carrier(booking),
            service=SERVICES[priced.offer.code],
            priced=priced,
            weight=convert_weight(sum(booking.weights, Decimal(0)), "KG", "LB"),
            signature=to_cents(self.surcharges["signature"].amount * PER_DOLLAR[priced.currency]),
            papers=[CATALOGUE.fill("paper", format=file_format) for file_format in FORMATS],
            lines=self.list_lines(priced),
            promise=self.write_promise(priced.offer.days),
        )

    def write_promise(self, days: int) -> Json:
        start = self.clock().replace(hour=9, minute=0)
        end = start + timedelta(days=days, hours=1)
        return CATALOGUE.fill("promise", start=start, end=end, late=end + timedelta(hours=9))

    def list_lines(self, priced: PricedOffer) -> list[Json]:
        money = priced.currency
        base = CATALOGUE.fill(
            "line", code="BASE_RATE", name="Base Rate", amount=priced.offer.total, currency=money
        )
        surcharges = [
            CATALOGUE.fill("line", code=code, name=code, amount=amount, currency=money)
            for name, amount in priced.extras.items()
            if (code := self.surcharges[name].code)
        ]
        return [base, *surcharges]

    # -- purchases -----------------------------------------------------------------------------

    @route("POST", SHIPMENTS)
    def purchase(self, request: Request, path: dict[str, str]) -> Reply:
        body, key = self.checked(request, BOUGHT), request.header("x-amzn-idempotencykey")
        labels = self.backend.find_by_key(key)
        if labels:
            return self.answer_sold(labels)
        price = self.find_price(body["requestToken"])
        paper = body["requestedDocumentSpecification"]
        if paper["format"] not in FORMATS or paper.get("dpi") not in (None, 203, 300):
            raise Refusal(*NO_PAPER)
        extras = [str(service["id"]) for service in as_list(body.get("requestedValueAddedServices"))]
        booking = read_booking(price["body"], find_service(body), key, extras)
        sale = self.backend.buy(booking, token=body["requestToken"], format=paper["format"])
        return self.answer_sold(sale.records)

    def find_price(self, token: str) -> Json:
        """Errors: Refusal `no_price` for a price that is too old, or never was."""
        price = self.ledger.get(self.slug, PRICE, token)
        if price is None or self.clock() - datetime.fromisoformat(price["at"]) > LIFE:
            raise Refusal(*NO_PRICE)
        return price

    def answer_sold(self, labels: Sequence[Mapping[str, Any]]) -> Reply:
        rows = [self.write_package(label, at, str(label["format"])) for at, label in enumerate(labels)]
        days = next(tariff.days for tariff in self.tariffs if tariff.code == labels[0]["service"])
        promise, id = self.write_promise(days), labels[0]["identifier"]
        sold = CATALOGUE.fill("sold", id=id, packages=rows, promise=promise)
        return self.answer_json(sold)

    def write_package(self, label: Mapping[str, Any], at: int, kind: str) -> Json:
        """A package of a shipment with its label, drawn again from what was priced."""
        body: Json = (self.ledger.get(self.slug, PRICE, str(label["token"])) or {})["body"]
        booking, number = read_booking(body, str(label["service"])), str(label["number"])
        return CATALOGUE.fill(
            "package",
            reference=booking.references[at],
            number=number,
            format=kind,
            file=draw(booking, number, at, kind),
        )

    @route("GET", SHIPMENTS + "/{id}/documents")
    def documents(self, request: Request, path: dict[str, str]) -> Reply:
        labels, query = self.backend.find_labels(path["id"]), request.query
        kind = query.get("format") or str(labels[0]["format"])
        rows = [self.write_package(label, at, kind) for at, label in enumerate(labels)]
        name = query.get("packageClientReferenceId", "")
        row = next((row for row in rows if row["packageClientReferenceId"] == name), None)
        if row is None:
            raise self.refusal("unknown_label", name)
        return self.answer_json({"shipmentId": path["id"], "packageDocumentDetail": row})

    @route("PUT", SHIPMENTS + "/{id}/cancel")
    def void(self, request: Request, path: dict[str, str]) -> Reply:
        self.backend.void(path["id"])
        return self.answer_json({})

    @route("GET", "/shipping/v2/tracking")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        number = request.query.get("trackingId", "")
        seen = self.require_tracking(number)
        events = [write_event(scan) for scan in seen.scans]
        status = CATALOGUE.statuses.code(seen.status)
        return self.answer_json(
            CATALOGUE.fill("tracked", number=number, events=events, due=seen.estimated, status=status)
        )


def read_booking(
    body: Json, service: str = "", key: str | None = None, extras: Sequence[str] = ()
) -> Booking:
    """What was priced, and by which service and with which extras it is bought."""
    packages = body["packages"]
    pounds = [Decimal(str(package["weight"]["value"])) for package in packages]
    chosen = ["signature" for extra in extras if extra == CATALOGUE.surcharges["signature"].code]
    collects = ["cod"] if get_path(body, "valueAddedServices/collectOnDelivery") else []
    return Booking(
        shipper=read_party(body["shipFrom"], CATALOGUE.paths("party")),
        recipient=read_party(body.get("shipTo") or body["shipFrom"], CATALOGUE.paths("party")),
        weights=tuple(convert_weight(weight, "LB", "KG") for weight in pounds),
        service=service,
        references=tuple(str(package["packageClientReferenceId"]) for package in packages),
        key=key or None,
        extras=(*chosen, *collects),
    )


def find_service(body: Json) -> str:
    """The service of the price that is named."""
    token, _, service = str(body["rateId"]).partition("-")
    return next(
        (name for name, code in SERVICES.items() if (token, service) == (body["requestToken"], code)), ""
    )


def name_carrier(booking: Booking) -> str:
    country = booking.origin.country
    return str(CARRIERS.get(country, f"AMZN_{country}"))


def write_ineligible(booking: Booking, name: str, refusal: Refusal) -> Json:
    return CATALOGUE.fill(
        "ineligible", service=SERVICES[name], name=name, carrier=name_carrier(booking), refusal=refusal
    )


def draw(booking: Booking, number: str, at: int, kind: str) -> str:
    to = booking.recipient
    furniture = {
        "mark": CATALOGUE.table("label_marks").get(booking.service),
        "routing": f"{to.state or to.country} {to.postal_code[:5]}",
        "caption": group_text(number, 3, 4, 4),
    }
    service = booking.service.removeprefix("Amazon Shipping ").upper()
    spec = draw_booking(booking, number, at, "amazon shipping", service, **furniture)
    return encode_file(draw_format(spec, kind, RESOLUTION))


def write_event(scan: Scan) -> Json:
    return CATALOGUE.fill("event", scan=scan, code=EVENTS.get(scan.status, EVENTS["in_transit"]))

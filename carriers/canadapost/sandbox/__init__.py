"""Canada Post's server as a simulator: prices, labels, voids, manifests, tracking, pickups."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import LABEL, MANIFEST, PICKUP, Booking, Refusal
from shipcli.carrier.simulation.rules import convert_to_plain
from shipcli.carrier.simulation.simulator import Simulator, route
from shipcli.carrier.wire.calls import read_origin
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.xml import element, parse, text

from . import answers, papers

CATALOGUE = load_catalogue(__file__)
RULES = {name: CATALOGUE.rules(*names) for name, names in CATALOGUE.table("documents").items()}
Path = dict[str, str]
Record = dict[str, Any]


class CanadaPostSandbox(Simulator):
    """Canada Post in a sandbox."""

    slug = "canadapost"
    tariffs = CATALOGUE.tariffs
    limits = CATALOGUE.limits
    currency = "CAD"
    auth_scheme = "basic"
    refusals = CATALOGUE.refusals
    _drawn: Mapping[str, bytes] = {}  # the label of the last order, which is fetched next

    def refuse(self, refusal: Refusal) -> Reply:
        content = CATALOGUE.fill("messages", no=refusal)
        return self.xml(answers.write("messages", "messages", content), refusal.status)

    def authorise(self, request: Request) -> Reply | None:
        """A wildcard does not stand for the media type of an operation."""
        if request.header("accept") in ("", "*/*"):
            raise Refusal("Server", f"{request.path}: the Accept header names no media type", 406)
        return super().authorise(request)

    def make_number(self, booking: Booking, serial: int) -> str:
        return papers.make_pin(str(booking.account), serial)

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        return f"340{re.sub(r'[^0-9]', '', numbers[0])[:15]:0>15}"

    def make_form_number(self, serial: int) -> str:
        return str(730_000_000_000_000_000 + serial)

    def make_pickup_number(self, serial: int) -> str:
        return f"{74_000_000 + serial:010}"

    def _read(self, request: Request, root: str, kind: str) -> Json:
        """The document of a request, its media type what it must be."""
        if request.header("content-type") != f"application/vnd.cpc.{kind}+xml":
            raise Refusal("Server", f"{request.path}: the Content-Type is not that of the operation", 415)
        return self.read_xml(request, root, RULES[root])

    @route("POST", "/rs/ship/price")
    def price(self, request: Request, path: Path) -> Reply:
        body = self._read(request, "mailing-scenario", "ship.rate-v4")
        booking = papers.read_scenario(body)
        services = as_list(get_path(body, "services/service-code"))
        content = answers.write_quotes(self.backend.quote(booking, services), booking, self.clock().date())
        return self.file(content, "text/xml; charset=utf-8")

    @route("POST", "/rs/{customer}/{mobo}/shipment")
    def order(self, request: Request, path: Path) -> Reply:
        customer = known_customer(path)
        body = self._read(request, "shipment", "shipment-v8")
        group = body.get("group-id")
        if bool(group) == ("transmit-shipment" in body):
            raise Refusal("Server", f"{request.path}: either group-id or transmit-shipment is expected")
        booking = papers.read_order(body, customer)
        facts = {"customer": customer, "group": group, "order": text(request.xml)}
        sale = self.backend.buy(booking, transmitted=group is None, **facts)
        price = CATALOGUE.fill("price", **answers.sums_of(sale.priced, booking, self.clock().date()))
        record = self.change(sale.records[0], total=price["due-amount"], price=price, encoding=booking.label)
        # Drawn now, fetched in the next call: what can't be printed must not be sold.
        self._drawn = {record["number"]: papers.draw(booking, record["number"])}
        return self.xml(answers.write_shipment(record, read_origin(request.url)))

    @route("POST", "/rs/{customer}/{mobo}/authorizedreturn")
    def order_return(self, request: Request, path: Path) -> Reply:
        """A return is billed when it is scanned: it is transmitted at once, and has no shipment to read."""
        customer = known_customer(path)
        body = self._read(request, "authorized-return", "authreturn-v2")
        booking = papers.read_return(body, customer)
        sale = self.backend.buy(booking, transmitted=True, customer=customer, group=None, order=None)
        price = CATALOGUE.fill("price", **answers.sums_of(sale.priced, booking, self.clock().date()))
        record = self.change(sale.records[0], total=price["due-amount"], encoding=booking.label)
        self._drawn = {record["number"]: papers.draw(booking, record["number"])}
        return self.xml(answers.write_return(record, read_origin(request.url)))

    @route("GET", "/rs/{customer}/{mobo}/shipment")
    def search(self, request: Request, path: Path) -> Reply:
        """Shipments by request id, tracking pin or manifest; voided ones are gone, returns are none."""
        keys = CATALOGUE.table("searches")
        criteria = {keys[name]: value for name, value in request.query.items() if name in keys}
        if len(criteria) != 1:
            raise Refusal("Server", f"{request.path}: exactly one search key is expected")
        labels = self.ledger.find(self.slug, LABEL, customer=known_customer(path), **criteria)
        there = [label for label in labels if label["order"] and not label["voided_at"]]
        return self.xml(answers.write_shipments(there, read_origin(request.url)))

    @route("GET", "/rs/{customer}/{mobo}/shipment/{id}")
    def read(self, request: Request, path: Path) -> Reply:
        return self.xml(answers.write_shipment(self._shipment(path), read_origin(request.url)))

    @route("GET", "/rs/{customer}/{mobo}/shipment/{id}/details")
    def details(self, request: Request, path: Path) -> Reply:
        return self.xml(answers.write_details(self._shipment(path)))

    @route("DELETE", "/rs/{customer}/{mobo}/shipment/{id}")
    def delete(self, request: Request, path: Path) -> Reply:
        if self._shipment(path)["transmitted"]:
            raise Refusal("9130", "The shipment is transmitted and can't be voided")
        self.backend.void(path["id"])
        return Reply(204)

    @route("POST", "/rs/{customer}/{mobo}/shipment/{id}/refund")
    def refund(self, request: Request, path: Path) -> Reply:
        record = self._shipment(path)
        self._read(request, "shipment-refund-request", "shipment-v8")
        if not record["transmitted"]:
            raise self.refusal("too_late")
        self.backend.void(path["id"])
        ticket = CATALOGUE.fill("refund", day=self.clock().date(), number=path["id"][-8:])
        return self.xml(answers.write("shipment-refund-request-info", answers.SHIPMENT, ticket))

    def _shipment(self, path: Path) -> Record:
        """The shipment of a path; a deleted one is gone, a refunded one can still be read."""
        labels = self.ledger.find(self.slug, LABEL, identifier=path["id"], customer=known_customer(path))
        if not labels or (labels[0]["voided_at"] and not labels[0]["transmitted"]):
            raise self.refusal("unknown_label")
        return labels[0]

    @route("GET", "/rs/artifact/{number}/{id}/{page}")
    def artifact(self, request: Request, path: Path) -> Reply:
        """A label, or a manifest by its own number."""
        if form := self.ledger.get(self.slug, MANIFEST, path["id"]):
            listed = self.ledger.find(self.slug, LABEL, manifest=form["number"])
            return self.file(papers.draw_manifest(form, listed), "application/pdf")
        record = self.find_sold(path["number"])
        if record is None or record["identifier"] != path["id"]:
            raise self.refusal("unknown_label")
        content = self._drawn.get(record["number"])
        if content is None:
            booking = papers.read_order(convert_to_plain(parse(record["order"])), record["customer"])
            content = papers.draw(booking, record["number"])
        return self.file(content, answers.MEDIA[record["encoding"]])

    @route("POST", "/rs/{customer}/{mobo}/manifest")
    def transmit(self, request: Request, path: Path) -> Reply:
        customer = known_customer(path)
        body = self._read(request, "transmit-set", "manifest-v8")
        excluded = as_list(get_path(body, "excluded-shipments/shipment-id"))
        groups = as_list(get_path(body, "group-ids/group-id"))
        waiting = [label for group in groups for label in self._waiting(customer, group)]
        ids = [label["identifier"] for label in waiting if label["identifier"] not in excluded]
        day = self.clock().date().isoformat()
        number, closed = self.backend.manifest(ids, customer=customer, day=day)
        for record in closed:
            self.change(record, transmitted=True)
        return self.xml(answers.write_manifests(customer, [number], read_origin(request.url)))

    def _waiting(self, customer: str, group: str) -> list[Record]:
        labels = self.ledger.find(self.slug, LABEL, customer=customer, group=group)
        waiting = [label for label in labels if not label["transmitted"] and not label["voided_at"]]
        if not waiting:
            raise Refusal("9140", f"Group id {group} was not found for transmission")
        return waiting

    @route("GET", "/rs/{customer}/{mobo}/manifest")
    def manifests(self, request: Request, path: Path) -> Reply:
        customer, start = known_customer(path), request.query.get("start", "")
        if not re.fullmatch(r"\d{8}", start):
            raise Refusal("Server", f"{request.path}: start is expected as YYYYMMDD")
        forms = self.ledger.find(self.slug, MANIFEST, customer=customer)
        lately = [form["number"] for form in forms if form["day"].replace("-", "") >= start]
        return self.xml(answers.write_manifests(customer, lately, read_origin(request.url)))

    @route("GET", "/rs/{customer}/{mobo}/manifest/{id}")
    def manifest(self, request: Request, path: Path) -> Reply:
        form = self.ledger.get(self.slug, MANIFEST, path["id"])
        if form is None or form["customer"] != known_customer(path):
            raise Refusal("E404", "The manifest was not found", 404)
        return self.xml(answers.write_manifest(form, read_origin(request.url)))

    @route("GET", "/vis/track/pin/{pin}/detail")
    def track(self, request: Request, path: Path) -> Reply:
        seen = self.simulate_tracking(path["pin"], country="CA")
        if seen is None:
            raise self.refusal("unknown_number")
        return self.xml(answers.write_tracking(path["pin"], seen, self.find_sold(path["pin"]) or {}))

    @route("GET", "/ad/pickup/pickupavailability/{postal}")
    def availability(self, request: Request, path: Path) -> Reply:
        """Every place is on a tour but those of the far north (X)."""
        tour = CATALOGUE.fill("tour", postal=path["postal"], there=not path["postal"].startswith("X"))
        return self.xml(answers.write("pickup-availability", "pickup/availability", tour))

    @route("POST", "/enab/{customer}/pickuprequest")
    def book(self, request: Request, path: Path) -> Reply:
        body = self._read(request, "pickup-request-details", "pickuprequest")
        order = text(request.xml)
        record = self.backend.schedule_pickup(collection_day(body), customer=path["customer"], order=order)
        return self.xml(answers.write_pickup(record, read_origin(request.url)))

    @route("GET", "/enab/{customer}/pickuprequest")
    def pickups(self, request: Request, path: Path) -> Reply:
        records = self.ledger.find(self.slug, PICKUP, customer=path["customer"])
        return self.xml(answers.write_pickups(records, read_origin(request.url)))

    @route("PUT", "/enab/{customer}/pickuprequest/{id}")
    def rebook(self, request: Request, path: Path) -> Reply:
        order = parse(self.backend.find_pickup(path["id"])["order"])
        body = self._read(request, "pickup-request-update", "pickuprequest")
        fields = {str(field.tag): field for field in (*order, *request.xml)}
        changed = text(element("pickup-request-details", fields))
        self.backend.update_pickup(path["id"], collection_day(body), order=changed)
        return Reply(200)

    @route("GET", "/enab/{customer}/pickuprequest/{id}/details")
    def pickup(self, request: Request, path: Path) -> Reply:
        return self.xml(answers.write_pickup_details(self.backend.find_pickup(path["id"])))

    @route("DELETE", "/enab/{customer}/pickuprequest/{id}")
    def unbook(self, request: Request, path: Path) -> Reply:
        self.backend.cancel_pickup(path["id"])
        return Reply(200)


def known_customer(path: Path) -> str:
    """The customer of a path, ten digits. Nobody here may mail on behalf of another."""
    if not path["customer"].isdigit() or path["mobo"] != path["customer"]:
        raise Refusal("AA004", "You cannot mail on behalf of the requested customer.", 403)
    return f"{int(path['customer']):010}"


def collection_day(body: Json) -> str:
    """Errors: Refusal for a door that shuts before the parcels are ready."""
    times: Json = get_path(body, "pickup-times/on-demand-pickup-time")
    if times["closing-time"] <= times["preferred-time"]:
        raise Refusal("9152", "The closing time must be after the preferred time")
    return str(times["date"])

"""Canada Post's server in a sandbox: its paths, its media types, its schemas, its refusals."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from lxml.etree import _Element

from carriers.canadapost import checks, labels, replies, schema
from carriers.canadapost.catalogue import SERVICES
from carriers.canadapost.checks import Path, Refusal, missing
from carriers.canadapost.closing import MANIFEST_SPACE, PICKUP_SPACE
from carriers.canadapost.shipments import SPACE
from carriers.canadapost.wire import MANIFEST, PICKUP_REQUEST, RATE, RATE_SPACE, SHIPMENT
from shipcli.carrier import Reply, Request
from shipcli.carrier.ledger import Ledger
from shipcli.carrier.simulator import LABEL, PICKUP, Offer, Simulator, route
from shipcli.carrier.simulator import MANIFEST as FORM
from shipcli.carrier.xml import element, find, text

HEAVIEST_KG = Decimal(30)


class CanadaPostSandbox(Simulator):
    slug = "canadapost"
    tariffs = replies.TARIFFS

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        super().__init__(ledger, clock)
        self._drawn: dict[str, bytes] = {}  # the label of the last order, until it is fetched

    def dispatch(self, request: Request) -> Reply:
        try:
            return super().dispatch(request)
        except Refusal as no:
            return self.xml(replies.messages(no.code, no.reason), no.status)

    def authorise(self, request: Request) -> Reply | None:
        user, password = checks.credentials(request)
        if self.refused_credentials(user, password):
            raise Refusal(401, "E002", "AAA Authentication Failure")
        return None

    # -- prices --------------------------------------------------------------------------------

    @route("POST", "/rs/ship/price")
    def price(self, request: Request, path: Path) -> Reply:
        ask = checks.body(request, RATE, "mailing-scenario", RATE_SPACE, schema.RATE)
        place = ask.find("destination")
        if place is None or len(place) != 1:
            raise Refusal(400, "Server", f"{request.path}: destination needs exactly one element")
        country = {"domestic": "CA", "united-states": "US"}.get(
            str(place[0].tag), find(place[0], "country-code")
        )
        wanted = {node.text for node in ask.iterfind("services/service-code")}
        unsold = [code for code in wanted if SERVICES.of_code(code) is None]
        if unsold:
            raise Refusal(400, "9111", f"Service code {unsold[0]} is not valid")
        codes = find(ask, "origin-postal-code") or "", find(place[0], "postal-code") or ""
        offers = self._offers(ask, str(country), *codes)
        listed = [offer for offer in offers if not wanted or offer.code in wanted]
        if not listed:
            raise Refusal(400, "9112", "No service is available for this parcel and destination")
        quotes = replies.price_quotes(listed, country != "CA", _base(request))
        return self.file(quotes, "text/xml; charset=utf-8")

    def _offers(self, parcel: _Element, country: str, origin: str, postal: str) -> list[Offer]:
        weight = Decimal(find(parcel, "parcel-characteristics/weight") or "0")
        if weight > HEAVIEST_KG:
            raise Refusal(400, "9122", f"The weight {weight} kg exceeds the maximum of {HEAVIEST_KG} kg")
        offers = self.offers("CA", country, weight, origin, postal)
        return [offer for offer in offers if not (country == "US" and offer.code.startswith("INT."))]

    # -- shipments -----------------------------------------------------------------------------

    @route("POST", "/rs/{customer}/{mobo}/shipment")
    def order(self, request: Request, path: Path) -> Reply:
        customer = checks.customer(path)
        order = checks.body(request, SHIPMENT, "shipment", SPACE, schema.SHIPMENT)
        group, transmit = find(order, "group-id"), order.find("transmit-shipment") is not None
        if bool(group) == transmit:
            raise Refusal(400, "Server", f"{request.path}: either group-id or transmit-shipment is expected")
        record = self._sell(customer, order, group)
        # Drawn now, fetched in the next call: what can't be printed must not be sold.
        self._drawn = {str(record["number"]): labels.draw(record)}
        return self.xml(replies.shipment_info(record, _base(request)))

    def _sell(self, customer: int, order: _Element, group: str | None) -> dict[str, Any]:
        spec = order.find("delivery-spec")
        assert spec is not None
        country = find(spec, "destination/address-details/country-code") or ""
        postal = find(spec, "destination/address-details/postal-zip-code") or ""
        offer, abroad = self._chosen(spec, country, postal), country != "CA"
        serial = self.next_number()
        gst = replies.tax(offer, abroad)
        return self.sell(
            replies.pin(customer, serial),
            identifier=str(340_000_000_000_000_000 + serial),
            reference=find(spec, "references/customer-ref-1"),
            key=find(order, "customer-request-id"),
            service=offer.code,
            total=offer.total + gst,
            pretax=offer.total,
            gst=gst,
            base=offer.base,
            fuel=offer.fuel,
            currency="CAD",
            origin="CA",
            destination=country,
            postal_code=postal,
            customer=customer,
            group=group,
            transmitted=group is None,
            encoding=find(spec, "print-preferences/encoding") or "PDF",
            weight=find(spec, "parcel-characteristics/weight"),
            order=text(order),
        )

    def _chosen(self, spec: _Element, country: str, postal: str) -> Offer:
        """The price of the service ordered.

        Errors: Refusal when it is not sold there, or what the destination demands is missing.
        """
        code = find(spec, "service-code")
        sender = find(spec, "sender/address-details/country-code")
        if sender != "CA":
            raise Refusal(400, "9118", "The sender must be in Canada")
        if country in ("CA", "US") and not (postal and find(spec, "destination/address-details/prov-state")):
            raise Refusal(400, "9119", "The destination needs a province or state and a postal code")
        if not (find(spec, "destination/name") or find(spec, "destination/company")):
            raise Refusal(400, "9120", "The destination needs a name or a company")
        if country != "CA" and spec.find("customs") is None:
            raise Refusal(400, "9121", "Customs information is required for this destination")
        origin = find(spec, "sender/address-details/postal-zip-code") or ""
        offers = self._offers(spec, country, origin, postal)
        offer = next((one for one in offers if one.code == code), None)
        if offer is None:
            raise Refusal(400, "9111", f"Service {code} is not available for this parcel and destination")
        return offer

    @route("GET", "/rs/{customer}/{mobo}/shipment")
    def search(self, request: Request, path: Path) -> Reply:
        """Shipments by request id, tracking pin, group or manifest; voided ones are gone."""
        fields = {"requestId": "key", "trackingPIN": "number", "groupId": "group", "manifestId": "manifest"}
        asked = [(fields[name], value) for name, value in request.query.items() if name in fields]
        if len(asked) != 1:
            raise Refusal(400, "Server", f"{request.path}: exactly one search key is expected")
        found = self.ledger.find(self.slug, LABEL, customer=checks.customer(path), **dict(asked))
        there = [record for record in found if not record["voided_at"]]
        if asked[0][0] == "group":
            there = [record for record in there if not record["transmitted"]]
        return self.xml(replies.shipment_list(there, _base(request)))

    @route("GET", "/rs/{customer}/{mobo}/shipment/{id}")
    def read(self, request: Request, path: Path) -> Reply:
        return self.xml(replies.shipment_info(self._shipment(path), _base(request)))

    @route("GET", "/rs/{customer}/{mobo}/shipment/{id}/details")
    def details(self, request: Request, path: Path) -> Reply:
        return self.xml(replies.shipment_details(self._shipment(path)))

    @route("DELETE", "/rs/{customer}/{mobo}/shipment/{id}")
    def delete(self, request: Request, path: Path) -> Reply:
        record = self._shipment(path)
        if record["transmitted"]:
            raise Refusal(400, "9130", "The shipment is transmitted and can't be voided")
        self.void_label(record)
        return Reply(204)

    @route("POST", "/rs/{customer}/{mobo}/shipment/{id}/refund")
    def refund(self, request: Request, path: Path) -> Reply:
        record = self._shipment(path)
        ask = checks.body(request, SHIPMENT, "shipment-refund-request", SPACE, schema.REFUND)
        if record["voided_at"]:
            raise Refusal(400, "9131", "A refund of this shipment was requested before")
        if not record["transmitted"] or record["manifested_at"]:
            raise Refusal(400, "9132", "A refund of this shipment can't be requested")
        self.change(self.void_label(record), refund_email=find(ask, "email"))
        ticket = {
            "service-ticket-date": self.clock().date(),
            "service-ticket-id": f"GT{record['number'][-8:]}RT",
        }
        return self.xml(element("shipment-refund-request-info", ticket, SPACE))

    def _shipment(self, path: Path) -> dict[str, Any]:
        """The shipment of a path; a deleted one is gone, a refunded one can still be read."""
        found = self.ledger.find(self.slug, LABEL, identifier=path["id"], customer=checks.customer(path))
        if not found or (found[0]["voided_at"] and not found[0]["transmitted"]):
            raise missing("The shipment")
        return found[0]

    @route("GET", "/rs/artifact/{number}/{id}/{page}")
    def artifact(self, request: Request, path: Path) -> Reply:
        """A label, or a manifest by its own number."""
        form = self.ledger.get(self.slug, FORM, path["id"])
        record = None if form else self.sold(path["number"])
        if form:
            listed = self.ledger.find(self.slug, LABEL, manifest=form["number"])
            return self.file(labels.draw_manifest(form, listed), "application/pdf")
        if record is None or record["identifier"] != path["id"]:
            raise missing("The artifact")
        drawn = self._drawn.pop(path["number"], None) or labels.draw(record)
        return self.file(drawn, replies.MEDIA[record["encoding"]])

    # -- manifests -----------------------------------------------------------------------------

    @route("POST", "/rs/{customer}/{mobo}/manifest")
    def transmit(self, request: Request, path: Path) -> Reply:
        customer = checks.customer(path)
        ask = checks.body(request, MANIFEST, "transmit-set", MANIFEST_SPACE, schema.MANIFEST)
        excluded = {node.text for node in ask.iterfind("excluded-shipments/shipment-id")}
        waiting = [
            record
            for group in ask.iterfind("group-ids/group-id")
            for record in self._waiting(customer, group.text or "")
            if record["identifier"] not in excluded
        ]
        number = str(730_000_000_000_000_000 + self.next_number(FORM))
        now = self.clock().isoformat()
        form = {"number": number, "customer": customer, "po": f"P{number[-9:]}", "day": now[:10]}
        self.ledger.put(self.slug, FORM, number, form)
        for record in waiting:
            self.change(record, manifest=number, manifested_at=now, transmitted=True)
        return self.xml(replies.manifest_list([replies.manifest_home(customer, number, _base(request))]))

    def _waiting(self, customer: int, group: str) -> list[dict[str, Any]]:
        found = self.ledger.find(self.slug, LABEL, customer=customer, group=group)
        waiting = [record for record in found if not record["transmitted"] and not record["voided_at"]]
        if not waiting:
            raise Refusal(400, "9140", f"Group id {group} was not found for transmission")
        return waiting

    @route("GET", "/rs/{customer}/{mobo}/manifest")
    def manifests(self, request: Request, path: Path) -> Reply:
        customer, start = checks.customer(path), request.query.get("start", "")
        if not re.fullmatch(r"\d{8}", start):
            raise Refusal(400, "Server", f"{request.path}: start is expected as YYYYMMDD")
        found = self.ledger.find(self.slug, FORM, customer=customer)
        lately = [form["number"] for form in found if form["day"].replace("-", "") >= start]
        homes = [replies.manifest_home(customer, number, _base(request)) for number in lately]
        return self.xml(replies.manifest_list(homes))

    @route("GET", "/rs/{customer}/{mobo}/manifest/{id}")
    def manifest(self, request: Request, path: Path) -> Reply:
        form = self.ledger.get(self.slug, FORM, path["id"])
        if form is None or form["customer"] != checks.customer(path):
            raise missing("The manifest")
        artifact = f"{_base(request)}/rs/artifact/manifest/{form['number']}/0"
        own = replies.manifest_home(form["customer"], form["number"], _base(request))
        return self.xml(replies.manifest_info(form, own, artifact))

    # -- tracking ------------------------------------------------------------------------------

    @route("GET", "/vis/track/pin/{pin}/detail")
    def track(self, request: Request, path: Path) -> Reply:
        travelled = self.simulate_tracking(path["pin"])
        if travelled is None or all(scan.status == "unknown" for scan in travelled.scans):
            raise Refusal(404, "004", "No Pin History")
        return self.xml(replies.tracking_detail(path["pin"], travelled, self.sold(path["pin"])))

    # -- pickups -------------------------------------------------------------------------------

    @route("GET", "/ad/pickup/pickupavailability/{postal}")
    def availability(self, request: Request, path: Path) -> Reply:
        """Every place is on a tour but those of the far north (X)."""
        if not re.fullmatch(schema.POSTAL, path["postal"]):
            raise Refusal(400, "Server", f"{request.path}: the postal code is not valid")
        body = {
            "postal-code": path["postal"],
            "on-demand-cutoff": "16:00",
            "on-demand-tour": not path["postal"].startswith("X"),
            "prority-world-cutoff": "14:00",
            "scheduled-pickups-available": True,
        }
        space = "http://www.canadapost.ca/ws/pickup/availability"
        return self.xml(element("pickup-availability", body, space))

    @route("POST", "/enab/{customer}/pickuprequest")
    def book(self, request: Request, path: Path) -> Reply:
        order = checks.body(request, PICKUP_REQUEST, "pickup-request-details", PICKUP_SPACE, schema.PICKUP)
        number = f"{74_000_000 + self.next_number(PICKUP):010}"
        record = {"number": number, "customer": path["customer"], **checks.collection(order, self.clock())}
        self.ledger.put(self.slug, PICKUP, number, record)
        return self.xml(replies.pickup_info(record, _base(request)))

    @route("GET", "/enab/{customer}/pickuprequest")
    def pickups(self, request: Request, path: Path) -> Reply:
        found = self.ledger.find(self.slug, PICKUP, customer=path["customer"])
        return self.xml(replies.pickup_list(found, _base(request)))

    @route("PUT", "/enab/{customer}/pickuprequest/{id}")
    def rebook(self, request: Request, path: Path) -> Reply:
        record = self._pickup(path)
        root = "pickup-request-update"
        change = checks.body(request, PICKUP_REQUEST, root, PICKUP_SPACE, schema.COLLECTION)
        self.ledger.put(
            self.slug, PICKUP, record["number"], {**record, **checks.collection(change, self.clock())}
        )
        return Reply(200)

    @route("GET", "/enab/{customer}/pickuprequest/{id}/details")
    def pickup(self, request: Request, path: Path) -> Reply:
        return self.xml(replies.pickup_details(self._pickup(path)))

    @route("DELETE", "/enab/{customer}/pickuprequest/{id}")
    def unbook(self, request: Request, path: Path) -> Reply:
        self.ledger.remove(self.slug, PICKUP, self._pickup(path)["number"])
        return Reply(200)

    def _pickup(self, path: Path) -> dict[str, Any]:
        record = self.ledger.get(self.slug, PICKUP, path["id"])
        if record is None or record["customer"] != path["customer"]:
            raise missing("The pickup request")
        return record


def _base(request: Request) -> str:
    parts = urlsplit(request.url)
    return f"{parts.scheme}://{parts.netloc}"

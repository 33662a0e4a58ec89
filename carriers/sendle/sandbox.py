"""Sendle's server in the sandbox: products, orders, their labels, tracking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from shipcli.carrier import Reply, Request, load_catalogue
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import draw_booking
from shipcli.carrier.simulation.simulator import Refusal, Simulator, route
from shipcli.carrier.simulation.tracking import Scan
from shipcli.carrier.wire.json_paths import Json

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
PRICED, BOUGHT = CATALOGUE.rules("product"), CATALOGUE.rules("order")
LABEL_FILE = "label_file"


class SendleSimulator(Simulator):
    """Sendle in a sandbox."""

    slug = "sendle"
    tariffs = CATALOGUE.tariffs
    local_money = True
    auth_scheme = "basic"
    refusals = CATALOGUE.refusals

    def refuse(self, refusal: Refusal) -> Reply:
        text = {"error": refusal.code, "error_description": refusal.text}
        return self.json(text | {"messages": refusal.text}, refusal.status)

    def make_number(self, booking: Booking, serial: int) -> str:
        return f"S{serial:07X}"

    def make_identifier(self, booking: Booking, numbers: Sequence[str]) -> str:
        return str(UUID(int=0xF5233746 << 96 | self.next_number("order")))

    @route("GET", "/api/products")
    def products(self, request: Request, path: dict[str, str]) -> Reply:
        query = request.query
        self.enforce(PRICED, query)
        booking = Booking(
            shipper=_place(query, "sender"),
            recipient=_place(query, "receiver"),
            weights=(Decimal(query["weight_value"]),),
        )
        return self.json([write_product(price) for price in self.backend.quote(booking)])

    @route("POST", "/api/orders")
    def order(self, request: Request, path: dict[str, str]) -> Reply:
        self.enforce(BOUGHT, request.json)
        sale = self.backend.buy(read_order(request.json, request.header("idempotency-key")))
        self.ledger.put(self.slug, LABEL_FILE, sale.identifier, {"content": draw(sale).decode("latin-1")})
        return self.json(write_order(sale), 201)

    @route("GET", "/api/orders/{order}/labels/{file}")
    def label(self, request: Request, path: dict[str, str]) -> Reply:
        stored = self.ledger.get(self.slug, LABEL_FILE, path["order"])
        if stored is None or path["file"] != "a4.pdf":
            raise self.refusal("unknown_label")
        return self.file(stored["content"].encode("latin-1"), "application/pdf")

    @route("DELETE", "/api/orders/{order}")
    def cancel(self, request: Request, path: dict[str, str]) -> Reply:
        (label,) = self.backend.void(path["order"])
        return self.json(
            {"order_id": path["order"], "state": "Cancelled", "sendle_reference": label["number"]}
        )

    @route("GET", "/api/tracking/{number}")
    def track(self, request: Request, path: dict[str, str]) -> Reply:
        label = self.find_sold(path["number"]) or {}
        seen = self.require_tracking(path["number"], country="AU")
        due = f"{seen.estimated:%Y-%m-%d}" if seen.estimated else ""
        return self.json({
            "state": "Cancelled" if label.get("voided_at") else CATALOGUE.statuses.code(seen.status),
            "origin": {"country": label.get("origin")},
            "destination": {"country": label.get("destination")},
            "scheduling": {"estimated_delivery_date_minimum": due},
            "tracking_events": [write_scan(scan) for scan in seen.scans],
        })  # fmt: skip


def _place(query: Json, side: str) -> Party:
    return Party(
        lines=tuple(filter(None, (query.get(f"{side}_address_line{at}") for at in (1, 2)))),
        city=query[f"{side}_suburb"],
        postal_code=query[f"{side}_postcode"],
        country=query[f"{side}_country"],
    )


def write_product(priced: PricedOffer) -> Json:
    offer = priced.offer
    eta = {"days_range": [max(offer.days - 1, 1), offer.days]}
    return {**write_price(priced, "quote"), "plan": "Sandbox", "eta": eta, "product": {"code": offer.code}}


def write_price(priced: PricedOffer, name: str) -> Json:
    """The price under the name that it has in an answer, and what it is made of."""
    amounts = {"base": priced.offer.base, "fuel_surcharge": priced.offer.fuel}
    money = {line: {"amount": amount, "currency": priced.currency} for line, amount in amounts.items()}
    gross = {"amount": priced.total, "currency": priced.currency}
    return {name: {"gross": gross}, "price_breakdown": money}


def read_order(body: Json, key: str) -> Booking:
    return Booking(
        shipper=read_party(body["sender"], PARTY),
        recipient=read_party(body["receiver"], PARTY),
        weights=(Decimal(str(body["weight"]["value"])),),
        service=body["product_code"],
        reference=body.get("customer_reference"),
        key=key,
        items=read_items(body.get("parcel_contents") or (), ITEM),
        ship_date=datetime.fromisoformat(body["pickup_date"]).date() if body.get("pickup_date") else None,
    )


def write_order(sale: Sale) -> Json:
    number, order = sale.numbers[0], sale.identifier
    url = f"https://sandbox.sendle.com/api/orders/{order}"
    return {
        "order_id": order,
        "state": "Pickup",
        "order_url": url,
        "sendle_reference": number,
        "tracking_url": f"https://track.sendle.com/tracking?ref={number}",
        "customer_reference": sale.booking.reference,
        **write_price(sale.priced, "price"),
    }


def draw(sale: Sale) -> bytes:
    from shipcli.drawing import draw_label

    booking = sale.booking
    service = booking.service.replace("-", " ")
    routing = f"{booking.recipient.state} {booking.recipient.postal_code}".strip()
    spec = draw_booking(booking, sale.numbers[0], 0, "Sendle", service, mark="S", routing=routing)
    return draw_label(spec, "PDF")


def write_scan(scan: Scan) -> dict[str, Any]:
    return {
        "event_type": CATALOGUE.statuses.code(scan.status),
        "local_scan_time": f"{scan.at:%Y-%m-%dT%H:%M:%S}",
        "description": scan.description,
        "location": f"{scan.city}, {scan.country}",
    }

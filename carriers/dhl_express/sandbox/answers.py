"""What the simulated DHL answers: the templates of its data file, filled in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.backend import Booking, PricedOffer, Sale
from shipcli.carrier.simulation.price_list import find_arrival_day
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, document

CATALOGUE = load_catalogue(__file__)


def write(root: str, body: Json) -> Element:
    return document(root, body, "http://www.dhl.com", "res")


def write_answer(root: str, answer: str, **values: Any) -> Element:
    return write(root, CATALOGUE.fill(answer, **values))


def write_prices(booking: Booking, offers: Sequence[PricedOffer], now: datetime) -> Element:
    start = booking.ship_date or now.date()
    return write_answer("DCTResponse", "prices", products=[_write_product(one, start) for one in offers])


def _write_product(priced: PricedOffer, start: Any) -> Json:
    offer, known = priced.offer, CATALOGUE.surcharges
    extras = [(known[word].code, word.upper(), amount) for word, amount in priced.extras.items()]
    lines = [("FF", "FUEL SURCHARGE", offer.fuel), *extras]
    charges = [CATALOGUE.fill("charge", code=code, name=name, amount=amount) for code, name, amount in lines]
    name, arrival = CATALOGUE.table("products")[offer.code][1], find_arrival_day(start, offer.days)
    places = {"priced": priced, "offer": offer, "name": name, "start": start, "arrival": arrival}
    return CATALOGUE.fill("product", charges=charges, **places)


def write_sale(sale: Sale, order: Json, label: str, invoice: str | None) -> Element:
    return write_answer(
        "ShipmentResponse",
        "sale",
        sale=sale,
        price=sale.priced,
        count=len(sale.numbers),
        region=order.get("RegionCode", "AM"),
        mark=CATALOGUE.table("products")[sale.booking.service][0],
        pieces=[CATALOGUE.fill("piece", plate=plate) for plate in sale.numbers],
        kind=order["LabelImageFormat"],
        label=label,
        form=CATALOGUE.fill("invoice", invoice=invoice) if invoice else None,
    )


def write_waybill(number: str, seen: SimulatedTracking | None, label: Json) -> Json:
    if seen is None:
        return CATALOGUE.fill("unknown_waybill", number=number)
    blank = dict.fromkeys(("recipient_name", "weight_kg", "destination", "recipient_postal_code"))
    held = {**blank, "origin": seen.scans[0].country, **label}
    due = f"{seen.estimated:%Y-%m-%d %H:%M:%S} GMT+00:00" if seen.estimated else None
    scans = [_write_scan(scan) for scan in seen.scans]
    return CATALOGUE.fill("waybill", number=number, first=seen.scans[0], label=held, due=due, scans=scans)


def _write_scan(scan: Scan) -> Json:
    code = CATALOGUE.table("scans").get(scan.status) or CATALOGUE.statuses.code(scan.status)
    signatory = "S. AMPLE" if scan.status == "delivered" else ""
    return CATALOGUE.fill("scan", scan=scan, code=code, signatory=signatory, city=scan.city.upper())

"""What the simulated Canada Post answers: the templates of its data file, filled in. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import Booking, PricedOffer
from shipcli.carrier.simulation.price_list import find_arrival_day, to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, element, find, parse

from .papers import title

CATALOGUE = load_catalogue(__file__)
Record = Mapping[str, Any]
GST = Decimal("0.05")
MEDIA = {"PDF": "application/pdf", "ZPL": "application/zpl"}
EASTERN = timedelta(hours=5)
SHIPMENT, MANIFEST, PICKUP, RETURN = "shipment-v8", "manifest-v8", "pickuprequest", "authreturn-v2"


def write(root: str, space: str, body: Json) -> Element:
    return element(root, body, f"http://www.canadapost.ca/ws/{space}")


def sums_of(priced: PricedOffer, booking: Booking, today: date) -> Json:
    """What a price comes to, and by when; nothing is taxed that leaves the country."""
    gst, day = (
        to_cents(priced.total * (0 if booking.abroad else GST)),
        find_arrival_day(today, priced.offer.days),
    )
    sums = {"total": priced.total, "gst": gst, "due": priced.total + gst}
    return {"offer": priced.offer, "day": day.isoformat(), **sums}


def write_quotes(prices: Sequence[PricedOffer], booking: Booking, today: date) -> bytes:
    """Asked for by the thousand, so the answer is a filled text; nothing in it needs escaping."""
    whole, template = (str(CATALOGUE.table("texts")[name]) for name in ("quotes", "quote"))
    facts = [(title(priced.offer.code), sums_of(priced, booking, today)) for priced in prices]
    return whole.format("".join(template.format(name=name, **sums) for name, sums in facts)).encode()


def home(record: Record, base: str) -> str:
    """The address of a shipment."""
    return f"{base}/rs/{record['customer']}/{record['customer']}/shipment/{record['identifier']}"


def write_shipment(record: Record, base: str) -> Element:
    """A shipment as it is answered when it is made and when it is read."""
    path, status = home(record, base), status_of(record)
    state = "refunded" if record["transmitted"] and record["voided_at"] else status
    parent, media = path.rpartition("/")[0], MEDIA[record["encoding"]]
    links = CATALOGUE.fill(f"links_of_{state}", path=path, place=parent, base=base, r=record, media=media)
    price = {**record["price"], "rated-weight": record["weight_kg"]}
    filled = CATALOGUE.fill("shipment", r=record, status=status, price=price, links=links)
    return write("shipment-info", SHIPMENT, filled)


def write_return(record: Record, base: str) -> Element:
    """A return as it is answered when it is made."""
    label = f"{base}/rs/artifact/{record['number']}/{record['identifier']}/0"
    link = {"@rel": "returnLabel", "@href": label, "@media-type": MEDIA[record["encoding"]], "@index": 0}
    body = {"tracking-pin": record["number"], "links": {"link": [link]}}
    return write("authorized-return-info", RETURN, body)


def status_of(record: Record) -> str:
    return "transmitted" if record["transmitted"] else "created"


def write_shipments(records: Sequence[Record], base: str) -> Element:
    links = [CATALOGUE.fill("shipment_link", path=home(record, base)) for record in records]
    return write("shipments", SHIPMENT, {"link": links})


def write_details(record: Record) -> Element:
    """The order as it was given."""
    order, status = parse(record["order"]), status_of(record)
    content = take(order, "group-id", "transmit-shipment", "delivery-spec")
    facts = {"number": record["number"], "point": find(order, "requested-shipping-point", "")}
    return write(
        "shipment-details", SHIPMENT, CATALOGUE.fill("details", status=status, order=content, **facts)
    )


def take(order: Element, *names: str) -> Json:
    """The members of an order, of these names."""
    return {str(child.tag): child for child in order if child.tag in names}


def write_manifests(customer: str, numbers: Sequence[str], base: str) -> Element:
    url = f"{base}/rs/{customer}/{customer}"
    links = [CATALOGUE.fill("manifest_link", place=url, number=number) for number in numbers]
    return write("manifests", MANIFEST, {"link": links})


def write_manifest(form: Record, base: str) -> Element:
    number, url = form["number"], f"{base}/rs/{form['customer']}/{form['customer']}"
    facts = {"number": number, "tail": number[-9:], "place": url, "base": base}
    return write("manifest", MANIFEST, CATALOGUE.fill("manifest", **facts))


def write_tracking(number: str, seen: SimulatedTracking, record: Record) -> Element:
    """What is known of a parcel. Before it is handed over there is nothing but its announcement."""
    scans = [scan for scan in seen.scans if scan.status != "unknown"]
    if all(scan.status == "pending" for scan in scans):
        scans = []
    filled = CATALOGUE.fill(
        "tracking",
        number=number,
        postal=(record.get("recipient_postal_code") or "").replace(" ", ""),
        due=seen.estimated.date() if seen.estimated else "",
        service=title(record.get("service") or "DOM.EP"),
        scans=[_write_scan(scan) for scan in reversed(scans)],
    )
    return write("tracking-detail", "track", filled)


def _write_scan(scan: Scan) -> Json:
    location = {"site": scan.city.upper(), "province": "ON" if scan.country == "CA" else scan.country}
    code, signatory = CATALOGUE.statuses.code(scan.status), "S. AMPLE" if scan.status == "delivered" else ""
    return CATALOGUE.fill("scan", scan=scan, at=scan.at - EASTERN, code=code, signatory=signatory, **location)


def write_pickup(record: Record, base: str) -> Element:
    return write("pickup-request-info", PICKUP, _write_booked(record, base) | CATALOGUE.fill("pickup_price"))


def write_pickups(records: Sequence[Record], base: str) -> Element:
    return write(
        "pickup-requests", PICKUP, {"pickup-request": [_write_booked(record, base) for record in records]}
    )


def write_pickup_details(record: Record) -> Element:
    order = parse(record["order"])
    names = {str(child.tag) for child in order} - {"customer-request-id", "pickup-type"}
    filled = CATALOGUE.fill("pickup_details", header=_write_header(record), order=take(order, *names))
    return write("pickup-request-detailed-info", PICKUP, filled)


def _write_booked(record: Record, base: str) -> Json:
    path = f"{base}/enab/{record['customer']}/pickuprequest/{record['number']}"
    return CATALOGUE.fill("pickup", header=_write_header(record), path=path)


def _write_header(record: Record) -> Json:
    return CATALOGUE.fill(
        "pickup_header", r=record, status="Cancelled" if record["cancelled_at"] else "Active"
    )

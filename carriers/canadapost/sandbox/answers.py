"""What the simulated Canada Post answers, in its own XML. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from carriers.canadapost.sandbox.papers import title
from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import Booking, Priced
from shipcli.carrier.json_paths import Json
from shipcli.carrier.price_list import arrival_day, to_cents
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking
from shipcli.carrier.xml import Element, element, find, parse

CATALOGUE = load_catalogue(__file__)
Record = Mapping[str, Any]
GST = Decimal("0.05")
MEDIA = {"PDF": "application/pdf", "ZPL": "application/zpl"}
VENDOR = "application/vnd.cpc.{}+xml"
SHIPMENT, MANIFEST, PICKUP = map(VENDOR.format, ("shipment-v8", "manifest-v8", "pickuprequest"))
SPACE = "http://www.canadapost.ca/ws/{}"
EASTERN = timedelta(hours=5)


def write_messages(code: str, said: str) -> Element:
    return element("messages", {"message": {"code": code, "description": said}}, SPACE.format("messages"))


def _link(rel: str, href: str, media: str, **more: Any) -> Json:
    return {"@rel": rel, "@href": href, "@media-type": media, **{f"@{k}": v for k, v in more.items()}}


# -- prices ----------------------------------------------------------------------------------------


def price_of(priced: Priced, booking: Booking, today: date) -> Json:
    """A price as shipments have it; nothing is taxed that leaves the country."""
    offer, gst = priced.offer, Decimal(0) if booking.abroad else to_cents(priced.total * GST)
    return {
        "service-code": offer.code,
        "base-amount": offer.base,
        "adjustments": {"adjustment": {"adjustment-code": "FUELSC", "adjustment-amount": offer.fuel}},
        "pre-tax-amount": priced.total,
        "gst-amount": gst,
        "pst-amount": 0,
        "hst-amount": 0,
        "due-amount": priced.total + gst,
        "service-standard": {
            "am-delivery": False,
            "guaranteed-delivery": False,
            "expected-transmit-time": offer.days,
            "expected-delivery-date": arrival_day(today, offer.days).isoformat(),
        },
    }


# Prices are asked for by the thousand, so their answer is a filled text; nothing in it needs escaping.
_QUOTES = '<?xml version="1.0" encoding="UTF-8"?>\n<price-quotes xmlns="{}">{}</price-quotes>'
_QUOTE = (
    "<price-quote><service-code>{offer.code}</service-code>"
    f'<service-link rel="service" href="https://sandbox.example" media-type="{VENDOR.format("rate-v4")}"/>'
    "<service-name>{name}</service-name>"
    "<price-details><base>{offer.base}</base>"
    "<taxes><gst>{gst}</gst><pst>0</pst><hst>0</hst></taxes><due>{due}</due>"
    "<adjustments><adjustment><adjustment-code>FUELSC</adjustment-code>"
    "<adjustment-name>Fuel surcharge</adjustment-name><adjustment-cost>{offer.fuel}</adjustment-cost>"
    "</adjustment></adjustments></price-details><weight-details/><service-standard>"
    "<am-delivery>false</am-delivery><guaranteed-delivery>false</guaranteed-delivery>"
    "<expected-transit-time>{offer.days}</expected-transit-time>"
    "<expected-delivery-date>{due_day}</expected-delivery-date></service-standard></price-quote>"
)


def write_quotes(prices: Sequence[Priced], booking: Booking, today: date) -> bytes:
    quotes = "".join(_quote(one, price_of(one, booking, today)) for one in prices)
    return _QUOTES.format(SPACE.format("ship/rate-v4"), quotes).encode()


def _quote(priced: Priced, price: Json) -> str:
    name, day = title(priced.offer.code), price["service-standard"]["expected-delivery-date"]
    gst, due = price["gst-amount"], price["due-amount"]
    return _QUOTE.format(offer=priced.offer, name=name, gst=gst, due=due, due_day=day)


# -- shipments -------------------------------------------------------------------------------------


def home(record: Record, base: str) -> str:
    """The address of a shipment."""
    return f"{base}/rs/{record['customer']}/{record['customer']}/shipment/{record['identifier']}"


def write_shipment(record: Record, base: str) -> Element:
    """A shipment as it is answered when it is made and when it is read."""
    path, sent = home(record, base), record["transmitted"]
    label = f"{base}/rs/artifact/{record['number']}/{record['identifier']}/0"
    links = [_link("self", path, SHIPMENT), _link("details", f"{path}/details", SHIPMENT)]
    if sent and not record["voided_at"]:
        links.append(_link("refund", f"{path}/refund", SHIPMENT))
    if not sent:
        links.append(_link("group", f"{path.rpartition('/')[0]}?groupId={record['group']}", SHIPMENT))
    links.append(_link("label", label, MEDIA[record["encoding"]], index=0))
    body = {
        "customer-request-id": record["key"],
        "shipment-id": record["identifier"],
        "shipment-status": "transmitted" if sent else "created",
        "tracking-pin": record["number"],
        "shipment-price": {**record["price"], "rated-weight": record["weight_kg"]},
        "links": {"link": links},
    }
    return element("shipment-info", body, SPACE.format("shipment-v8"))


def write_shipments(records: Sequence[Record], base: str) -> Element:
    links = [_link("shipment", home(record, base), SHIPMENT) for record in records]
    return element("shipments", {"link": links}, SPACE.format("shipment-v8"))


def write_details(record: Record) -> Element:
    """The order as it was given."""
    order = parse(record["order"])
    kept = [child for child in order if child.tag in ("group-id", "transmit-shipment", "delivery-spec")]
    body = {
        "shipment-status": "transmitted" if record["transmitted"] else "created",
        "final-shipping-point": find(order, "requested-shipping-point") or "",
        "tracking-pin": record["number"],
        "shipment-detail": {str(child.tag): child for child in kept},
    }
    return element("shipment-details", body, SPACE.format("shipment-v8"))


# -- manifests, tracking, pickups ------------------------------------------------------------------


def write_manifests(customer: str, numbers: Sequence[str], base: str) -> Element:
    path = f"{base}/rs/{customer}/{customer}/manifest"
    links = [_link("manifest", f"{path}/{number}", MANIFEST) for number in numbers]
    return element("manifests", {"link": links}, SPACE.format("manifest-v8"))


def write_manifest(form: Record, base: str) -> Element:
    number, place = form["number"], f"{base}/rs/{form['customer']}/{form['customer']}"
    links = [
        _link("self", f"{place}/manifest/{number}", MANIFEST),
        _link("artifact", f"{base}/rs/artifact/manifest/{number}/0", MEDIA["PDF"]),
        _link("manifestShipments", f"{place}/shipment?manifestId={number}", SHIPMENT),
    ]
    body = {"po-number": f"P{number[-9:]}", "links": {"link": links}}
    return element("manifest", body, SPACE.format("manifest-v8"))


def write_tracking(number: str, seen: SimulatedTracking, record: Record) -> Element:
    """What is known of a parcel. Before it is handed over there is nothing but its announcement."""
    scans = [scan for scan in seen.scans if scan.status != "unknown"]
    if all(scan.status == "pending" for scan in scans):
        scans = []
    body = {
        **CATALOGUE.table("tracking_fields"),
        "pin": number,
        "destination-postal-id": (record.get("recipient_postal_code") or "").replace(" ", ""),
        "expected-delivery-date": seen.estimated.date() if seen.estimated else "",
        "service-name": title(record.get("service") or "DOM.EP"),
        "significant-events": {"occurrence": [_occurrence(scan) for scan in reversed(scans)]},
    }
    return element("tracking-detail", body, SPACE.format("track"))


def _occurrence(scan: Scan) -> Json:
    local = scan.at - EASTERN
    return {
        "event-identifier": f"{CATALOGUE.statuses.code(scan.status):0>4}",
        "event-date": local.date(),
        "event-time": f"{local:%H:%M:%S}",
        "event-time-zone": "EST",
        "event-description": scan.description,
        "signatory-name": "S. AMPLE" if scan.status == "delivered" else "",
        "event-site": scan.city.upper(),
        "event-province": "ON" if scan.country == "CA" else scan.country,
        "event-retail-location-id": "",
        "event-retail-name": "",
    }


def write_pickup(record: Record, base: str) -> Element:
    amounts = {"pre-tax-amount": "3.50", "hst-amount": "0.46", "due-amount": "3.96"}
    body = {**_listed(record, base), "pickup-request-price": amounts}
    return element("pickup-request-info", body, SPACE.format("pickuprequest"))


def write_pickups(records: Sequence[Record], base: str) -> Element:
    requests = [_listed(record, base) for record in records]
    return element("pickup-requests", {"pickup-request": requests}, SPACE.format("pickuprequest"))


def write_pickup_details(record: Record) -> Element:
    order = {str(one.tag): one for one in parse(record["order"])}
    told = {name: one for name, one in order.items() if name not in ("customer-request-id", "pickup-type")}
    body = {"pickup-request-header": _header(record), "pickup-request-details": told}
    return element("pickup-request-detailed-info", body, SPACE.format("pickuprequest"))


def _listed(record: Record, base: str) -> Json:
    path = f"{base}/enab/{record['customer']}/pickuprequest/{record['number']}"
    links = [_link("self", path, PICKUP), _link("details", f"{path}/details", PICKUP)]
    return {"pickup-request-header": _header(record), "links": {"link": links}}


def _header(record: Record) -> Json:
    return {
        "request-id": record["number"],
        "request-status": "Cancelled" if record["cancelled_at"] else "Active",
        "pickup-type": "OnDemand",
        "request-date": record["day"],
    }

"""What the simulator answers, in Canada Post's own XML, and what it charges. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from lxml.etree import _Element

from carriers.canadapost.catalogue import SERVICES
from carriers.canadapost.shipments import SPACE
from carriers.canadapost.wire import MANIFEST, PICKUP_REQUEST, RATE, RATE_SPACE, SHIPMENT
from shipcli.carrier.simulator import Offer, Tariff
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking
from shipcli.carrier.xml import element, find, parse

Record = Mapping[str, Any]

MESSAGE_SPACE = "http://www.canadapost.ca/ws/messages"
GST = Decimal("0.05")
CENT = Decimal("0.01")
# Codes of scans by the status they stand for.
SCAN_CODES: Mapping[str, str] = {
    "pending": "3000",
    "in_transit": "0100",
    "out_for_delivery": "0174",
    "delivered": "1496",
    "on_hold": "1414",
    "delivery_delayed": "0159",
    "ready_for_pickup": "1701",
    "delivery_failed": "1415",
}
MEDIA: Mapping[str, str] = {"PDF": "application/pdf", "ZPL": "application/zpl"}


def _tariff(code: str, base: str, per_kg: str, days: int, most: str = "30") -> Tariff:
    """A service out of Canada; its code says where to."""
    where = code.partition(".")[0]
    return Tariff(
        code=code,
        base=Decimal(base),
        per_kg=Decimal(per_kg),
        days=days,
        domestic=where == "DOM",
        origins=frozenset({"CA"}),
        destinations=frozenset({"US"}) if where == "USA" else frozenset(),
        max_kg=Decimal(most),
    )


TARIFFS: Sequence[Tariff] = [
    _tariff("DOM.RP", "9.20", "0.90", 5),
    _tariff("DOM.EP", "9.80", "1.00", 3),
    _tariff("DOM.XP", "13.00", "1.60", 2),
    _tariff("DOM.XP.CERT", "16.50", "1.70", 2),
    _tariff("DOM.PC", "22.00", "2.40", 1),
    _tariff("USA.EP", "14.00", "1.90", 7),
    _tariff("USA.PW.ENV", "36.00", "4.00", 2, "0.5"),
    _tariff("USA.PW.PAK", "38.00", "4.20", 2, "1.5"),
    _tariff("USA.PW.PARCEL", "40.00", "4.40", 2),
    _tariff("USA.SP.AIR", "12.00", "6.00", 8, "2"),
    _tariff("USA.TP", "13.00", "6.50", 6, "2"),
    _tariff("USA.TP.LVM", "12.50", "6.20", 6, "2"),
    _tariff("USA.XP", "22.00", "2.80", 3),
    _tariff("INT.XP", "32.00", "5.20", 5),
    _tariff("INT.IP.AIR", "28.00", "5.60", 8),
    _tariff("INT.IP.SURF", "22.00", "3.00", 40),
    _tariff("INT.PW.ENV", "36.00", "6.00", 3, "0.5"),
    _tariff("INT.PW.PAK", "38.00", "6.20", 3, "1.5"),
    _tariff("INT.PW.PARCEL", "40.00", "6.40", 3),
    _tariff("INT.SP.AIR", "14.00", "8.00", 10, "2"),
    _tariff("INT.SP.SURF", "12.00", "6.00", 45, "2"),
    _tariff("INT.TP", "16.00", "8.40", 8, "2"),
]


def title(code: str) -> str:
    """A service's name as people read it."""
    slug = SERVICES.slug(code).removeprefix("canadapost_")
    return slug.replace("_", " ").title().replace("Usa", "USA")


def pin(customer: int, serial: int) -> str:
    """A 16-digit parcel number: customer, serial, check digit (modulus 10, weights 3 and 1)."""
    body = f"{customer % 10**7:07}{serial % 10**8:08}"
    total = sum(int(digit) * (1 if at % 2 else 3) for at, digit in enumerate(body))
    return f"{body}{-total % 10}"


def messages(code: str, text: str) -> _Element:
    return element("messages", {"message": {"code": code, "description": text}}, MESSAGE_SPACE)


def _link(rel: str, href: str, media: str, **more: Any) -> dict[str, Any]:
    return {"@rel": rel, "@href": href, "@media-type": media, **{f"@{k}": v for k, v in more.items()}}


# -- prices ------------------------------------------------------------------------------------


def tax(offer: Offer, abroad: bool) -> Decimal:
    """Nothing is due on what leaves the country."""
    return Decimal(0) if abroad else (offer.total * GST).quantize(CENT)


# Prices are asked for by the thousand, so their answer is a filled text; nothing in it needs escaping.
_QUOTES = f'<?xml version="1.0" encoding="UTF-8"?>\n<price-quotes xmlns="{RATE_SPACE}">{{}}</price-quotes>'
_QUOTE = (
    "<price-quote><service-code>{code}</service-code>"
    f'<service-link rel="service" href="{{base}}/rs/ship/service/{{code}}" media-type="{RATE}"/>'
    "<service-name>{name}</service-name>"
    "<price-details><base>{offer.base}</base>"
    "<taxes><gst>{gst}</gst><pst>0</pst><hst>0</hst></taxes><due>{due}</due>"
    "<adjustments><adjustment><adjustment-code>FUELSC</adjustment-code>"
    "<adjustment-name>Fuel surcharge</adjustment-name><adjustment-cost>{offer.fuel}</adjustment-cost>"
    "</adjustment></adjustments></price-details><weight-details/>"
    "<service-standard><am-delivery>false</am-delivery>"
    "<guaranteed-delivery>{sure}</guaranteed-delivery>"
    "<expected-transit-time>{offer.days}</expected-transit-time></service-standard></price-quote>"
)
_GUARANTEED = frozenset({"DOM.EP", "DOM.XP", "DOM.PC"})


def price_quotes(offers: Sequence[Offer], abroad: bool, base: str) -> bytes:
    return _QUOTES.format("".join(_price_quote(offer, tax(offer, abroad), base) for offer in offers)).encode()


def _price_quote(offer: Offer, gst: Decimal, base: str) -> str:
    sure = "true" if offer.code in _GUARANTEED else "false"
    due, name = offer.total + gst, title(offer.code)
    return _QUOTE.format(code=offer.code, base=base, name=name, offer=offer, gst=gst, due=due, sure=sure)


# -- shipments ---------------------------------------------------------------------------------


def home(record: Record, base: str) -> str:
    """The address of a shipment."""
    customer = f"{int(record['customer']):010}"
    return f"{base}/rs/{customer}/{customer}/shipment/{record['identifier']}"


def shipment_info(record: Record, base: str) -> _Element:
    """A shipment as it is answered when it is made and when it is read."""
    path = home(record, base)
    label = f"{base}/rs/artifact/{record['number']}/{record['identifier']}/0"
    links = [_link("self", path, SHIPMENT), _link("details", f"{path}/details", SHIPMENT)]
    if record["transmitted"] and not record["voided_at"]:
        links.append(_link("refund", f"{path}/refund", SHIPMENT))
    if not record["transmitted"]:
        links.append(_link("group", f"{path.rpartition('/')[0]}?groupId={record['group']}", SHIPMENT))
    links.append(_link("label", label, MEDIA[record["encoding"]], index=0))
    body = {
        "customer-request-id": record["key"],
        "shipment-id": record["identifier"],
        "shipment-status": "transmitted" if record["transmitted"] else "created",
        "tracking-pin": record["number"],
        "shipment-price": {
            "service-code": record["service"],
            "base-amount": record["base"],
            "adjustments": {
                "adjustment": [{"adjustment-code": "FUELSC", "adjustment-amount": record["fuel"]}]
            },
            "pre-tax-amount": record["pretax"],
            "gst-amount": record["gst"],
            "pst-amount": Decimal(0),
            "hst-amount": Decimal(0),
            "due-amount": record["total"],
            "rated-weight": record["weight"],
        },
        "links": {"link": links},
    }
    return element("shipment-info", body, SPACE)


def shipment_list(records: Sequence[Record], base: str) -> _Element:
    links = [_link("shipment", home(record, base), SHIPMENT) for record in records]
    return element("shipments", {"link": links}, SPACE)


def shipment_details(record: Record) -> _Element:
    """The order as it was given."""
    order = parse(record["order"])
    kept = [child for child in order if child.tag in ("group-id", "transmit-shipment", "delivery-spec")]
    body = {
        "customer-request-id": record["key"],
        "shipment-status": "transmitted" if record["transmitted"] else "created",
        "final-shipping-point": find(order, "requested-shipping-point") or "",
        "tracking-pin": record["number"],
        "shipment-detail": {str(child.tag): child for child in kept},
    }
    return element("shipment-details", body, SPACE)


# -- tracking, pickups, manifests --------------------------------------------------------------


def tracking_detail(number: str, travelled: SimulatedTracking, record: Record | None) -> _Element:
    """What is known of a parcel. Before it is handed over there is nothing but its announcement."""
    scans = [scan for scan in travelled.scans if scan.status != "unknown"]
    if all(scan.status == "pending" for scan in scans):
        scans = []
    due = travelled.estimated.date().isoformat() if travelled.estimated else ""
    body = {
        "pin": number,
        "active-exists": "1",
        "changed-expected-date": "",
        "destination-postal-id": (record or {}).get("postal_code") or "",
        "expected-delivery-date": due,
        "service-name": title(record["service"]) if record else "Expedited Parcel",
        "significant-events": {"occurrence": [_occurrence(scan) for scan in reversed(scans)]},
    }
    return element("tracking-detail", body, "http://www.canadapost.ca/ws/track")


def _occurrence(scan: Scan) -> dict[str, Any]:
    local = scan.at - timedelta(hours=5)
    return {
        "event-identifier": SCAN_CODES[scan.status],
        "event-date": local.date(),
        "event-time": f"{local:%H:%M:%S}",
        "event-time-zone": "EST",
        "event-description": scan.description,
        "signatory-name": "S. AMPLE" if scan.status == "delivered" else "",
        "event-site": scan.city.upper(),
        "event-province": "ON" if scan.country == "CA" else scan.country,
    }


def pickup_info(record: Record, base: str) -> _Element:
    body = {
        "pickup-request-header": _pickup_header(record),
        "pickup-request-price": {
            "pre-tax-amount": Decimal("3.50"),
            "hst-amount": Decimal("0.46"),
            "due-amount": Decimal("3.96"),
        },
        "links": _pickup_links(record, base),
    }
    return element("pickup-request-info", body, "http://www.canadapost.ca/ws/pickuprequest")


def pickup_list(records: Sequence[Record], base: str) -> _Element:
    requests = [
        {"pickup-request-header": _pickup_header(one), "links": _pickup_links(one, base)} for one in records
    ]
    return element(
        "pickup-requests", {"pickup-request": requests}, "http://www.canadapost.ca/ws/pickuprequest"
    )


def _pickup_links(record: Record, base: str) -> dict[str, Any]:
    path = f"{base}/enab/{record['customer']}/pickuprequest/{record['number']}"
    details = _link("details", f"{path}/details", PICKUP_REQUEST)
    return {"link": [_link("self", path, PICKUP_REQUEST), details]}


def pickup_details(record: Record) -> _Element:
    body = {"pickup-request-header": _pickup_header(record), "pickup-request-details": parse(record["order"])}
    return element("pickup-request-detailed-info", body, "http://www.canadapost.ca/ws/pickuprequest")


def _pickup_header(record: Record) -> dict[str, Any]:
    return {
        "request-id": record["number"],
        "request-status": "Active",
        "pickup-type": "OnDemand",
        "request-date": record["date"],
    }


def manifest_home(customer: int, number: str, base: str) -> str:
    """The address of a manifest."""
    return f"{base}/rs/{customer:010}/{customer:010}/manifest/{number}"


def manifest_list(paths: Sequence[str]) -> _Element:
    links = [_link("manifest", path, MANIFEST) for path in paths]
    return element("manifests", {"link": links}, "http://www.canadapost.ca/ws/manifest-v8")


def manifest_info(record: Record, path: str, artifact: str) -> _Element:
    shipments = path.rpartition("/manifest/")[0] + f"/shipment?manifestId={record['number']}"
    links = [
        _link("self", path, MANIFEST),
        _link("artifact", artifact, "application/pdf"),
        _link("manifestShipments", shipments, SHIPMENT),
    ]
    body = {"po-number": record["po"], "links": {"link": links}}
    return element("manifest", body, "http://www.canadapost.ca/ws/manifest-v8")

"""What the simulated Postal Service understands of a request that broke no rule, and what it answers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.backend import Booking, Party, PricedOffer, Sale
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.papers import PURCHASE_KEY
from shipcli.carrier.simulation.price_list import to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.models.basics.units import convert_weight

CATALOGUE = load_catalogue(__file__)
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
# The price list is what an account pays; at a counter it is a quarter more.
FACTORS = {"RETAIL": Decimal("1.25"), "COMMERCIAL": Decimal(1)}


def read_priced(body: Json) -> Booking:
    country = body.get("destinationCountryCode", "US")
    there = body.get("destinationZIPCode") or body.get("foreignPostalCode") or ""
    return Booking(
        shipper=Party(country="US", postal_code=body["originZIPCode"]),
        recipient=Party(country=country, postal_code=there),
        weights=(_kilograms(body["weight"]),),
        extras=_extras(body),
    )


def read_bought(body: Json) -> Booking:
    package = body["packageDescription"]
    reference = (package.get("customerReference") or [{}])[0].get("referenceNumber")
    return Booking(
        shipper=read_address(body["fromAddress"]),
        recipient=read_address(body["toAddress"]),
        weights=(_kilograms(package["weight"]),),
        service=package["mailClass"],
        reference=reference,
        key=reference if PURCHASE_KEY.fullmatch(reference or "") else None,
        extras=_extras(package),
        items=read_items(get_path(body, "customsForm/contents") or (), ITEM, "USD"),
        label=body["imageInfo"]["imageType"],
        ship_date=date.fromisoformat(package["mailingDate"]),
    )


def read_address(address: Json) -> Party:
    return read_party(address, PARTY, "US")


def _kilograms(pounds: Any) -> Decimal:
    return convert_weight(Decimal(pounds), "LB", "KG")


def _extras(body: Json) -> tuple[str, ...]:
    return tuple(str(code) for code in body.get("extraServices") or ())


def write_option(priced: PricedOffer, body: Json) -> list[Json]:
    """A mail class at the price type asked for, or at each there is."""
    wanted = body.get("priceType")
    return [_option(priced, body, kind) for kind in ([wanted] if wanted else FACTORS)]


def _option(priced: PricedOffer, body: Json, kind: str) -> Json:
    code, day = priced.offer.code, body.get("mailingDate")
    price = to_cents(priced.offer.total * FACTORS.get(kind, Decimal(1)))
    extras = [{**one, "priceType": kind} for one in _extra_services(priced)]
    named = {"title": code.replace("_", " ").title(), "mail_class": code, "kind": kind}
    return CATALOGUE.fill("option", body=body, extras=extras, price=price, day=day, **named)


def _extra_services(priced: PricedOffer) -> list[Json]:
    named = CATALOGUE.surcharges
    return [
        {"extraService": code, "name": named[code].code, "price": amount}
        for code, amount in priced.extras.items()
    ]


def write_facts(sale: Sale, body: Json) -> Json:
    """What the answer says of a label."""
    booking, number = sale.booking, sale.numbers[0]
    facts = CATALOGUE.fill(
        "label",
        number=number,
        type=number[2:5],
        offer=sale.priced.offer,
        extras=_extra_services(sale.priced),
        to=body["toAddress"],
        weight=body["packageDescription"]["weight"],
    )
    broker = {"labelBrokerID": number[-10:]} if booking.label == "LABEL_BROKER" else {}
    routing = {} if booking.abroad else {"routingInformation": f"420{booking.recipient.postal_code}"}
    return {**facts, **routing, **broker}


def write_tracked(number: str, seen: SimulatedTracking, label: Json, *, detail: bool) -> Json:
    """A journey in the carrier's words, newest scan first."""
    scans = [_write_scan(scan) for scan in reversed(seen.scans)]
    due = f"{seen.estimated:%Y-%m-%dT%H:%M:%SZ}" if seen.estimated else None
    category = CATALOGUE.statuses.code(seen.status).title()
    held = {**dict.fromkeys(("service", "origin", "destination", "recipient_postal_code")), **label}
    said = {"number": number, "scans": scans, "due": due, "category": category, "label": held}
    return {**CATALOGUE.fill("tracked", **said), **({"trackingEvents": scans} if detail else {})}


def _write_scan(scan: Scan) -> Json:
    code, country = CATALOGUE.table("event_codes")[scan.status], scan.country.removeprefix("US") or None
    return CATALOGUE.fill("scan", scan=scan, code=code, city=scan.city.upper(), country=country)

"""What the simulated Postal Service understands of a request that broke no rule, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.address_register import RegisteredPlace
from shipcli.carrier.simulation.bookings import Booking, Party, PricedOffer, Sale, measure_parcel
from shipcli.carrier.simulation.mappings import read_items, read_party
from shipcli.carrier.simulation.points import SimulatedPoint
from shipcli.carrier.simulation.price_list import find_arrival_day, to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.models.basics.units import convert_weight

from .products import FLAT_RATES, Product, bill_pounds, list_fees, read_sides

CATALOGUE = load_catalogue(__file__)
HELD = "HOLD_FOR_PICKUP"
PARTY, ITEM = CATALOGUE.paths("party"), CATALOGUE.paths("item")
CORRECTIONS = {"unit_missing": "32", "ambiguous": "22"}
ALL_CLASSES, FARTHEST_DAYS = ("ALL", "ALL_OUTBOUND"), 31
MILITARY = r"09\d|340|96[2-6]"  # the first digits of ZIP codes of the armed forces abroad
# The price list is what an account pays; at a counter it is a quarter more.
FACTORS = {"RETAIL": Decimal("1.25"), "COMMERCIAL": Decimal(1)}


def read_priced(body: Json, product: Product) -> Booking:
    country = body.get("destinationCountryCode", "US")
    there = body.get("destinationZIPCode") or body.get("foreignPostalCode") or ""
    return Booking(
        shipper=Party(country="US", postal_code=body["originZIPCode"]),
        recipient=Party(country=country, postal_code=there),
        weights=(_kilograms(bill_pounds(body, product)),),
        parcels=(measure_parcel(body["weight"], "LB", read_sides(body), "IN"),),
        extras=(*_extras(body), *list_fees(product)),
        packaging=product.indicator if product.indicator in FLAT_RATES else "",
    )


def read_bought(body: Json, key: str) -> Booking:
    """Shapes: `key` is that of the request, without dashes."""
    package = body["packageDescription"]
    product = Product(package["rateIndicator"], package["processingCategory"])
    reference = (package.get("customerReference") or [{}])[0].get("referenceNumber")
    return Booking(
        shipper=read_address(body["fromAddress"]),
        recipient=read_address(body["toAddress"]),
        weights=(_kilograms(bill_pounds(package, product)),),
        parcels=(measure_parcel(package["weight"], "LB", read_sides(package), "IN"),),
        service=package["mailClass"],
        reference=reference,
        key=key or None,
        extras=(*_extras(package), *list_fees(product)),
        packaging=product.find_packaging(package["mailClass"]),
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


def write_option(priced: PricedOffer, body: Json, product: Product) -> list[Json]:
    """A mail class at the price type asked for, or at each there is."""
    price_type = body.get("priceType")
    return [_option(priced, body, product, kind) for kind in ([price_type] if price_type else FACTORS)]


def _option(priced: PricedOffer, body: Json, product: Product, kind: str) -> Json:
    code, day = priced.offer.code, body.get("mailingDate")
    price = to_cents(priced.offer.total * FACTORS.get(kind, Decimal(1)))
    fees = write_fees(priced)
    base = price + sum((fee["price"] for fee in fees), Decimal(0))
    extras = [
        {"extraService": code, "name": name, "price": amount, "priceType": kind}
        for code, name, amount in list_extras(priced)
    ]
    return CATALOGUE.fill(
        "option", body=body, extras=extras, price=price, base=base, fees=fees, day=day, product=product,
        title=code.replace("_", " ").title(), mail_class=code, kind=kind,
    )  # fmt: skip


def read_search(body: Json, today: date) -> Json:
    """The parcel of a question for shipping options, as a price request has it; it is mailed by its day."""
    package = {"mailingDate": today.isoformat(), **body["packageDescription"]}
    places = {name: body[name][:5] for name in ("originZIPCode", "destinationZIPCode")}
    return {**package, **places, "mailingDate": package["mailingDate"][:10]}


def write_shipping_options(
    priced: Iterable[tuple[PricedOffer, Product]], body: Json, kind: str
) -> list[Json]:
    """The rates of each mail class with its commitment."""
    classes: dict[str, list[Json]] = {}
    for price, product in priced:
        commitment = write_commitment(price.offer.days, body)
        rate = {"commitment": commitment, **_option(price, body, product, kind)}
        classes.setdefault(price.offer.code, []).append(rate)
    return [{"mailClass": code, "rateOptions": rates} for code, rates in classes.items()]


def write_commitment(days: int, body: Json) -> Json:
    """The day of delivery; there is none where the armed forces deliver."""
    if re.match(MILITARY, body["destinationZIPCode"]):
        return {"name": "MILITARY"}
    day = find_arrival_day(date.fromisoformat(body["mailingDate"]), days).isoformat()
    name = f"{days} Day{'s' * (days != 1)}"
    return CATALOGUE.fill("commitment", name=name, day=day)


def list_extras(priced: PricedOffer) -> list[tuple[str, str, Decimal]]:
    """Code, name and price of each extra service."""
    named = CATALOGUE.surcharges
    return [(code, named[code].code, amount) for code, amount in priced.extras.items() if code.isdigit()]


def write_fees(priced: PricedOffer) -> list[Json]:
    """What a parcel costs for what it is."""
    named = CATALOGUE.surcharges
    rows = [(named[code].code, amount) for code, amount in priced.extras.items() if not code.isdigit()]
    return [{"name": name, "price": amount} for name, amount in rows]


def write_extras(priced: PricedOffer, *, abroad: bool) -> list[Json]:
    """The extra services of a label."""
    if abroad:
        return [
            {"serviceID": code, "serviceName": name, "price": amount}
            for code, name, amount in list_extras(priced)
        ]
    return [{"name": name, "price": amount} for _, name, amount in list_extras(priced)]


def write_facts(sale: Sale, body: Json) -> Json:
    """What the answer says of a label."""
    booking, number = sale.booking, sale.numbers[0]
    facts = CATALOGUE.fill(
        "label_abroad" if booking.abroad else "label",
        number=number,
        type=number[2:5],
        offer=sale.priced.offer,
        extras=write_extras(sale.priced, abroad=booking.abroad),
        fees=write_fees(sale.priced),
        to=body["toAddress"],
        weight=body["packageDescription"]["weight"],
        zip=booking.recipient.postal_code,
    )
    broker = {"labelBrokerID": number[-10:]} if booking.label == "LABEL_BROKER" else {}
    return {**facts, **broker}


def write_tracked(number: str, seen: SimulatedTracking, label: Json, *, detail: bool) -> Json:
    """A journey in the carrier's words, newest scan first."""
    scans = [_write_scan(scan) for scan in reversed(seen.scans)]
    due = f"{seen.estimated:%Y-%m-%dT%H:%M:%SZ}" if seen.estimated else None
    classes = CATALOGUE.table("tracked_classes")
    category = CATALOGUE.statuses.code(seen.status).title()
    held = {**dict.fromkeys(("service", "origin", "destination", "recipient_postal_code")), **label}
    held["service"] = classes.get(held["service"] or "")
    content = {"number": number, "scans": scans, "due": due, "category": category, "label": held}
    facts = {**CATALOGUE.fill("tracked", **content), **({"trackingEvents": scans} if detail else {})}
    return dict(drop_empty(facts))


def _write_scan(scan: Scan) -> Json:
    code, country = CATALOGUE.table("event_codes")[scan.status], scan.country.removeprefix("US") or None
    return CATALOGUE.fill("scan", scan=scan, code=code, city=scan.city.upper(), country=country)


def write_checked(place: RegisteredPlace, firm: str | None) -> Json:
    """A place with the confirmation of its delivery point; one that is ambiguous has none."""
    confirmed = {"exact": "Y", "unit_missing": "D"}.get(place.kind, "N")
    corrections = {
        "unit_missing": ("32", "More information is needed"),
        "ambiguous": ("22", "Several places"),
    }
    rows = [{"code": code, "text": text} for code, text in filter(None, [corrections.get(place.kind)])]
    street, *more = place.lines
    address = {
        "streetAddress": street,
        "secondaryAddress": " ".join(more),
        "city": place.city,
        "state": place.state,
        "ZIPCode": place.zip5 or None,
        "ZIPPlus4": place.plus4,
    }
    facts = {"DPVConfirmation": confirmed, "DPVCMRA": "N", "business": "Y" if firm else "N", "vacant": "N"}
    matches = [{"code": "31", "text": "Single Response - exact match"}] if place.kind == "exact" else []
    answer = {"address": address, "additionalInfo": facts, "corrections": rows, "matches": matches}
    return {**({"firm": firm} if firm else {}), **dict(drop_empty(answer))}


# -- post offices ----------------------------------------------------------------------------------


def write_locker(point: SimulatedPoint) -> Json:
    """A locker has the number of the office where it stands."""
    return {
        "facilityID": point.id,
        "locationName": point.name.upper(),
        "locationAddress": {
            "streetAddress": point.street,
            "city": point.city,
            "state": point.state or "NY",
            "ZIPCode": point.postal_code,
        },
        "latitude": point.latitude,
        "longitude": point.longitude,
        "lockerOnline": True,
        "serviceDirectShip": point.pick_up,
        "servicePrepaidReturns": False,
    }


def write_office(point: SimulatedPoint) -> Json:
    """Shapes: hours belong to a service of the office."""
    hours = [
        {
            "dayOfWeek": day,
            "times": [{"openTime": opens.replace(":", ""), "closeTime": closes.replace(":", "")}],
        }
        for day, opens, closes in point.hours
    ]
    services = ["PO_BOX", *([HELD] if point.pick_up else [])]
    return {
        "facilityName": f"{point.name} Post Office",
        "facilityID": point.id,
        "postOfficeType": CATALOGUE.table("office_kinds")[point.kind.value],
        "facilityAddress": {
            "streetAddress": point.street,
            "city": point.city,
            "state": point.state or "NY",
            "ZIPCode": point.postal_code,
        },
        "geoCoordinates": {"latitude": point.latitude, "longitude": point.longitude},
        "distance": point.distance_in("MI"),
        "phoneNumbers": {"phone": f"212{point.phone}"},
        "services": [{"service": name, "hours": hours} for name in services],
    }

"""What the simulated Postal Service understands of a request that broke no rule, and what it answers."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import BookedItem, Booking, Party, Priced, Sale
from shipcli.carrier.json_paths import Json
from shipcli.carrier.price_list import to_cents
from shipcli.carrier.simulated_papers import PURCHASE_KEY
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking
from shipcli.models.units import convert_weight

CATALOGUE = load_catalogue(__file__)
# The price list is what an account pays; at a counter it is a quarter more.
FACTORS = {"RETAIL": Decimal("1.25"), "COMMERCIAL": Decimal(1)}


# -- what was asked --------------------------------------------------------------------------------


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
        shipper=read_party(body["fromAddress"]),
        recipient=read_party(body["toAddress"]),
        weights=(_kilograms(package["weight"]),),
        service=package["mailClass"],
        reference=reference,
        key=reference if PURCHASE_KEY.fullmatch(reference or "") else None,
        extras=_extras(package),
        items=tuple(_items(body.get("customsForm") or {})),
        label=body["imageInfo"]["imageType"],
        ship_date=date.fromisoformat(package["mailingDate"]),
    )


def read_party(address: Json) -> Party:
    names = (address.get("firstName"), address.get("lastName"))
    lines = (address["streetAddress"], address.get("secondaryAddress"))
    return Party(
        name=" ".join(name for name in names if name),
        company=address.get("firm") or "",
        lines=tuple(line for line in lines if line),
        city=address["city"],
        state=address.get("state") or address.get("province") or "",
        postal_code=address.get("ZIPCode") or address.get("postalCode") or "",
        country=address.get("countryISOAlpha2Code", "US"),
    )


def _kilograms(pounds: Any) -> Decimal:
    return convert_weight(Decimal(pounds), "LB", "KG")


def _extras(body: Json) -> tuple[str, ...]:
    return tuple(str(code) for code in body.get("extraServices") or ())


def _items(form: Json) -> list[BookedItem]:
    return [
        BookedItem(
            description=one["itemDescription"],
            quantity=int(one["itemQuantity"]),
            value=one["itemValue"],
            currency="USD",
            origin=one.get("countryofOrigin") or "",
            code=one.get("HSTariffNumber") or "",
        )
        for one in form.get("contents") or ()
    ]


# -- prices and labels -----------------------------------------------------------------------------


def write_option(priced: Priced, body: Json) -> list[Json]:
    """A mail class at the price type asked for, or at each there is."""
    wanted = body.get("priceType")
    return [_option(priced, body, kind) for kind in ([wanted] if wanted else FACTORS)]


def _option(priced: Priced, body: Json, kind: str) -> Json:
    title = priced.offer.code.replace("_", " ").title()
    price = to_cents(priced.offer.total * FACTORS.get(kind, Decimal(1)))
    rate = {
        "description": f"{title} Machinable Single-piece", "priceType": kind, "price": price,
        "weight": body["weight"], "dimWeight": 0, "fees": [], "startDate": body.get("mailingDate"),
        "mailClass": priced.offer.code, "zone": "01", "productName": title,
        "processingCategory": "MACHINABLE", "rateIndicator": "SP", "destinationEntryFacilityType": "NONE",
    }  # fmt: skip
    extras = [{**one, "priceType": kind} for one in _extra_services(priced)]
    return {"totalBasePrice": price, "rates": [rate], "extraServices": extras}


def _extra_services(priced: Priced) -> list[Json]:
    named = CATALOGUE.surcharges
    return [
        {"extraService": code, "name": named[code].code, "price": amount}
        for code, amount in priced.extras.items()
    ]


def write_facts(sale: Sale) -> Json:
    """What the answer says of a label beside its address and weight."""
    offer, number = sale.priced.offer, sale.numbers[0]
    booking = sale.booking
    broker = {"labelBrokerID": number[-10:]} if booking.label == "LABEL_BROKER" else {}
    routing = {} if booking.abroad else {"routingInformation": f"420{booking.recipient.postal_code}"}
    return {
        "trackingNumber": number,
        "postage": offer.total,
        "extraServices": _extra_services(sale.priced),
        "fees": [],
        "zone": "01",
        "commitment": {"name": f"{offer.days} Days"},
        "bannerText": "USPS TRACKING # USPS Ship",
        "serviceTypeCode": number[2:5],
        "constructCode": "C03",
        "SKU": f"D{offer.code[0]}XR0XXXXC",
        **routing,
        **broker,
    }


# -- tracking --------------------------------------------------------------------------------------


def write_tracked(number: str, seen: SimulatedTracking, label: Json, *, detail: bool) -> Json:
    """A journey in the carrier's words, newest scan first."""
    events = [_scanned(scan) for scan in reversed(seen.scans)]
    return {
        "trackingNumber": number,
        "status": events[0]["eventType"],
        "statusCategory": CATALOGUE.statuses.code(seen.status).title(),
        "mailClass": label.get("service"),
        "expectedDeliveryTimeStamp": _stamp(seen.estimated) if seen.estimated else None,
        "originCountry": label.get("origin"),
        "destinationCountryCode": label.get("destination"),
        "destinationZIP": label.get("recipient_postal_code"),
        **({"trackingEvents": events} if detail else {}),
    }


def _scanned(scan: Scan) -> Json:
    return {
        "eventType": scan.description, "eventTimestamp": scan.at.strftime("%Y-%m-%dT%H:%M:%S"),
        "GMTTimestamp": _stamp(scan.at), "GMTOffset": "+00:00",
        "eventCode": CATALOGUE.table("event_codes")[scan.status],
        "eventCity": scan.city.upper(), "eventCountry": None if scan.country == "US" else scan.country,
    }  # fmt: skip


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")

"""What the simulated FedEx answers, as FedEx writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.address_register import RegisteredPlace, find_place, list_candidates
from shipcli.carrier.simulation.bookings import PricedOffer, Sale
from shipcli.carrier.simulation.points import SimulatedPoint
from shipcli.carrier.simulation.price_list import PER_DOLLAR, find_arrival_day, to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path

CATALOGUE = load_catalogue(__file__)
TRANSACTION = "624deea6-b709-470c-8c39-4b5511281492"
PUBLISHED = Decimal("1.25")  # published prices are a quarter dearer than those of an account
CHECKED_COUNTRIES = ("US", "PR")
VOIDED = {"eventType": "CA", "eventDescription": "Shipment cancelled by sender"}


# -- prices ----------------------------------------------------------------------------------------


def write_rates(body: Json, priced: Sequence[PricedOffer]) -> Json:
    shipment = body["requestedShipment"]
    day = date.fromisoformat(shipment["shipDateStamp"])
    rows = [_rated(price, day, shipment["preferredCurrency"]) for price in priced]
    return {"transactionId": TRANSACTION, "output": {"rateReplyDetails": rows, "quoteDate": str(day)}}


def _rated(priced: PricedOffer, day: date, currency: str) -> Json:
    offer = priced.offer
    names = {days: name for name, days in CATALOGUE.table("transit_times").items()}
    due = f"{find_arrival_day(day, offer.days)}T23:59:00"
    return {
        "serviceType": offer.code,
        "serviceName": _name(offer.code),
        "packagingType": "YOUR_PACKAGING",
        "commit": {"dateDetail": {"dayFormat": due}},
        "ratedShipmentDetails": [
            {"rateType": kind, **_price(priced, money, factor, "surCharges")}
            for kind, money, factor in _kinds(priced, currency)
        ],
        "operationalDetail": {"commitDate": due, "transitTime": names[offer.days]},
    }


def _kinds(priced: PricedOffer, currency: str) -> list[tuple[str, str, Decimal]]:
    """The account's price and the published one; converted as well where another currency is preferred."""
    kinds = [("ACCOUNT", priced.currency, Decimal(1)), ("LIST", priced.currency, PUBLISHED)]
    other = currency != priced.currency and currency in PER_DOLLAR
    return [("PREFERRED_CURRENCY", currency, Decimal(1)), *kinds] if other else kinds


def _price(priced: PricedOffer, currency: str, factor: Decimal, extras: str) -> Json:
    """A price in a currency; `extras` is the member that its surcharges stand in."""
    rate = PER_DOLLAR[currency] / PER_DOLLAR[priced.currency] * factor
    lines = [("Fuel Surcharge", priced.offer.fuel)]
    lines += [(CATALOGUE.surcharges[name].code, amount) for name, amount in priced.extras.items()]
    charges = [{"description": name, "amount": to_cents(amount * rate)} for name, amount in lines]
    base = to_cents(priced.offer.base * rate)
    total = base + sum((to_cents(amount * rate) for _, amount in lines), Decimal(0))
    quoted = {"totalDiscounts": 0, "shipmentRateDetail": {extras: charges, "currency": currency}}
    sold = {"totalFreightDiscounts": 0, extras: charges, "currency": currency}
    return {
        "totalBaseCharge": base,
        "totalNetCharge": total,
        "totalNetChargeWithDutiesAndTaxes": total,
        **(quoted if extras == "surCharges" else sold),
    }


def _name(code: str) -> str:
    return "FedEx " + code.removeprefix("FEDEX_").replace("_", " ").title()


# -- labels ----------------------------------------------------------------------------------------


def write_sale(body: Json, sale: Sale, labels: Sequence[str], invoice: str | None) -> Json:
    kind = str(get_path(body, "requestedShipment/labelSpecification/imageType"))
    currency = get_path(body, "requestedShipment/preferredCurrency")
    pieces = [
        _piece(sale, at, {"contentType": "LABEL", "docType": kind, "encodedLabel": label})
        for at, label in enumerate(labels)
    ]
    bill = {"contentType": "COMMERCIAL_INVOICE", "docType": "PDF", "encodedLabel": invoice}
    shipment = {
        "masterTrackingNumber": sale.identifier,
        "serviceType": sale.booking.service,
        "serviceName": _name(sale.booking.service),
        "shipDatestamp": str(sale.booking.ship_date),
        "pieceResponses": pieces,
        "shipmentDocuments": [bill] if invoice else [],
        "completedShipmentDetail": {"carrierCode": "FDXE", "shipmentRating": _rating(sale.priced, currency)},
    }
    return {"transactionId": TRANSACTION, "output": {"transactionShipments": [shipment]}}


def _rating(priced: PricedOffer, currency: str) -> Json:
    names = {"PREFERRED_CURRENCY": "PREFERRED_ACCOUNT_SHIPMENT"}
    prices = [
        {"rateType": names.get(kind, f"PAYOR_{kind}_SHIPMENT"), **_price(priced, money, factor, "surcharges")}
        for kind, money, factor in _kinds(priced, currency)
    ]
    return {"actualRateType": "PAYOR_ACCOUNT_SHIPMENT", "shipmentRateDetails": prices}


def _piece(sale: Sale, at: int, paper: Json) -> Json:
    return {
        "masterTrackingNumber": sale.identifier,
        "packageSequenceNumber": at + 1,
        "trackingNumber": sale.numbers[at],
        "trackingIdType": "FEDEX",
        "serviceCategory": "EXPRESS",
        "packageDocuments": [paper],
    }


# -- tracking --------------------------------------------------------------------------------------


def write_tracked(seen: SimulatedTracking, label: Mapping[str, Any]) -> Json:
    code = CATALOGUE.statuses.code(seen.status)
    voided = label.get("voided_at")
    scans = [_scanned(scan) for scan in reversed(seen.scans)]
    weight = [{"unit": "KG", "value": str(label["weight_kg"])}] if "weight_kg" in label else []
    due = {"begins": seen.estimated.isoformat()} if seen.estimated else {}
    return {
        "latestStatusDetail": {"code": "CA" if voided else code},
        "scanEvents": [
            *([{"date": _local(datetime.fromisoformat(voided)), **VOIDED}] if voided else []),
            *scans,
        ],
        "serviceDetail": {"description": _name(str(label.get("service") or "FEDEX_GROUND"))},
        "shipmentDetails": {"weight": weight},
        "standardTransitTimeWindow": {"window": due},
        "originLocation": _place(label.get("origin") or seen.scans[0].country),
        "destinationLocation": _place(label.get("destination"), label.get("recipient_postal_code")),
        "deliveryDetails": {"signedByName": "S.AMPLE"} if seen.delivered else {},
    }


def _place(country: str | None, postal_code: str | None = None) -> Json:
    address = {"countryCode": country, **({"postalCode": postal_code} if postal_code else {})}
    return {"locationContactAndAddress": {"address": address}}


def _scanned(scan: Scan) -> Json:
    return {
        "date": _local(scan.at),
        "eventType": CATALOGUE.statuses.code(scan.status),
        "eventDescription": scan.description,
        "exceptionDescription": "",
        "scanLocation": {"city": scan.city, "countryCode": scan.country},
    }


def _local(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


# -- the end of the day ----------------------------------------------------------------------------


def write_closed(form: str) -> Json:
    parts = [{"documentPartSequenceNumber": 1, "image": form}]
    document = {"type": "MANIFEST", "copiesToPrint": 1, "parts": parts}
    return {"transactionId": TRANSACTION, "output": {"closeDocuments": [document]}}


# -- addresses -------------------------------------------------------------------------------------


def write_checked(address: Json) -> list[Json]:
    """The address as it resolves; several where it is ambiguous, itself where FedEx knows no addresses."""
    country, code = address.get("countryCode") or "US", str(address.get("postalCode") or "")
    if country not in CHECKED_COUNTRIES:
        unsupported = {"CountrySupported": False, "Resolved": False}
        return [{"streetLinesToken": address["streetLines"], "city": address["city"], "countryCode": country,
                 "classification": "UNKNOWN", "attributes": unsupported}]  # fmt: skip
    state = address.get("stateOrProvinceCode") or country
    place = find_place(address["streetLines"], address["city"], state, code)
    places = list_candidates(place) if place.kind == "ambiguous" else [place]
    return [write_resolved(each, country) for each in places]


def write_resolved(place: RegisteredPlace, country: str) -> Json:
    is_found, lacks_unit = place.kind != "unknown", place.kind == "unit_missing"
    facts = {
        "CountrySupported": True,
        "Resolved": is_found,
        "Matched": is_found,
        "DPV": is_found and not lacks_unit,
        "SuiteRequiredButMissing": lacks_unit,
        "MultipleMatches": place.kind == "ambiguous",
    }
    return {
        "streetLinesToken": list(place.lines),
        "city": place.city,
        "stateOrProvinceCode": place.state,
        "countryCode": country,
        "parsedPostalCode": {"base": place.zip5, "addOn": place.plus4},
        "classification": "RESIDENTIAL" if is_found else "UNKNOWN",
        "attributes": facts,
    }


# -- places ----------------------------------------------------------------------------------------


def write_places(points: Sequence[SimulatedPoint], unit: str) -> Json:
    rows = [write_place(point, unit) for point in points]
    return {"totalResults": len(rows), "resultsReturned": len(rows), "locationDetailList": rows}


def write_place(point: SimulatedPoint, unit: str) -> Json:
    held = ["WEEKDAY_EXPRESS_HOLD_AT_LOCATION", "WEEKDAY_GROUND_HOLD_AT_LOCATION"] if point.pick_up else []
    return {
        "distance": {"units": unit, "value": point.distance_in(unit)},
        "locationId": point.id,
        "locationType": CATALOGUE.table("place_kinds")[point.kind.value],
        "locationAttributeTypes": ["EXPRESS_PARCEL_DROPOFFS", "GROUND_DROPOFFS", *held],
        "contactAndAddress": {
            "contact": {"companyName": point.name, "phoneNumber": point.phone},
            "address": {
                "streetLines": [point.street],
                "city": point.city,
                "stateOrProvinceCode": point.state,
                "postalCode": point.postal_code,
                "countryCode": point.country,
                "residential": False,
            },
            "addressAncillaryDetail": {"displayName": point.name, "locationInCity": point.city},
        },
        "storeHours": [write_day(*row) for row in point.hours],
        "geoPositionalCoordinates": {"latitude": point.latitude, "longitude": point.longitude},
    }


def write_day(day: str, opens: str, closes: str) -> Json:
    hours = {"operationalHours": [{"begins": f"{opens}:00", "ends": f"{closes}:00"}]}
    always = opens == "00:00"
    return {"dayofweek": day, **({} if always else hours),
            "operationalHoursType": "OPEN_ALL_DAY" if always else "OPEN_BY_HOURS"}  # fmt: skip

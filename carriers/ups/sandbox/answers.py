"""What the simulated UPS answers, as UPS writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.address_register import RegisteredPlace, list_candidates
from shipcli.carrier.simulation.bookings import Booking, PricedOffer, Sale
from shipcli.carrier.simulation.points import SimulatedPoint
from shipcli.carrier.simulation.price_list import find_arrival_day, to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, get_path
from shipcli.carrier.wire.rounding import round_half_up

CATALOGUE = load_catalogue(__file__)
# Negotiated prices are the price list; published ones are a quarter dearer.
PUBLISHED = Decimal("1.25")
FUEL = "375"
PICKUP_PRICE, PICKUP_CURRENCY = "00014.25", "USD"
VOIDED = {"type": "MV", "code": "VP", "description": "Billing information voided"}
WEEK = ("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY")
DONE = {"Status": {"Code": "1", "Description": "Voided"}}


def success(body: Json) -> Json:
    context = get_path(body, "Request/TransactionReference") or {}
    return {"ResponseStatus": {"Code": "1", "Description": "Success"}, "TransactionReference": context}


# -- prices ----------------------------------------------------------------------------------------


def write_rated(booking: Booking, priced: PricedOffer, pickup: str) -> Json:
    offer = priced.offer
    arrival = find_arrival_day(date.fromisoformat(pickup), offer.days)
    estimated = {
        "Arrival": {"Date": f"{arrival:%Y%m%d}", "Time": "233000"},
        "BusinessDaysInTransit": str(offer.days),
        "DayOfWeek": f"{arrival:%a}".upper(),
        "Pickup": {"Date": pickup, "Time": "180000"},
    }
    name = {"Description": _name_service(offer.code)}
    return {
        "Service": {"Code": offer.code, **name},
        "RatingMethod": "01",
        "BillingWeight": _weigh(sum(booking.weights, Decimal(0))),
        **_charges(booking, priced),
        "RatedPackage": [{"Weight": _weigh(weight)["Weight"]} for weight in booking.weights],
        "TimeInTransit": {
            "PickupDate": pickup,
            "ServiceSummary": {"Service": name, "EstimatedArrival": estimated},
        },
    }


def _weigh(weight: Decimal) -> Json:
    unit = {"Code": "KGS", "Description": "Kilograms"}
    return {"UnitOfMeasurement": unit, "Weight": f"{round_half_up(weight, Decimal('0.1')):f}"}


def _name_service(code: str) -> str:
    service = CATALOGUE.table("service_names").get(code, "ups_ground")
    return CATALOGUE.services.code(service)[:35]


def _charges(booking: Booking, priced: PricedOffer) -> Json:
    """Published prices, and the negotiated ones where an account is named."""
    published = PUBLISHED if booking.account else Decimal(1)
    charges = {
        **_lines(priced, published, "TotalCharges"),
        "TransportationCharges": _money(priced, priced.offer.total * published),
        "ServiceOptionsCharges": _money(priced, Decimal(0)),
    }
    lines = _lines(priced, Decimal(1), "TotalCharge")
    negotiated = {
        "NegotiatedRateCharges": {name: lines[name] for name in lines if name != "BaseServiceCharge"}
    }
    return {**charges, **(negotiated if booking.account else {})}


def _lines(priced: PricedOffer, factor: Decimal, total: str) -> Json:
    surcharges = CATALOGUE.surcharges
    extras = ((surcharges[name].code, amount) for name, amount in priced.extras.items())
    items = [(FUEL, priced.offer.fuel), *extras]
    return {
        "BaseServiceCharge": _money(priced, priced.offer.base * factor),
        "ItemizedCharges": [{"Code": code, **_money(priced, amount * factor)} for code, amount in items],
        total: _money(priced, priced.total * factor),
    }


def _money(priced: PricedOffer, amount: Decimal) -> Json:
    return {"CurrencyCode": priced.currency, "MonetaryValue": str(to_cents(amount))}


# -- labels ----------------------------------------------------------------------------------------


def write_sale(sale: Sale, labels: Sequence[str], form: str | None) -> Json:
    kind = sale.booking.label
    packages = [
        {
            "TrackingNumber": number,
            "ShippingLabel": {"ImageFormat": {"Code": kind, "Description": kind}, "GraphicImage": label},
        }
        for number, label in zip(sale.numbers, labels, strict=True)
    ]
    charges = _charges(sale.booking, sale.priced)
    negotiated = charges.pop("NegotiatedRateCharges", None)
    title = {"Code": "01", "Description": "All Requested International Forms"}
    image = {**title, "Image": {"ImageFormat": {"Code": "PDF"}, "GraphicImage": form}}
    return {
        "ShipmentCharges": charges,
        **({"NegotiatedRateCharges": negotiated} if negotiated else {}),
        "BillingWeight": _weigh(sum(sale.booking.weights, Decimal(0))),
        "ShipmentIdentificationNumber": sale.identifier,
        "PackageResults": packages,
        **({"Form": image} if form else {}),
    }


def write_recovered(order: Json, kind: str, images: Sequence[str]) -> Json:
    """The labels of a shipment again; those of a PDF are one file, which the first package has."""
    pictures = [
        {"LabelImage": {"LabelImageFormat": {"Code": kind}, "GraphicImage": image}} for image in images
    ]
    blanks: list[Json] = [{} for _ in order["numbers"][len(pictures) :]]
    pairs = zip(order["numbers"], [*pictures, *blanks], strict=True)
    return {
        "Response": success(order["body"]),
        "ShipmentIdentificationNumber": order["identifier"],
        "LabelResults": [{"TrackingNumber": number, **picture} for number, picture in pairs],
    }


def write_candidates(orders: Sequence[Json]) -> Json:
    """The shipments among which the caller has to choose."""
    numbers = dict.fromkeys(order["numbers"][0] for order in orders)
    rows = [{"TrackingNumber": number} for number in numbers]
    return {"Response": success({}), "LabelResults": [], "TrackingCandidate": rows}


def write_voided(labels: Sequence[Mapping[str, Any]]) -> Json:
    results = [{"TrackingNumber": label["number"], **DONE} for label in labels]
    return {"Response": success({}), "SummaryResult": DONE, "PackageLevelResult": results}


# -- tracking --------------------------------------------------------------------------------------


def write_tracked(number: str, seen: SimulatedTracking, label: Json) -> Json:
    due, voided = (seen.scans[-1].at if seen.delivered else seen.estimated), label.get("voided_at")
    service = CATALOGUE.table("service_names").get(str(label.get("service")), "ups_ground")
    weight = {"unitOfMeasurement": "KGS", "weight": str(label["weight_kg"])} if "weight_kg" in label else {}
    signed = {"receivedBy": "S. AMPLE", "location": "Front Door"} if seen.delivered else {}
    return {
        "trackingNumber": number,
        "activity": [
            *([_activity(datetime.fromisoformat(voided), VOIDED)] if voided else []),
            *(_scanned(scan) for scan in reversed(seen.scans)),
        ],
        "service": {"description": CATALOGUE.services.code(service)},
        "weight": weight,
        "packageAddress": _ends(seen, label),
        "deliveryDate": [{"type": "DEL" if seen.delivered else "SDD", "date": f"{due:%Y%m%d}"}]
        if due
        else [],
        "deliveryInformation": signed,
    }


def _ends(seen: SimulatedTracking, label: Json) -> list[Json]:
    start, end = label.get("origin") or seen.scans[0].country, label.get("destination") or "US"
    location = {"country": end, "postalCode": label.get("recipient_postal_code")}
    who = {"attentionName": label.get("recipient_name"), "address": location}
    return [{"type": "ORIGIN", "address": {"country": start}}, {"type": "DESTINATION", **who}]


def _scanned(scan: Scan) -> Json:
    status_code = CATALOGUE.statuses.code(scan.status)
    kind, code = CATALOGUE.table("activities").get(scan.status, (status_code, status_code))
    location = {"city": scan.city, "country": scan.country, "countryCode": scan.country}
    status = {"type": kind, "code": code, "description": scan.description}
    return {**_activity(scan.at, status), "location": {"address": location}}


def _activity(at: datetime, status: Json) -> Json:
    return {"date": f"{at:%Y%m%d}", "time": f"{at:%H%M%S}", "status": status}


# -- collections -----------------------------------------------------------------------------------


def write_collected(body: Json, number: str) -> Json:
    """The number, and the price where it was asked for."""
    answer = {"Response": success(body), "PRN": number}
    if body["RatePickupIndicator"] != "Y":
        return {**answer, "RateStatus": {"Code": "04", "Description": "Rate not requested"}}
    rate = {
        "RateType": "FD",
        "CurrencyCode": PICKUP_CURRENCY,
        "ChargeDetail": [
            {"ChargeCode": "B", "ChargeDescription": "BASE CHARGE", "ChargeAmount": PICKUP_PRICE}
        ],
        "GrandTotalOfAllCharge": PICKUP_PRICE,
    }
    return {**answer, "RateStatus": {"Code": "01", "Description": "Rate available"}, "RateResult": rate}


def write_pending(rows: Sequence[Json]) -> Json:
    pending = [
        {
            "PickupType": "01",
            "ServiceDate": row["day"].replace("-", ""),
            "PRN": row["number"],
            "OnCallStatusCode": "002",
            "PickupStatusMessage": "Dispatched to driver",
            "ContactName": get_path(row["order"], "PickupAddress/ContactName"),
            "ReferenceNumber": row["order"].get("ReferenceNumber"),
        }
        for row in rows
    ]
    return {"Response": success({}), "PendingStatus": pending}


# -- addresses -------------------------------------------------------------------------------------


def write_checked(body: Json, place: RegisteredPlace) -> Json:
    """UPS knows buildings, and no apartments in them."""
    country = body["AddressKeyFormat"][0]["CountryCode"]
    kind = {"Code": "2", "Description": "Residential"}
    answer: Json = {"Response": success(body), "AddressClassification": kind}
    if place.kind == "unknown":
        return {**answer, "NoCandidatesIndicator": ""}
    if place.kind == "ambiguous":
        places = [write_candidate(row, country) for row in list_candidates(place)]
        return {**answer, "AmbiguousAddressIndicator": "", "Candidate": places}
    return {**answer, "ValidAddressIndicator": "", "Candidate": [write_candidate(place, country)]}


def write_candidate(place: RegisteredPlace, country: str) -> Json:
    form = {
        "AddressLine": list(place.lines),
        "PoliticalDivision2": place.city,
        "PoliticalDivision1": place.state,
        "PostcodePrimaryLow": place.zip5,
        "PostcodeExtendedLow": place.plus4,
        "CountryCode": country,
    }
    kind = {"Code": "2", "Description": "Residential"}
    filled = {name: value for name, value in form.items() if value}
    return {"AddressClassification": kind, "AddressKeyFormat": [filled]}


# -- places ----------------------------------------------------------------------------------------


def write_places(points: Sequence[SimulatedPoint], unit: str) -> Json:
    rows = [write_place(point, unit) for point in points]
    response = {"ResponseStatusCode": "1", "ResponseStatusDescription": "Success"}
    return {
        "Response": response,
        "SearchResults": {"DropLocation": rows},
        "AllowAllConfidenceLevels": "False",
    }


def write_place(point: SimulatedPoint, unit: str) -> Json:
    kinds = CATALOGUE.table("place_kinds")
    code, kind = kinds["access_point" if point.pick_up else point.kind.value]
    hours = {day: (opens, closes) for day, opens, closes in point.hours}
    days = [{"Day": str(at), **write_day(hours.get(name))} for at, name in enumerate(WEEK, 1)]
    return {
        "LocationID": str(int(point.id[1:]) % 1_000_000),
        "OriginOrDestination": "01",
        "IVR": {"PhraseID": "0"},
        "Geocode": {"Latitude": str(point.latitude), "Longitude": str(point.longitude)},
        "AddressKeyFormat": {
            "ConsigneeName": point.name.upper(),
            "AddressLine": point.street.upper(),
            "PoliticalDivision2": point.city.upper(),
            "PoliticalDivision1": point.state,
            "PostcodePrimaryLow": point.postal_code,
            "CountryCode": point.country,
        },
        "PhoneNumber": [point.phone],
        "LocationAttribute": [
            {
                "OptionType": {"Code": "01", "Description": "Location"},
                "OptionCode": [{"Code": code, "Description": kind}],
            }
        ],
        "Distance": {"Value": str(point.distance_in(unit)), "UnitOfMeasurement": {"Code": unit}},
        "Timezone": "UTC",
        "OperatingHours": {"StandardHours": [{"HoursType": "10", "DayOfWeek": days}]},
        **(write_access_point(point) if point.pick_up else {}),
    }


def write_access_point(point: SimulatedPoint) -> Json:
    offers = {"006": "Drop Off", "005": "Pickup"}
    return {
        "ServiceOfferingList": {
            "ServiceOffering": [{"Code": code, "Description": text} for code, text in offers.items()]
        },
        "AccessPointInformation": {
            "PublicAccessPointID": point.id,
            "AccessPointStatus": {"Code": "01", "Description": "Active-available"},
        },
    }


def write_day(hours: tuple[str, str] | None) -> Json:
    """The hours of a day, without a colon."""
    if hours is None:
        return {"ClosedIndicator": ""}
    opens, closes = (text.replace(":", "") for text in hours)
    if (opens, closes) == ("0000", "2359"):
        return {"Open24HoursIndicator": "True"}
    return {"OpenHours": [opens], "CloseHours": [closes]}

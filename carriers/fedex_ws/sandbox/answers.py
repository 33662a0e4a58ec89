"""What the simulated web services answer, as FedEx writes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.simulation.bookings import PricedOffer, Sale
from shipcli.carrier.simulation.price_list import PER_DOLLAR, find_arrival_day, to_cents
from shipcli.carrier.simulation.tracking import Scan, SimulatedTracking
from shipcli.carrier.wire.json_paths import Json, drop_empty

CATALOGUE = load_catalogue(__file__)
PUBLISHED = Decimal("1.25")  # published prices are a quarter dearer than those of an account
VOIDED = {"EventType": "CA", "EventDescription": "Shipment cancelled by sender"}


def write_notice(severity: str, code: str, text: str) -> Json:
    notice = {"Severity": severity, "Source": "ws", "Code": code, "Message": text}
    return {"HighestSeverity": severity, "Notifications": notice}


def _money(amount: Decimal, currency: str) -> Json:
    return {"Currency": currency, "Amount": to_cents(amount)}


# -- prices ----------------------------------------------------------------------------------------


def write_rated(priced: PricedOffer, moment: str, preferred: str | None) -> Json:
    offer = priced.offer
    due = find_arrival_day(datetime.fromisoformat(moment).date(), offer.days)
    return {
        "ServiceType": offer.code,
        "CommitDetails": {"CommitTimestamp": f"{due}T17:00:00"},
        "ActualRateType": "PAYOR_ACCOUNT_SHIPMENT",
        "RatedShipmentDetails": [
            {"ShipmentRateDetail": _detail(priced, kind, currency, factor)}
            for kind, currency, factor in _kinds(priced, preferred)
        ],
    }


def _kinds(priced: PricedOffer, preferred: str | None) -> list[tuple[str, str, Decimal]]:
    """The account's price and the published one; converted as well where another currency is preferred."""
    currency = priced.currency
    kinds = [("PAYOR_ACCOUNT_SHIPMENT", currency, Decimal(1)), ("PAYOR_LIST_SHIPMENT", currency, PUBLISHED)]
    if preferred in PER_DOLLAR and preferred != currency:
        kinds.insert(0, ("PREFERRED_ACCOUNT_SHIPMENT", str(preferred), Decimal(1)))
    return kinds


def _detail(priced: PricedOffer, kind: str, currency: str, factor: Decimal) -> Json:
    rate = PER_DOLLAR[currency] / PER_DOLLAR[priced.currency] * factor
    lines = [("Fuel", priced.offer.fuel)]
    lines += [(CATALOGUE.surcharges[name].code, amount) for name, amount in priced.extras.items()]
    return {
        "RateType": kind,
        "TotalBaseCharge": _money(priced.offer.base * rate, currency),
        "TotalNetChargeWithDutiesAndTaxes": _money(priced.total * rate, currency),
        "Surcharges": [
            {"Description": name, "Amount": _money(amount * rate, currency)} for name, amount in lines
        ],
    }


# -- labels ----------------------------------------------------------------------------------------


def write_sold(
    sale: Sale, master: str, paid: tuple[Decimal, str | None], image: str, papers: Mapping[str, str | None]
) -> Json:
    """`paid` is the price of the whole shipment so far, and the currency that is preferred."""
    total, preferred = paid
    prices = [
        {
            "RateType": kind,
            "TotalBaseCharge": _money(total * rate * factor, currency),
            "TotalNetChargeWithDutiesAndTaxes": _money(total * rate * factor, currency),
        }
        for kind, currency, factor in _kinds(sale.priced, preferred)
        for rate in [PER_DOLLAR[currency] / PER_DOLLAR[sale.priced.currency]]
    ]
    number = {"TrackingIdType": "FEDEX", "TrackingNumber": sale.numbers[0]}
    invoice = papers["invoice"]
    bill = {"Type": "COMMERCIAL_INVOICE", "ImageType": "PDF", "Parts": {"Image": invoice}}
    sold = {
        "CarrierCode": "FDXE",
        "MasterTrackingId": {"TrackingIdType": "FEDEX", "TrackingNumber": master},
        "ServiceDescription": {"ServiceType": sale.booking.service},
        "ShipmentRating": {"ActualRateType": "PAYOR_ACCOUNT_SHIPMENT", "ShipmentRateDetails": prices},
        "ShipmentDocuments": bill if invoice else None,
        "CompletedPackageDetails": {
            "SequenceNumber": 1,
            "TrackingIds": number,
            "Label": {"Type": "OUTBOUND_LABEL", "ImageType": image, "Parts": {"Image": papers["label"]}},
        },
    }
    return {"CompletedShipmentDetail": drop_empty(sold)}


# -- tracking --------------------------------------------------------------------------------------


def write_tracked(number: str, seen: SimulatedTracking, label: Mapping[str, Any]) -> Json:
    voided = label.get("voided_at")
    off = {"Timestamp": _stamp(datetime.fromisoformat(voided)), **VOIDED} if voided else None
    due = (
        {"Type": "ESTIMATED_DELIVERY", "DateOrTimestamp": _stamp(seen.estimated)} if seen.estimated else None
    )
    weight = {"Units": "KG", "Value": str(label["weight_kg"])} if "weight_kg" in label else None
    details = {
        "Notification": {"Severity": "SUCCESS", "Code": "0", "Message": "Success"},
        "TrackingNumber": number,
        "StatusDetail": {"Code": CATALOGUE.statuses.code(seen.status)},
        "Service": {"Description": str(label.get("service") or "FedEx Ground")},
        "PackageWeight": weight,
        "ShipperAddress": {"CountryCode": label.get("origin") or seen.scans[0].country},
        "DatesOrTimes": due,
        "DestinationAddress": {"CountryCode": label.get("destination")},
        "DeliverySignatureName": "S.AMPLE" if seen.delivered else None,
        "Events": [*([off] if off else []), *(_scanned(scan) for scan in reversed(seen.scans))],
    }
    return dict(drop_empty(details))


def _scanned(scan: Scan) -> Json:
    return {
        "Timestamp": _stamp(scan.at),
        "EventType": CATALOGUE.statuses.code(scan.status),
        "EventDescription": scan.description,
        "Address": {"City": scan.city, "CountryCode": scan.country},
    }


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")

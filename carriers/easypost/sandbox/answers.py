"""What the simulated EasyPost answers, as EasyPost writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from shipcli.carrier import load_catalogue
from shipcli.carrier.desk import Priced, Sale
from shipcli.carrier.json_paths import Json
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

CATALOGUE = load_catalogue(__file__)
STORAGE = "https://easypost-files.s3.us-west-2.amazonaws.com"
PAGE = "https://track.easypost.com/"


def write_rates(shipment: str, prices: Sequence[Priced]) -> list[Json]:
    """The rates of a shipment; their carrier and service stand in the price list as one."""
    return [_rate(f"rate_{shipment[4:]}{at:02d}", shipment, one) for at, one in enumerate(prices)]


def _rate(number: str, shipment: str, priced: Priced) -> Json:
    carrier, _, service = priced.offer.code.partition(" ")
    return {
        "id": number,
        "object": "Rate",
        "shipment_id": shipment,
        "carrier": carrier,
        "service": service,
        "rate": str(priced.total),
        "currency": priced.currency,
        "delivery_days": priced.offer.days,
        "carrier_account_id": f"ca_{carrier.lower()}",
    }


def write_sold(sale: Sale, path: str, now: datetime, kinds: Mapping[str, str]) -> Json:
    """What a purchase adds to its shipment."""
    number, kind = sale.numbers[0], sale.booking.label
    label = {"object": "PostageLabel", "label_size": "4x6", "label_date": _at(now)}
    fee = {"object": "Fee", "type": "LabelFee", "amount": "0.00000", "charged": True, "refunded": False}
    return {
        "tracking_code": number,
        "tracker": {"id": f"trk_{number}", "object": "Tracker", "public_url": PAGE + number},
        "postage_label": {**label, "label_file_type": kinds[kind], "label_url": STORAGE + path},
        "fees": [fee],
        "status": "unknown",
    }


def write_tracker(number: str, carrier: str | None, seen: SimulatedTracking, label: Json) -> Json:
    own, _, service = str(label.get("service") or "").partition(" ")
    last = seen.scans[-1].at if seen.delivered else seen.estimated
    return {
        "id": f"trk_{number}",
        "object": "Tracker",
        "mode": "test",
        "tracking_code": number,
        **_status("cancelled" if label.get("voided_at") else seen.status),
        "carrier": own or carrier or "USPS",
        "signed_by": "S. AMPLE" if seen.delivered else None,
        "weight": None,
        "est_delivery_date": _at(last) if last else None,
        "shipment_id": label.get("identifier"),
        "tracking_details": [_detail(scan) for scan in seen.scans],
        "carrier_detail": {
            "service": service or None,
            "origin_tracking_location": {"country": label.get("origin")},
            "destination_tracking_location": {"zip": label.get("recipient_postal_code")},
        },
        "public_url": PAGE + number,
        "fees": [],
    }


def _status(status: str) -> dict[str, Any]:
    """A status and its detail, which alone tells a parcel that is held or late."""
    code = CATALOGUE.statuses.code(status)
    above = CATALOGUE.table("details").get(code)
    return (
        {"status": above, "status_detail": code}
        if above
        else {"status": code, "status_detail": "status_update"}
    )


def _detail(scan: Scan) -> Json:
    return {
        "object": "TrackingDetail",
        "message": scan.description,
        **_status(scan.status),
        "datetime": _at(scan.at),
        "tracking_location": {"city": scan.city, "state": None, "country": scan.country, "zip": None},
    }


def _at(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"

"""A sandbox journey in the Postal Service's words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

SAID: Mapping[str, tuple[str, str]] = {
    "pending": ("Pre-Shipment", "GX"), "in_transit": ("In Transit", "10"), "on_hold": ("On Hold", "53"),
    "delivery_delayed": ("Delivery Delayed", "DX"), "out_for_delivery": ("Out for Delivery", "OF"),
    "ready_for_pickup": ("Ready for Pickup", "14"), "delivery_failed": ("Delivery Failed", "02"),
    "delivered": ("Delivered", "01"), "unknown": ("Status Not Available", "UN"),
}  # fmt: skip  # our status: the carrier's category and event code


def told(
    number: str, journey: SimulatedTracking, label: Mapping[str, Any], *, detail: bool
) -> dict[str, Any]:
    """A journey in the carrier's words, newest scan first."""
    events = [event(scan) for scan in reversed(journey.scans)]
    due = journey.estimated
    return {
        "trackingNumber": number,
        "status": events[0]["eventType"],
        "statusCategory": SAID[journey.status][0],
        "mailClass": label.get("service"),
        "expectedDeliveryTimeStamp": stamp(due) if due else None,
        "originCountry": label.get("origin"),
        "destinationCountryCode": label.get("destination"),
        "destinationZIP": label.get("recipient_postal_code"),
        **({"trackingEvents": events} if detail else {}),
    }


def event(scan: Scan) -> dict[str, Any]:
    return {
        "eventType": scan.description, "eventTimestamp": scan.at.strftime("%Y-%m-%dT%H:%M:%S"),
        "GMTTimestamp": stamp(scan.at), "GMTOffset": "+00:00", "eventCode": SAID[scan.status][1],
        "eventCity": scan.city.upper(), "eventCountry": None if scan.country == "US" else scan.country,
        "eventState": None, "eventZIP": None,
    }  # fmt: skip


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")

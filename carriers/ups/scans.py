"""What the simulated UPS tells about a number."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from carriers.ups.catalogue import SERVICES
from carriers.ups.shapes import Json
from shipcli.carrier.tracking_simulation import Scan, SimulatedTracking

ACTIVITIES: Mapping[str, tuple[str, str]] = {
    "pending": ("M", "MP"),
    "in_transit": ("I", "AR"),
    "out_for_delivery": ("I", "OT"),
    "delivered": ("D", "KB"),
    "on_hold": ("X", "OH"),
    "delivery_delayed": ("X", "DY"),
    "ready_for_pickup": ("I", "ZP"),
    "delivery_failed": ("RS", "RS"),
    "unknown": ("NA", "NA"),
}


def tracked(number: str, seen: SimulatedTracking, label: Json) -> Json:
    due = seen.scans[-1].at if seen.delivered else seen.estimated
    service = SERVICES.code(str(label.get("service") or "ups_ground"))
    weight = {"unitOfMeasurement": "KGS", "weight": str(label["weight_kg"])} if "weight_kg" in label else {}
    package = {
        "trackingNumber": number,
        "activity": [_activity(scan) for scan in reversed(seen.scans)],
        "service": {"description": service},
        "weight": weight,
        "packageAddress": _ends(seen, label),
        "deliveryDate": [{"type": "DEL" if seen.delivered else "SDD", "date": f"{due:%Y%m%d}"}]
        if due
        else [],
    }
    if seen.delivered:
        package["deliveryInformation"] = {"receivedBy": "S. AMPLE", "location": "Front Door"}
    if label.get("voided_at"):
        package["activity"] = [_voided(label), *package["activity"]]
    return package


def _ends(seen: SimulatedTracking, label: Json) -> list[Json]:
    start = {"country": label.get("origin") or seen.scans[0].country}
    end = {"country": label.get("destination") or "US", "postalCode": label.get("recipient_postal_code")}
    who = label.get("recipient_name")
    return [
        {"type": "ORIGIN", "address": start},
        {"type": "DESTINATION", "attentionName": who, "address": end},
    ]


def _activity(scan: Scan) -> Json:
    kind, code = ACTIVITIES[scan.status]
    return {
        "date": f"{scan.at:%Y%m%d}",
        "time": f"{scan.at:%H%M%S}",
        "location": {"address": {"city": scan.city, "country": scan.country, "countryCode": scan.country}},
        "status": {"type": kind, "code": code, "description": scan.description},
    }


def _voided(label: Json) -> Json:
    at = datetime.fromisoformat(label["voided_at"])
    status = {"type": "MV", "code": "VP", "description": "Billing information voided"}
    return {"date": f"{at:%Y%m%d}", "time": f"{at:%H%M%S}", "status": status}

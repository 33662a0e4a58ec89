"""Reader of Dicom's tracking.

Shapes: an answer is one shipment, or a list of one in `tracking`; what has no activities is a refusal.
Source: Smart4i REST API, `/v1/tracking/{trackingNumber}`.
"""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

CATALOGUE = load_catalogue(__file__)
DELIVERED = "DL"  # the group of activities that end well


def find_shipment(body: Json) -> Json:
    """The shipment of an answer; an empty one if there is none."""
    shipments = body.get("tracking", body)
    first = shipments[0] if isinstance(shipments, list) and shipments else shipments
    return first if isinstance(first, dict) else {}


def read_problem(body: Json) -> list[Message]:
    """The refusal in an answer without activities."""
    if not body or "activities" in find_shipment(body):
        return []
    return [Message(code=body.get("Code"), message=body.get("Message"))]


def read_shipment(shipment: Json) -> Tracking:
    """Errors: LookupError when the answer names no shipment."""
    activities = as_list(shipment["activities"])
    delivered = any(activity.get("group") == DELIVERED for activity in activities)
    return Tracking(
        tracking_number=shipment["trackingNumber"],
        status="delivered" if delivered else None,
        delivered=delivered,
        events=read_each(activities, _read_activity),
        info=TrackingInfo(
            customer_name=get_path(shipment, "consignee/customerName"),
            shipment_service=CATALOGUE.services.slug(shipment.get("deliveryType") or "") or None,
            shipment_origin_country=get_path(shipment, "sender/countryCode"),
            shipment_origin_postal_code=get_path(shipment, "sender/postalCode"),
            shipment_destination_country=get_path(shipment, "consignee/countryCode"),
            shipment_destination_postal_code=get_path(shipment, "consignee/postalCode"),
            note=shipment.get("note"),
        ),
    )


def _read_activity(activity: Json) -> TrackingEvent:
    """One scan; its time is UTC."""
    at = activity.get("activityDate")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at, "%H:%M"),
        code=activity.get("status"),
        description=activity.get("statusDetail"),
        location=activity.get("terminal"),
        latitude=activity.get("latitude"),
        longitude=activity.get("longitude"),
    )

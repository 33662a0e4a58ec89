"""What UPS knows about a tracking number. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE, iso_day


def read_tracking(body: Json, number: str, link: str) -> Tracking | None:
    """What is known of a number; None when UPS knows nothing.

    Shapes: a shipment has all of its packages; activities are newest first. `link` holds {} for the number.
    """
    packages = [
        package
        for shipment in as_list(get_path(body, "trackResponse/shipment"))
        for package in as_list(shipment.get("package"))
    ]
    package = next((package for package in packages if package.get("trackingNumber") == number), None)
    package = package or next(iter(packages), None)
    if package is None:
        return None
    activities = as_list(package.get("activity"))
    tracking_number = package.get("trackingNumber") or number
    return Tracking(
        tracking_number=tracking_number,
        events=read_each(activities, read_event),
        delivered=any(get_path(activity, "status/type") == "D" for activity in activities),
        status=read_status(activities),
        estimated_delivery=_delivery_day(package),
        info=_info(package, link.format(tracking_number)),
        images=_images(package),
    )


def read_event(activity: Json) -> TrackingEvent:
    """Shapes: date YYYYMMDD and time HHMMSS, local to the place; either may be missing."""
    status, address = activity.get("status") or {}, get_path(activity, "location/address") or {}
    country = address.get("country") or address.get("countryCode")
    names = [address.get("city"), address.get("stateProvince"), address.get("postalCode"), country]
    return TrackingEvent(
        date=iso_day(activity.get("date")),
        time=_clock(activity.get("time")),
        code=status.get("code") or status.get("type"),
        description=(status.get("description") or "").strip() or None,
        location=", ".join(part for part in names if part) or None,
    )


def read_status(activities: list[Json]) -> str:
    """The unified status of the newest activity: by its type, else by its code."""
    if not activities:
        return "unknown"
    status = activities[0].get("status") or {}
    statuses = (CATALOGUE.statuses.codes.get(status.get(name) or "") for name in ("type", "code"))
    return next((status for status in statuses if status), CATALOGUE.statuses.default)


def _delivery_day(package: Json) -> str | None:
    """Delivered on, else rescheduled for, else scheduled for."""
    days = {
        delivery_date.get("type"): iso_day(delivery_date.get("date"))
        for delivery_date in reversed(as_list(package.get("deliveryDate")))
    }
    return next((days[kind] for kind in ("DEL", "RDD", "SDD", *days) if days.get(kind)), None)


def _info(package: Json, link: str) -> TrackingInfo:
    places = {address.get("type"): address for address in as_list(package.get("packageAddress"))}
    origin, destination = places.get("ORIGIN") or {}, places.get("DESTINATION") or {}
    return TrackingInfo(
        carrier_tracking_link=link,
        customer_name=destination.get("attentionName") or None,
        signed_by=get_path(package, "deliveryInformation/receivedBy") or None,
        shipment_service=get_path(package, "service/description") or None,
        package_weight=get_path(package, "weight/weight") or None,
        package_weight_unit=get_path(package, "weight/unitOfMeasurement") or None,
        shipment_origin_country=get_path(origin, "address/country") or None,
        shipment_origin_postal_code=get_path(origin, "address/postalCode") or None,
        shipment_destination_country=get_path(destination, "address/country") or None,
        shipment_destination_postal_code=get_path(destination, "address/postalCode") or None,
    )


def _images(package: Json) -> dict[str, str] | None:
    images = {
        "delivery_image": get_path(package, "deliveryInformation/deliveryPhoto/photo"),
        "signature_image": get_path(package, "deliveryInformation/signature/image"),
    }
    return {name: image for name, image in images.items() if image} or None


def _clock(text: Any) -> str | None:
    """07:13 AM; None for what is no time."""
    try:
        return datetime.strptime(str(text), "%H%M%S").strftime(CLOCK)
    except ValueError:
        return None

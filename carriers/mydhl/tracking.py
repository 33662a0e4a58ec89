"""What MyDHL knows about waybills. Pure.

Source: MyDHL API 3.1.1, GET /tracking and GET /shipments/{shipmentTrackingNumber}/proof-of-delivery.
"""

from __future__ import annotations

from collections.abc import Callable

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.label_files import list_files, merge_files
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

CLOCK = "%H:%M"
UNITS = {"metric": "KG", "imperial": "LB"}


def read_trackings(body: Json, link: Callable[[str], str | None]) -> list[Tracking]:
    """One without scans is left out: DHL knows the number, and nothing of the shipment."""
    shipments = [row for row in as_list(body.get("shipments")) if as_list(row.get("events"))]
    return read_each(shipments, read_tracking, link)


def read_tracking(row: Json, link: Callable[[str], str | None]) -> Tracking:
    """Events are given newest first, in whichever order they come."""
    number, events = str(row["shipmentTrackingNumber"]), sort_events(row["events"])
    status = CATALOGUE.statuses.read(events[0].get("typeCode") or "")
    due = row.get("estimatedDeliveryDate") or row.get("estimatedTimeOfDelivery")
    meta = {
        "product_code": row.get("productCode"),
        "description": row.get("description"),
        "shipment_timestamp": row.get("shipmentTimestamp"),
    }
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered" or None,
        estimated_delivery=read_day(due),
        events=read_each(events, read_event),
        info=read_info(row, events, link(number)),
        meta=drop_empty(meta),
    )


def sort_events(events: list[Json]) -> list[Json]:
    """Newest first; of those at one time the order is kept."""
    times = [f"{event.get('date')}T{event.get('time')}" for event in events]
    return list(reversed(events)) if times[0] < times[-1] else list(events)


def read_event(event: Json) -> TrackingEvent:
    """One scan; its time is local to the place."""
    areas = as_list(event.get("serviceArea"))
    return TrackingEvent(
        date=event.get("date"),
        time=read_clock(f"{event.get('date')}T{event.get('time')}", CLOCK),
        code=event.get("typeCode"),
        description=event.get("description"),
        location=areas[0].get("description") if areas else None,
    )


def read_info(row: Json, events: list[Json], link: str | None) -> TrackingInfo:
    origin, destination = (
        get_path(row, f"{name}/postalAddress") or {} for name in ("shipperDetails", "receiverDetails")
    )
    weight, count = row.get("totalWeight"), row.get("numberOfPieces")
    units = row.get("unitOfMeasurements") or ""
    code = row.get("productCode")
    return TrackingInfo(
        carrier_tracking_link=link,
        expected_delivery=read_day(row.get("estimatedDeliveryDate") or row.get("estimatedTimeOfDelivery")),
        shipment_service=(CATALOGUE.services.find_slug(code) or code) if code else None,
        shipment_origin_country=origin.get("countryCode"),
        shipment_origin_postal_code=origin.get("postalCode"),
        shipment_destination_country=destination.get("countryCode"),
        shipment_destination_postal_code=destination.get("postalCode"),
        shipping_date=read_day(row.get("shipmentTimestamp")),
        signed_by=next((name for event in events if (name := event.get("signedBy"))), None),
        package_weight=str(weight) if weight else None,
        package_weight_unit=UNITS.get(units, units) or None,
        shipment_package_count=str(count) if count else None,
    )


def add_proof(tracked: Tracking, body: Json) -> Tracking:
    """The tracking with the proof of delivery, if the answer has one that can be shown."""
    files = list_files(row.get("content") for row in as_list(body.get("documents")))
    if not files:
        return tracked
    return tracked.model_copy(update={"images": {"signature_image": merge_files(files, "PDF")}})

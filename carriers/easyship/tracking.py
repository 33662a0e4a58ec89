"""Tracking by Easyship: the state of a shipment's legs. Pure."""

from __future__ import annotations

from datetime import datetime

from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty
from shipcli.carrier.wire.rows import read_each
from shipcli.models import Tracking, TrackingEvent, TrackingInfo, TrackingRequest

from .parts import CATALOGUE


def find_id(request: TrackingRequest, number: str) -> str:
    """The shipment's id: said of the number, said of all, else the number itself.

    Shapes: `options` hold under the number `tracker_id` or `easyship_shipment_id`.
    """
    options, shared = request.options_of(number), request.options.get("easyship_shipment_id")
    return str(options.get("easyship_shipment_id") or options.get("tracker_id") or shared or number)


def read_tracking(shipment: Json, number: str) -> Tracking:
    """Shapes: a leg has its number, its state and its handler; the shipment says when it last changed."""
    legs = as_list(shipment.get("trackings"))
    master = next((leg for leg in legs if leg.get("tracking_number") == number), legs[0] if legs else {})
    master_legs = [leg for leg in legs if leg.get("tracking_number") == master.get("tracking_number")]
    status = CATALOGUE.statuses.read(master.get("tracking_state"))
    return Tracking(
        tracking_number=master.get("tracking_number") or number,
        events=read_each(master_legs, _event, str(shipment.get("updated_at") or "")),
        delivered=status == "delivered",
        status=status,
        info=TrackingInfo(carrier_tracking_link=shipment.get("tracking_page_url")),
        meta=drop_empty({"tracker_id": shipment.get("easyship_shipment_id")}),
    )


def _event(leg: Json, changed: str) -> TrackingEvent:
    at = datetime.fromisoformat(changed) if changed else None
    return TrackingEvent(
        date=f"{at:%Y-%m-%d}" if at else None,
        time=f"{at:%H:%M}" if at else None,
        code=str(leg.get("leg_number") or "") or None,
        description=str(leg.get("tracking_state") or "").replace("_", " ").capitalize() or None,
    )

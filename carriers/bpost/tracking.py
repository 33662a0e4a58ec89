"""Reader of what bpost knows of an item. Pure.

Shapes: states come with the oldest first, and their times with a zone. Source: tracking_info_v1.xsd.
"""

from __future__ import annotations

from lxml.etree import _Element

from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import find, find_texts
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

GRAMS_PER_KG = 1000
DELIVERED = "delivered"
META = {"costCenter": "costCenter", "trackingId": "trackingId", "reference": "customerReference"}
INFO = {
    "customer_name": "addressee/name",
    "shipment_origin_country": "sender/address/countryCode",
    "shipment_origin_postal_code": "sender/address/postalCode",
    "shipment_destination_country": "addressee/address/countryCode",
    "shipment_destination_postal_code": "addressee/address/postalCode",
}
PICKUP_POINT = ("houseNumber", "streetName", "postalCode", "city")


def read_tracking(item: _Element, number: str, link: str) -> Tracking:
    """`link` is the public page, "{}" in it stands for the number."""
    number, states = find(item, "itemCode", number), item.findall("stateInfo")
    latest = max(states, key=lambda state: find(state, "time", ""), default=None)
    status = CATALOGUE.statuses.read(find(latest, "stateCode") if latest is not None else None)
    day = read_day(find(item, "deliveryTime"))
    grams = read_amount(find(item, "itemDetail/weightInGrams"))
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == DELIVERED,
        estimated_delivery=day,
        events=read_each(states, _read_state),
        info=TrackingInfo(
            carrier_tracking_link=link.format(number),
            expected_delivery=day,
            package_weight=str(grams / GRAMS_PER_KG) if grams else None,
            package_weight_unit="KG" if grams else None,
            **find_texts(item, INFO),
        ),
        meta=_read_meta(item),
    )


def _read_meta(item: _Element) -> dict[str, str]:
    point = " ".join(text for name in PICKUP_POINT if (text := find(item, f"pickupPoint/{name}")))
    meta = {**find_texts(item, META), "pickup_point": point}
    return {name: text for name, text in meta.items() if text}


def _read_state(state: _Element) -> TrackingEvent:
    at = find(state, "time")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=find(state, "stateCode"),
        description=find(state, "stateDescription"),
    )

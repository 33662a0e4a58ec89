"""Between our models and the tracking service of Aramex. Pure.

Shapes: the answer is a dictionary, each number with its updates, newest first.
Source: Tracking API, Service_1_0; tracking.xsd and array_of_string.xsd.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.soap import SoapOperation
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.carrier.wire.xml import every, find
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

if TYPE_CHECKING:
    from lxml.etree import _Element

CATALOGUE = load_catalogue(__file__)
VERSION = "1.0"
TRACK = SoapOperation(
    "ShipmentTrackingRequest",
    "http://ws.aramex.net/ShippingAPI/v1/",
    action="http://ws.aramex.net/ShippingAPI/v1/Service_1_0/TrackShipments",
    prefix="v1",
    namespaces={"arr": "http://schemas.microsoft.com/2003/10/Serialization/Arrays"},
    bare_header=True,
)


def write_tracking(client: Json, numbers: Sequence[str]) -> Json:
    """The question for all updates of the numbers; `client` is who asks."""
    shipments = {"arr:string": list(numbers)}
    return {"ClientInfo": client, "Shipments": shipments, "GetLastTrackingUpdateOnly": False}


def read_messages(answer: _Element) -> list[Message]:
    """What is wrong with the question, and the numbers that nobody knows."""
    notes = [
        Message(code=find(notification, "Code"), message=find(notification, "Message"))
        for notification in every(answer, "Notification")
    ]
    unknown = (waybill.text for group in every(answer, "NonExistingWaybills") for waybill in group)
    return [*notes, *(Message(message=f'Waybill "{number}" Not Found') for number in unknown if number)]


def read_trackings(answer: _Element, link: str) -> list[Tracking]:
    """What is known of each number; `link` holds {} for it."""
    return read_each([updates for updates in _group_updates(answer) if updates], _read_tracking, link)


def _group_updates(answer: _Element) -> Iterator[list[_Element]]:
    return (
        every(entry, "TrackingResult") for results in every(answer, "TrackingResults") for entry in results
    )


def _read_tracking(updates: Sequence[_Element], link: str) -> Tracking:
    newest = max(updates, key=lambda update: find(update, "UpdateDateTime", ""))
    number = find(newest, "WaybillNumber", "")
    status = CATALOGUE.statuses.read(find(newest, "UpdateCode"))
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=status == "delivered",
        events=read_each(updates, _read_event),
        info=TrackingInfo(
            carrier_tracking_link=link.format(number),
            package_weight=find(newest, "GrossWeight"),
            package_weight_unit=find(newest, "WeightUnit"),
        ),
    )


def _read_event(update: _Element) -> TrackingEvent:
    """One update; its time is local to the place and may carry a fraction of a second."""
    at = find(update, "UpdateDateTime")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=find(update, "UpdateCode"),
        description=find(update, "UpdateDescription"),
        location=find(update, "UpdateLocation"),
    )

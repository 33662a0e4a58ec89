"""What is known of numbers: a result for each, of an article or of a consignment with its articles. Pure."""

from __future__ import annotations

from collections.abc import Callable

from shipcli.carrier.wire.json_paths import Json, as_list
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE


def read_results(body: Json, link: Callable[[str], str | None]) -> list[Tracking]:
    """The numbers that are known; what is wrong with the others is said in the messages."""
    results = as_list(body.get("tracking_results"))
    return read_each([result for result in results if result.get("trackable_items")], _read_result, link)


def _read_result(result: Json, link: Callable[[str], str | None]) -> Tracking:
    """Shapes: an article is an item itself; a consignment lists its articles, the first of which is shown."""
    outer = result["trackable_items"][0]
    item = next(iter(as_list(outer.get("items"))), outer)
    status = CATALOGUE.statuses.read(item.get("status"))
    return Tracking(
        tracking_number=result["tracking_id"],
        events=read_each(as_list(item.get("events")), _read_event),
        delivered=status == "delivered",
        status=status,
        info=TrackingInfo(
            carrier_tracking_link=link(result["tracking_id"]), shipment_service=item.get("product_type")
        ),
    )


def _read_event(event: Json) -> TrackingEvent:
    """One scan, newest first; its time is that of its place."""
    return TrackingEvent(
        date=read_day(event.get("date")),
        time=read_clock(event.get("date")),
        description=event.get("description"),
        location=event.get("location"),
    )

"""Merge a carrier's answer into a tracker: status, ordered events, info. Pure functions."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shipcli.models import Tracker, Tracking, TrackingEvent, TrackingInfo
from shipcli.models.basics.enums import TRACKER_STATUSES

OTHER_STATUSES = {"return_to_sender": "delivery_failed", "cancelled": "unknown"}
SHIPMENT_STATUS = {
    "delivered": "delivered",
    "out_for_delivery": "out_for_delivery",
    "delivery_failed": "delivery_failed",
    "on_hold": "needs_attention",
    "delivery_delayed": "needs_attention",
    "in_transit": "in_transit",
    "ready_for_pickup": "in_transit",
}
STATUS_EVENTS = {
    "in_transit": "shipment_fulfilled",
    "out_for_delivery": "shipment_out_for_delivery",
    "needs_attention": "shipment_needs_attention",
    "delivery_failed": "shipment_delivery_failed",
}
IMAGES = ("delivery_image", "signature_image")
SIGNS: Mapping[bytes, tuple[str, str]] = {
    b"\x89PNG": ("PNG", "image/png"),
    b"\xff\xd8\xff": ("JPG", "image/jpeg"),
    b"GIF8": ("GIF", "image/gif"),
    b"%PDF": ("PDF", "application/pdf"),
}  # file formats and media types by the first bytes of a file
OWN_INFO = "own_info"  # in meta: the info keys set by the caller, which carriers do not override
WAITING = "Waiting for the carrier's first scan"
CLOCKS = ("%H:%M", "%I:%M %p", "%I:%M%p", "%H:%M:%S", "%I:%M:%S %p", "%H:%M %p")


def make_waiting_event(now: datetime) -> TrackingEvent:
    """Make the event of a tracker whose number is not known to the carrier yet."""
    return TrackingEvent(date=f"{now:%Y-%m-%d}", time=f"{now:%H:%M}", code="UNKNOWN", description=WAITING)


@dataclass(frozen=True)
class Image:
    """An image that proves delivery, with its format and media type."""

    content: bytes
    format: str = "BIN"
    media_type: str = "application/octet-stream"


def decode_images(answer: Tracking) -> dict[str, Image]:
    """Return the images in an answer that can be decoded."""
    images = answer.images or {}
    return {name: image for name in IMAGES if (image := decode_image(images.get(name)))}


def decode_image(text: str | None) -> Image | None:
    """Decode an image from base64 text; None if it is empty or cannot be decoded."""
    try:
        content = base64.b64decode("".join((text or "").split()), validate=True)
    except binascii.Error:
        return None
    kind = next((kind for start, kind in SIGNS.items() if content.startswith(start)), ())
    return Image(content, *kind) if content else None


def merge_tracking(tracker: Tracker, answer: Tracking) -> Tracker:
    """Return the tracker updated with the carrier's latest answer."""
    events = list(answer.events) if answer.as_sent else merge_events(answer.events, tracker.events)
    status = derive_status(bool(answer.delivered), events, answer.status)
    meta = {
        key: value for key, value in (tracker.meta or {}).items() if key != "carrier_status"
    } | answer.meta
    if answer.status in OTHER_STATUSES:
        meta["carrier_status"] = answer.status
    urls = {f"{name}_url": f"/v1/trackers/{tracker.id}/{name}" for name in decode_images(answer)}
    was_waiting, is_waiting = (any(map(_is_waiting, some)) for some in (tracker.events, events))
    return tracker.model_copy(
        update={
            "events": events,
            "messages": []
            if was_waiting and not is_waiting
            else tracker.messages,  # the carrier knows it now
            "delivered": status == "delivered",
            "status": status,
            "estimated_delivery": answer.estimated_delivery or tracker.estimated_delivery,
            "info": merge_info(tracker, answer.info),
            "meta": meta,
            **urls,
        }
    )


def merge_info(tracker: Tracker, fresh_info: TrackingInfo) -> TrackingInfo:
    """Return the known info updated with the carrier's; keys set by the caller are kept."""
    own_keys = (tracker.meta or {}).get(OWN_INFO) or ()
    stored = tracker.info.model_dump() if tracker.info else {}
    fresh = {
        key: value
        for key, value in fresh_info.model_dump().items()
        if value is not None and key not in own_keys
    }
    source = stored.get("source") or "api"
    return TrackingInfo.model_validate({**stored, **fresh, "source": source})


def add_own_info(tracker: Tracker, changes: Mapping[str, Any]) -> Tracker:
    """Return the tracker with info set by the caller; null hands a key back to the carrier."""
    info = {**(tracker.info.model_dump() if tracker.info else {}), **changes}
    taken_back = {key for key, value in changes.items() if value is None}
    own_keys = {*((tracker.meta or {}).get(OWN_INFO) or ()), *changes} - taken_back
    meta = {key: value for key, value in (tracker.meta or {}).items() if key != OWN_INFO}
    if own_keys:
        meta[OWN_INFO] = sorted(own_keys)
    return tracker.model_copy(update={"info": TrackingInfo.model_validate(info), "meta": meta})


def derive_status(delivered: bool, events: Sequence[TrackingEvent], reported: str | None) -> str:
    """Return one of the nine tracker statuses."""
    if delivered or reported == "delivered":
        return "delivered"
    if not events or (len(events) == 1 and events[0].code == "CREATED"):
        return "pending"
    status = OTHER_STATUSES.get(reported or "", reported)
    return status if status in TRACKER_STATUSES else "in_transit"


def merge_events(fresh: Iterable[TrackingEvent], stored: Iterable[TrackingEvent]) -> list[TrackingEvent]:
    """Merge new and known events, without exact duplicates, newest first by date and time."""
    once: dict[str, TrackingEvent] = {}
    for event in [*fresh, *stored]:
        tidy = event.model_copy(update={"time": convert_clock_time(event.time)}) if event.time else event
        once.setdefault(tidy.model_dump_json(), tidy)
    order = sorted(
        enumerate(once.values()), key=lambda pair: (_make_sort_key(pair[1]), -pair[0]), reverse=True
    )
    return [event for _, event in order if not _is_waiting(event) or len(once) == 1]


def _is_waiting(event: TrackingEvent) -> bool:
    return event.code == "UNKNOWN" and event.description == WAITING


def convert_clock_time(text: str) -> str:
    """Convert a 24-hour or 12-hour time to HH:MM; any other text is returned unchanged."""
    for form in CLOCKS:
        try:
            return f"{datetime.strptime(text.strip().upper(), form):%H:%M}"
        except ValueError:
            continue
    return text


def _make_sort_key(event: TrackingEvent) -> tuple[str, str]:
    return event.date or "", convert_clock_time(event.time or "")

"""Reader of Royal Mail's events.

Shapes: an answer holds one mail piece; its events come with the latest first.
Source: Tracking API v2, `/mailpieces/v2/{mailPieceId}/events`.
"""

from __future__ import annotations

from shipcli.carrier import load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

CATALOGUE = load_catalogue(__file__)
DELIVERED = "Delivered"  # stands in the name of every event that ends well: "Delivered to Neighbour"


def read_problem(body: Json) -> list[Message]:
    """The refusal in an answer without a mail piece; its details say what to mend."""
    if "mailPieces" in body or not body:
        return []
    details = drop_empty({name: body.get(name) for name in ("moreInformation", "errors")})
    code = body.get("httpCode")
    return [
        Message(code=str(code) if code else None, message=body.get("httpMessage"), details=details or None)
    ]


def read_mail_piece(piece: Json, link: str | None) -> Tracking:
    """Of a piece that is under way the events say the status."""
    delivered = DELIVERED in str(get_path(piece, "summary/lastEventName"))
    return Tracking(
        tracking_number=piece["mailPieceId"],
        status="delivered" if delivered else None,
        delivered=delivered,
        estimated_delivery=get_path(piece, "estimatedDelivery/date"),
        events=read_each(as_list(piece.get("events")), _read_event),
        info=TrackingInfo(
            carrier_tracking_link=link,
            shipment_service=get_path(piece, "summary/productName"),
            signed_by=get_path(piece, "signature/recipientName"),
        ),
    )


def _read_event(event: Json) -> TrackingEvent:
    """One scan; its time is local to the place."""
    at = event.get("eventDateTime")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("eventCode"),
        description=event.get("eventName"),
        location=event.get("locationName"),
    )

"""The question and the answer of DHL's tracking, both in attributes of XML. Pure.

Source: tracking-request.xsd, tracking-response.xsd.
"""

from __future__ import annotations

from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK, read_moment
from shipcli.carrier.wire.xml import Element, element, text
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from . import parts

DELIVERED = "DLVRD"
DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'


def write_question(user: tuple[str | None, str | None], language: str, number: str) -> str:
    """The question as a text, for the query of the address."""
    attributes = {
        "@appname": user[0],
        "@password": user[1],
        "@request": "d-get-piece-detail",
        "@language-code": language,
        "@piece-code": number,
    }
    return f"{DECLARATION}{text(element('data', attributes))}"


def read_tracking(answer: Element) -> Tracking:
    """What is known of a piece; events come oldest first.

    Errors: LookupError when the answer is about no piece.
    """
    piece = next((node for node in answer.iter("data") if node.get("name") == "piece-shipment"), None)
    number = piece.get("piece-identifier") if piece is not None else None
    if piece is None or not number:
        raise LookupError("piece-shipment")
    code = piece.get("ice")
    return Tracking(
        tracking_number=number,
        events=read_each(
            [node for node in piece.iter("data") if node.get("name") == "piece-event"], _read_event
        ),
        delivered=code == DELIVERED,
        status=parts.CATALOGUE.statuses.read(code),
        estimated_delivery=piece.get("delivery-date") or None,
        info=TrackingInfo(
            customer_name=piece.get("pan-recipient-name") or None,
            shipment_destination_country=piece.get("dest-country") or None,
            shipment_destination_postal_code=piece.get("pan-recipient-postalcode") or None,
            shipment_origin_country=piece.get("origin-country") or None,
            shipment_service=piece.get("product-name") or None,
        ),
    )


def _read_event(event: Element) -> TrackingEvent:
    """One scan; its time is local to the place: `17.03.2016 11:21`."""
    moment = read_moment(event.get("event-timestamp"), "%d.%m.%Y %H:%M")
    places = [event.get("event-location"), event.get("event-country")]
    return TrackingEvent(
        date=f"{moment:%Y-%m-%d}" if moment else None,
        time=moment.strftime(CLOCK) if moment else None,
        code=event.get("ice"),
        description=event.get("event-status"),
        location=", ".join(place for place in places if place) or None,
    )

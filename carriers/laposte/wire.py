"""Between our models and La Poste's tracking, which Colissimo's is too.

Shapes: an object for one number, a list of them for several; some answers wrap the list in `responses`.
Source: Suivi v2 of the Okapi portal: several numbers in a path, parted by commas. How many is said nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from shipcli.carrier import Call, Flow, ask_all, load_catalogue
from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

CATALOGUE = load_catalogue(__file__)
MOST = 10  # numbers in one call: our own choice, so that an address stays short
UNDELIVERED = ("return_to_sender", "delivery_failed", "ready_for_pickup", "on_hold")
FOUND = "20"  # how the return code of a known number begins


def write_question(numbers: Sequence[str], language: str, **call: Any) -> Call:
    joined = ",".join(quote(number, safe="") for number in numbers)
    return Call("GET", f"/suivi/v2/idships/{joined}", query={"lang": language}, partial=True, **call)


def track(batches: Iterable[Sequence[str]], language: str, link: str, **call: Any) -> Flow[list[Tracking]]:
    """What is known of the numbers; those that are not known are named in the messages."""
    replies = yield from ask_all([write_question(numbers, language, **call) for numbers in batches])
    return [tracking for reply in replies if reply.ok for tracking in read_trackings(reply.json, link)]


def is_refused(body: Any) -> bool:
    """Whether an answer has nothing but problems."""
    items = _items(body)
    return bool(items) and not any("shipment" in item for item in items)


def read_problems(body: Any) -> list[Message]:
    """What is said of numbers that are not known, and of calls that are refused."""
    return [_problem(item) for item in _items(body) if not _is_known(item)]


def read_trackings(body: Any, link: str) -> list[Tracking]:
    """What is known of each number; `link` is the public page, "{}" in it stands for the number.

    Errors: LookupError for an answer that says nothing of any number.
    """
    items = _items(body)
    if not items:
        raise LookupError("returnCode")
    return read_each([item["shipment"] for item in items if item.get("shipment")], _read_shipment, link)


def _items(body: Any) -> list[Json]:
    responses = body.get("responses", body) if isinstance(body, dict) else body
    return [response for response in as_list(responses) if isinstance(response, dict) and response]


def _is_known(item: Json) -> bool:
    return str(item.get("returnCode", "")).startswith(FOUND) and not item.get("code")


def _problem(item: Json) -> Message:
    code, number = item.get("returnCode") or item.get("code"), item.get("idShip")
    return Message(
        code=str(code) if code else None,
        message=item.get("returnMessage") or item.get("message"),
        details={"tracking_number": number} if number else None,
    )


def _read_shipment(shipment: Json, link: str) -> Tracking:
    """Shapes: `event` has the latest scan first; `isFinal` is said of parcels that came back as well."""
    number, events = shipment["idShip"], as_list(shipment.get("event"))
    status = CATALOGUE.statuses.read(events[0].get("code") if events else None)
    return Tracking(
        tracking_number=number,
        status=status,
        delivered=bool(shipment.get("isFinal")) and status not in UNDELIVERED,
        estimated_delivery=read_day(shipment.get("deliveryDate")),
        events=read_each(events, _read_event),
        info=TrackingInfo(
            carrier_tracking_link=shipment.get("url") or link.format(number),
            expected_delivery=read_day(shipment.get("estimDate")),
            shipment_service=shipment.get("product"),
            shipping_date=read_day(shipment.get("entryDate")),
            shipment_origin_country=get_path(shipment, "contextData/originCountry"),
            shipment_destination_country=get_path(shipment, "contextData/arrivalCountry"),
        ),
    )


def _read_event(event: Json) -> TrackingEvent:
    """One scan; its time is local to the place."""
    at = event.get("date")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("code"),
        description=event.get("label"),
    )

"""The unified tracking of the DHL group: the questions, and the reader of their answers.

Shapes: `references` is one object or a list of them; a person has a name, or its parts, or a company.
Source: Shipment Tracking - Unified, version 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shipcli.carrier import Call, Flow, ask_all, load_catalogue
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

CATALOGUE = load_catalogue(__file__)
Json = Mapping[str, Any]


def track(
    numbers: Sequence[str], language: str, link: Callable[[str], str | None], host: str | None = None
) -> Flow[list[Tracking]]:
    """One call for each number; the answer's own id is the number it tracks."""
    queries = [{"language": language, "trackingNumber": number} for number in numbers]
    replies = yield from ask_all(
        [Call("GET", "/track/shipments", query=query, host=host) for query in queries]
    )
    shipments = (shipment for reply in replies if reply.ok for shipment in reply.json["shipments"][:1])
    return read_each(shipments, lambda shipment: read_shipment(shipment, link(str(shipment["id"])) or ""))


def read_problem(body: Any) -> list[Message]:
    """The refusal in an answer, which is the body or its `status`; none where that says ok."""
    if not isinstance(body, Mapping) or "shipments" in body:
        return []
    problem = body["status"] if isinstance(body.get("status"), Mapping) else body
    code = problem.get("status") or problem.get("statusCode") or ""
    text = problem.get("detail") or problem.get("title")
    if not (code or text) or str(problem.get("title")).lower() == "ok":
        return []
    details = {name: problem[name] for name in ("title", "instance") if problem.get(name)}
    return [Message(code=str(code), message=text, details=details or None)]


def read_shipment(shipment: Json, link: str) -> Tracking:
    """What is known of the number; the link is the public page."""
    details = _at(shipment, "details")
    status = CATALOGUE.statuses.read(status_code(shipment))
    origin, destination = _at(shipment, "origin", "address"), _at(shipment, "destination", "address")
    weight, reference = _at(details, "weight"), _reference(details)
    return Tracking(
        tracking_number=str(shipment["id"]),
        status=status,
        delivered=status == "delivered",
        estimated_delivery=read_day(shipment.get("estimatedTimeOfDelivery")),
        events=read_each(shipment.get("events") or (), read_event),
        info=TrackingInfo(
            carrier_tracking_link=link,
            customer_name=_person(_at(details, "receiver")),
            shipment_service=_at(details, "product").get("productName"),
            shipment_origin_country=origin.get("countryCode"),
            shipment_origin_postal_code=origin.get("postalCode"),
            shipment_destination_country=destination.get("countryCode"),
            shipment_destination_postal_code=destination.get("postalCode"),
            package_weight=weight.get("value"),
            package_weight_unit=weight.get("unitText"),
            signed_by=_person(_at(details, "proofOfDelivery", "signed")),
        ),
        meta={"reference": reference} if reference else {},
    )


def status_code(shipment: Json) -> str:
    """The carrier's word for where it is: of the shipment, else of its latest event."""
    status, events = shipment.get("status"), shipment.get("events") or [{}]
    latest = status if isinstance(status, Mapping) else {"status": status}
    word = latest.get("statusCode") or latest.get("status") or events[0].get("statusCode") or ""
    return str(word).lower()


def read_event(event: Json) -> TrackingEvent:
    """One scan; its time is local to the place and may carry a fraction of a second."""
    at = event.get("timestamp")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=event.get("statusCode"),
        description=event.get("description") or event.get("status"),
        location=_at(event, "location", "address").get("addressLocality"),
    )


def _at(body: Json, *names: str) -> Json:
    """The object down a path; an empty one where there is none."""
    for name in names:
        inner = body.get(name)
        body = inner if isinstance(inner, Mapping) else {}
    return body


def _person(person: Json) -> str | None:
    parts = " ".join(str(part) for part in (person.get("givenName"), person.get("familyName")) if part)
    return parts or person.get("name") or person.get("organizationName")


def _reference(details: Json) -> str | None:
    references = details.get("references")
    first = references[0] if isinstance(references, list) and references else references
    return first.get("number") if isinstance(first, Mapping) else None

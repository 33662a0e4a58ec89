"""The unified tracking and location finder of the DHL group: the questions, and the readers of the answers.

Shapes: `references` is one object or a list of them; a person has a name, or its parts, or a company.
Source: Shipment Tracking - Unified, version 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from shipcli.carrier import Call, Flow, ask_all, load_catalogue
from shipcli.carrier.wire.json_paths import drop_empty
from shipcli.carrier.wire.rounding import read_amount
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day
from shipcli.models import (
    Location,
    LocationAddress,
    LocationRequest,
    Message,
    OpeningHours,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
Json = Mapping[str, Any]
METRES, FARTHEST, MOST = 1000, 25_000, 50  # in a kilometre; what may be asked for
USUAL_RADIUS = 5000  # metres; DHL itself looks 500 metres far
DROPS, PICKS = "drop-off", "pick-up"
CLOCK = len("09:00")
NAMED = 2  # words of a place that labels can name


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
    if not isinstance(body, Mapping) or "shipments" in body or "locations" in body:
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


# -- places ----------------------------------------------------------------------------------------


def write_search(request: LocationRequest) -> dict[str, Any]:
    """Units: metres."""
    address = request.address
    metres = int(request.radius_in("KM") * METRES) or USUAL_RADIUS
    query = {
        "countryCode": address.country_code,
        "postalCode": address.postal_code,
        "addressLocality": address.city,
        "streetAddress": address.street,
        "radius": str(min(metres, FARTHEST)),
        "limit": str(min(request.limit, MOST)),
    }
    return dict(drop_empty(query))


def read_locations(body: Json) -> list[Location]:
    return read_each(body.get("locations") or (), read_location)


def read_location(place: Json) -> Location:
    """One place.

    Shapes: keyword and its id are how labels of DHL Parcel DE name a place (`Packstation 118`); those of
            Express alone have none.
    Units:  distances in metres.
    """
    own, address = place["location"], _at(place, "place", "address")
    services, metres = place.get("serviceTypes") or (), read_amount(place.get("distance"))
    words = [str(part) for part in (own.get("keyword"), own.get("keywordId")) if part]
    return Location(
        id="-".join(words).upper() if len(words) == NAMED else None,
        name=place.get("name") or " ".join(words) or None,
        kind=own.get("keyword") or own.get("type"),
        address=LocationAddress(
            address_line1=address.get("streetAddress"),
            city=address.get("addressLocality"),
            postal_code=address.get("postalCode"),
            country_code=address.get("countryCode"),
        ),
        distance=None if metres is None else (metres / METRES).quantize(Decimal("0.01")),
        drop_off=any(DROPS in word for word in services),
        pick_up=any(PICKS in word for word in services),
        hours=read_each(place.get("openingHours") or (), read_hours),
        latitude=read_amount(_at(place, "place", "geo").get("latitude")),
        longitude=read_amount(_at(place, "place", "geo").get("longitude")),
        meta={"location_ids": [row["locationId"] for row in own.get("ids") or ()]},
    )


def read_hours(row: Json) -> OpeningHours:
    """Shapes: a day is a link, `http://schema.org/Monday`."""
    day = str(row["dayOfWeek"]).rpartition("/")[2].lower()
    return OpeningHours(day=day, opens=str(row["opens"])[:CLOCK], closes=str(row["closes"])[:CLOCK])

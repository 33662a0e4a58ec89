"""What FedEx knows about tracking numbers, and the signatures of what is delivered. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from shipcli.carrier.wire.json_paths import Json, as_list, get_path
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock, read_day, read_moment
from shipcli.models import Tracking, TrackingEvent, TrackingInfo

from .parts import CATALOGUE

PLACE = ("city", "stateOrProvinceCode", "postalCode", "countryCode")


def write_tracking(numbers: Sequence[str]) -> Json:
    entries = [{"trackingNumberInfo": {"trackingNumber": number}} for number in numbers]
    return {"includeDetailedScans": True, "trackingInfo": entries}


def write_proof(number: str) -> Json:
    return {
        "trackDocumentDetail": {"documentType": "SIGNATURE_PROOF_OF_DELIVERY", "documentFormat": "PNG"},
        "trackDocumentSpecification": [{"trackingNumberInfo": {"trackingNumber": number}}],
    }


def read_trackings(body: Json, link: str) -> list[Tracking]:
    """What is known of the numbers; those that FedEx does not know are told as errors. `link` holds {}."""
    packages = as_list(get_path(body, "output/completeTrackResults"))
    return read_each([package for package in packages if _known(package)], read_tracking, link)


def list_unknown(body: Json) -> list[tuple[str, Json]]:
    """The numbers with what is wrong with them."""
    output = body.get("output")
    packages = as_list(output.get("completeTrackResults")) if isinstance(output, dict) else []
    return [
        (str(package.get("trackingNumber")), result["error"])
        for package in packages
        for result in as_list(package.get("trackResults"))
        if isinstance(result.get("error"), dict)
    ]


def _known(package: Json) -> list[Json]:
    results = as_list(package.get("trackResults"))
    return [
        result
        for result in results
        if result.get("scanEvents") or get_path(result, "latestStatusDetail/code")
    ]


def read_tracking(package: Json, link: str) -> Tracking:
    """Shapes: a number that was used again has several results; the one with the newest scan is meant."""
    number, result = str(package["trackingNumber"]), max(_known(package), key=_newest)
    status = CATALOGUE.statuses.read(get_path(result, "latestStatusDetail/code"))
    return Tracking(
        tracking_number=number,
        events=read_each(as_list(result.get("scanEvents")), read_event),
        delivered=status == "delivered",
        status=status,
        estimated_delivery=_due(result),
        info=_info(result, link.format(number)),
    )


def _newest(result: Json) -> float:
    times = (read_moment(event.get("date")) for event in as_list(result.get("scanEvents")))
    return max((time.timestamp() for time in times if time), default=0.0)


def read_event(scan: Json) -> TrackingEvent:
    """Shapes: the date is ISO with the offset of the place, whose clock is shown."""
    at, location = scan.get("date"), scan.get("scanLocation") or {}
    text = scan.get("exceptionDescription") or scan.get("eventDescription")
    return TrackingEvent(
        date=read_day(at),
        time=read_clock(at),
        code=scan.get("eventType"),
        description=(text or "").strip() or None,
        location=", ".join(location[name] for name in PLACE if location.get(name)) or None,
    )


def _due(result: Json) -> str | None:
    windows = ("estimatedDeliveryTimeWindow/window/begins", "standardTransitTimeWindow/window/begins")
    due = (read_moment(get_path(result, path)) for path in windows)
    return next((moment.date().isoformat() for moment in due if moment), None)


def _info(result: Json, link: str) -> TrackingInfo:
    address = "locationContactAndAddress/address"
    weight = get_path(result, "shipmentDetails/weight") or [{}]
    origin = get_path(result, f"originLocation/{address}") or {}
    destination = get_path(result, f"destinationLocation/{address}") or {}
    return TrackingInfo(
        carrier_tracking_link=link,
        shipment_service=get_path(result, "serviceDetail/description"),
        package_weight=weight[0].get("value"),
        package_weight_unit=weight[0].get("unit"),
        shipment_origin_country=origin.get("countryCode"),
        shipment_origin_postal_code=origin.get("postalCode"),
        shipment_destination_country=destination.get("countryCode"),
        shipment_destination_postal_code=destination.get("postalCode"),
        signed_by=get_path(result, "deliveryDetails/signedByName"),
    )


def read_proof(body: Json) -> str | None:
    """The signature as base64 text."""
    files = as_list(get_path(body, "output/documents"))
    return str(files[0]) if files else None

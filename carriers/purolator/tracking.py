"""What Purolator knows about numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import read_clock
from shipcli.carrier.wire.xml import Element, check_root, every, find
from shipcli.models import Message, Tracking, TrackingEvent, TrackingInfo

from . import parts

DELIVERED = "Delivery"
UNKNOWN = r"no (?:tracking )?information|not found|no (?:results|shipments|packages)"
SEARCHED = 14  # days before and after


def write_tracking(numbers: Sequence[str]) -> Json:
    return {"PINs": {"PIN": [{"Value": number} for number in numbers]}}


def write_search(reference: str, shipped: date, today: date) -> Json:
    """The question for the packages of a reference, from before the day they were to leave to tomorrow."""
    margin = timedelta(days=SEARCHED)
    days = {
        "ShipmentFromDate": (min(shipped, today) - margin).isoformat(),
        "ShipmentToDate": (max(shipped, today) + margin).isoformat(),
    }
    return {"TrackPackageByReferenceSearchCriteria": {"Reference": reference, **days}}


def read_numbers(answer: Element) -> list[str]:
    """The numbers of the packages that were found.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "TrackPackagesByReferenceResponse")
    return [
        text
        for information in every(answer, "TrackingInformation")
        if (text := find(information, "PIN/Value"))
    ]


def says_unknown(message: Message) -> bool:
    """Whether nothing is known under a number or a reference."""
    return bool(re.search(UNKNOWN, message.message or "", re.IGNORECASE))


def read_trackings(answer: Element, link: str) -> list[Tracking]:
    """What is known of the numbers; one without scans is left out. `link` holds {} for the number.

    Errors: LookupError when this is no answer to the question.
    """
    check_root(answer, "TrackPackagesByPinResponse")
    entries = (
        entry for entry in every(answer, "TrackingInformation") if entry.find("Scans/Scan") is not None
    )
    return read_each(entries, _read_tracking, link)


def _read_tracking(node: Element, link: str) -> Tracking:
    """Shapes: scans come newest first."""
    number, scans = find(node, "PIN/Value", ""), node.findall("Scans/Scan")
    delivered = any(find(scan, "ScanType") == DELIVERED for scan in scans)
    code = DELIVERED if delivered else find(scans[0], "ScanType")
    signatures = (find(scan, "ScanDetails/DeliverySignature") for scan in scans)
    return Tracking(
        tracking_number=number,
        events=read_each(scans, _read_scan),
        delivered=delivered,
        status=parts.CATALOGUE.statuses.read(code),
        info=TrackingInfo(
            carrier_tracking_link=link.format(number),
            signed_by=next((name for name in signatures if name), None),
        ),
    )


def _read_scan(scan: Element) -> TrackingEvent:
    """Shapes: the time is HHMMSS, local to the depot."""
    day, time = find(scan, "ScanDate"), find(scan, "ScanTime")
    return TrackingEvent(
        date=day,
        time=read_clock(f"{day}T{time}"),
        code=find(scan, "ScanType"),
        description=find(scan, "Description"),
        location=find(scan, "Depot/Name"),
    )

"""Collections: they are checked, then booked or changed. Pure.

Source: PickupService.xsd; only the closing time, the place and the access of a booked one can be changed.
"""

from __future__ import annotations

from shipcli.carrier import RequestOptions
from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.xml import Element, require
from shipcli.models import PickupDetails, PickupRequest, PickupUpdateRequest

from . import parts

OPTIONS = parts.CATALOGUE.option_table("pickup_options")


def write_pickup(request: PickupRequest, account: str) -> Json:
    """The same for the check and for the booking."""
    weight = {"Value": parts.pounds(request.parcels), "WeightUnit": "lb"}
    email = request.address.email
    return {
        "BillingAccountNumber": account,
        "PickupInstruction": {
            "Date": request.pickup_date,
            "AnyTimeAfter": _write_time(request.ready_time),
            "UntilTime": _write_time(request.closing_time),
            "TotalWeight": weight if request.parcels else None,
            "TotalPieces": len(request.parcels) or 1,
            "PickUpLocation": request.package_location,
            "AdditionalInstructions": request.instruction,
            **_write_access(request),
        },
        "Address": parts.write_address(request.address),
        "NotificationEmails": {"NotificationEmail": [email]} if email else None,
    }


def write_change(request: PickupUpdateRequest, account: str) -> Json:
    return {
        "BillingAccountNumber": account,
        "ConfirmationNumber": request.confirmation_number,
        "ModifyPickupInstruction": {
            "UntilTime": _write_time(request.closing_time),
            "PickUpLocation": request.package_location,
            **_write_access(request),
        },
    }


def _write_access(request: PickupRequest) -> Json:
    """How the driver gets at the parcels, as far as it is said."""
    options = RequestOptions(OPTIONS, request.options)
    return {row.slug: options.value(row.slug) for row in OPTIONS}


def _write_time(time: str) -> str:
    """HHMM of HH:MM."""
    return time[:5].replace(":", "")


def read_pickup(answer: Element) -> PickupDetails:
    """Errors: LookupError when the answer has no number."""
    return PickupDetails(confirmation_number=require(answer, ".//PickUpConfirmationNumber"))

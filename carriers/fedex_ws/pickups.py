"""Collections: whether one is possible, booked, called off. Pure."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shipcli.carrier.wire.json_paths import Json
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import PickupCancelRequest, PickupRequest

from .parts import EXPRESS, write_contact, write_place


def _day_kind(request: PickupRequest, today: date) -> str:
    return "SAME_DAY" if request.pickup_date == today.isoformat() else "FUTURE_DAY"


def write_account(account: str) -> Json:
    return {"Type": "FEDEX_EXPRESS", "AccountNumber": account}


def write_availability(account: str, request: PickupRequest, today: date) -> Json:
    return {
        "AccountNumber": write_account(account),
        "PickupAddress": write_place(request.address),
        "PickupRequestType": _day_kind(request, today),
        "DispatchDate": request.pickup_date,
        "PackageReadyTime": f"{request.ready_time}:00",
        "CustomerCloseTime": f"{request.closing_time}:00",
        "Carriers": EXPRESS,
    }


def write_pickup(account: str, request: PickupRequest, today: date) -> Json:
    total = sum((parcel.weight_in("LB") for parcel in request.parcels if parcel.weight), Decimal(0))
    return {
        "AssociatedAccountNumber": write_account(account),
        "OriginDetail": {
            "PickupLocation": {
                "Contact": write_contact(request.address),
                "Address": write_place(request.address),
            },
            "PackageLocation": request.package_location,
            "ReadyTimestamp": f"{request.pickup_date}T{request.ready_time}:00",
            "CompanyCloseTime": f"{request.closing_time}:00",
            "PickupDateType": _day_kind(request, today),
            "Location": request.package_location,
        },
        "PackageCount": len(request.parcels) or 1,
        "TotalWeight": {"Units": "LB", "Value": round_measure(total)} if total else None,
        "CarrierCode": EXPRESS,
        "Remarks": request.instruction,
    }


def write_cancellation(request: PickupCancelRequest) -> Json:
    address = request.address
    return {
        "CarrierCode": EXPRESS,
        "PickupConfirmationNumber": request.confirmation_number,
        "ScheduledDate": request.pickup_date,
        "Reason": request.reason,
        "ContactName": address.person_name if address else None,
        "PhoneNumber": address.phone_number if address else None,
    }

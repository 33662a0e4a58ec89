"""Collections: booked, and called off. Pure."""

from __future__ import annotations

from decimal import Decimal

from shipcli.carrier import RequestOptions
from shipcli.carrier.contents import join_words
from shipcli.carrier.wire.address_parts import cut_text
from shipcli.carrier.wire.json_paths import Json, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_measure
from shipcli.models import PickupCancelRequest, PickupDetails, PickupRequest
from shipcli.models.basics.phones import split_extension

from .parts import CATALOGUE, LINE, write_address

OPTIONS = CATALOGUE.option_table("pickup_options")
EXPRESS = "FDXE"


def write_pickup(account: str | None, request: PickupRequest) -> Json:
    """The courier may come from the ready time on. Source: Pickup API, readyDateTimestamp."""
    address, options = request.address, RequestOptions(OPTIONS, request.options)
    described = join_words([parcel.description for parcel in request.parcels])
    phone, extension = split_extension(address.phone_number or "")
    body: Json = {
        "associatedAccountNumber": {"value": account},
        "originDetail": {
            "pickupLocation": {
                "contact": {
                    "companyName": cut_text(address.company_name, LINE),
                    "personName": cut_text(address.person_name, LINE),
                    "phoneNumber": phone,
                    "phoneExtension": extension or None,
                },
                "address": write_address(address),
                "accountNumber": {"value": account},
                "deliveryInstructions": options.text("instructions") or request.instruction,
            },
            "readyDateTimestamp": f"{request.pickup_date}T{request.ready_time}:00Z",
            "customerCloseTime": f"{request.closing_time}:00",
            "packageLocation": request.package_location,
        },
        "totalWeight": _weight(request),
        "packageCount": len(request.parcels),
        "carrierCode": EXPRESS,
        "commodityDescription": cut_text(described, 100),
        "pickupNotificationDetail": _notice(address.email, options),
    }
    options.write(body, "book")
    return dict(drop_empty(body))


def _weight(request: PickupRequest) -> Json | None:
    parcels = [parcel for parcel in request.parcels if parcel.weight]
    unit = "LB" if parcels and parcels[0].weight_unit in ("LB", "OZ") else "KG"
    total = sum((parcel.weight_in(unit) for parcel in parcels), Decimal(0))
    return {"units": unit, "value": round_measure(total)} if parcels else None


def _notice(email: str | None, options: RequestOptions) -> Json | None:
    if not email:
        return None
    details = [{"address": email, "locale": "en_US"}]
    return {"emailDetails": details, "format": "TEXT", "userMessage": options.text("fedex_user_message")}


def write_cancellation(account: str | None, request: PickupCancelRequest) -> Json:
    body: Json = {
        "associatedAccountNumber": {"value": account},
        "pickupConfirmationCode": request.confirmation_number,
        "carrierCode": EXPRESS,
        "remarks": request.reason,
        "accountAddressOfRecord": write_address(request.address) if request.address else None,
        "scheduledDate": request.pickup_date,
    }
    RequestOptions(OPTIONS, request.options).write(body, "cancel")
    return dict(drop_empty(body))


def read_pickup(body: Json, day: str) -> PickupDetails:
    """`fedex_pickup_location` is what FedEx may ask for when the collection is called off."""
    location = get_path(body, "output/location")
    return PickupDetails(
        confirmation_number=str(body["output"]["pickupConfirmationCode"]),
        pickup_date=day,
        meta={"fedex_pickup_location": location} if location else {},
    )


def read_cancellation(body: Json) -> bool:
    return bool(get_path(body, "output/pickupConfirmationCode"))

"""Writers and readers of pickups and manifests: what happens to labels at the end of the day. Pure.

Source: pickuprequest.xsd and manifest.xsd (v8) of the Canada Post web services. The types of pickups are
sequences, so the order of their elements counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from lxml.etree import _Element

from carriers.canadapost.wire import CURRENCY, LINE, NO_PHONE, address_details, postal
from shipcli.carrier.xml import element, every, find
from shipcli.models import Address, Charge, ManifestRequest, Parcel, PickupDetails, PickupRequest

PICKUP_SPACE = "http://www.canadapost.ca/ws/pickuprequest"
MANIFEST_SPACE = "http://www.canadapost.ca/ws/manifest-v8"
HEAVY_KG = Decimal(23)
OPENS, SHUTS = 12 * 60, 17 * 60 + 45
QUARTER = 15


# -- pickups -----------------------------------------------------------------------------------


def write_pickup(customer: str | None, request: PickupRequest) -> _Element:
    """The order of a collection."""
    address = request.address
    body = {
        "customer-request-id": customer,
        "pickup-type": "OnDemand",
        "pickup-location": {
            "business-address-flag": not address.residential,
            "alternate-address": _place(address),
        },
        **_collection(request),
    }
    return element("pickup-request-details", body, PICKUP_SPACE)


def write_pickup_change(request: PickupRequest) -> _Element:
    """The change of a collection; its place stays."""
    return element("pickup-request-update", _collection(request), PICKUP_SPACE)


def _collection(request: PickupRequest) -> dict[str, Any]:
    heavy = any(_kilograms(parcel) > HEAVY_KG for parcel in request.parcels)
    return {
        "contact-info": _contact(request.address),
        "location-details": {
            "five-ton-flag": request.options.get("five_ton_flag"),
            "loading-dock-flag": request.options.get("loading_dock_flag"),
            "pickup-instructions": (request.instruction or request.package_location or "")[:132],
        },
        "items-characteristics": {"heavy-item-flag": True} if heavy else None,
        "pickup-volume": len(request.parcels) or 1,
        "pickup-times": {"on-demand-pickup-time": _times(request)},
    }


def _kilograms(parcel: Parcel) -> Decimal:
    return parcel.weight_in("KG") if parcel.weight is not None else Decimal(0)


def _place(address: Address) -> dict[str, Any]:
    street = ", ".join(address.lines)
    return {
        "company": (address.company_name or address.person_name or "")[:35],
        "address-line-1": street[:35],
        "city": (address.city or "")[:35],
        "province": address.state_code,
        "postal-code": postal(address.postal_code),
    }


def _contact(address: Address) -> dict[str, Any]:
    return {
        "contact-name": (address.person_name or address.company_name or "")[:45],
        "email": address.email,
        "contact-phone": _phone(address.phone_number),
        "receive-email-updates-flag": bool(address.email),
    }


def _phone(text: str | None) -> str | None:
    """Pickups take a North American number as 800-555-1212 only."""
    digits = re.sub(r"\D", "", text or "")
    if len(digits) == 11 and digits.startswith("1"):
        digits = digits[1:]
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}" if len(digits) == 10 else text


def _times(request: PickupRequest) -> dict[str, Any]:
    return {
        "date": request.pickup_date,
        "preferred-time": _preferred(request.ready_time),
        "closing-time": _closing(request.closing_time),
    }


def _preferred(ready: str) -> str:
    """The first quarter of the collecting hours (12:00 to 17:45) in which the parcels are ready."""
    at = _minutes(ready)
    if at is None:
        return ready
    quarter = max(-(-at // QUARTER) * QUARTER, OPENS)
    return _hours(quarter) if quarter <= SHUTS else ready


def _closing(closes: str) -> str:
    """The last quarter of the collecting hours in which the door is open."""
    at = _minutes(closes)
    if at is None:
        return closes
    quarter = min(at // QUARTER * QUARTER, SHUTS)
    return _hours(quarter) if quarter >= OPENS else closes


def _minutes(text: str) -> int | None:
    found = re.fullmatch(r"(\d{1,2}):(\d{2})", text)
    return int(found[1]) * 60 + int(found[2]) if found else None


def _hours(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def collects(root: _Element) -> bool:
    """Whether Canada Post collects on demand at the postal code that was asked about."""
    return all(node.text == "true" for node in every(root, "on-demand-tour"))


def read_pickup(root: _Element) -> PickupDetails:
    """A collection the carrier agreed to.

    Units:  Canadian dollars; the fee counts the taxes beside the amount due, as the recorded exchanges do.
    Errors: LookupError when the reply names no request.
    """
    header = next(iter(every(root, "pickup-request-header")), None)
    number = find(header, "request-id") if header is not None else None
    if header is None or number is None:
        raise LookupError("no request-id")
    return PickupDetails(
        confirmation_number=number,
        pickup_date=find(header, "next-pickup-date"),
        pickup_charge=_fee(next(iter(every(root, "pickup-request-price")), None)),
    )


def _fee(price: _Element | None) -> Charge | None:
    if price is None:
        return None
    parts = (find(price, name) for name in ("hst-amount", "gst-amount", "due-amount"))
    amount = sum((Decimal(part) for part in parts if part), Decimal(0))
    return Charge(name="Pickup fees", amount=amount, currency=CURRENCY)


# -- manifests ---------------------------------------------------------------------------------


def known_groups(request: ManifestRequest) -> dict[str, str | None]:
    """The group of each identifier that the request itself tells of; None for one that is in no group."""
    found: dict[str, str | None] = {}
    for shipment in request.options.get("shipments") or []:
        meta = shipment.get("meta") or {}
        for name in ("tracking_number", "shipment_identifier", "id"):
            if shipment.get(name):
                found[str(shipment[name])] = meta.get("group_id")
    return found


def listed(value: Any) -> list[str]:
    """A list, or a text with commas, as texts."""
    parts = value.split(",") if isinstance(value, str) else value or []
    return [str(part).strip() for part in parts if str(part).strip()]


def unique(values: Iterable[str | None]) -> list[str]:
    """What is there, once each, in order."""
    return list(dict.fromkeys(value for value in values if value))


def read_group(root: _Element) -> str | None:
    """The group a shipment waits in, from its details."""
    return next((node.text.strip() for node in every(root, "group-id") if node.text), None)


def write_manifest(request: ManifestRequest, groups: Sequence[str]) -> _Element:
    """The order to transmit groups of shipments and to make their manifests."""
    options, excluded = request.options, listed(request.options.get("excluded_shipments"))
    body = {
        "group-ids": {"group-id": list(groups)},
        "cpc-pickup-indicator": True if options.get("cpc_pickup_indicator") else None,
        "requested-shipping-point": postal(
            options.get("requested_shipping_point") or request.address.postal_code
        ),
        "shipping-point-id": options.get("shipping_point_id"),
        "detailed-manifests": options.get("detailed_manifests", True),
        "method-of-payment": options.get("method_of_payment") or "Account",
        "manifest-address": _manifest_address(request.address),
        "customer-reference": request.reference[:12] if request.reference else None,
        "excluded-shipments": {"shipment-id": excluded} if excluded else None,
    }
    return element("transmit-set", body, MANIFEST_SPACE)


def _manifest_address(address: Address) -> Mapping[str, Any]:
    company = address.company_name or address.person_name
    return {
        "manifest-company": company[:LINE] if company else None,
        "manifest-name": address.person_name[:LINE] if address.person_name else None,
        "phone-number": (address.phone_number or NO_PHONE)[:25],
        "address-details": address_details(address),
    }
